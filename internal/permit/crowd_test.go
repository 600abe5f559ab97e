package permit

import (
	"fmt"
	"strings"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/tidemark/tidemark/api/v1alpha1"
)

// TestOneTooMany: beyond the administrator's limit, those that were created last
// are left alone for TooManyObjects, whatever their mode is, and other namespaces
// do not count.
func TestOneTooMany(t *testing.T) {
	var all []client.Object
	for i := range 4 {
		obj := object(fmt.Sprint("web", i), func(o *v1alpha1.WorkloadAutoscaler) {
			o.UID, o.Spec.TargetRef.Name = types.UID(o.Name), o.Name
			o.CreationTimestamp = metav1.NewTime(noon.Add(time.Duration(-i) * time.Hour))
			o.Spec.Mode = v1alpha1.ModeRecommend
		})
		all = append(all, obj)
	}
	elsewhere := object("web", func(o *v1alpha1.WorkloadAutoscaler) { o.Namespace, o.UID = "bank", "bank" })
	check := checker(t, under(v1alpha1.AdminSettings{MaximumObjectsPerNamespace: new(int32(2))}, false), append(all, elsewhere)...)
	for name, want := range map[string]bool{"web0": true, "web1": true, "web2": false, "web3": false, "web": false} {
		t.Run(name, func(t *testing.T) {
			key := client.ObjectKey{Namespace: "shop", Name: name}
			if name == "web" {
				key.Namespace = "bank"
			}
			var obj v1alpha1.WorkloadAutoscaler
			if err := check.Cache.Get(t.Context(), key, &obj); err != nil {
				t.Fatal(err)
			}
			why, err := check.Check(t.Context(), &obj)
			if err != nil {
				t.Fatal(err)
			}
			denied := why != nil && why.Reason == "TooManyObjects"
			if denied != want || denied && (why.LetsDecide() || !strings.Contains(why.Message, "has 4 WorkloadAutoscalers, and the administrator allows 2")) {
				t.Errorf("got %+v, want a denial: %t", why, want)
			}
		})
	}
}
