package explain

import (
	"fmt"
	"time"

	"github.com/tidemark/tidemark/scale"
)

// pauseMessage says whose pause it is, what it keeps and for how long.
func pauseMessage(p *scale.Pause, kept int32) string {
	text := p.By
	switch {
	case p.Problem != "":
		return fmt.Sprintf("%s cannot be understood, so everything is paused: %s", p.By, p.Problem)
	case p.Replicas != nil && *p.Replicas != kept:
		text += fmt.Sprintf(" pauses at %d, and the administrator's maximum is %d", *p.Replicas, kept)
	case p.Replicas != nil:
		text += fmt.Sprintf(" pauses at %d", *p.Replicas)
	case p.Whole():
		text += " pauses all changes"
	case p.In:
		text += " pauses scaling in"
	default:
		text += " pauses scaling out"
	}
	if !p.Until.IsZero() {
		text += " until " + p.Until.Format(time.RFC3339)
	}
	return text
}

// PauseWord is a pause in the words of the annotation that sets one, such as
// 5 until=2026-11-30T00:00:00Z; empty for none.
func PauseWord(p *scale.Pause) string {
	if p == nil {
		return ""
	}
	word := "true"
	switch {
	case p.Replicas != nil:
		word = fmt.Sprint(*p.Replicas)
	case !p.Out:
		word = "in"
	case !p.In:
		word = "out"
	}
	if !p.Until.IsZero() {
		word += " until=" + p.Until.Format(time.RFC3339)
	}
	return word
}
