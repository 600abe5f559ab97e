package lint

import (
	"time"

	"github.com/tidemark/tidemark/fault"
)

var pauseRules = []Rule{
	{
		ID: "TM123", Name: "pause-not-as-written", Severity: Error,
		Why: "The annotation that pauses cannot be understood, and then everything is paused, or the pause has ended and nothing is. Either way " +
			"the workload does not do what the manifest says.",
		Fix: "Write true, false, in, out or a count into the annotation, and until= with a moment after it where the pause is to end. Remove a pause that is over.",
		Check: ofScalers(func(w *World, s *Scaler, found *Report) {
			if s.own == nil {
				return
			}
			for _, p := range s.own.pauses {
				switch {
				case p.problem != "":
					found.Add(s.Object, p.path, "%s", p.problem)
				case !p.until.IsZero() && !w.At.IsZero() && !p.until.After(w.At):
					found.Add(s.Object, p.path, "was over on %s", p.until.UTC().Format(time.DateOnly))
				}
			}
		}),
	},
}

// pause is one of the two that an object can have: by field, and by annotation.
type pause struct {
	path    fault.Path
	problem string
	until   time.Time
}

// ownPause reads the field. What is wrong with it is a matter of the spec.
func (s *Scaler) ownPause(until cursor) {
	if at, err := time.Parse(time.RFC3339, until.text()); err == nil {
		s.own.pauses = append(s.own.pauses, pause{path: until.path, until: at})
	}
}
