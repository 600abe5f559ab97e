package scale

import "time"

// Pause keeps an object from scaling, or at a count.
type Pause struct {
	// By is whose pause it is: the name of a field, or of an annotation.
	By string
	// Replicas is the count to stay at; nil is the count there is.
	Replicas *int32
	// In and Out are the directions that are paused.
	In, Out bool
	// Until is when it ends; zero is never.
	Until time.Time
	// Problem says what of it could not be understood. Then everything is paused.
	Problem string
}

// InForce tells whether the pause has not ended at a moment.
func (p *Pause) InForce(at time.Time) bool { return p.Until.IsZero() || at.Before(p.Until) }

// Whole tells whether nothing may change but the count to one that is stated.
func (p *Pause) Whole() bool { return p.In && p.Out }
