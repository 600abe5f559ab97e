package convert

import (
	"strings"
	"testing"

	"github.com/tidemark/tidemark/api/v1alpha1"
	"github.com/tidemark/tidemark/policy"
)

func mustConvert(t *testing.T, document string) Result {
	t.Helper()
	out, err := Convert([]byte(document))
	if err != nil {
		t.Fatal(err)
	}
	return out
}

const (
	joinHPA = `{"apiVersion": "autoscaling/v2", "kind": "HorizontalPodAutoscaler", "metadata": {"name": "web"}, "spec": {"scaleTargetRef":
		{"apiVersion": "apps/v1", "kind": "Deployment", "name": "web"}, "minReplicas": 2, "maxReplicas": 9, "metrics": [{"type": "Resource", "resource": {"name": "cpu", "target": {"type": "Utilization", "averageUtilization": 60}}}]}}`
	joinVPA = `{"apiVersion": "autoscaling.k8s.io/v1", "kind": "VerticalPodAutoscaler", "metadata": {"name": "web-vpa"}, "spec": {"targetRef":
		{"apiVersion": "apps/v1", "kind": "Deployment", "name": "web"}, "updatePolicy": {"updateMode": "MODE"}, "resourcePolicy": {"containerPolicies": [{"containerName": "app", "minAllowed": {"memory": "64Mi"}}]}}}`
)

func TestJoin(t *testing.T) {
	count, size := mustConvert(t, joinHPA), mustConvert(t, strings.ReplaceAll(joinVPA, "MODE", "Recreate"))
	if err := Join(&count, &size); err != nil {
		t.Fatal(err)
	}
	object := count.Object.(*v1alpha1.WorkloadAutoscaler)
	if object != size.Object || !size.Joined || count.Joined {
		t.Fatal("want one object, that of the HPA")
	}
	spec := object.Spec
	if object.Name != "web" || *spec.Replicas.Max != 9 || len(spec.Metrics) != 1 || spec.Vertical.Update != v1alpha1.VerticalUpdateRecreate {
		t.Errorf("want the count of the one and the sizes of the other, got %+v", spec)
	}
	app := spec.Containers[0]
	if app.CPU.Scaling != v1alpha1.ResourceScalingHorizontal || app.Memory.Scaling != v1alpha1.ResourceScalingVertical || app.Memory.Min.String() != "64Mi" {
		t.Errorf("want cpu by count and memory by size, got %+v, %+v", app.CPU, app.Memory)
	}
	if _, err := policy.Compile(spec, v1alpha1.AdminSettings{}); err != nil {
		t.Error(err)
	}
	for _, f := range size.Report.Fields {
		if f.To == "spec.replicas.max" || f.To == "metadata.name" {
			t.Errorf("want no word of a maximum and a name that are not there, got %+v", f)
		}
	}
}

// TestJoinARecommender: a VPA that changes nothing must not let the object size pods,
// nor keep it from acting.
func TestJoinARecommender(t *testing.T) {
	count, size := mustConvert(t, joinHPA), mustConvert(t, strings.ReplaceAll(joinVPA, "MODE", "Off"))
	if err := Join(&count, &size); err != nil {
		t.Fatal(err)
	}
	spec := count.Object.(*v1alpha1.WorkloadAutoscaler).Spec
	if spec.Mode == v1alpha1.ModeRecommend || spec.Vertical != nil || len(spec.Containers) > 0 {
		t.Errorf("want the HPA's object as it was, got %+v", spec)
	}
	if lost := size.Report.Losses(); len(lost) != 1 || lost[0].Path != "spec.updatePolicy.updateMode" {
		t.Errorf("want a word of what is not carried, got %+v", lost)
	}
	for _, f := range size.Report.Fields {
		if f.Fate != NotCarried {
			t.Errorf("want nothing to be carried, got %+v", f)
		}
	}
}
