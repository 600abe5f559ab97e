package feed

import (
	"fmt"
	"testing"
	"time"

	"github.com/tidemark/tidemark/scale"
)

// TestJoin: what comes before goes as far as what comes after begins, with the words
// and the metrics of each.
func TestJoin(t *testing.T) {
	var before, after History
	after.Held = true
	for i := range 10 {
		m := at(time.Duration(i)*time.Minute, 1, 3)
		m.Reason, m.Metrics = scale.NoData, []Reading{{Name: "cpu", Value: 40}}
		m.Changed, m.Headline = i == 2 || i == 8, "before"
		before.Add(m)
		n := at(time.Duration(i+5)*time.Minute+time.Second, 2, 4)
		n.Reason, n.LimitedBy, n.Metrics = scale.AboveTarget, scale.MaxReplicas, []Reading{{Name: "queue", Value: 7}, {Name: "cpu", Value: 50}}
		n.Changed, n.Headline, n.Marks = i == 0, "after", []Mark{{At: n.At.UnixMilli(), Kind: Resized}}
		after.Add(n)
	}
	got := Join(&before, &after).Lanes(Window{From: start.UnixMilli(), To: start.Add(14 * time.Minute).UnixMilli(), Columns: 14})
	if got.Points != 15 || len(got.Changes) != 2 || got.Changes[0].Headline != "before" || got.Changes[1].Headline != "after" || len(got.Marks) != 9 {
		t.Errorf("%d points, %+v, %d marks", got.Points, got.Changes, len(got.Marks))
	}
	if d := got.Lines["demand"].Max; d[0] != 1 || d[4] != 1 || d[6] != 2 || d[13] != 2 {
		t.Errorf("demand is %v", d)
	}
	for _, m := range got.Metrics {
		values := m.Value.Max
		if got := fmt.Sprint(values[3], values[8]); got != map[string]string{"cpu": "40 50", "queue": "NaN 7"}[m.Name] {
			t.Errorf("%s is %v", m.Name, values)
		}
	}
	if r := got.Ribbon; r.Words[r.Reasons[3]] != "NoData" || r.Words[r.Reasons[8]] != "AboveTarget" || r.Words[r.Limits[8]] != "MaxReplicas" {
		t.Errorf("%+v", r)
	}
	if n := len(got.Metrics); n != 2 {
		t.Errorf("%d metrics", n)
	}
	if empty := Join(&History{}, &History{}); !empty.First().IsZero() {
		t.Error("nothing has a beginning")
	}
	if only := Join(&before, &History{}).Lanes(Window{}); only.Points != 10 {
		t.Errorf("%d points", only.Points)
	}
}
