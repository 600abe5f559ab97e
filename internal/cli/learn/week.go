package learn

import (
	"errors"

	"github.com/tidemark/tidemark/internal/history"
	"github.com/tidemark/tidemark/internal/learner"
	"github.com/tidemark/tidemark/internal/learner/week"
	"github.com/tidemark/tidemark/internal/object"
	"github.com/tidemark/tidemark/internal/replay/trace"
	"github.com/tidemark/tidemark/scale"
)

// answer is what was learned, to be written.
type answer struct {
	name string
	// namespace is empty where the input names none.
	namespace string
	learned   *history.History
	week.Week
}

// learnWeek teaches a history the recording and reads the coming week off it.
func learnWeek(o object.Object, recorded trace.Trace) (answer, error) {
	if len(recorded.Points) == 0 {
		return answer{}, errors.New("the recording has no samples to learn from")
	}
	learned, err := history.New(learner.SettingsOf(o.Spec))
	if err != nil {
		return answer{}, err
	}
	for _, p := range recorded.Points {
		learned.Slots.Observe(p.At, int32(min(p.Value/scale.Thousand, 1<<31-1)))
	}
	end := recorded.Points[len(recorded.Points)-1].At
	return answer{name: o.Name, namespace: o.Namespace, learned: learned, Week: week.Of(o.Spec, learned.Slots, end)}, nil
}
