package advise

import (
	"fmt"
	"strings"
	"testing"

	"github.com/tidemark/tidemark/api/v1alpha1"
)

func vpa(mode string) Autoscaler {
	return Autoscaler{Kind: "VerticalPodAutoscaler", Name: "sizes", Document: fmt.Appendf(nil,
		`{"apiVersion":"autoscaling.k8s.io/v1","kind":"VerticalPodAutoscaler","metadata":{"name":"sizes","namespace":"shop"},"spec":{`+
			`"targetRef":{"apiVersion":"apps/v1","kind":"Deployment","name":"web"},"updatePolicy":{"updateMode":%q},`+
			`"resourcePolicy":{"containerPolicies":[{"containerName":"app","minAllowed":{"memory":"64Mi"}}]}}}`, mode)}
}

// object is the one that is written for a workload with some autoscalers.
func object(t *testing.T, autoscalers ...Autoscaler) (*v1alpha1.WorkloadAutoscaler, string) {
	t.Helper()
	w := web(autoscalers...)
	is := presentOf(&w)
	out, why := objectFor(w, is, recommended(boundsOf(&w, is, steady(8)), is))
	if out != nil && (out.Spec.Mode != v1alpha1.ModeRecommend || out.Namespace != "shop" || out.Name != "web" || out.Spec.TargetRef.Name != "web") {
		t.Errorf("the object is %+v", out)
	}
	return out, why
}

// TestWhatIsThereStays: what the present autoscaler forbids stays forbidden, and
// sizes stay with a conversion.
func TestWhatIsThereStays(t *testing.T) {
	never := hpa(60)
	never.Document = []byte(strings.Replace(string(never.Document), `"metrics"`,
		`"behavior":{"scaleDown":{"selectPolicy":"Disabled"},"scaleUp":{"stabilizationWindowSeconds":60}},"metrics"`, 1))
	t.Run("a direction that is shut", func(t *testing.T) {
		got, _ := object(t, never)
		if b := got.Spec.Behavior; b == nil || b.ScaleUp != nil || b.ScaleDown == nil || b.ScaleDown.SelectPolicy != v1alpha1.SelectDisabled {
			t.Errorf("its behavior is %+v", b)
		}
	})
	t.Run("nothing is shut", func(t *testing.T) {
		if got, _ := object(t, hpa(60)); got.Spec.Behavior != nil || *got.Spec.Replicas.Max != 30 {
			t.Errorf("the object is %+v", got.Spec)
		}
	})
	t.Run("a VPA beside another metric", func(t *testing.T) {
		got, _ := object(t, queue(false), vpa("Recreate"))
		if len(got.Spec.Metrics) != 2 || len(got.Spec.Containers) != 2 || got.Spec.Containers[0].Memory.Min.String() != "64Mi" {
			t.Errorf("the object is %+v", got.Spec)
		}
	})
	t.Run("a VPA that changes nothing", func(t *testing.T) {
		if got, _ := object(t, queue(false), vpa("Off")); len(got.Spec.Containers) != 0 {
			t.Errorf("the object is %+v", got.Spec)
		}
	})
	t.Run("a VPA beside cpu", func(t *testing.T) {
		w := web(hpa(60), vpa("Recreate"))
		if is := presentOf(&w); is.sizes == nil || len(is.notes) != 1 || !strings.Contains(is.notes[0], "let it have memory alone") {
			t.Errorf("notes: %q", is.notes)
		}
		if got, _ := object(t, hpa(60), vpa("Recreate")); len(got.Spec.Containers) != 0 || got.Spec.Learn == nil {
			t.Errorf("it is not what was replayed: %+v", got.Spec)
		}
	})
}

// TestWhatActsIsNotEnded: an object of ours that acts would be put into mode
// Recommend by the one that was written.
func TestWhatActsIsNotEnded(t *testing.T) {
	own := Autoscaler{Kind: ours, Name: "web", Document: []byte(`{"kind":"WorkloadAutoscaler","metadata":{"name":"web"},"spec":{"replicas":{"min":2,"max":9},"learn":{"headroom":{}}}}`)}
	if got, why := object(t, own); got != nil || !strings.Contains(why, "Tidemark scales it already") {
		t.Errorf("%+v, %q", got, why)
	}
}
