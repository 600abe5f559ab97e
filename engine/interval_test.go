package engine_test

import (
	"encoding/json"
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/api/resource"
	"pgregory.net/rapid"

	"github.com/tidemark/tidemark/api/v1alpha1"
	"github.com/tidemark/tidemark/engine"
	"github.com/tidemark/tidemark/engine/limit"
	"github.com/tidemark/tidemark/internal/checks/draw"
	"github.com/tidemark/tidemark/policy"
	"github.com/tidemark/tidemark/scale"
)

// vertical compiles a policy of two replicas whose requests alone change.
func vertical(t testing.TB, rules func(*v1alpha1.ScalingRules)) engine.Policy {
	t.Helper()
	two := int32(2)
	up := &v1alpha1.ScalingRules{}
	rules(up)
	spec := v1alpha1.WorkloadAutoscalerSpec{
		Replicas: v1alpha1.ReplicaSpec{Min: &two, Max: &two},
		Behavior: &v1alpha1.Behavior{ScaleUp: up, ScaleDown: up},
		Intervals: &v1alpha1.Intervals{Ranges: []v1alpha1.IntervalRange{
			{MaxReplicas: &two, MaxResources: quantities("4", "16Gi")},
		}},
		MaintenanceWindows: []v1alpha1.MaintenanceWindow{{Start: "02:00", End: "03:00"}},
	}
	p, err := policy.Compile(spec, v1alpha1.AdminSettings{})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func quantities(cpu, memory string) map[string]resource.Quantity {
	return map[string]resource.Quantity{"cpu": resource.MustParse(cpu), "memory": resource.MustParse(memory)}
}

// amountsOf reads a cpu and a memory quantity.
func amountsOf(cpu, memory string) scale.Resources {
	var out scale.Resources
	for i, text := range []string{cpu, memory} {
		if a, err := scale.ParseAmount(text); err == nil {
			out = out.With(scale.EveryResource[i], a)
		}
	}
	return out
}

// twoPods are obs at noon with 1 core and 4 Gi each, their limits, and what
// is recommended for one of them.
func twoPods(recommended scale.Resources) scale.Observation {
	pod := scale.Pod{Ready: scale.Ready, Containers: []scale.PodContainer{
		{Name: "app", Requests: amountsOf("1", "4Gi"), Usage: amountsOf("500m", "2Gi")},
	}}
	return scale.Observation{
		At: noon,
		Target: scale.Target{SpecReplicas: 2, StatusReplicas: 2, Containers: []scale.Container{
			{Name: "app", Requests: amountsOf("1", "4Gi"), Limits: amountsOf("2", "5Gi")},
		}},
		Pods:        []scale.Pod{pod, pod},
		Recommended: []scale.Recommendation{{Container: "app", PerPod: recommended}},
	}
}

// TestMinChangeNeverStarves: a pod that uses all its limit cannot show how much
// more it needs, so no change is too small for it. hvpa-controller's known
// problem: with a minChange of 1 core a pod that could use half a core more
// waits forever.
func TestMinChangeNeverStarves(t *testing.T) {
	p := vertical(t, func(r *v1alpha1.ScalingRules) {
		most := resource.MustParse("1Ti")
		r.MinChange = map[string]v1alpha1.ChangeParams{"cpu": {Value: &most}, "memory": {Value: &most}}
	})
	for name, c := range map[string]struct {
		usage, recommended scale.Resources
		moves              bool
	}{
		"cpu at its limit":             {amountsOf("2", "2Gi"), amountsOf("1001m", "4Gi"), true},
		"memory at its limit":          {amountsOf("500m", "5Gi"), amountsOf("1", "4097Mi"), true},
		"below the limit":              {amountsOf("1999m", "4Gi"), amountsOf("3", "4Gi"), false},
		"at its limit, recommended so": {amountsOf("2", "2Gi"), amountsOf("1", "4Gi"), false},
		"at its limit, to be shrunk":   {amountsOf("2", "5Gi"), amountsOf("900m", "3Gi"), false},
	} {
		t.Run(name, func(t *testing.T) {
			obs := twoPods(c.recommended)
			obs.Pods[1].Containers = []scale.PodContainer{{Name: "app", Requests: amountsOf("1", "4Gi"), Usage: c.usage}}
			d, _ := engine.Decide(p, obs, engine.Memory{})
			if moved := !d.Want.Equal(d.From); moved != c.moves {
				t.Errorf("%s: moved %t, want %t: %+v", name, moved, c.moves, d.Steps)
			}
		})
	}
}

// gates are the limits that wait, each shut at noon for a workload that has
// changed a minute ago.
var gates = map[scale.Reason]func(*v1alpha1.ScalingRules){
	scale.ForbiddenWindow: func(r *v1alpha1.ScalingRules) { r.ForbiddenWindowSeconds = new(int32(600)) },
	scale.Delayed:         func(r *v1alpha1.ScalingRules) { r.DelaySeconds = new(int32(600)) },
	scale.MinChange: func(r *v1alpha1.ScalingRules) {
		percent := int32(1000)
		r.MinChange = map[string]v1alpha1.ChangeParams{"cpu": {Percentage: &percent}, "memory": {Percentage: &percent}}
	},
	scale.MaintenanceWindow: func(r *v1alpha1.ScalingRules) { r.Update = v1alpha1.UpdateMaintenanceWindow },
	scale.UpdateOff:         func(r *v1alpha1.ScalingRules) { r.Update = v1alpha1.UpdateOff },
}

// aMinuteAgo is the memory of a workload that was changed then.
func aMinuteAgo() engine.Memory {
	return engine.Memory{Seen: true, Replicas: 2, Past: limit.Past{LastEventAt: noon.Add(-time.Minute)}}
}

// TestOutOfMemoryPassesTheGates: when memory ran out since the last change, a
// scale-up does not wait, and the step OutOfMemory says so; a direction that
// someone switched off stays off.
func TestOutOfMemoryPassesTheGates(t *testing.T) {
	for reason, rules := range gates {
		t.Run(string(reason), func(t *testing.T) {
			p, obs := vertical(t, rules), twoPods(amountsOf("1", "6Gi"))
			d, _ := engine.Decide(p, obs, aMinuteAgo())
			if d.LimitedBy != reason || !d.Want.Equal(d.From) {
				t.Fatalf("the gate is not shut: %+v", d)
			}
			obs.Pods[0].OutOfMemoryAt = noon.Add(-10 * time.Second)
			d, _ = engine.Decide(p, obs, aMinuteAgo())
			passes := reason != scale.UpdateOff
			if got := hasStep(d, scale.OutOfMemory); got != passes {
				t.Errorf("a step OutOfMemory: %t, want %t: %+v", got, passes, d.Steps)
			}
			want := d.From
			if passes {
				want.Containers = []scale.Container{{Name: "app", Requests: amountsOf("1", "6Gi"), Limits: amountsOf("2", "7680Mi")}}
			}
			if diff := cmp.Diff(want, d.Want, cmp.AllowUnexported(scale.Resources{})); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// TestOutOfMemoryOpensNothingElse: it lets no scale-down pass, and an earlier
// one, which the last change has answered, does not count.
func TestOutOfMemoryOpensNothingElse(t *testing.T) {
	for reason, rules := range gates {
		for name, c := range map[string]struct {
			recommended scale.Resources
			ago         time.Duration
		}{
			"a scale-down":           {amountsOf("1", "2Gi"), 10 * time.Second},
			"before the last change": {amountsOf("1", "6Gi"), 2 * time.Minute},
			"in the future":          {amountsOf("1", "6Gi"), -time.Second},
		} {
			p, obs := vertical(t, rules), twoPods(c.recommended)
			obs.Pods[0].OutOfMemoryAt = noon.Add(-c.ago)
			if d, _ := engine.Decide(p, obs, aMinuteAgo()); !d.Want.Equal(d.From) || hasStep(d, scale.OutOfMemory) {
				t.Errorf("%s, %s: %+v", reason, name, d)
			}
		}
	}
}

func hasStep(d scale.Decision, reason scale.Reason) bool {
	for _, s := range d.Steps {
		if s.Reason == reason {
			return true
		}
	}
	return false
}

// intervalSpecs draws specs with intervals, some of them wrong: counts out of
// order or out of bounds, totals that do not rise, minima above maxima.
func intervalSpecs() *rapid.Generator[v1alpha1.WorkloadAutoscalerSpec] {
	milli := func(n int64) *resource.Quantity { return resource.NewMilliQuantity(n, resource.DecimalSI) }
	return rapid.Custom(func(t *rapid.T) v1alpha1.WorkloadAutoscalerSpec {
		least, last, pod := rapid.SampledFrom([]int32{1, 1, 1, 2, 3, 0}).Draw(t, "min"), int32(0), int64(0)
		spec := v1alpha1.WorkloadAutoscalerSpec{Intervals: &v1alpha1.Intervals{}}
		for range rapid.IntRange(1, 3).Draw(t, "ranges") {
			last += rapid.SampledFrom([]int32{1, 1, 2, 3, 4, 0}).Draw(t, "counts")
			pod += rapid.SampledFrom([]int64{1, 30, 500, 1000, 1001, 3000, -10}).Draw(t, "pod")
			upTo := last
			spec.Intervals.Ranges = append(spec.Intervals.Ranges, v1alpha1.IntervalRange{
				MaxReplicas: &upTo, MaxResources: map[string]resource.Quantity{"cpu": *milli(pod)},
				Extrapolation: rapid.SampledFrom([]v1alpha1.Extrapolation{"", "Linear", "HorizontalOnly", "Logarithmic", "Exponential"}).Draw(t, "extrapolation"),
			})
		}
		most := last + rapid.SampledFrom([]int32{0, 0, 1, 3, -1}).Draw(t, "max")
		spec.Replicas = v1alpha1.ReplicaSpec{Min: &least, Max: &most}
		if rapid.Bool().Draw(t, "behavior") {
			spec.Behavior = &v1alpha1.Behavior{
				ScaleUp:   &v1alpha1.ScalingRules{LimitPercent: new(rapid.Int32Range(0, 200).Draw(t, "percent"))},
				ScaleDown: &v1alpha1.ScalingRules{StabilizationWindowSeconds: new(rapid.Int32Range(0, 60).Draw(t, "window"))},
			}
		}
		low, high := milli(rapid.Int64Range(0, 500).Draw(t, "low")), milli(rapid.Int64Range(400, 9000).Draw(t, "high"))
		spec.Containers = []v1alpha1.ContainerPolicy{{Name: "app", CPU: &v1alpha1.ResourcePolicy{Min: low, Max: high}}}
		return spec
	})
}

// TestIntervalsAndBoundsAgree: a spec is refused, or every decision stays
// within its bounds, its table and its containers' bounds, and a later process
// that reads the memory from JSON decides the same.
func TestIntervalsAndBoundsAgree(t *testing.T) {
	accepted := 0
	draw.Check(t, func(t *rapid.T) {
		p, err := policy.Compile(intervalSpecs().Draw(t, "spec"), v1alpha1.AdminSettings{})
		if err != nil {
			return
		}
		accepted++
		size := scale.Size{Replicas: rapid.Int32Range(0, 15).Draw(t, "replicas"), Containers: []scale.Container{{Name: "app", Requests: amountsOf("100m", "1Gi")}}}
		memory := engine.Memory{}
		for i := range rapid.IntRange(1, 10).Draw(t, "decisions") {
			obs := scale.Observation{At: noon.Add(time.Duration(i) * 15 * time.Second), Target: scale.Target{SpecReplicas: size.Replicas, Containers: size.Containers}}
			obs.Recommended = []scale.Recommendation{{Container: "app", Total: scale.Resources{}.With(scale.CPU, marks().Draw(t, "total"))}}
			d, next := engine.Decide(p, obs, memory)
			checkBounds(t, p, d)
			checkRecalled(t, p, obs, memory, d)
			memory, size = next, d.Want
		}
	})
	if accepted == 0 {
		t.Error("no spec was accepted: the test tests nothing")
	}
}

func checkBounds(t *rapid.T, p engine.Policy, d scale.Decision) {
	n, table := d.Want.Replicas, &p.Interval.Table
	if n < p.Limit.Min || n > p.Limit.Max {
		t.Fatalf("%d replicas, bounds are %d to %d", n, p.Limit.Min, p.Limit.Max)
	}
	if n > max(table.Last(), d.From.Replicas) || n < table.First {
		t.Fatalf("from %d to %d replicas, the intervals are for %d to %d", d.From.Replicas, n, table.First, table.Last())
	}
	before, _ := d.From.Containers[0].Requests.Get(scale.CPU)
	after, _ := d.Want.Containers[0].Requests.Get(scale.CPU)
	bounds := p.Interval.Containers[0].Resources[scale.CPU]
	if after != before && (after < bounds.Min || after > bounds.Max) {
		t.Fatalf("a request of %d, bounds are %d to %d", after, bounds.Min, bounds.Max)
	}
}

func checkRecalled(t *rapid.T, p engine.Policy, obs scale.Observation, memory engine.Memory, want scale.Decision) {
	text, err := json.Marshal(memory)
	if err != nil {
		t.Fatal(err)
	}
	var recalled engine.Memory
	if err := json.Unmarshal(text, &recalled); err != nil {
		t.Fatal(err)
	}
	got, _ := engine.Decide(p, obs, recalled)
	if diff := cmp.Diff(want, got, cmp.AllowUnexported(scale.Resources{})); diff != "" {
		t.Fatalf("after a round trip the decision differs (-before +after):\n%s", diff)
	}
}

// TestContainersAddUpToOneCount: sources speak for one container each, and the
// largest count any of them wants is the one for all (reading H8). A container
// that is off follows a desired count, not a recommendation.
func TestContainersAddUpToOneCount(t *testing.T) {
	spec := apiserver()
	spec.Containers = []v1alpha1.ContainerPolicy{{Name: "proxy", CPU: &v1alpha1.ResourcePolicy{Scaling: "Off"}, Memory: &v1alpha1.ResourcePolicy{Scaling: "Off"}}}
	p, err := policy.Compile(spec, v1alpha1.AdminSettings{})
	if err != nil {
		t.Fatal(err)
	}
	obs := scale.Observation{At: noon, Target: scale.Target{SpecReplicas: 2, Containers: []scale.Container{
		{Name: "app", Requests: amountsOf("500m", "2Gi")}, {Name: "proxy", Requests: amountsOf("1", "1Gi")},
	}}}
	obs.Recommended = []scale.Recommendation{
		{Container: "app", PerPod: amountsOf("750m", "3Gi")}, {Container: "proxy", PerPod: amountsOf("20", "64Gi")},
	}
	d, _ := engine.Decide(p, obs, engine.Memory{})
	want := scale.Size{Replicas: 2, Containers: []scale.Container{
		{Name: "app", Requests: amountsOf("750m", "3Gi")}, {Name: "proxy", Requests: amountsOf("1", "1Gi")},
	}}
	if diff := cmp.Diff(want, d.Want, cmp.AllowUnexported(scale.Resources{})); diff != "" {
		t.Errorf("a recommendation for a container that is off (-want +got):\n%s", diff)
	}
	// Three replicas of the proxy's 1 core are 3 cores, which ask for 3 replicas;
	// the 1.5 cores of app would not.
	obs.Requested = new(int32(3))
	d, _ = engine.Decide(p, obs, engine.Memory{})
	if got := d.Want.Containers[1].Requests; d.Want.Replicas != 3 || got != amountsOf("1", "1Gi") {
		t.Errorf("a desired count: %+v", d.Want)
	}
}

// apiserver is the example of HVPA-EP-0001 with all of its settings.
func apiserver() v1alpha1.WorkloadAutoscalerSpec {
	percent := func(value string, n int32) v1alpha1.ChangeParams {
		q := resource.MustParse(value)
		return v1alpha1.ChangeParams{Value: &q, Percentage: &n}
	}
	spec := v1alpha1.WorkloadAutoscalerSpec{Intervals: &v1alpha1.Intervals{
		Overlap:        map[string]v1alpha1.ChangeParams{"cpu": percent("250m", 30), "memory": percent("1.5Gi", 30)},
		BasePerReplica: map[string]v1alpha1.ChangeParams{"cpu": percent("50m", 5), "memory": percent("200M", 10)},
	}}
	for i := range int32(5) {
		n := i + 1
		spec.Intervals.Ranges = append(spec.Intervals.Ranges, v1alpha1.IntervalRange{
			MaxReplicas: &n, MaxResources: quantities(fmt.Sprintf("%dm", 500<<i), fmt.Sprintf("%dGi", 2<<i)),
		})
	}
	return spec
}

// BenchmarkDecideIntervals: five ranges, three containers, two resources.
func BenchmarkDecideIntervals(b *testing.B) {
	p, err := policy.Compile(apiserver(), v1alpha1.AdminSettings{})
	if err != nil {
		b.Fatal(err)
	}
	obs := scale.Observation{At: noon, Target: scale.Target{SpecReplicas: 3, StatusReplicas: 3}}
	for _, name := range []string{"app", "proxy", "log"} {
		obs.Target.Containers = append(obs.Target.Containers, scale.Container{Name: name, Requests: amountsOf("1", "4Gi"), Limits: amountsOf("2", "8Gi")})
		obs.Recommended = append(obs.Recommended, scale.Recommendation{Container: name, PerPod: amountsOf("2500m", "9Gi")})
	}
	b.ReportAllocs()
	for b.Loop() {
		if d, _ := engine.Decide(p, obs, engine.Memory{}); d.Want.Replicas != 4 {
			b.Fatalf("wants %d", d.Want.Replicas)
		}
	}
}
