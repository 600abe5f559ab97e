package record

import (
	"reflect"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"github.com/tidemark/tidemark/api/v1alpha1"
	"github.com/tidemark/tidemark/engine"
	"github.com/tidemark/tidemark/engine/limit"
	"github.com/tidemark/tidemark/internal/checks/draw"
	"github.com/tidemark/tidemark/internal/strict"
	"github.com/tidemark/tidemark/policy"
	"github.com/tidemark/tidemark/scale"
)

// everyKind has a metric of each kind.
const everyKind = `
replicas: {min: 1, max: 20}
metrics:
- {type: Resource, resource: {name: cpu, target: {averageUtilization: 60}}}
- {type: Pods, pods: {metric: {name: rps}, target: {averageValue: "100"}}}
- {type: External, external: {metric: {name: queue}, target: {value: "100"}}}
- {type: External, external: {metric: {name: jobs}, grpc: {address: "scaler:6000"}}}
`

var amounts = rapid.Map(rapid.Int64Range(0, 1<<40), func(n int64) scale.Amount { return scale.Amount(n) })

var moments = rapid.Map(rapid.Int64Range(0, 1<<32), func(n int64) time.Time { return time.Unix(n, n%1e9).UTC() })

var resources = rapid.Custom(func(t *rapid.T) scale.Resources {
	var out scale.Resources
	for _, r := range scale.EveryResource {
		if rapid.Bool().Draw(t, "known") {
			out = out.With(r, amounts.Draw(t, "amount"))
		}
	}
	return out
})

var usages = rapid.Custom(func(t *rapid.T) scale.Resources {
	out := resources.Draw(t, "usage")
	for _, r := range scale.EveryResource {
		if _, known := out.Get(r); !known && rapid.Bool().Draw(t, "unusable") {
			out = out.WithUnusable(r)
		}
	}
	return out
})

var anyPod = rapid.Custom(func(t *rapid.T) scale.Pod {
	return scale.Pod{
		Phase: scale.Phase(rapid.IntRange(0, 4).Draw(t, "phase")), Ready: scale.Readiness(rapid.IntRange(0, 3).Draw(t, "ready")),
		Deleting: rapid.Bool().Draw(t, "deleting"), ReadyChangedAt: moments.Draw(t, "changed"), StartedAt: moments.Draw(t, "started"),
		RestartedAt: moments.Draw(t, "restarted"), Waiting: rapid.SampledFrom([]string{"", "CrashLoopBackOff"}).Draw(t, "waiting"),
		Pending: rapid.SampledFrom([]string{"", "Unschedulable"}).Draw(t, "pending"), PendingSince: moments.Draw(t, "pending since"),
		Requests: resources.Draw(t, "requests"), InForce: resources.Draw(t, "in force"), ResizeSince: moments.Draw(t, "resize since"),
		OutOfMemoryAt: moments.Draw(t, "oom"), UsageAt: moments.Draw(t, "at"), UsageWindow: 30 * time.Second,
		Containers: []scale.PodContainer{{
			Name: "app", Requests: resources.Draw(t, "requests"), Limits: resources.Draw(t, "limits"), Usage: usages.Draw(t, "usage"),
			InForce: resources.Draw(t, "in force"), LimitsInForce: resources.Draw(t, "limits in force"), Resize: scale.Resize(rapid.IntRange(0, 3).Draw(t, "resize")),
		}},
	}
})

var anySeen = rapid.Custom(func(t *rapid.T) scale.Observation {
	pods := rapid.SliceOfN(anyPod, 0, 4).Draw(t, "pods")
	perPod := make([]scale.PodValue, len(pods))
	for i := range pods {
		pods[i].Name = string(rune('a' + i))
		switch rapid.IntRange(0, 2).Draw(t, "value") {
		case 0:
			perPod[i] = scale.PodValue{Value: amounts.Draw(t, "value"), Known: true}
		case 1:
			perPod[i] = scale.PodValue{Unusable: true}
		}
	}
	requested := int32(rapid.IntRange(0, 9).Draw(t, "requested"))
	return scale.Observation{
		At: moments.Draw(t, "at").Add(time.Hour),
		Target: scale.Target{SpecReplicas: 3, StatusReplicas: 2, Containers: []scale.Container{
			{Name: "app", Requests: resources.Draw(t, "requests"), Limits: resources.Draw(t, "limits")},
		}},
		Pods: pods,
		Samples: []scale.Sample{
			{},
			{PerPod: perPod, Strangers: rapid.SliceOfN(amounts, 0, 2).Draw(t, "strangers")},
			rapid.SampledFrom([]scale.Sample{
				{Series: []scale.Amount{1500, 2}, Activity: scale.Inactive}, {Problem: "no data"}, {Series: []scale.Amount{}},
			}).Draw(t, "queue"),
			{Series: []scale.Amount{75}, Target: amounts.Draw(t, "target"), Activity: scale.Active},
		},
		Requested:     &requested,
		Recommended:   []scale.Recommendation{{Container: "app", PerPod: resources.Draw(t, "each"), Total: resources.Draw(t, "all")}},
		Unrecommended: rapid.SampledFrom([]string{"", "it has no recommendation yet"}).Draw(t, "unrecommended"),
		Learned: &scale.Learned{
			Min: 2, Max: 9, Targets: []scale.LearnedTarget{{Container: "app", Resource: scale.CPU, Percent: 70},
				{Container: "app", Resource: scale.Memory, Percent: 80}},
			Peaks: []scale.LearnedPeak{{Container: "app", Resource: scale.Memory, Percent: 92, Under: 80, Days: 3}, {Container: "app", Under: 70}},
			Headroom: []scale.LearnedHeadroom{{Container: "app", Resource: scale.CPU, Expected: amounts.Draw(t, "expected"),
				Headroom: amounts.Draw(t, "extra"), Full: rapid.Bool().Draw(t, "full"), Ceiling: amounts.Draw(t, "ceiling"),
				PerPod: amounts.Draw(t, "per pod"), Within: 90 * time.Second, Risk: scale.Parts / 500}},
		},
		Room: rapid.SampledFrom([]*scale.Room{nil, {Share: amounts.Draw(t, "room"), At: moments.Draw(t, "room at")}}).Draw(t, "has room"),
		Capacity: rapid.SampledFrom([]*scale.Capacity{nil, {}, {
			Quota:       scale.QuotaRoom{Pods: &requested, Requests: resources.Draw(t, "quota"), Limits: resources.Draw(t, "quota of limits")},
			LargestNode: resources.Draw(t, "node"),
			LimitRange: scale.AllowedRange{Min: resources.Draw(t, "least"), Max: resources.Draw(t, "most"),
				PodMax: resources.Draw(t, "most of a pod"), PodMin: resources.Draw(t, "least of a pod")},
		}}).Draw(t, "has capacity"),
		HPA: &scale.HPA{Min: 2, Max: 30, Targets: []scale.LearnedTarget{{Container: "app", Percent: 60},
			{Container: "app", Resource: scale.Memory, Percent: 80}}, Untuned: []string{"metrics[2] stays"}},
	}
})

// TestEncodeAndDecode: what was recorded is decided on again exactly as it was.
func TestEncodeAndDecode(t *testing.T) {
	var spec v1alpha1.WorkloadAutoscalerSpec
	if faults := strict.Unmarshal([]byte(everyKind), &spec); len(faults) > 0 {
		t.Fatal(faults)
	}
	most := int32(50)
	admin := v1alpha1.AdminSettings{MaximumReplicas: &most}
	compiled, err := policy.Compile(spec, admin)
	if err != nil {
		t.Fatal(err)
	}
	draw.Check(t, func(rt *rapid.T) {
		obs := anySeen.Draw(rt, "seen")
		memory := engine.Memory{Seen: true, Replicas: 3}
		memory.Highs = []limit.TimedValue{{At: obs.At, Value: 5}}
		before := Call{Policy: compiled, Spec: spec, Observation: obs, Memory: memory}
		line, err := Encode(before, admin)
		if err != nil {
			rt.Fatal(err)
		}
		for result := range Decode(line) {
			if len(result.Faults) > 0 {
				rt.Fatalf("%s\n%v", line, result.Faults)
			}
			exact := cmp.Exporter(func(reflect.Type) bool { return true })
			if diff := cmp.Diff(before.Observation, result.Call.Observation, exact, cmpopts.EquateEmpty()); diff != "" {
				rt.Fatalf("%s\nthe observation (-before +after):\n%s", line, diff)
			}
			if diff := cmp.Diff(before.Decide(), result.Call.Decide(), exact, cmpopts.EquateEmpty()); diff != "" {
				rt.Fatalf("the decision (-before +after):\n%s", diff)
			}
		}
	})
}

// TestNotListed: pods that nobody listed stay something else than none.
func TestNotListed(t *testing.T) {
	var spec v1alpha1.WorkloadAutoscalerSpec
	if faults := strict.Unmarshal([]byte(everyKind), &spec); len(faults) > 0 {
		t.Fatal(faults)
	}
	compiled, err := policy.Compile(spec, v1alpha1.AdminSettings{})
	if err != nil {
		t.Fatal(err)
	}
	for _, pods := range [][]scale.Pod{nil, {}} {
		line, err := Encode(Call{Policy: compiled, Spec: spec, Observation: scale.Observation{At: time.Unix(1, 0).UTC(), Pods: pods}}, v1alpha1.AdminSettings{})
		if err != nil {
			t.Fatal(err)
		}
		for result := range Decode(line) {
			if len(result.Faults) > 0 || (result.Call.Observation.Pods == nil) != (pods == nil) {
				t.Errorf("%v pods became %v, %v", pods, result.Call.Observation.Pods, result.Faults)
			}
		}
	}
}

// TestStatusForm: what a status keeps of a decision explains it as well, and is
// bounded.
func TestStatusForm(t *testing.T) {
	size := scale.Size{Replicas: 3, Containers: []scale.Container{{Name: "app", Requests: scale.Resources{}.With(scale.CPU, 500),
		Limits: scale.Resources{}.With(scale.CPU, 900)}}}
	d := scale.Decision{
		From: size, Want: size.WithReplicas(5), Proposed: size.WithReplicas(5), Reason: scale.NoData, LimitedBy: scale.MaxReplicas, RecheckAfter: 15 * time.Second,
		Tuning: &scale.Tuning{Min: new(int32(1)), Max: new(int32(4)), Targets: []scale.LearnedTarget{{Container: "app", Percent: 70}}},
	}
	for range 200 {
		d.Steps = append(d.Steps, scale.Step{Stage: scale.StageHorizontal, Reason: scale.NoData,
			Metric: &scale.MetricFacts{Name: "queue", Problem: string(make([]byte, 4000))}})
	}
	d.Steps = append(d.Steps, scale.Step{Stage: scale.StageLimit, Reason: scale.MaxReplicas, In: size, Out: size, Limit: 5})
	kept := ToStatus(d)
	if len(kept.Steps) != maxSteps || kept.Steps[maxSteps-1].Reason != "MaxReplicas" {
		t.Errorf("%d steps, the last is %s", len(kept.Steps), kept.Steps[len(kept.Steps)-1].Reason)
	}
	for _, s := range kept.Steps {
		if len(s.Message) > maxMessage+len(" …") {
			t.Errorf("a message of %d bytes", len(s.Message))
		}
	}
	back := ToStatus(scale.Decision{From: size, Want: size, Proposed: size, Steps: d.Steps[200:], Tuning: d.Tuning})
	if got, want := FromStatus(back).Text(), "stays at 3: \n  limit       3 -> 3  MaxReplicas  the maximum is 5\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if diff := cmp.Diff(map[string]map[string]string{"app": {"cpu": "900m"}}, back.Want.Limits); diff != "" {
		t.Errorf("limits (-want +got):\n%s", diff)
	}
}

func TestShortKeepsCharactersWhole(t *testing.T) {
	for _, n := range []int{maxMessage - 1, maxMessage, maxMessage + 1} {
		text := string(make([]byte, n-1)) + "ü and more"
		if got := Short(text); len(got) > maxMessage+len(" …") || got != string([]rune(got)) {
			t.Errorf("%d bytes of %d, %q", len(got), len(text), got[len(got)-8:])
		}
	}
}
