package twin

import (
	"testing"
	"time"
)

var monday = time.Date(2026, 1, 5, 0, 0, 0, 0, time.UTC)

// TestScenariosInVirtualTime: each does what its file says, and comes to rest.
func TestScenariosInVirtualTime(t *testing.T) {
	all, err := Load("scenarios")
	if err != nil {
		t.Fatal(err)
	}
	for i := range all {
		s := &all[i]
		t.Run(s.Name, func(t *testing.T) {
			looks, err := Simulate(s, monday)
			if err != nil {
				t.Fatal(err)
			}
			for _, d := range Compare(s, looks, looks) {
				t.Error(d)
			}
			if t.Failed() {
				t.Log("\n" + courseOf(looks))
			}
		})
	}
}

// TestReadingsAtOtherMoments: when usage is read, and when somebody looks, is a
// matter of chance in a cluster. Whatever it is, the outcome of a scenario is the
// same.
func TestReadingsAtOtherMoments(t *testing.T) {
	all, err := Load("scenarios")
	if err != nil {
		t.Fatal(err)
	}
	for i := range all {
		s := &all[i]
		t.Run(s.Name, func(t *testing.T) {
			usual, err := Simulate(s, monday)
			if err != nil {
				t.Fatal(err)
			}
			for lead := time.Second; lead <= Window; lead += time.Second {
				other, err := simulate(s, monday, lead)
				if err != nil {
					t.Fatal(err)
				}
				for _, d := range Compare(s, usual, other) {
					t.Errorf("%s before the beginning: %s", lead, d)
				}
				if t.Failed() {
					t.Fatalf("usually:\n%s\n%s before:\n%s", courseOf(usual), lead, courseOf(other))
				}
			}
		})
	}
}
