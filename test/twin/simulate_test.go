package twin

import (
	"testing"
	"time"
)

var monday = time.Date(2026, 1, 5, 0, 0, 0, 0, time.UTC)

// eachScenario runs every scenario in virtual time.
func eachScenario(t *testing.T, check func(t *testing.T, s *Scenario, looks []Look)) {
	t.Helper()
	all, err := All()
	if err != nil {
		t.Fatal(err)
	}
	for i := range all {
		t.Run(all[i].Name, func(t *testing.T) {
			looks, err := Simulate(&all[i], monday)
			if err != nil {
				t.Fatal(err)
			}
			check(t, &all[i], looks)
		})
	}
}

// TestScenariosInVirtualTime: each does what its file says, and comes to rest.
func TestScenariosInVirtualTime(t *testing.T) {
	eachScenario(t, func(t *testing.T, s *Scenario, looks []Look) {
		for _, d := range Compare(s, looks, looks) {
			t.Error(d)
		}
		if t.Failed() {
			t.Log("\n" + courseOf(looks))
		}
	})
}

// TestEveryDesignIsAmongThem: each of the designs has its example here.
func TestEveryDesignIsAmongThem(t *testing.T) {
	all, err := All()
	if err != nil {
		t.Fatal(err)
	}
	missing := map[string]bool{"Tortoise design": true, "HVPA-EP-0001": true, "cdk8s-plus": true, "Watermark KEP": true, "zcloud HPA": true}
	for i := range all {
		delete(missing, all[i].Source)
	}
	if len(missing) > 0 {
		t.Errorf("no scenario has an example of %v", missing)
	}
}

// TestChanceChangesNothing: when usage is read, and when somebody looks, is a
// matter of chance in a cluster, and a measurement is off by up to a hundredth.
// Whatever it is, the outcome of a scenario is the same.
func TestChanceChangesNothing(t *testing.T) {
	eachScenario(t, func(t *testing.T, s *Scenario, looks []Look) {
		for lead := time.Second; lead <= Window; lead += time.Second {
			for _, permille := range []int64{990, 1000, 1010} {
				by := chance{lead: lead, permille: permille}
				other, err := simulate(s, monday, by)
				if err != nil {
					t.Fatal(err)
				}
				for _, d := range Compare(s, looks, other) {
					t.Errorf("%+v: %s", by, d)
				}
				if t.Failed() {
					t.Fatalf("usually:\n%s\nby chance:\n%s", courseOf(looks), courseOf(other))
				}
			}
		}
	})
}
