package explain

import (
	"fmt"
	"slices"

	"github.com/tidemark/tidemark/scale"
)

// stuckReasons are those for which more pods would not help.
var stuckReasons = []scale.Reason{scale.Unschedulable, scale.CrashLooping}

// stuckMessage says how many pods come to nothing, and which.
func stuckMessage(s scale.Step) string {
	how := "have had no node for 5m or longer, and no other found one"
	if s.Reason == scale.CrashLooping {
		how = "have crashed for 5m or longer, and no other became ready"
	}
	return fmt.Sprintf("%d of %d pods %s: no more until one does (%s)", s.Pods.Count(), s.Out.Replicas, how, s.Pods)
}

// stuck is the step that keeps the count from growing because pods come to nothing,
// if there is one.
func stuck(d *scale.Decision) (scale.Step, bool) {
	for _, s := range d.Steps {
		if s.Stage == scale.StageLimit && s.Pods != nil && slices.Contains(stuckReasons, s.Reason) {
			return s, true
		}
	}
	return scale.Step{}, false
}

// stuckEvent is worth a warning at the moment at which it begins.
func stuckEvent(d, before *scale.Decision) (Event, bool) {
	s, now := stuck(d)
	if !now {
		return Event{}, false
	}
	if before != nil {
		if was, then := stuck(before); then && was.Reason == s.Reason {
			return Event{}, false
		}
	}
	return Event{Warning: true, Reason: string(s.Reason), Message: Message(s)}, true
}
