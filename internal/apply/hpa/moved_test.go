package hpa_test

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tidemark/tidemark/internal/apply/hpa"
	"github.com/tidemark/tidemark/scale"
)

// TestOnlyATargetThatMovedIsWritten: of two metrics for the same container and
// resource the smaller one decides. The other is its owner's until it would be in
// the way, and a value that is not whole is as good as the whole one below it.
func TestOnlyATargetThatMovedIsWritten(t *testing.T) {
	const two = `{metadata: {annotations: {` + cpuPrefix + `}}, spec: {minReplicas: 2, maxReplicas: 9, metrics: [
  {type: External, external: {metric: {name: load-app}, target: {type: Value, value: %s}}},
  {type: ContainerResource, containerResource: {name: cpu, container: app, target: {type: Utilization, averageUtilization: %d}}}]}}`
	for name, c := range map[string]struct {
		value, wantValue string
		own, want, asked int32
	}{
		"what it has":                        {"88", "88", 61, 61, 61},
		"the smaller one is lowered":         {"88", "88", 61, 55, 55},
		"the smaller one is raised":          {"88", "88", 61, 70, 70},
		"both are raised":                    {"88", "90", 61, 90, 90},
		"the other one is the smaller":       {"61", "70", 88, 88, 70},
		"both are the same":                  {"70", "65", 70, 65, 65},
		"a value that is not whole":          {"72500m", "72500m", 80, 80, 72},
		"a value that is not whole, lowered": {"72500m", "65", 80, 80, 65},
	} {
		t.Run(name, func(t *testing.T) {
			before := read(t, fmt.Sprintf(two, c.value, c.own))
			tuning := scale.Tuning{Targets: []scale.LearnedTarget{{Container: "app", Resource: scale.CPU, Percent: c.asked}}}
			got, _ := hpa.Tune(before, tuning)
			if diff := cmp.Diff(read(t, fmt.Sprintf(two, c.wantValue, c.want)), got); diff != "" {
				t.Errorf("%s (-want +got):\n%s", name, diff)
			}
			if seen := hpa.Seen(got, pods("app")).Targets[0].Percent; seen != c.asked {
				t.Errorf("%s: then its target is %d, want %d", name, seen, c.asked)
			}
		})
	}
}
