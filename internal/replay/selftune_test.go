package replay

import (
	"errors"
	"testing"
	"time"

	"github.com/tidemark/tidemark/api/v1alpha1"
	"github.com/tidemark/tidemark/explain"
	"github.com/tidemark/tidemark/internal/course"
	"github.com/tidemark/tidemark/internal/learner"
	"github.com/tidemark/tidemark/internal/replay/sim"
	"github.com/tidemark/tidemark/internal/selftune"
	"github.com/tidemark/tidemark/policy"
	"github.com/tidemark/tidemark/scale"
)

// trialOf is a comparison on a day of a demand, of pods of one core that start in
// half a minute, on nodes that have nothing left.
func trialOf(t *testing.T, demand func(at time.Duration) scale.Amount) selftune.Trial {
	t.Helper()
	no, most := false, int32(100)
	spec := v1alpha1.WorkloadAutoscalerSpec{
		Replicas: v1alpha1.ReplicaSpec{Max: &most},
		Learn:    &v1alpha1.Learn{Headroom: &v1alpha1.Headroom{Resize: &v1alpha1.HeadroomResize{Enabled: &no}}, Tune: v1alpha1.TuneNightly},
	}
	p, err := policy.Compile(spec, v1alpha1.AdminSettings{})
	if err != nil {
		t.Fatal(err)
	}
	plan, _ := learner.PlanOf(spec, p)
	noon := time.Date(2026, 1, 5, 12, 0, 0, 0, time.UTC)
	c := course.New()
	for at := time.Duration(0); at < course.Day; at += course.Fine {
		c.Observe(course.Sample{At: noon.Add(at), Used: demand(at), Room: 0})
	}
	record, known := c.Record(noon.Add(course.Day))
	if !known {
		t.Fatal("a whole day is not known")
	}
	return selftune.Trial{
		Policy: p, Plan: plan, Record: record, At: noon.Add(course.Day),
		Facts: selftune.Facts{
			Container: "app", Requests: scale.Resources{}.With(scale.CPU, 1000),
			StartUp: 30 * time.Second, Delay: 20 * time.Second, Window: 15 * time.Second,
		},
	}
}

// bursts are four cores, and eight of them for half a minute in each three: too
// short to be followed by starting pods, and nothing that a forecast can see.
func bursts(at time.Duration) scale.Amount {
	if at%(3*time.Minute) < 30*time.Second {
		return 8000
	}
	return 4000
}

// TestSelfTuneChoosesAnHPA: where demand jumps faster than pods start, an HPA that
// holds its maximum for five minutes is cheaper in both halves.
func TestSelfTuneChoosesAnHPA(t *testing.T) {
	found, err := SelfTune(trialOf(t, bursts))
	if err != nil {
		t.Fatal(err)
	}
	if found.Target == 0 {
		t.Errorf("it stays:\n%s", explain.TunedTable(found))
	}
}

// TestSelfTuneStays: where nothing ever changes, no setting is better by the margin
// than one that keeps what is used.
func TestSelfTuneStays(t *testing.T) {
	found, err := SelfTune(trialOf(t, func(time.Duration) scale.Amount { return 4500 }))
	if err != nil {
		t.Fatal(err)
	}
	if found.Setting != (scale.Setting{}) {
		t.Errorf("it moves:\n%s", explain.TunedTable(found))
	}
}

// TestACandidateIsThatHPA: the candidate hpa:80 costs what an HPA of 80 % costs in
// the same plant, to the penny.
func TestACandidateIsThatHPA(t *testing.T) {
	trial := trialOf(t, bursts)
	s, err := plantOf(&trial)
	if err != nil {
		t.Fatal(err)
	}
	got, err := candidate(&trial, s, scale.Setting{Target: 80})
	if err != nil {
		t.Fatal(err)
	}
	spec := HPA(80)
	spec.Compatibility = v1alpha1.CompatibilityTidemark
	p, err := policy.Compile(spec, v1alpha1.AdminSettings{})
	if err != nil {
		t.Fatal(err)
	}
	middle := s.Demand.Start().Add(s.WarmUp + (s.Demand.Length()-s.WarmUp)/2)
	first, second, _ := sim.RunHalves(s, sim.NewAutoscaler(p, nil), middle, nil)
	prices := UsualPrices()
	if want := prices.inCoreHours(first); got.First != want {
		t.Errorf("the first half costs %s, that HPA %s", got.First, want)
	}
	if want := prices.inCoreHours(second); got.Second != want {
		t.Errorf("the second half costs %s, that HPA %s", got.Second, want)
	}
}

// TestSelfTuneIsEnded: a pause that fails ends a comparison, and nothing is chosen.
func TestSelfTuneIsEnded(t *testing.T) {
	trial, stop := trialOf(t, bursts), errors.New("the controller stops")
	left := 100
	trial.Pause = func() error {
		if left--; left < 0 {
			return stop
		}
		return nil
	}
	if found, err := SelfTune(trial); !errors.Is(err, stop) || found != nil {
		t.Errorf("got %+v, %v", found, err)
	}
}

// TestHalvesAreTheWhole: what two halves cost is what the whole costs.
func TestHalvesAreTheWhole(t *testing.T) {
	trial := trialOf(t, bursts)
	s, err := plantOf(&trial)
	if err != nil {
		t.Fatal(err)
	}
	whole := sim.Run(s, sim.Static(8), nil)
	first, second, ok := sim.RunHalves(s, sim.Static(8), s.Demand.Start().Add(s.WarmUp+6*time.Hour), nil)
	if !ok || first.Length+second.Length != whole.Length || first.Length != 6*time.Hour {
		t.Errorf("halves of %s and %s, of %s", first.Length, second.Length, whole.Length)
	}
	if sum := integer(first.Cores); sum.Add(sum, integer(second.Cores)).Cmp(integer(whole.Cores)) != 0 {
		t.Errorf("halves request %v, the whole %v", sum, whole.Cores)
	}
}
