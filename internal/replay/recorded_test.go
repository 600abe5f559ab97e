package replay

import (
	"testing"
	"time"

	"github.com/tidemark/tidemark/internal/replay/trace"
	"github.com/tidemark/tidemark/scale"
)

// TestRecorded: four pods for half an hour, then two, cost what four and two pods of
// a core cost. The last count holds until the end.
func TestRecorded(t *testing.T) {
	start := time.Date(2026, 1, 5, 0, 0, 0, 0, time.UTC)
	demand := trace.Trace{Step: 30 * time.Minute, Points: []trace.Point{
		{At: start, Value: scale.Thousand}, {At: start.Add(30 * time.Minute), Value: scale.Thousand},
	}}
	counts := trace.Trace{Step: 30 * time.Minute, Points: []trace.Point{
		{At: start, Value: 4 * scale.Thousand}, {At: start.Add(30 * time.Minute), Value: 2*scale.Thousand + 400},
	}}
	r, err := New(demand, Ideal())
	if err != nil {
		t.Fatal(err)
	}
	got, err := r.Run([]Policy{Recorded("recorded", counts)}, Options{WithoutOracle: true})
	if err != nil {
		t.Fatal(err)
	}
	if s := got[0].Score; s.CoreHours != 3 || s.Changes != 1 || s.OracleCoreHours != 0 {
		t.Errorf("%v core-hours, %d changes, oracle %v", s.CoreHours, s.Changes, s.OracleCoreHours)
	}
	if _, err := r.Run([]Policy{Recorded("recorded", trace.Trace{})}, Options{}); err == nil {
		t.Error("without a count there is nothing to repeat")
	}
}
