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
