package history

import (
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/tidemark/tidemark/scale"
)

const (
	mi = 1 << 20 * scale.Thousand
	gi = 1 << 30 * scale.Thousand
)

// near tells whether two amounts differ by no more than rounding.
func near(got, want, by scale.Amount) bool { return max(got-want, want-got) <= by }

// TestEstimatesAreTheVPAs feeds a day of samples, and compares with what the
// VPA's recommender 1.8.1 answers to the same ones.
func TestEstimatesAreTheVPAs(t *testing.T) {
	u := NewUsage()
	at := monday
	for i := range 1441 {
		at = monday.Add(time.Duration(i) * time.Minute)
		cpu := scale.Amount(500)
		if i%11 == 0 {
			cpu = 1000
		}
		u.Observe(at, "app", scale.CPU, cpu)
		u.Observe(at, "app", scale.Memory, 1e9*scale.Thousand)
	}
	e, known := u.Estimate(at, "app", scale.CPU, DefaultEstimator())
	if !known || !e.Certain || !near(e.Target, 587, 1) || !near(e.Lower, 585, 2) || !near(e.Upper, 2336, 5) {
		t.Errorf("cpu: %+v", e)
	}
	e, known = u.Estimate(at, "app", scale.Memory, DefaultEstimator())
	if !known || !near(e.Target, 1168723596*scale.Thousand, mi) || e.Target%mi != 0 {
		t.Errorf("memory: %+v", e)
	}
	u.OutOfMemory(at, "app", 1.2e9*scale.Thousand, DefaultBump())
	e, _ = u.Estimate(at, "app", scale.Memory, DefaultEstimator())
	if !near(e.Target, 1738144563*scale.Thousand, mi) || !e.Urgent {
		t.Errorf("memory after running out of it: %+v", e)
	}
}

func TestMemoryIsThePeakOfEachDay(t *testing.T) {
	u := NewUsage()
	for i := range 48 {
		used := 200 * mi
		if i == 30 {
			used = 900 * mi
		}
		u.Observe(monday.Add(time.Duration(i)*hour), "app", scale.Memory, used)
	}
	s := u.seriesOf("app", scale.Memory)
	if s.peak != 900*mi || s.samples != 48 {
		t.Errorf("the peak is %s after %d samples", s.peak.Bytes(), s.samples)
	}
	// Two peaks, 200Mi and 900Mi, the later one twice as heavy.
	low, _ := u.Percentile("app", scale.Memory, scale.Parts*33/100)
	high, _ := u.Percentile("app", scale.Memory, scale.Parts*34/100)
	if low > 220*mi || high < 900*mi || high > 950*mi {
		t.Errorf("percentiles are %s and %s", low.Bytes(), high.Bytes())
	}
	if u.Observe(monday, "app", scale.Memory, gi) {
		t.Error("a sample of a day that is over was of use")
	}
	if !u.Observe(monday.Add(40*hour), "app", scale.Memory, gi) || s.peak != gi {
		t.Error("a late sample of the present day did not count")
	}
}

// TestRunningOutOfMemoryAgainAndAgain shows that bumps do not build on each
// other: only what was really used or requested counts.
func TestRunningOutOfMemoryAgainAndAgain(t *testing.T) {
	u := NewUsage()
	for i := range 100 {
		u.OutOfMemory(monday.Add(time.Duration(i)*time.Minute), "app", 200*mi, DefaultBump())
	}
	if got := u.seriesOf("app", scale.Memory).bumped; got != 300*mi {
		t.Errorf("a container of 200Mi is said to need %s", got.Bytes())
	}
	u.OutOfMemory(monday.Add(2*hour), "app", gi, DefaultBump())
	if got := u.seriesOf("app", scale.Memory).bumped; got != gi.Share(120, 100) {
		t.Errorf("a container of 1Gi is said to need %s", got.Bytes())
	}
	// Nothing but its end is known of the container, and still it is helped.
	got := u.Recommend(monday.Add(3*hour), DefaultEstimator(), []scale.Container{{Name: "app"}})
	if len(got) != 1 {
		t.Fatalf("recommended: %v", got)
	}
	if m, ok := got[0].PerPod.Get(scale.Memory); !ok || m < gi.Share(120*115, 10000) {
		t.Errorf("recommended: %v", got)
	}
	if u.OutOfMemory(monday.Add(-2*day), "app", gi, DefaultBump()) {
		t.Error("an end of long ago counted")
	}
}

func TestRecommendationsDoNotCreep(t *testing.T) {
	u := NewUsage()
	end := monday.Add(3 * day)
	for at := monday; at.Before(end); at = at.Add(time.Minute) {
		u.Observe(at, "app", scale.CPU, 500)
	}
	target := scale.Amount(0)
	for _, c := range []struct {
		request scale.Amount
		keeps   bool
	}{{0, false}, {100, false}, {530, false}, {560, true}, {587, true}, {640, true}, {660, false}, {2000, false}} {
		t.Run(fmt.Sprintf("%+v", c), func(t *testing.T) {
			got := u.Recommend(end, DefaultEstimator(), []scale.Container{
				{Name: "app", Requests: scale.Resources{}.With(scale.CPU, c.request)}, {Name: "stranger"},
			})
			if len(got) != 1 || got[0].Container != "app" {
				t.Fatalf("recommended %v", got)
			}
			cpu, _ := got[0].PerPod.Get(scale.CPU)
			if _, has := got[0].PerPod.Get(scale.Memory); has {
				t.Error("memory was recommended, of which nothing is known")
			}
			if (cpu == c.request) != c.keeps {
				t.Errorf("from %s to %s", c.request, cpu)
			}
			if !c.keeps && target != 0 && cpu != target {
				t.Errorf("the target is %s or %s", target, cpu)
			}
			if !c.keeps {
				target = cpu
			}
		})
	}
}

// TestALittleHistoryChangesLittle shows that a request which may be right is
// left alone until there is enough history to say otherwise.
func TestALittleHistoryChangesLittle(t *testing.T) {
	u := NewUsage()
	recommend := func(at time.Time, request scale.Amount) scale.Amount {
		got := u.Recommend(at, DefaultEstimator(), []scale.Container{{Name: "app", Requests: scale.Resources{}.With(scale.CPU, request)}})
		if len(got) == 0 {
			return -1
		}
		cpu, _ := got[0].PerPod.Get(scale.CPU)
		return cpu
	}
	for i := range 180 {
		at := monday.Add(time.Duration(i) * time.Minute)
		u.Observe(at, "app", scale.CPU, 500)
		if got := recommend(at, 2000); i < 59 && got != -1 {
			t.Fatalf("after %d samples %s was recommended", i+1, got)
		}
	}
	at := monday.Add(3 * hour)
	if got := recommend(at, 2000); got != 2000 {
		t.Errorf("too large, for three hours: %s", got)
	}
	if got := recommend(at, 200); got < 500 {
		t.Errorf("too small, for three hours: %s", got)
	}
	for i := range 2 * 1440 {
		u.Observe(at.Add(time.Duration(i)*time.Minute), "app", scale.CPU, 500)
	}
	if got := recommend(at.Add(2*day), 2000); got > 700 {
		t.Errorf("too large, for two days: %s", got)
	}
}

func TestContainersAreBounded(t *testing.T) {
	u := NewUsage()
	for i := range 2 * MaxContainers {
		if got := u.Observe(monday, fmt.Sprintf("c%02d", i), scale.CPU, 100); got != (i < MaxContainers) {
			t.Errorf("container %d: %v", i, got)
		}
	}
	if u.Observe(monday.Add(forgottenAfter-time.Second), "late", scale.CPU, 100) {
		t.Error("a container that is still remembered had to leave")
	}
	u.Observe(monday.Add(forgottenAfter), "c00", scale.CPU, 100)
	if !u.Observe(monday.Add(forgottenAfter), "late", scale.CPU, 100) {
		t.Error("a container that has long been gone is still remembered")
	}
	if names := u.Containers(); len(names) != MaxContainers || names[0] != "c00" || names[MaxContainers-1] != "late" || names[1] != "c02" {
		t.Errorf("containers are %v", names)
	}
	for _, name := range []string{"", strings.Repeat("x", 64)} {
		if u.Observe(monday, name, scale.CPU, 1) || u.OutOfMemory(monday, name, 1, DefaultBump()) {
			t.Errorf("a container named %q was accepted", name)
		}
	}
	if u.Observe(monday, "c00", scale.CPU, -1) || u.OutOfMemory(monday, "c00", -1, DefaultBump()) || u.Observe(time.Time{}, "c00", scale.CPU, 1) {
		t.Error("what cannot be was of use")
	}
	if _, known := u.Percentile("nobody", scale.CPU, scale.Parts); known {
		t.Error("a stranger has a percentile")
	}
	if _, known := u.Estimate(monday, "c00", scale.Memory, DefaultEstimator()); known {
		t.Error("there is an estimate of nothing")
	}
}

func TestRoundUp(t *testing.T) {
	for a, want := range map[scale.Amount]scale.Amount{0: 1, 1: 1, 999: 999, 1000: 1000, 1001: 1010, 2336: 2340, 12345: 12400, 999_999: 1_000_000,
		scale.MaxAmount: 9220000000000000000} {
		t.Run(fmt.Sprint(a), func(t *testing.T) {
			if got := roundUp(a, scale.CPU); got != want {
				t.Errorf("cpu %d is rounded to %d, want %d", a, got, want)
			}
		})
	}
	for a, want := range map[scale.Amount]scale.Amount{0: mi, 1: mi, mi: mi, mi + 1: 2 * mi} {
		t.Run(fmt.Sprint(a), func(t *testing.T) {
			if got := roundUp(a, scale.Memory); got != want {
				t.Errorf("memory %d is rounded to %d, want %d", a, got, want)
			}
		})
	}
}

func TestOnlyAmountsLeaveFloats(t *testing.T) {
	for value, want := range map[float64]scale.Amount{0: 0, 0.0004: 0, 0.0006: 1, 0.5: 500, 1e12: 1e15} {
		t.Run(fmt.Sprint(value), func(t *testing.T) {
			if got, ok := amountOf(value); !ok || got != want {
				t.Errorf("%v is %d, %v", value, got, ok)
			}
		})
	}
	for _, value := range []float64{math.NaN(), math.Inf(1), math.Inf(-1), -1, 1e16, math.MaxFloat64} {
		t.Run(fmt.Sprint(value), func(t *testing.T) {
			if got, ok := amountOf(value); ok {
				t.Errorf("%v is %d", value, got)
			}
		})
	}
}
