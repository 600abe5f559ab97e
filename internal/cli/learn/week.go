package learn

import (
	"errors"
	"time"

	"github.com/tidemark/tidemark/internal/cli/object"
	"github.com/tidemark/tidemark/internal/history"
	"github.com/tidemark/tidemark/internal/learner"
	"github.com/tidemark/tidemark/internal/replay/trace"
	"github.com/tidemark/tidemark/policy"
	"github.com/tidemark/tidemark/scale"
)

// week is what was learned: a row for each slot of the day, a column for each
// day that differs.
type week struct {
	name string
	// namespace is empty where the input names none.
	namespace string
	days      []string
	hours     []int
	cells     [][]cell // by hour, then by day
	progress  history.Progress
	learned   *history.History
}

// cell is one slot.
type cell struct {
	known       bool
	value       int32
	least, most int32
}

// learnWeek teaches a history the recording and reads the coming week off it.
func learnWeek(o object.Object, recorded trace.Trace) (week, error) {
	if len(recorded.Points) == 0 {
		return week{}, errors.New("the recording has no samples to learn from")
	}
	l := policy.LearningOf(o.Spec)
	learned, err := history.New(learner.SettingsOf(o.Spec))
	if err != nil {
		return week{}, err
	}
	slots := learned.Slots
	for _, p := range recorded.Points {
		slots.Observe(p.At, int32(min(p.Value/scale.Thousand, 1<<31-1)))
	}
	end := recorded.Points[len(recorded.Points)-1].At
	w := week{name: o.Name, namespace: o.Namespace, days: []string{"Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"}, progress: slots.Phase(end), learned: learned}
	if l.Daily {
		w.days = []string{"every day"}
	}
	factors := history.Factors{Min: l.MinFactor, Max: l.MaxFactor}
	for hour := 0; hour < 24; hour += l.SlotHours {
		w.hours = append(w.hours, hour)
		row := make([]cell, len(w.days))
		for day := range row {
			row[day] = read(slots, nextAt(end.In(l.Zone), day, hour, l.Daily), factors)
		}
		w.cells = append(w.cells, row)
	}
	return w, nil
}

func read(slots *history.Slots, at time.Time, factors history.Factors) cell {
	value, known := slots.Value(at)
	bounds, ok := slots.Bounds(at, factors)
	return cell{known: known && ok, value: value, least: bounds.Min, most: bounds.Max}
}

// nextAt is the middle of a slot's first hour, on its first day from the end of
// the recording on: what is asked for is what would hold then. The middle of an
// hour exists on days that lose one, too.
func nextAt(end time.Time, day, hour int, daily bool) time.Time {
	ahead := 0
	if !daily {
		ahead = (day + 1 - int(end.Weekday()) + 7) % 7
	}
	return time.Date(end.Year(), end.Month(), end.Day()+ahead, hour, 30, 0, 0, end.Location())
}
