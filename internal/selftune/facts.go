package selftune

import (
	"time"

	"github.com/tidemark/tidemark/engine"
	"github.com/tidemark/tidemark/internal/course"
	"github.com/tidemark/tidemark/internal/learner"
	"github.com/tidemark/tidemark/scale"
)

// Facts are what was measured of a workload. What is zero was not.
type Facts struct {
	// Container is the one that is sized, and Requests and Limits what it has where
	// nothing is sudden.
	Container        string
	Requests, Limits scale.Resources
	// StartUp is how long a pod takes to become ready, and Resize until a resize is
	// in force.
	StartUp, Resize time.Duration
	// Delay is how old usage is when it is seen, and Window what it is the mean of.
	Delay, Window time.Duration
}

// Look takes from a look at a workload what there is to know. The usual size is the
// template's, or else what pods had when they were first seen.
func (f *Facts) Look(obs *scale.Observation, l *learner.Learner) {
	if c := containerOf(obs.Target.Template, l.Places[0]); c != nil {
		f.Container, f.Requests, f.Limits = c.Name, c.Requests, c.Limits
	} else if c := containerOf(obs.Target.Containers, l.Places[0]); c != nil && !f.Requests.States(scale.CPU) {
		f.Container, f.Requests, f.Limits = c.Name, c.Requests, c.Limits
	}
	f.StartUp, _ = l.History.StartUp.Usual()
	f.Resize, _ = l.History.Resizes.Usual()
	f.Delay, f.Window = l.Seen.Delay, l.Seen.Window
}

// containerOf is the container of a name, or the first where none is named, if it
// requests cpu.
func containerOf(all []scale.Container, name string) *scale.Container {
	for i := range all {
		if c := &all[i]; c.Name == name || name == "" {
			if request, ok := c.Requests.Usable(scale.CPU); ok && request > 0 {
				return c
			}
			return nil
		}
	}
	return nil
}

// Sample is what a look adds to the course of a workload; false where that is
// nothing new.
func Sample(l *learner.Learner, before time.Time) (course.Sample, bool) {
	s := &l.Seen
	if s.At.IsZero() || !s.At.After(before) {
		return course.Sample{}, false
	}
	return course.Sample{At: s.At, Used: s.Used, Room: max(s.Room, course.Unknown)}, true
}

// Trial is all that a comparison of settings looks at.
type Trial struct {
	Policy engine.Policy
	Plan   learner.Plan
	Facts  Facts
	Record course.Record
	// Now is the setting in force.
	Now scale.Setting
	At  time.Time
	// Pause, where it is not nil, is called all along. An error of it ends the
	// comparison.
	Pause func() error
}
