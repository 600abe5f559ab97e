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

// scheduleMessage names the schedule, what it states and for how long.
func scheduleMessage(s scale.Step, of *scale.Schedule) string {
	text := of.Name
	if early := of.Early; early > 0 {
		return fmt.Sprintf("%s asks for at least %d in %s: pods are started ahead, to be ready by then", text, s.Limit, wait(early))
	}
	switch s.Reason {
	case scale.ScheduledMin:
		text += fmt.Sprintf(" asks for at least %d", s.Limit)
	case scale.ScheduledMax:
		text += fmt.Sprintf(" allows at most %d", s.Limit)
	case scale.ScheduledFreeze:
		text += " forbids changes in this direction"
	}
	return text + " until " + of.Until.Format("Mon 2006-01-02 15:04 MST")
}
