package replay

import (
	"testing"
	"time"

	"github.com/tidemark/tidemark/api/v1alpha1"
	"github.com/tidemark/tidemark/internal/replay/sim"
	"github.com/tidemark/tidemark/scale"
)

// leaky is a plant whose pods need more memory than they request.
func leaky() Plant {
	p := usual()
	p.Requests = p.Requests.With(scale.Memory, 500*scale.Thousand<<20)
	p.Memory = sim.MemoryUse{Base: 300 * scale.Thousand << 20, PerCore: 100 * scale.Thousand << 20, Leak: 60 * scale.Thousand << 20}
	return p
}

// TestMemoryPolicyRaisesTheRequest: pods of 500 MiB that leak 60 MiB an hour are
// killed every few hours. A policy that sizes memory gives them more after the
// first kills, and pays for it.
func TestMemoryPolicyRaisesTheRequest(t *testing.T) {
	count := int32(14)
	vertical, err := FromSpec("vertical", v1alpha1.WorkloadAutoscalerSpec{
		Replicas:   v1alpha1.ReplicaSpec{Min: &count, Max: &count},
		Containers: []v1alpha1.ContainerPolicy{{Name: "app", Memory: &v1alpha1.ResourcePolicy{Scaling: v1alpha1.ResourceScalingVertical}}},
	})
	if err != nil {
		t.Fatal(err)
	}
	results := run(t, newReplay(t, waves(), leaky()), false, vertical, named(t, "static:14")[0])
	sized, fixed := results[0].Score, results[1].Score
	// 140 MiB of room at half of a core's work last for less than three hours.
	if fixed.OOMKills < 14*5 || fixed.Restarts != fixed.OOMKills {
		t.Errorf("of fixed size: %+v", fixed)
	}
	if sized.OOMKills >= fixed.OOMKills/2 || sized.GiBHours <= fixed.GiBHours || sized.Changes == 0 {
		t.Errorf("sized: %+v, of fixed size: %+v", sized, fixed)
	}
}

// TestMemoryMetricCounts where the plant knows memory: 70 % of it as a target
// asks for more pods than cpu alone would.
func TestMemoryMetricCounts(t *testing.T) {
	spec, percent := HPA(60), int32(10)
	spec.Metrics = append(spec.Metrics, v1alpha1.MetricSpec{Type: v1alpha1.ResourceMetricType, Resource: &v1alpha1.ResourceMetric{
		Name: "memory", Target: &v1alpha1.MetricTarget{AverageUtilization: &percent},
	}})
	*spec.Replicas.Max = 100
	both, err := FromSpec("both", spec)
	if err != nil {
		t.Fatal(err)
	}
	plant := usual()
	plant.Memory.Base = 300 * scale.Thousand << 20
	r := newReplay(t, waves(), plant)
	if w := r.Warnings(both); len(w) != 0 {
		t.Errorf("warnings: %q", w)
	}
	if results := run(t, r, false, both, named(t, "hpa:60")[0]); results[0].Score.CoreHours < 2*results[1].Score.CoreHours {
		t.Errorf("with memory %+v, without %+v", results[0].Score, results[1].Score)
	}
}

// TestProblemsReachThePlant: each problem shows in the score it is for.
func TestProblemsReachThePlant(t *testing.T) {
	for name, c := range map[string]struct {
		change func(*Plant)
		shows  func(usual, ailing Score) bool
	}{
		"crashes":   {func(p *Plant) { p.Crashes = scale.Parts / 2 }, func(_, s Score) bool { return s.Restarts > 0 }},
		"queue":     {func(p *Plant) { p.Queue = 600_000 }, func(u, s Score) bool { return s.MeanWaitSeconds > 0 && s.UnservedPercent < u.UnservedPercent }},
		"nodes":     {func(p *Plant) { p.Nodes = sim.Nodes{Count: 3, CPU: 4000} }, func(_, s Score) bool { return s.PendingMinutes > 0 }},
		"lost":      {func(p *Plant) { p.Lost = scale.Parts / 2 }, func(u, s Score) bool { return s.CoreHours != u.CoreHours }},
		"window":    {func(p *Plant) { p.Window, p.Resolution = 5*time.Minute, time.Minute }, func(u, s Score) bool { return s.UnservedPercent > 2*u.UnservedPercent }},
		"cpu limit": {func(p *Plant) { p.Limits = p.Limits.With(scale.CPU, 2000) }, func(u, s Score) bool { return s.OracleCoreHours < u.OracleCoreHours }},
		"warm-up":   {func(p *Plant) { p.WarmUp = 12 * time.Hour }, func(u, s Score) bool { return s.CoreHours < u.CoreHours*6/10 }},
	} {
		t.Run(name, func(t *testing.T) {
			before := run(t, newReplay(t, waves(), usual()), false, named(t, "hpa:90")...)[0].Score
			p := usual()
			c.change(&p)
			if after := run(t, newReplay(t, waves(), p), false, named(t, "hpa:90")...)[0].Score; !c.shows(before, after) {
				t.Errorf("%s: %+v, before %+v", name, after, before)
			}
		})
	}
}
