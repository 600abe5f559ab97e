package week

import (
	"testing"
	"time"

	"github.com/tidemark/tidemark/api/v1alpha1"
	"github.com/tidemark/tidemark/internal/history"
)

// TestEveryKnownSlotIsShown: what was seen this morning is known of next week's, and
// as many slots are shown as are known.
func TestEveryKnownSlotIsShown(t *testing.T) {
	for _, period := range []v1alpha1.LearnPeriod{v1alpha1.LearnPeriodWeekly, v1alpha1.LearnPeriodDaily} {
		t.Run(string(period), func(t *testing.T) {
			spec := v1alpha1.WorkloadAutoscalerSpec{Learn: &v1alpha1.Learn{Period: period}}
			settings := history.DefaultSettings()
			if period == v1alpha1.LearnPeriodDaily {
				settings.Period = history.Daily
			}
			slots, err := history.NewSlots(settings)
			if err != nil {
				t.Fatal(err)
			}
			thursday := time.Date(2026, 1, 8, 0, 0, 0, 0, time.UTC)
			for at := thursday; at.Before(thursday.Add(12*time.Hour + 20*time.Minute)); at = at.Add(10 * time.Minute) {
				slots.Observe(at, 4)
			}
			w := Of(spec, slots, thursday.Add(12*time.Hour+20*time.Minute))
			known := 0
			for _, row := range w.Cells {
				for _, c := range row {
					if c.Known {
						known++
					}
				}
			}
			if known != 12 || w.Progress.Known != 12 {
				t.Errorf("%d are shown, %d known", known, w.Progress.Known)
			}
		})
	}
}
