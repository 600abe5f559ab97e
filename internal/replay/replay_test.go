package replay

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/tidemark/tidemark/api/v1alpha1"
	"github.com/tidemark/tidemark/internal/replay/sim"
	"github.com/tidemark/tidemark/internal/replay/trace"
	"github.com/tidemark/tidemark/scale"
)

var monday = time.Date(2026, 1, 5, 0, 0, 0, 0, time.UTC)

// usual is the plant that the flags describe when none is given.
func usual() Plant {
	return Plant{Settings: sim.Ideal()}
}

// waves is a day of demand between 1 and 13 cores, a value a minute.
func waves() trace.Trace {
	t := trace.Trace{Step: time.Minute}
	for i := range 24 * 60 {
		phase := i % 240
		t.Points = append(t.Points, trace.Point{
			At: monday.Add(time.Duration(i) * time.Minute), Value: 1000 + scale.Amount(min(phase, 240-phase))*100 + scale.Amount(i*7919%401),
		})
	}
	return t
}

func newReplay(t *testing.T, recorded trace.Trace, p Plant) *Replay {
	t.Helper()
	r, err := New(recorded, p)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func named(t *testing.T, names ...string) []Policy {
	t.Helper()
	var out []Policy
	for _, name := range names {
		p, known, err := Named(name)
		if err != nil || !known {
			t.Fatalf("%s: %v, %v", name, known, err)
		}
		out = append(out, p)
	}
	return out
}

func run(t *testing.T, r *Replay, timeline bool, policies ...Policy) []Result {
	t.Helper()
	results, err := r.Run(policies, Options{Timeline: timeline})
	if err != nil {
		t.Fatal(err)
	}
	return results
}

// TestYardsticks: the oracle and enough pods serve everything, too few do not,
// and nobody who serves everything is cheaper than the oracle.
func TestYardsticks(t *testing.T) {
	r := newReplay(t, waves(), usual())
	results := run(t, r, false, named(t, "oracle", "static:100", "static:3", "hpa:60", "hpa:90")...)
	oracle, huge, few, sixty, ninety := results[0].Score, results[1].Score, results[2].Score, results[3].Score, results[4].Score
	if oracle.StarvedMinutes != 0 || oracle.UnservedPercent != 0 || oracle.CoreHours != oracle.OracleCoreHours {
		t.Errorf("oracle: %+v", oracle)
	}
	if huge.StarvedMinutes != 0 || huge.CoreHours != 2400 || huge.GiBHours != 2400 || huge.Changes != 0 || huge.PodStarts != 0 {
		t.Errorf("static:100: %+v", huge)
	}
	if few.UnservedPercent < 10 || few.OracleCoreHours != oracle.CoreHours {
		t.Errorf("static:3: %+v", few)
	}
	if !(oracle.CoreHours < ninety.CoreHours && ninety.CoreHours < sixty.CoreHours) || sixty.UnservedPercent > ninety.UnservedPercent {
		t.Errorf("hpa:60 %+v, hpa:90 %+v", sixty, ninety)
	}
}

// TestHPAIsCompatibilityHPA: the yardstick decides, moment by moment, what an
// object with compatibility HPA decides.
func TestHPAIsCompatibilityHPA(t *testing.T) {
	most, percent := int32(1000), int32(60)
	object, err := FromSpec("object", v1alpha1.WorkloadAutoscalerSpec{
		Compatibility: v1alpha1.CompatibilityHPA, Replicas: v1alpha1.ReplicaSpec{Max: &most},
		Metrics: []v1alpha1.MetricSpec{{
			Type:     v1alpha1.ResourceMetricType,
			Resource: &v1alpha1.ResourceMetric{Name: "cpu", Target: &v1alpha1.MetricTarget{Type: v1alpha1.UtilizationTarget, AverageUtilization: &percent}},
		}},
	})
	if err != nil {
		t.Fatal(err)
	}
	results := run(t, newReplay(t, waves(), usual()), true, append(named(t, "hpa:60"), object)...)
	if len(results[0].Timeline) != 24*60*4 {
		t.Errorf("%d decisions", len(results[0].Timeline))
	}
	results[1].Policy = "hpa:60"
	if diff := cmp.Diff(results[1], results[0], cmp.AllowUnexported(Result{}, shape{})); diff != "" {
		t.Errorf("the yardstick differs from the object (-object +yardstick):\n%.2000s", diff)
	}
}

// TestSameSeedSameResult: parallel runs, with chance in them, repeat exactly,
// and another seed gives another run.
func TestSameSeedSameResult(t *testing.T) {
	plant := usual()
	plant.Jitter = 3 * time.Minute
	bytesOf := func(p Plant) string {
		var out bytes.Buffer
		if err := WriteAllJSON(&out, run(t, newReplay(t, waves(), p), true, named(t, "hpa:60", "hpa:80")...)); err != nil {
			t.Fatal(err)
		}
		return out.String()
	}
	first := bytesOf(plant)
	if bytesOf(plant) != first {
		t.Error("the second run differs")
	}
	plant.Seed = 2
	if bytesOf(plant) == first {
		t.Error("another seed makes no difference")
	}
}

// TestMeanPods: the mean of the scaled demand needs that many pods, so static
// pods twice as many are used by half, whatever the unit of the recording was.
func TestMeanPods(t *testing.T) {
	p := usual()
	p.Requests, p.MeanPods = p.Requests.With(scale.CPU, 500), 2500
	r := newReplay(t, waves(), p)
	mean := hours(r.plant.Demand.Work(), perCore) / r.plant.Demand.Length().Hours()
	if mean < 1.2499 || mean > 1.2501 {
		t.Errorf("the mean is %v cores, want 2.5 pods of half a core", mean)
	}
}

// TestInterpolate: straight lines up and down, in steps of a decision, none
// across a gap, and none after the last value.
func TestInterpolate(t *testing.T) {
	recorded := trace.Trace{Step: time.Minute}
	for _, p := range []struct {
		minute int
		value  scale.Amount
	}{{0, 1000}, {1, 2000}, {2, 1000}, {9, 5000}} {
		recorded.Points = append(recorded.Points, trace.Point{At: monday.Add(time.Duration(p.minute) * time.Minute), Value: p.value})
	}
	var got []scale.Amount
	for _, p := range interpolated(recorded, 15*time.Second).Points {
		got = append(got, p.Value)
	}
	if diff := cmp.Diff([]scale.Amount{1000, 1250, 1500, 1750, 2000, 1750, 1500, 1250, 1000, 5000, 5000, 5000, 5000}, got); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

func TestRefusals(t *testing.T) {
	zero := trace.Trace{Step: time.Minute, Points: []trace.Point{{At: monday}, {At: monday.Add(time.Minute)}}}
	one := trace.Trace{Points: zero.Points[:1]}
	ages := trace.Trace{Step: time.Minute, Points: []trace.Point{{At: time.Unix(0, 0)}, {At: monday}}}
	large := trace.Trace{Step: time.Minute, Points: []trace.Point{{At: monday, Value: 1 << 50}, {At: monday.Add(time.Minute)}}}
	for name, c := range map[string]struct {
		recorded trace.Trace
		change   func(*Plant)
		want     string
	}{
		"nothing to scale": {zero, func(p *Plant) { p.MeanPods = 1000 }, "zero throughout"},
		"one point":        {one, func(*Plant) {}, "at least two points"},
		"not in cores":     {large, func(*Plant) {}, "scaled with MeanPods"},
		"wrong times":      {ages, func(*Plant) {}, "check its times or raise Sync"},
		"no cpu":           {waves(), func(p *Plant) { p.Requests = scale.Resources{} }, "Requests.cpu must be above 0"},
		"too few pods":     {waves(), func(p *Plant) { p.MeanPods = -1 }, "MeanPods must be above 0"},
		"never scored":     {waves(), func(p *Plant) { p.WarmUp = 24 * time.Hour }, "WarmUp must be shorter than the demand, which lasts 24h0m0s"},
		"other names": {waves(), func(p *Plant) {
			p.Resize.Deferred, p.Resize.DeferredFor = -1, -1
			p.Names = Names{"Resize.Deferred": "a", "Resize.DeferredFor": "b"}
		}, "a and Resize.Infeasible must be shares that are at most 1 together\nb must be between 0 and 24h"},
	} {
		t.Run(name, func(t *testing.T) {
			p := usual()
			c.change(&p)
			if _, err := New(c.recorded, p); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%s: %v", name, err)
			}
		})
	}
	for _, name := range []string{"hpa:", "hpa:0", "hpa:60%", "static:-1", "static:x", "static"} {
		t.Run(name, func(t *testing.T) {
			if _, _, err := Named(name); err == nil || !strings.Contains(err.Error(), "needs a number") {
				t.Errorf("%s: %v", name, err)
			}
		})
	}
	if _, known, err := Named("web.yaml"); known || err != nil {
		t.Errorf("a file's name: %v, %v", known, err)
	}
}

// TestMemoryIsLeftOut: beside cpu with a warning, alone not at all.
func TestMemoryIsLeftOut(t *testing.T) {
	spec, percent := HPA(60), int32(70)
	memory := v1alpha1.MetricSpec{Type: v1alpha1.ResourceMetricType, Resource: &v1alpha1.ResourceMetric{
		Name: "memory", Target: &v1alpha1.MetricTarget{AverageUtilization: &percent},
	}}
	spec.Metrics = append(spec.Metrics, memory)
	both, err := FromSpec("both", spec)
	if err != nil {
		t.Fatal(err)
	}
	r := newReplay(t, waves(), usual())
	if w := r.Warnings(both); len(w) != 1 || !strings.Contains(w[0], "metrics[1] is left out") {
		t.Errorf("warnings: %q", w)
	}
	results := run(t, r, false, append(named(t, "hpa:60"), both)...)
	if results[0].Score != results[1].Score {
		t.Errorf("with memory %+v, without %+v", results[1].Score, results[0].Score)
	}
	spec.Metrics = []v1alpha1.MetricSpec{memory}
	alone, err := FromSpec("memory", spec)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := r.Run([]Policy{alone}, Options{}); err == nil || !strings.Contains(err.Error(), "memory alone") {
		t.Errorf("memory alone: %v", err)
	}
}

// TestPodsAreResized: where cpu is scaled vertically, pods grow with their own
// usage, and the cost is that of the sizes they had.
func TestPodsAreResized(t *testing.T) {
	most, name := int32(3), "web"
	p, err := FromSpec("vertical", v1alpha1.WorkloadAutoscalerSpec{
		Replicas:   v1alpha1.ReplicaSpec{Min: &most, Max: &most},
		Containers: []v1alpha1.ContainerPolicy{{Name: name, CPU: &v1alpha1.ResourcePolicy{Scaling: v1alpha1.ResourceScalingVertical}}},
	})
	if err != nil {
		t.Fatal(err)
	}
	plant := usual()
	plant.Requests = plant.Requests.With(scale.CPU, 500)
	results := run(t, newReplay(t, waves(), plant), false, p, named(t, "static:3")[0])
	vertical, static := results[0].Score, results[1].Score
	if vertical.Changes == 0 || vertical.PodStarts != 0 || vertical.CoreHours <= static.CoreHours || vertical.UnservedPercent >= static.UnservedPercent {
		t.Errorf("resized %+v, as they were %+v", vertical, static)
	}
}

// TestOwnSyncPeriodWins: an object that decides once a minute does so here.
func TestOwnSyncPeriodWins(t *testing.T) {
	spec, minute := HPA(60), int32(60)
	spec.Compatibility = v1alpha1.CompatibilityTidemark
	spec.Behavior = &v1alpha1.Behavior{SyncPeriodSeconds: &minute}
	p, err := FromSpec("slow", spec)
	if err != nil {
		t.Fatal(err)
	}
	if got := run(t, newReplay(t, waves(), usual()), true, p)[0].Timeline; len(got) != 24*60 {
		t.Errorf("%d decisions in a day", len(got))
	}
}

// TestShortDemandWarns: ten minutes teach nothing about a week.
func TestShortDemandWarns(t *testing.T) {
	spec := HPA(60)
	spec.Compatibility = v1alpha1.CompatibilityTidemark
	spec.Learn = &v1alpha1.Learn{Headroom: &v1alpha1.Headroom{}}
	hour := int32(3600)
	spec.Behavior = &v1alpha1.Behavior{ScaleUp: &v1alpha1.ScalingRules{ForbiddenWindowSeconds: &hour, DelaySeconds: &hour}}
	p, err := FromSpec("learner", spec)
	if err != nil {
		t.Fatal(err)
	}
	short := waves()
	short.Points = short.Points[:4]
	got := strings.Join(newReplay(t, short, usual()).Warnings(p), "\n")
	for _, want := range []string{"scale-down stabilization window (5m0s)", "scale-up forbidden window (1h0m0s)", "scale-up delay (1h0m0s)",
		"bounds are learned from (168h0m0s)", "known after 999 reactions, of 1m15s each, and the demand lasts for 3"} {
		t.Run(want, func(t *testing.T) {
			if !strings.Contains(got, want) {
				t.Errorf("no warning of %q in\n%s", want, got)
			}
		})
	}
	if w := newReplay(t, waves(), usual()).Warnings(named(t, "hpa:60")[0]); len(w) != 0 {
		t.Errorf("a day for an HPA: %q", w)
	}
}

func TestSparkline(t *testing.T) {
	var values [shapeWidth]int64
	values[0], values[1], values[2] = 8, 4, 1
	if got := sparkline(values, 8); !strings.HasPrefix(got, "█▅▂▁▁") {
		t.Errorf("got %s", got)
	}
	if got := sparkline([shapeWidth]int64{}, 0); got != strings.Repeat("▁", shapeWidth) {
		t.Errorf("nothing at all is %s", got)
	}
}
