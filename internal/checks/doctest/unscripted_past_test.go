package doctest

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/tidemark/tidemark/engine"
	"github.com/tidemark/tidemark/explain"
	"github.com/tidemark/tidemark/scale"
)

// run is a workload whose count others may change between two decisions.
type run struct {
	t        *testing.T
	policy   engine.Policy
	memory   engine.Memory
	replicas int32
}

// decide makes a decision so many seconds after noon, for a queue of this
// length, and applies it. The memory goes through JSON, as through a restart.
func (r *run) decide(second int, queue scale.Amount, count int32, because string) scale.Decision {
	r.t.Helper()
	text, err := json.Marshal(r.memory)
	if err != nil {
		r.t.Fatal(err)
	}
	var memory engine.Memory
	if err := json.Unmarshal(text, &memory); err != nil {
		r.t.Fatal(err)
	}
	o := scale.Observation{
		At:      noon.Add(time.Duration(second) * time.Second),
		Target:  scale.Target{SpecReplicas: r.replicas, StatusReplicas: r.replicas},
		Samples: []scale.Sample{{Series: []scale.Amount{queue * scale.Thousand}}},
	}
	var d scale.Decision
	d, r.memory = engine.Decide(r.policy, o, memory)
	if d.Want.Replicas != count || explain.Because(d) != because {
		r.t.Errorf("at %ds: want %d %s, got %s", second, count, because, explain.Text(d))
	}
	r.replicas = d.Want.Replicas
	return d
}

// TestForbiddenAfterSomeoneElse is readings W4 and S4: a change of the count
// that we did not make is a scaling event from the moment we see it.
func TestForbiddenAfterSomeoneElse(t *testing.T) {
	r := run{t: t, replicas: 10, policy: compile(t, `
replicas: {min: 1, max: 50}
metrics: [{type: External, external: {metric: {name: queue}, target: {averageValue: 10}}}]
behavior: {scaleUp: {forbiddenWindowSeconds: 30}}
`)}
	r.decide(0, 100, 10, "WithinTolerance")
	r.replicas = 8 // kubectl scale
	r.decide(15, 100, 8, "AboveTarget, limited by ForbiddenWindow")
	r.decide(30, 100, 8, "AboveTarget, limited by ForbiddenWindow")
	r.decide(45, 100, 10, "AboveTarget")
}

// TestVelocityCountsSomeoneElse is reading S4 and defect E18: pods that someone
// else added use up a policy's period, and survive a restart.
func TestVelocityCountsSomeoneElse(t *testing.T) {
	const spec = `
replicas: {min: 1, max: 50}
metrics: [{type: External, external: {metric: {name: queue}, target: {averageValue: 10}}}]
behavior: {scaleUp: {policies: [{type: Pods, value: 4, periodSeconds: 60}]}}
`
	r := run{t: t, replicas: 10, policy: compile(t, spec)}
	r.decide(0, 300, 14, "AboveTarget, limited by VelocityUp")
	r.replicas = 12 // someone takes two away again
	r.decide(15, 300, 14, "AboveTarget, limited by VelocityUp")
	r.decide(30, 300, 14, "AboveTarget, limited by VelocityUp")

	// To the HPA the period began with 12 - 4 = 8.
	u := run{t: t, replicas: 10, policy: asHPA(t, spec)}
	u.decide(0, 300, 14, "AboveTarget, limited by VelocityUp")
	u.replicas = 12
	u.decide(15, 300, 12, "AboveTarget, limited by VelocityUp")
}

// TestGaugesReturnToZero is defect E26: the WPA's upscale_capping gauge never
// falls, and its within_bounds gauge never rises.
func TestGaugesReturnToZero(t *testing.T) {
	r := run{t: t, replicas: 10, policy: compile(t, `
replicas: {min: 1, max: 50}
metrics: [{type: External, external: {metric: {name: queue}, watermarks: {type: AverageValue, low: 5, high: 10}}}]
behavior: {scaleUp: {limitPercent: 50}}
`)}
	restricted := func(d scale.Decision, reason scale.Reason) float64 {
		for _, g := range explain.Gauges(d) {
			if g.Name == explain.GaugeRestricted && g.Labels["reason"] == string(reason) {
				return g.Value
			}
		}
		t.Errorf("there is no series for %s", reason)
		return -1
	}
	capped := r.decide(0, 200, 15, "AboveHighWatermark, limited by VelocityUp")
	inside := r.decide(15, 100, 15, "WithinWatermarks")
	for _, c := range []struct {
		decision scale.Decision
		reason   scale.Reason
		value    float64
	}{
		{capped, scale.VelocityUp, 1}, {inside, scale.VelocityUp, 0},
		{capped, scale.WithinWatermarks, 0}, {inside, scale.WithinWatermarks, 1},
	} {
		t.Run(string(c.reason), func(t *testing.T) {
			if got := restricted(c.decision, c.reason); got != c.value {
				t.Errorf("restricted_scaling{reason=%s} is %v, not %v", c.reason, got, c.value)
			}
		})
	}
}

// TestWithinWatermarksIsNotSaidOfAWorkloadThatScales: of two metrics one is inside
// its band and the other asks for more.
func TestWithinWatermarksIsNotSaidOfAWorkloadThatScales(t *testing.T) {
	p := compile(t, `
replicas: {min: 1, max: 50}
metrics:
- {type: External, external: {metric: {name: queue, selector: {matchLabels: {of: orders}}}, watermarks: {type: AverageValue, low: 5, high: 10}}}
- {type: External, external: {metric: {name: queue, selector: {matchLabels: {of: bills}}}, watermarks: {type: AverageValue, low: 5, high: 10}}}
behavior: {scaleUp: {forbiddenWindowSeconds: 90}, scaleDown: {forbiddenWindowSeconds: 600}}
`)
	o := seen(10)
	o.Pods = nil
	o.Samples = []scale.Sample{{Series: []scale.Amount{80_000}}, {Series: []scale.Amount{150_000}}}
	d, memory := engine.Decide(p, o, engine.Memory{})
	values := map[string]float64{}
	for _, g := range explain.Gauges(d) {
		values[g.Name+g.Labels["reason"]+g.Labels["transition"]+g.Labels["selector"]] = g.Value
	}
	for series, want := range map[string]float64{
		"replicas_scaling_effective": 15, "restricted_scalingWithinWatermarks": 0, "valueof=orders": 8, "valueof=bills": 15,
		// This decision is an event itself, so both windows begin with it.
		"transition_countdown_secondsupscale": 90, "transition_countdown_secondsdownscale": 600,
		"min_replicas": 1, "max_replicas": 50,
	} {
		t.Run(series, func(t *testing.T) {
			if got, there := values[series]; !there || got != want {
				t.Errorf("%s is %v, want %v", series, got, want)
			}
		})
	}
	o.At, o.Target.SpecReplicas = o.At.Add(30*time.Second), 15
	if d, _ = engine.Decide(p, o, memory); d.Countdown != (scale.Countdown{Up: time.Minute, Down: 570 * time.Second}) {
		t.Errorf("30s later the countdown is %v", d.Countdown)
	}
}

// TestFailingMetricIsInTheCondition is defect E14: ScalingActive tells of a
// metric that fails, also while the others do the work.
func TestFailingMetricIsInTheCondition(t *testing.T) {
	p := compile(t, `
replicas: {min: 1, max: 50}
metrics:
- {type: External, external: {metric: {name: queue}, target: {averageValue: 10}}}
- {type: External, external: {metric: {name: latency}, target: {value: 1}}}
`)
	o := seen(10)
	o.Pods = nil
	o.Samples = []scale.Sample{{Series: []scale.Amount{150_000}}, {Problem: "no such series"}}
	d, _ := engine.Decide(p, o, engine.Memory{})
	if d.Want.Replicas != 15 {
		t.Errorf("the other metric should scale up: %s", explain.Text(d))
	}
	for _, c := range explain.Conditions(d) {
		if c.Type == explain.ScalingActive && (c.Status || c.Reason != string(scale.NoData)) {
			t.Errorf("ScalingActive is %v, %s: %s", c.Status, c.Reason, c.Message)
		}
	}
}
