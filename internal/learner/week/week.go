package week

import (
	"time"

	"github.com/tidemark/tidemark/api/v1alpha1"
	"github.com/tidemark/tidemark/internal/history"
	"github.com/tidemark/tidemark/policy"
)

// Week is what was learned: a row for each slot of the day, a column for each day
// that differs.
type Week struct {
	Days     []string
	Hours    []int
	Cells    [][]Cell // by hour, then by day
	Progress history.Progress
}

// Cell is one slot.
type Cell struct {
	// At is a moment of it, from the end of what was learned on.
	At    time.Time
	Known bool
	// Value is the largest count, Least and Most are the bounds of it.
	Value, Least, Most int32
}

// Of reads the week that follows a moment, as the spec whose settings the slots have
// wants it.
func Of(spec v1alpha1.WorkloadAutoscalerSpec, slots *history.Slots, end time.Time) Week {
	l := policy.LearningOf(spec)
	w := Week{Days: []string{"Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"}, Progress: slots.Phase(end)}
	if l.Daily {
		w.Days = []string{"every day"}
	}
	factors := history.Factors{Min: l.MinFactor, Max: l.MaxFactor}
	for hour := 0; hour < 24; hour += l.SlotHours {
		w.Hours = append(w.Hours, hour)
		row := make([]Cell, len(w.Days))
		for day := range row {
			row[day] = read(slots, nextAt(end.In(l.Zone), day, hour, l), factors)
		}
		w.Cells = append(w.Cells, row)
	}
	return w
}

func read(slots *history.Slots, at time.Time, factors history.Factors) Cell {
	value, known := slots.Value(at)
	bounds, ok := slots.Bounds(at, factors)
	return Cell{At: at, Known: known && ok, Value: value, Least: bounds.Min, Most: bounds.Max}
}

// nextAt is the middle of a slot's first hour, of the first of them that is not over
// at the end of the recording: what is asked for is what would hold then. The middle
// of an hour exists on days that lose one, too.
func nextAt(end time.Time, day, hour int, l policy.Learning) time.Time {
	ahead, again := 0, 1
	if !l.Daily {
		ahead, again = (day+1-int(end.Weekday())+7)%7, 7
	}
	at := func(days int) time.Time {
		return time.Date(end.Year(), end.Month(), end.Day()+days, hour, 30, 0, 0, end.Location())
	}
	if over := at(ahead).Add(time.Duration(l.SlotHours)*time.Hour - 30*time.Minute); !over.After(end) {
		return at(ahead + again)
	}
	return at(ahead)
}
