package explain

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/tidemark/tidemark/scale"
)

func replicas(n int32) scale.Size { return scale.Size{Replicas: n} }

// grown is the Watermark KEP's own example: 10 replicas, 14 are desired, 30
// percent are allowed at once.
func grown() scale.Decision {
	facts := &scale.MetricFacts{Name: "request_duration", Value: 560, Known: true, Band: scale.Band{Low: 150, High: 400}}
	return scale.Decision{
		From: replicas(10), Want: replicas(13), Proposed: replicas(13), Reason: scale.AboveHighWatermark, LimitedBy: scale.VelocityUp,
		RecheckAfter: 15 * time.Second, Countdown: scale.Countdown{Up: 30 * time.Second, Down: time.Minute},
		Steps: []scale.Step{
			{Stage: scale.StageHorizontal, Reason: scale.AboveHighWatermark, In: replicas(10), Out: replicas(14), Metric: facts},
			{Stage: scale.StageLimit, Reason: scale.VelocityUp, In: replicas(14), Out: replicas(13), Limit: 13},
		},
	}
}

// blind has lost its only metric.
func blind() scale.Decision {
	return scale.Decision{
		From: replicas(4), Want: replicas(4), Proposed: replicas(4), Reason: scale.NoData, RecheckAfter: 15 * time.Second,
		Steps: []scale.Step{{
			Stage: scale.StageHorizontal, Reason: scale.NoData, In: replicas(4), Out: replicas(4),
			Metric: &scale.MetricFacts{Name: "queue", Problem: "no data", Band: scale.Band{Low: 1000, High: 1000}},
		}},
	}
}

// advised is in mode Recommend.
func advised() scale.Decision {
	d := grown()
	d.Want, d.LimitedBy = d.From, scale.Recommend
	d.Steps = append(d.Steps, scale.Step{Stage: scale.StageLimit, Reason: scale.Recommend, In: replicas(13), Out: replicas(10)})
	return d
}

func TestText(t *testing.T) {
	for name, c := range map[string]struct {
		decision scale.Decision
		want     string
	}{
		"a limited change": {grown(), `10 -> 13: AboveHighWatermark, limited by VelocityUp
  horizontal  10 -> 14  AboveHighWatermark  request_duration is 560m, above the high watermark 400m: asks for 14
  limit       14 -> 13  VelocityUp          no further than 13 for now
`},
		"no data": {blind(), `stays at 4: NoData
  horizontal  4 -> 4  NoData  queue has no usable sample (no data)
`},
		"a recommendation": {advised(), `stays at 10: AboveHighWatermark, limited by Recommend
  mode Auto would apply 10 -> 13
  horizontal  10 -> 14  AboveHighWatermark  request_duration is 560m, above the high watermark 400m: asks for 14
  limit       14 -> 13  VelocityUp          no further than 13 for now
  limit       13 -> 10  Recommend           the mode is Recommend
`},
	} {
		if diff := cmp.Diff(c.want, Text(c.decision)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

func TestSizes(t *testing.T) {
	app := scale.Container{Name: "app", Requests: scale.Resources{}.With(scale.CPU, 1500).With(scale.Memory, 8<<30*1000)}
	proxy := scale.Container{Name: "proxy", Requests: scale.Resources{}.With(scale.CPU, 100)}
	for want, s := range map[string]scale.Size{
		"3":                               {Replicas: 3},
		"3 x 1500m 8Gi":                   {Replicas: 3, Containers: []scale.Container{app}},
		"3 x (app 1500m 8Gi, proxy 100m)": {Replicas: 3, Containers: []scale.Container{app, proxy}},
	} {
		if got := size(viewSize(s)); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

func TestConditions(t *testing.T) {
	for name, c := range map[string]struct {
		decision scale.Decision
		want     []Condition
	}{
		"a limited change": {grown(), []Condition{
			{AbleToScale, true, "Ready", "10 -> 13: AboveHighWatermark, limited by VelocityUp"},
			{ScalingActive, true, "AboveHighWatermark", "10 -> 13: AboveHighWatermark, limited by VelocityUp"},
			{ScalingLimited, true, "VelocityUp", "14 -> 13: no further than 13 for now"},
		}},
		"no data": {blind(), []Condition{
			{AbleToScale, true, "Ready", "stays at 4: NoData"},
			{ScalingActive, false, "NoData", "queue has no usable sample (no data)"},
			{ScalingLimited, false, "WithinLimits", "the desired size is followed as it is"},
		}},
		"nothing is recommended": {scale.Decision{
			From: replicas(4), Want: replicas(4), Proposed: replicas(4), Reason: scale.NoData,
			Steps: []scale.Step{{Stage: scale.StageCombine, Reason: scale.NoData, In: replicas(4), Out: replicas(4),
				Problem: "VerticalPodAutoscaler shop/web has none"}},
		}, []Condition{
			{AbleToScale, true, "Ready", "stays at 4: NoData"},
			{ScalingActive, false, "NoData", "there is no recommendation for the pods' size yet: VerticalPodAutoscaler shop/web has none"},
			{ScalingLimited, false, "WithinLimits", "the desired size is followed as it is"},
		}},
		"a recommendation": {advised(), []Condition{
			{AbleToScale, false, "Recommend", "the mode is Recommend: would apply 10 -> 13"},
			{ScalingActive, true, "AboveHighWatermark", "stays at 10: AboveHighWatermark, limited by Recommend"},
			{ScalingLimited, true, "Recommend", "13 -> 10: the mode is Recommend"},
		}},
		"a recommendation for an HPA": {scale.Decision{
			From: replicas(4), Want: replicas(4), Proposed: replicas(6), Reason: scale.AboveTarget, LimitedBy: scale.Recommend, Tuning: &scale.Tuning{},
			Steps: []scale.Step{{Stage: scale.StageLimit, Reason: scale.Recommend, In: replicas(4), Out: replicas(4)}},
		}, []Condition{
			{AbleToScale, false, "Recommend", "the mode is Recommend: would tune the HPA"},
			{ScalingActive, true, "AboveTarget", "stays at 4: AboveTarget, limited by Recommend"},
			{ScalingLimited, true, "Recommend", "4 -> 4: the mode is Recommend"},
		}},
	} {
		t.Run(name, func(t *testing.T) {
			if diff := cmp.Diff(c.want, Conditions(c.decision)); diff != "" {
				t.Errorf("%s (-want +got):\n%s", name, diff)
			}
		})
	}
}

// TestEventsComeOnce: a change is an event, blindness is one when it begins.
func TestEventsComeOnce(t *testing.T) {
	before, after := grown(), blind()
	if got := Events(before, nil); len(got) != 1 || got[0].Reason != "AboveHighWatermark" || got[0].Warning {
		t.Errorf("a change: %+v", got)
	}
	if got := Events(after, &before); len(got) != 1 || !got[0].Warning || got[0].Reason != "NoData" {
		t.Errorf("blindness begins: %+v", got)
	}
	if got := Events(after, &after); len(got) != 0 {
		t.Errorf("blindness goes on: %+v", got)
	}
}

// TestGauges: the numbers of the Watermark KEP, and a series for every reason
// so that a graph shows when it ended.
func TestGauges(t *testing.T) {
	got := map[string]float64{}
	for _, g := range Gauges(grown()) {
		key := g.Name
		for _, label := range []string{"metric_name", "reason", "transition"} {
			if v := g.Labels[label]; v != "" {
				key += "/" + v
			}
		}
		got[key] = g.Value
	}
	for key, want := range map[string]float64{
		"value/request_duration": 0.56, "low_watermark/request_duration": 0.15, "high_watermark/request_duration": 0.4,
		"replicas_scaling_proposal/request_duration": 14, "replicas_scaling_effective": 13,
		"restricted_scaling/VelocityUp": 1, "restricted_scaling/WithinWatermarks": 0, "restricted_scaling/ForbiddenWindow": 0,
		"transition_countdown_seconds/upscale": 30, "transition_countdown_seconds/downscale": 60,
	} {
		t.Run(key, func(t *testing.T) {
			if have, ok := got[key]; !ok || have != want {
				t.Errorf("%s is %v, want %v", key, have, want)
			}
		})
	}
}

// TestEveryReasonHasWords: no step is explained by its bare reason.
func TestEveryReasonHasWords(t *testing.T) {
	for _, doc := range scale.Docs {
		plain := Message(scale.Step{Reason: doc.Reason, In: replicas(2), Out: replicas(3), Target: &scale.LearnedTarget{}})
		metric := Message(scale.Step{Reason: doc.Reason, In: replicas(2), Out: replicas(3), Metric: &scale.MetricFacts{
			Name: "cpu", Known: true, Headroom: map[bool]*scale.LearnedHeadroom{true: {Headroom: 1000,
				Risk: scale.Parts / 1000}}[doc.Reason[:4] == "Head" || doc.Reason == scale.Saturated],
		}})
		if plain == string(doc.Reason) && metric == "cpu is 0: asks for 3" {
			t.Errorf("%s has no words", doc.Reason)
		}
	}
}

// TestPodsThatDoNotServeAreNamed: the first of them, with what keeps them from it.
func TestPodsThatDoNotServeAreNamed(t *testing.T) {
	facts := &scale.MetricFacts{
		Name: "cpu", Type: scale.Utilization, Value: 80_000, Known: true, Band: scale.Band{Low: 50_000, High: 50_000},
		Pods: scale.PodCounts{Counted: 4, Unready: 8, Missing: 1},
		Aside: []scale.Aside{
			{Standing: scale.Starting, Pods: 1, Names: []string{"web-1"}},
			{Standing: scale.LostReadiness, Pods: 5, Names: []string{"web-2", "web-3", "web-4"}, Weighed: true},
			{Standing: scale.BackingOff, Pods: 2},
		},
	}
	got := Message(scale.Step{Stage: scale.StageHorizontal, Reason: scale.AboveTarget, In: replicas(13), Out: replicas(20), Metric: facts})
	want := "cpu is 80%, above the target 50%: asks for 20 (4 pods counted, 1 without a sample, 8 not ready: web-1 starting; web-2, web-3, " +
		"web-4 and 2 more lost readiness, counted by what is used; 2 in back-off)"
	if got != want {
		t.Errorf("got %s\nwant %s", got, want)
	}
}

// TestMeasuredGrowthIsAnAmount: the value of a metric that is sized by measured
// growth is the usage in all, not the percentage that its target is in, and there
// are no marks to compare it with.
func TestMeasuredGrowthIsAnAmount(t *testing.T) {
	d := scale.Decision{Steps: []scale.Step{{Stage: scale.StageHorizontal, Reason: scale.HeadroomKept, Metric: &scale.MetricFacts{
		Name: "cpu", Type: scale.Utilization, Value: 12_006, Known: true, Band: scale.Band{Low: 80_000, High: 80_000},
		Headroom: &scale.LearnedHeadroom{Resource: scale.CPU},
	}}}}
	if diff := cmp.Diff(&MetricView{Name: "cpu", Type: "Value", Value: "12006m"}, ViewOf(d).Steps[0].Metric); diff != "" {
		t.Errorf("the view (-want +got):\n%s", diff)
	}
	for _, g := range Gauges(d) {
		switch {
		case g.Name == GaugeLowWatermark, g.Name == GaugeHighWatermark:
			t.Errorf("%s is published", g.Name)
		case g.Name == GaugeValue && (g.Labels["target_type"] != "Value" || g.Value != 12.006):
			t.Errorf("the value is published as %v", g)
		}
	}
}

// TestLimitedByTheStepThatLimits: steps that keep nothing back may follow the one
// that does, and the condition names the same reason as the headline.
func TestLimitedByTheStepThatLimits(t *testing.T) {
	postponed := scale.Step{Stage: scale.StageCombine, Reason: scale.ScaleInPostponed, In: replicas(4), Out: replicas(4), Limit: 4}
	for _, c := range []struct {
		last     scale.Step
		want     int32
		headline string
	}{
		{scale.Step{Stage: scale.StageCombine, Reason: scale.ResizeLagging, In: replicas(4), Out: replicas(5), Limit: 5, Pods: &scale.PodNames{}}, 5, "4 -> 5: ResizeLagging, limited by ScaleInPostponed"},
		{scale.Step{Stage: scale.StageCombine, Reason: scale.ResizePending, In: replicas(4), Out: replicas(4), Limit: 4, Pods: &scale.PodNames{}}, 4, "stays at 4: ResizePending, limited by ScaleInPostponed"},
	} {
		d := scale.Decision{From: replicas(4), Want: replicas(c.want), Reason: c.last.Reason, LimitedBy: scale.ScaleInPostponed,
			Steps: []scale.Step{postponed, c.last}}
		want := Condition{ScalingLimited, true, "ScaleInPostponed", "4 -> 4: fewer pods would have to be bigger, so they wait"}
		if got := Conditions(d)[2]; got != want || Headline(d) != c.headline {
			t.Errorf("%s\ngot  %v\nwant %v", Headline(d), got, want)
		}
	}
}
