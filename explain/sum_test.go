package explain_test

import (
	"testing"

	"github.com/tidemark/tidemark/engine"
	"github.com/tidemark/tidemark/explain"
	"github.com/tidemark/tidemark/internal/record"
)

// TestSum: the arithmetic is that which was done, each worked out by hand.
func TestSum(t *testing.T) {
	const pods = `
  pods:
  - {name: a, containers: [{name: app, requests: {cpu: "1", memory: 1Gi}, usage: {cpu: 800m, memory: 512Mi}}]}
  - {name: b, containers: [{name: app, requests: {cpu: "1", memory: 1Gi}, usage: {cpu: 700m, memory: 512Mi}}]}
`
	const unmeasured = "  - {name: c, containers: [{name: app, requests: {cpu: \"1\", memory: 1Gi}}]}\n"
	for name, c := range map[string]struct {
		metric, rest, seen, want string
	}{
		"utilization": {"{type: Resource, resource: {name: cpu, target: {averageUtilization: 50}}}", "", "{specReplicas: 2}\n" + pods, "⌈2 × 1500m ÷ 2 ÷ 50%⌉ = 3"},
		// Of a pod that nobody measured nothing is taken to be used on the way up.
		"a gap on the way up": {"{type: Resource, resource: {name: cpu, target: {averageUtilization: 25}}}", "", "{specReplicas: 3}\n" + pods + unmeasured,
			"⌈3 × 1500m ÷ 3 ÷ 25%⌉ = 6"},
		"a gap on the way down": {"{type: Resource, resource: {name: memory, watermarks: {type: Utilization, low: 80, high: 90}}}", "", "{specReplicas: 3}\n" + pods + unmeasured,
			"⌊3 × (1Gi + 1Gi × 80%) ÷ 3Gi ÷ 80%⌋ = 2"},
		"within":             {"{type: Resource, resource: {name: cpu, target: {averageUtilization: 75}}}", "", "{specReplicas: 2}\n" + pods, ""},
		"an average":         {"{type: External, external: {metric: {name: q}, target: {averageValue: 10}}}", "", "{specReplicas: 4}\n  metrics: [{value: \"90\"}]", "⌈4 × 90 ÷ 4 ÷ 10⌉ = 9"},
		"a value":            {"{type: External, external: {metric: {name: q}, target: {value: 10}}}", "", "{specReplicas: 4, statusReplicas: 3}\n  metrics: [{value: \"15\"}]", "⌈3 × 15 ÷ 10⌉ = 5"},
		"asleep":             {"{type: External, external: {metric: {name: q}, target: {averageValue: 10}}}", "min: 0, ", "{specReplicas: 0}\n  metrics: [{value: \"25\"}]", "⌈1 × 25 ÷ 10⌉ = 3"},
		"nearly nothing":     {"{type: External, external: {metric: {name: q}, watermarks: {type: Value, low: 10, high: 20}}}", "", "{specReplicas: 2}\n  metrics: [{value: \"1\"}]", "max(1, ⌊2 × 1 ÷ 10⌋) = 1"},
		"against the metric": {"{type: External, external: {metric: {name: q}, target: {value: 10}}}", "", "{specReplicas: 4, statusReplicas: 2}\n  metrics: [{value: \"15\"}]", "⌈2 × 15 ÷ 10⌉ = 3"},
		"as an HPA": {"{type: Resource, resource: {name: cpu, target: {averageUtilization: 40}}}", "hpa", "{specReplicas: 3}\n" + pods + unmeasured,
			"⌈3 × 50% ÷ 40%⌉ = 4"},
		"as an HPA, within":     {"{type: Resource, resource: {name: cpu, target: {averageUtilization: 50}}}", "hpa", "{specReplicas: 3}\n" + pods + unmeasured, ""},
		"as an HPA, of a queue": {"{type: External, external: {metric: {name: q}, target: {averageValue: 10}}}", "hpa", "{specReplicas: 4}\n  metrics: [{value: \"90\"}]", "⌈1 × 90 ÷ 10⌉ = 9"},
	} {
		t.Run(name, func(t *testing.T) {
			head := "spec:\n  replicas: {" + c.rest + "max: 20}\n"
			if c.rest == "hpa" {
				head = "spec:\n  compatibility: HPA\n  replicas: {max: 20}\n"
			}
			text := head + "  metrics: [" + c.metric + "]\nobservation:\n  at: \"2026-01-05T10:00:00Z\"\n  target: " + c.seen
			for result := range record.Decode([]byte(text)) {
				if len(result.Faults) > 0 {
					t.Fatal(result.Faults)
				}
				d, _ := engine.Decide(result.Call.Policy, result.Call.Observation, result.Call.Memory)
				if got := explain.Sum(d.Steps[0]); got != c.want {
					t.Errorf("%q, want %q\n%s", got, c.want, explain.Text(d))
				}
			}
		})
	}
}
