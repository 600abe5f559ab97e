package scale

import (
	"fmt"
	"time"
)

// Setting is one of the few ways to size a workload that self-tuning chooses from.
// The zero value is headroom that is weighed by prices, as it is where nothing is
// tuned.
type Setting struct {
	// Target, in percent, is that of a plain HPA whose pods have their usual size; 0
	// weighs by prices.
	Target int32 `json:"target,omitempty"`
	// Wait is the share of a change's price, in percent, that waiting has to cost
	// before the change is made; 0 is the usual share. It counts without a target.
	Wait int32 `json:"wait,omitempty"`
}

// String is the name that people read.
func (s Setting) String() string {
	switch {
	case s.Target > 0:
		return fmt.Sprintf("hpa:%d", s.Target)
	case s.Wait > 0:
		return fmt.Sprintf("headroom that waits for %d%% of a change's price", s.Wait)
	}
	return "headroom"
}

// Valid tells whether a setting is one that a decision can follow.
func (s Setting) Valid() bool {
	return s.Target >= 0 && s.Target <= 1000 && s.Wait >= 0 && s.Wait <= 1000
}

// Candidate is a setting, and what it would have cost in each half of the past
// that was replayed, in core-hours.
type Candidate struct {
	Setting `json:",inline"`
	First   Amount `json:"first"`
	Second  Amount `json:"second"`
}

// MaxCandidates bounds how many settings are compared, and remembered.
const MaxCandidates = 8

// Tuned is what self-tuning found: the setting that a workload is sized by from then
// on, and what each candidate would have cost.
type Tuned struct {
	At      time.Time `json:"at"`
	Setting `json:",inline"`
	// Before is the setting that was in force.
	Before     Setting     `json:"before,omitzero"`
	Candidates []Candidate `json:"candidates,omitempty"`
}

// Cost is what a setting would have cost; false where it was no candidate.
func (t *Tuned) Cost(of Setting) (Candidate, bool) {
	for _, c := range t.Candidates {
		if c.Setting == of {
			return c, true
		}
	}
	return Candidate{}, false
}
