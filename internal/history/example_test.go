package history_test

import (
	"fmt"
	"time"

	"github.com/tidemark/tidemark/internal/history"
)

// A week ago, on Monday at nine, twelve pods were ready. Today the bounds of
// that hour are known, and a look ahead sees them coming.
func Example() {
	slots, err := history.NewSlots(history.DefaultSettings())
	if err != nil {
		fmt.Println(err)
		return
	}
	nine := time.Date(2026, 1, 5, 9, 0, 0, 0, time.UTC)
	slots.Observe(nine.Add(20*time.Minute), 12)

	today := nine.AddDate(0, 0, 7)
	bounds, _ := slots.Bounds(today, history.DefaultFactors())
	fmt.Println("at nine:", bounds.Min, "to", bounds.Max)

	_, known := slots.Bounds(today.Add(-10*time.Minute), history.DefaultFactors())
	fmt.Println("at ten to nine, known:", known)
	bounds, _ = slots.BoundsAhead(today.Add(-10*time.Minute), 15*time.Minute, history.DefaultFactors())
	fmt.Println("looking a quarter of an hour ahead: at least", bounds.Min)
	// Output:
	// at nine: 6 to 24
	// at ten to nine, known: false
	// looking a quarter of an hour ahead: at least 6
}
