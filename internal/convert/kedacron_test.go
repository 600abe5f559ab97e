package convert

import (
	"strings"
	"testing"

	"github.com/tidemark/tidemark/api/v1alpha1"
)

// TestBrokenCron: a cron trigger that nobody can read is named, and the others are
// carried all the same.
func TestBrokenCron(t *testing.T) {
	const object = `{"apiVersion": "keda.sh/v1alpha1", "kind": "ScaledObject", "metadata": {"name": "web"}, "spec": {"scaleTargetRef": {"name": "web"}, "minReplicaCount": 1, "triggers": [
		{"type": "cron", "metadata": {"timezone": "ZONE", "start": "START", "end": "0 20 * * *", "desiredReplicas": "2"}},
		{"type": "cron", "metadata": {"timezone": "Europe/Berlin", "start": "0 6 * * *", "end": "0 22 * * *", "desiredReplicas": "5"}},
		{"type": "cpu", "metadata": {"value": "70"}}]}}`
	for name, broken := range map[string][2]string{"no such zone": {"Mars/Base", "0 8 * * *"}, "no cron": {"Europe/Berlin", "07:00"}} {
		t.Run(name, func(t *testing.T) {
			got := mustConvert(t, strings.NewReplacer("ZONE", broken[0], "START", broken[1]).Replace(object))
			spec := got.Object.(*v1alpha1.WorkloadAutoscaler).Spec
			if len(spec.Schedules) != 1 || *spec.Schedules[0].Replicas.Min != 5 || len(spec.Metrics) != 1 || spec.Mode == v1alpha1.ModeRecommend {
				t.Errorf("want the other schedule and cpu, got %+v", spec)
			}
			lost := got.Report.Losses()
			if len(lost) != 1 || lost[0].Path != "spec.triggers[0]" || !strings.HasPrefix(lost[0].Note, "needs times that KEDA can read as well: ") {
				t.Errorf("want a word of the broken one, got %+v", lost)
			}
			if got.Beside != nil {
				t.Errorf("want nothing left for KEDA, which would refuse the whole object, got %v", got.Beside)
			}
			for _, f := range got.Report.Fields {
				if strings.HasPrefix(f.Path, "spec.triggers[1]") && !strings.HasPrefix(f.To, "spec.schedules[0]") {
					t.Errorf("want the place that the other has now, got %+v", f)
				}
			}
		})
	}
}
