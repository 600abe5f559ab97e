package controller

import (
	"testing"

	"k8s.io/apimachinery/pkg/runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/tidemark/tidemark/api/v1alpha1"
	"github.com/tidemark/tidemark/internal/shard"
)

// TestStatusesOfOtherShardsAreNotKept: of an object of another shard there is what
// says whom it scales, and of one of ours all.
func TestStatusesOfOtherShardsAreNotKept(t *testing.T) {
	for i := range 2 {
		part := shard.Shard{Index: i, Of: 2}
		t.Run(part.String(), func(t *testing.T) {
			in := object(t, "web", queuePolicy)
			in.Status = v1alpha1.WorkloadAutoscalerStatus{Replicas: 3, Selector: "app=web", Memory: &runtime.RawExtension{Raw: []byte("{}")}}
			ours := owns(part, client.ObjectKeyFromObject(in))
			out, err := StripOthers(part)(in.DeepCopy())
			if err != nil {
				t.Fatal(err)
			}
			got := out.(*v1alpha1.WorkloadAutoscaler)
			if (got.Status.Memory != nil) != ours || got.Status.Replicas != 3 || got.Status.Selector != "app=web" {
				t.Errorf("ours: %t, kept %+v", ours, got.Status)
			}
			if got.Spec.TargetRef != in.Spec.TargetRef {
				t.Errorf("its target is %+v", got.Spec.TargetRef)
			}
		})
	}
}
