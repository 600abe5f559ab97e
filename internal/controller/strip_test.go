package controller

import (
	"reflect"
	"testing"

	"k8s.io/apimachinery/pkg/runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/google/go-cmp/cmp"

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
			out, err := Strip(part)(in.DeepCopy())
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

// TestEqualSizesAreKeptOnce: what a status says stays as it is, and of sizes that are
// the same there is one.
func TestEqualSizesAreKeptOnce(t *testing.T) {
	size := func(replicas int32, cpu string) v1alpha1.Size {
		return v1alpha1.Size{Replicas: replicas, Containers: map[string]map[string]string{"app": {"cpu": cpu, "memory": "1Gi"}, "proxy": {"cpu": "100m"}}}
	}
	in := object(t, "web", queuePolicy)
	in.Status.LastDecision = &v1alpha1.Decision{From: size(3, "1"), Want: size(4, "1"), Proposed: size(4, "2"),
		Steps: []v1alpha1.Step{{In: size(3, "1"), Out: size(4, "2")}, {In: size(4, "2"), Out: v1alpha1.Size{Replicas: 4}}}}
	out, err := Strip(shard.Shard{})(in.DeepCopy())
	if err != nil {
		t.Fatal(err)
	}
	got := out.(*v1alpha1.WorkloadAutoscaler).Status.LastDecision
	if diff := cmp.Diff(in.Status.LastDecision, got); diff != "" {
		t.Error(diff)
	}
	same := func(a, b v1alpha1.Size) bool {
		return reflect.ValueOf(a.Containers).Pointer() == reflect.ValueOf(b.Containers).Pointer()
	}
	if !same(got.From, got.Want) || !same(got.From, got.Steps[0].In) || !same(got.Proposed, got.Steps[0].Out) || !same(got.Proposed, got.Steps[1].In) {
		t.Error("sizes that are the same are kept several times")
	}
	if same(got.Want, got.Proposed) {
		t.Error("sizes that differ are one")
	}
}
