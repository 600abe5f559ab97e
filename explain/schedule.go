package explain

import (
	"fmt"

	"github.com/tidemark/tidemark/scale"
)

// whenMessage says what depends on the hour.
func whenMessage(s scale.Step) string {
	if s.When.Pause != nil {
		return pauseMessage(s.When.Pause, s.Out.Replicas)
	}
	return scheduleMessage(s, s.When.Schedule)
}

// scheduleMessage names the schedule, what it states and for how long, and what is left
// of it where the stated replicas cut it.
func scheduleMessage(s scale.Step, of *scale.Schedule) string {
	text, cut := of.Name, ""
	switch s.Reason {
	case scale.ScheduledMin:
		text += fmt.Sprintf(" asks for at least %d", of.Count)
		cut = "maximum"
	case scale.ScheduledMax:
		text += fmt.Sprintf(" allows at most %d", of.Count)
		cut = "minimum"
	case scale.ScheduledFreeze:
		text += " forbids changes in this direction"
	}
	if of.Early > 0 {
		text += fmt.Sprintf(" in %s: pods are started ahead, to be ready by then", wait(of.Early))
	} else {
		text += " until " + of.Until.Format("Mon 2006-01-02 15:04 MST")
	}
	if cut != "" && of.Count != s.Limit {
		text += fmt.Sprintf("; the stated %s is %d", cut, s.Limit)
	}
	return text
}
