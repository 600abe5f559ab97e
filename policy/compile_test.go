package policy

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/tidemark/tidemark/api/v1alpha1"
	"github.com/tidemark/tidemark/engine"
	"github.com/tidemark/tidemark/engine/limit"
	"github.com/tidemark/tidemark/internal/strict"
	"github.com/tidemark/tidemark/scale"
)

func compile(t *testing.T, text string) (engine.Policy, error) {
	t.Helper()
	var spec v1alpha1.WorkloadAutoscalerSpec
	if faults := strict.Unmarshal([]byte(text), &spec); len(faults) > 0 {
		t.Fatal(faults)
	}
	return Compile(spec, v1alpha1.AdminSettings{})
}

// TestDefaults: an object that says nothing behaves as an HPA would.
func TestDefaults(t *testing.T) {
	p, err := compile(t, `{replicas: {max: 10}, metrics: [{type: Resource, resource: {name: cpu, target: {averageUtilization: 60}}}]}`)
	if err != nil {
		t.Fatal(err)
	}
	want := limit.Rules{Min: 1, Max: 10, Step: 1, Plain: true, Doubling: true, Down: limit.Direction{Window: 5 * time.Minute}}
	if diff := cmp.Diff(want, p.Limit); diff != "" {
		t.Errorf("limits (-want +got):\n%s", diff)
	}
	if h := p.Horizontal; h.ToleranceUp != scale.Parts/10 || h.ToleranceDown != scale.Parts/10 || h.CPUInitialization != 5*time.Minute ||
		h.InitialReadiness != 30*time.Second {
		t.Errorf("horizontal rules %+v", h)
	}
	if p.Sync != 15*time.Second {
		t.Errorf("looks every %s", p.Sync)
	}
}

// TestBehaviorDefaults: a stated behavior gets autoscaling/v2's own policies,
// except in a direction whose velocity is stated as limitPercent.
func TestBehaviorDefaults(t *testing.T) {
	p, err := compile(t, `{replicas: {max: 10}, behavior: {scaleDown: {limitPercent: 20}}}`)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(defaultUpPolicies, p.Limit.Up.Policies); diff != "" || p.Limit.Plain {
		t.Errorf("up (-want +got):\n%s", diff)
	}
	if p.Limit.Down.Policies != nil || p.Limit.Down.Window != 5*time.Minute || *p.Limit.Down.Percent != 20 {
		t.Errorf("down %+v", p.Limit.Down)
	}
}

// TestFaultsComeTogether: one look shows everything that is wrong.
func TestFaultsComeTogether(t *testing.T) {
	_, err := compile(t, `
replicas: {min: 5, max: 2, step: 0}
mode: Sometimes
metrics:
- {type: External, external: {metric: {name: ""}, target: {value: 1, averageValue: 2}}}
- {type: Pods, pods: {metric: {name: a}, watermarks: {type: Utilization, low: 5, high: 3}}}
behavior: {scaleUp: {policies: [], tolerance: "-1"}}
`)
	if err == nil {
		t.Fatal("accepted")
	}
	for _, part := range []string{
		"replicas.min: must not be above replicas.max: 5 > 2", "replicas.step:", "mode: must be one of Auto, Recommend, Off, Emergency",
		"metrics[0].external.metric.name: is required", "metrics[0].external.target: needs exactly one of value or averageValue, got 2",
		"metrics[1].pods.watermarks.type: cannot be of type Utilization", "metrics[1].pods.watermarks.low: must not be above high: 5 > 3",
		"behavior.scaleUp.policies: must not be an empty list", "behavior.scaleUp.tolerance: must not be negative",
	} {
		t.Run(part, func(t *testing.T) {
			if !strings.Contains(err.Error(), part) {
				t.Errorf("no fault %q in\n%v", part, err)
			}
		})
	}
}

// FuzzCompile: whatever a spec says, it is compiled or refused, and what is
// compiled can be decided on within its bounds.
func FuzzCompile(f *testing.F) {
	for _, s := range []string{
		`{replicas: {max: 10}, metrics: [{type: Resource, resource: {name: cpu, target: {averageUtilization: 60}}}]}`,
		`{replicas: {min: 0, max: 9, step: 4}, metrics: [{type: External, external: {metric: {name: q}, watermarks: {low: 1, high: 2}}, onMissing: {replicas: 3}}]}`,
		`{replicas: {max: 5}, intervals: {ranges: [{maxReplicas: 2, maxResources: {cpu: 1}}, {maxReplicas: 5, maxResources: {cpu: 2}, extrapolation: Logarithmic}], overlap: {cpu: {percentage: 30}}}}`,
		`{replicas: {max: 5}, maintenanceWindows: [{start: "22:00", end: "06:00", timeZone: Europe/Berlin, days: [Sat]}], behavior: {scaleDown: {update: MaintenanceWindow, minChange: {cpu: {value: 1}}}}}`,
		`{learn: {targets: true, slotHours: 6, headroom: {}}, metrics: [{type: Resource, resource: {name: memory}}], containers: [{name: "*", cpu: {scaling: Horizontal}}]}`,
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		var spec v1alpha1.WorkloadAutoscalerSpec
		if faults := strict.Unmarshal(text, &spec); len(faults) > 0 {
			return
		}
		p, err := Compile(spec, v1alpha1.AdminSettings{})
		if err != nil {
			return
		}
		obs := scale.Observation{At: time.Date(2026, 1, 5, 0, 0, 0, 0, time.UTC), Target: scale.Target{
			SpecReplicas: 3, StatusReplicas: 3, Containers: []scale.Container{{Name: "app", Requests: scale.Resources{}.With(scale.CPU, 1000)}},
		}, Samples: []scale.Sample{{Series: []scale.Amount{5000}}},
			Recommended: []scale.Recommendation{{Container: "app", PerPod: scale.Resources{}.With(scale.CPU, 2000)}}}
		d, _ := engine.Decide(p, obs, engine.Memory{})
		if n := d.Proposed.Replicas; (n < p.Limit.Min || n > p.Limit.Max) && !p.Horizontal.Upstream {
			t.Fatalf("proposes %d, bounds are %d to %d", n, p.Limit.Min, p.Limit.Max)
		}
	})
}
