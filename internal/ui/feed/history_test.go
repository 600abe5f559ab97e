package feed

import (
	"encoding/json"
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/tidemark/tidemark/explain"
	"github.com/tidemark/tidemark/scale"
)

var start = time.Date(2026, 1, 5, 0, 0, 0, 0, time.UTC)

// at is a moment of a workload with pods of one core.
func at(after time.Duration, demand, replicas float32) Moment {
	m := Moment{At: start.Add(after), Reason: scale.WithinTolerance}
	for i := range m.Values {
		m.Values[i] = unknown
	}
	m.Values[Demand], m.Values[Capacity], m.Values[Replicas], m.Values[Want], m.Values[CPU] = demand, replicas, replicas, replicas, 1
	return m
}

// TestWindowsOfNoTime: whatever is asked for, as far away as numbers go, is answered.
func TestWindowsOfNoTime(t *testing.T) {
	for name, w := range map[string]Window{
		"the end of all numbers": {From: math.MaxInt64 - 1, To: math.MaxInt64, Columns: 10},
		"all there is":           {From: 0, To: math.MaxInt64, Columns: 10},
		"before all":             {From: math.MinInt64, To: math.MinInt64 + 1, Columns: 10},
		"from before to after":   {From: math.MinInt64, To: math.MaxInt64, Columns: 10},
		"the moment after":       {From: start.Add(time.Hour).UnixMilli(), To: start.Add(2 * time.Hour).UnixMilli(), Columns: 10},
	} {
		for _, held := range []bool{false, true} {
			t.Run(fmt.Sprint(name, ", held: ", held), func(t *testing.T) {
				h := History{Held: held}
				for i := range 10 {
					h.Add(at(time.Duration(i)*time.Minute, 2, 4))
				}
				if got := h.Lanes(w); got.Columns < 1 || got.Columns > MostColumns || got.Step < 1000 {
					t.Errorf("%d columns of %d ms", got.Columns, got.Step)
				}
			})
		}
	}
}

// TestTrimForgetsMetrics: a metric that is measured no more goes with its last value.
func TestTrimForgetsMetrics(t *testing.T) {
	var h History
	for i := range 100 {
		m := at(time.Duration(i)*time.Minute, 2, 4)
		name := "new"
		if i < 10 {
			name = "old"
		}
		m.Metrics = []Reading{{Name: name, Value: 1, Low: unknown, High: unknown}}
		h.Add(m)
	}
	h.Trim(50)
	if got := h.Lanes(Window{Columns: 100}).Metrics; len(got) != 1 || got[0].Name != "new" {
		t.Errorf("%+v", got)
	}
}

// TestTooManyWords: words beyond those that have numbers are none, and never another.
func TestTooManyWords(t *testing.T) {
	var h History
	for i := range 600 {
		m := at(time.Duration(i)*time.Minute, 2, 4)
		m.Reason = scale.Reason(fmt.Sprint("Reason", i))
		h.Add(m)
	}
	got := h.Lanes(Window{Columns: 600}).Ribbon
	for i, word := range got.Reasons {
		if w := got.Words[word]; w != fmt.Sprint("Reason", i) && w != "" {
			t.Fatalf("decision %d has the word %q", i, w)
		}
	}
}

// TestNoPeakVanishes: a day in ten columns, of which each is a tenth of 86385
// seconds, rounded up, still shows the one moment of a peak, and that something
// changed then.
func TestNoPeakVanishes(t *testing.T) {
	var h History
	for i := range 5760 {
		m := at(time.Duration(i)*15*time.Second, 2, 4)
		if i == 3000 {
			m.Values[Demand], m.Values[Want], m.Reason, m.LimitedBy, m.Changed, m.Headline = 40, 5, scale.AboveTarget, scale.MaxReplicas, true, "4 -> 5"
		}
		h.Add(m)
	}
	got := h.Lanes(Window{Columns: 10})
	if got.Columns != 10 || got.Points != 5760 || got.Step != 8639_000 {
		t.Fatalf("%d columns of %d ms, %d points", got.Columns, got.Step, got.Points)
	}
	column := 3000 * 15 / 8639
	if d := got.Lines["demand"]; d.Max[column] != 40 || d.Min[column] != 2 || d.Max[column+1] != 2 {
		t.Errorf("demand is %v to %v", d.Min, d.Max)
	}
	word := func(i int) string { return got.Ribbon.Words[i] }
	if word(got.Ribbon.Reasons[column]) != "AboveTarget" || word(got.Ribbon.Limits[column]) != "MaxReplicas" || word(got.Ribbon.Reasons[0]) != "WithinTolerance" {
		t.Errorf("the ribbon is %+v", got.Ribbon)
	}
	want := []Change{{At: start.Add(3000 * 15 * time.Second).UnixMilli(), Reason: "AboveTarget", LimitedBy: "MaxReplicas", Headline: "4 -> 5"}}
	if diff := cmp.Diff(want, got.Changes); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	if _, there := got.Lines["room"]; there {
		t.Error("a line of which nothing is known is there")
	}
}

// TestZoom: a window shows what is inside of it alone, no finer than decisions are
// made, so that each column has one.
func TestZoom(t *testing.T) {
	var h History
	for i := range 100 {
		h.Add(at(time.Duration(i)*15*time.Second, float32(i), 200))
	}
	from := start.Add(10 * 15 * time.Second).UnixMilli()
	got := h.Lanes(Window{From: from, To: from + 60_000, Columns: 4000})
	if got.Points != 4 || got.Step != 15_000 || got.Columns != 4 {
		t.Fatalf("%d points in %d columns of %d ms", got.Points, got.Columns, got.Step)
	}
	if d := got.Lines["demand"].Max; d[0] != 10 || d[1] != 11 || d[3] != 13 {
		t.Errorf("demand is %v", d)
	}
}

// TestTimeOnlyGoesOn: a moment that is not after the last is left out.
func TestTimeOnlyGoesOn(t *testing.T) {
	var h History
	h.Add(at(time.Minute, 1, 1))
	h.Add(at(time.Minute, 2, 1))
	h.Add(at(0, 3, 1))
	if got := h.Lanes(Window{}); got.Points != 1 || got.Lines["demand"].Max[0] != 1 {
		t.Errorf("%+v", got)
	}
}

// TestMetricsThatComeLater stand in their own rows.
func TestMetricsThatComeLater(t *testing.T) {
	var h History
	h.Add(at(0, 1, 1))
	m := at(15*time.Second, 1, 1)
	m.Metrics = []Reading{{Name: "cpu", Unit: "percent", Value: 50, Low: 40, High: 60}}
	h.Add(m)
	h.Add(at(30*time.Second, 1, 1))
	text, err := json.Marshal(h.Lanes(Window{Columns: 31}).Metrics)
	if want := `"value":{"min":[null,50,null]`; err != nil || !strings.Contains(string(text), want) {
		t.Errorf("%s, %v lacks %s", text, err, want)
	}
}

// TestDay is worked out by hand: four pods of one core; for one hour eight cores
// are asked for, and for the other two. The last moment lasts for no time.
func TestDay(t *testing.T) {
	var h History
	for i := range 481 {
		demand := float32(8)
		if i >= 240 {
			demand = 2
		}
		m := at(time.Duration(i)*15*time.Second, demand, 4)
		m.Changed = i == 240
		h.Add(m)
	}
	got := h.Day()
	if got.Changes != 1 || got.Starved != 60 || got.Waste == nil || *got.Waste != 25 || got.Top != 8 {
		t.Errorf("%+v, waste %v", got, got.Waste)
	}
	if want := strings.Repeat(" ", 43) + "//QQQ"; got.Demand != want {
		t.Errorf("demand is %q, want %q", got.Demand, want)
	}
}

// TestDayForgets what is older than a day, also after a long silence.
func TestDayForgets(t *testing.T) {
	var h History
	m := at(0, 1, 4)
	m.Changed = true
	h.Add(m)
	h.Add(at(100*24*time.Hour, 1, 4))
	if got := h.Day(); got.Changes != 0 || strings.Count(got.Demand, " ") != 47 {
		t.Errorf("%+v", got)
	}
}

// TestAnyTime: recordings without dates begin with the year 1970, or before.
func TestAnyTime(t *testing.T) {
	for _, first := range []int64{-3600, 0, 3600} {
		var h History
		for i := range int64(2) {
			m := at(0, 1, 4)
			m.At, m.Changed = time.Unix(first+i*15, 0), true
			h.Add(m)
		}
		if got := h.Day(); got.Changes != 2 {
			t.Errorf("from %d on: %+v", first, got)
		}
	}
}

// TestHeld: what a status says holds until it says something else, also from before
// the window and until now.
func TestHeld(t *testing.T) {
	h := History{Held: true}
	h.Add(at(0, 1, 2))
	h.Add(at(40*time.Second, 1, 5))
	from := start.Add(20 * time.Second).UnixMilli()
	got := h.Lanes(Window{From: from, To: from + 40_000, Columns: 4, Now: from + 100_000})
	if diff := cmp.Diff(Numbers{2, 2, 2, 2, 2, 5, 5, 5, 5, 5}, got.Lines["replicas"].Max); diff != "" || got.Step != 4000 {
		t.Errorf("step %d (-want +got)\n%s", got.Step, diff)
	}
	if got.Last != from+100_000 || got.Ribbon.Reasons[0] < 0 {
		t.Errorf("%+v", got)
	}
}

// TestTrim: the oldest are forgotten, in every column.
func TestTrim(t *testing.T) {
	var h History
	for i := range 100 {
		m := at(time.Duration(i)*15*time.Second, float32(i), 200)
		m.Changed = true
		m.Metrics = []Reading{{Name: "cpu", Value: float32(i)}}
		h.Add(m)
	}
	h.Trim(90)
	if got := h.Lanes(Window{}); got.Points != 100 {
		t.Errorf("%d points: so few are not worth it", got.Points)
	}
	h.Trim(40)
	got := h.Lanes(Window{Columns: 40})
	if got.Points != 40 || got.Lines["demand"].Max[0] != 60 || got.Metrics[0].Value.Max[0] != 60 || len(got.Changes) != 40 {
		t.Errorf("%d points from %v, %d changes", got.Points, got.Lines["demand"].Max[0], len(got.Changes))
	}
}

// TestSaving is worked out by hand: four pods of 2 cores and 4 GiB, of which three
// would do, save 2 cores and 4 GiB: at 0.05 and 0.01 an hour, 0.14 each hour.
func TestSaving(t *testing.T) {
	size := func(n int32) scale.Size {
		pod := scale.Resources{}.With(scale.CPU, 2*scale.Thousand).With(scale.Memory, scale.Thousand<<32)
		return scale.Size{Replicas: n, Containers: []scale.Container{{Requests: pod}}}
	}
	d := &scale.Decision{From: size(4), Want: size(4), Proposed: size(3), Reason: scale.BelowTarget, LimitedBy: scale.Recommend}
	row := RowOf(Key{}, "Recommend", d, &History{}, Prices{CPU: 0.05, Memory: 0.01})
	if row.Saving != 2 || row.Money == nil || math.Abs(*row.Money-3.36) > 1e-9 || row.Want != 3 {
		t.Errorf("%+v %v", row, row.Money)
	}
	if row := RowOf(Key{}, "Recommend", d, &History{}, Prices{}); row.Money != nil {
		t.Errorf("without prices: %v", *row.Money)
	}
}

// TestNumbers: what is not known is null, and digits are few.
func TestNumbers(t *testing.T) {
	got, err := json.Marshal(Numbers{1, float32(math.NaN()), 2.3456789, float32(math.Inf(1))})
	if string(got) != "[1,null,2.34568,null]" || err != nil {
		t.Errorf("%s, %v", got, err)
	}
}

// TestJudge: which words count where, and the words of what to look at.
func TestJudge(t *testing.T) {
	for name, c := range map[string]struct {
		said    []explain.Condition
		limited scale.Reason
		want    []Need
		why     string
	}{
		"all is well": {[]explain.Condition{{Reason: "Ready"}, {Reason: "AboveTarget"}}, "", nil, ""},
		"at maximum": {[]explain.Condition{{Reason: "Ready"}, {Reason: "MaxReplicas", Message: "the maximum is 5"}}, scale.MaxReplicas,
			[]Need{NeedsLook, AtMaximum}, "the maximum is 5"},
		"paused":    {[]explain.Condition{{Reason: "Paused", Message: "paused"}}, scale.Paused, []Need{Paused}, ""},
		"recommend": {nil, scale.Recommend, []Need{RecommendOnly}, ""},
		"no data":   {[]explain.Condition{{Reason: "NoData", Message: "no sample"}}, "", []Need{NeedsLook, NoData}, "no sample"},
		"both":      {[]explain.Condition{{Reason: "SharedTarget", Message: "two"}}, scale.Unschedulable, []Need{NeedsLook, Conflicts, WaitingForNodes}, "two"},
		"broken":    {[]explain.Condition{{Reason: "InvalidSpec", Message: "bad"}}, "", []Need{NeedsLook}, "bad"},
	} {
		t.Run(name, func(t *testing.T) {
			got, why := Judge(c.said, c.limited)
			if diff := cmp.Diff(c.want, got); diff != "" || why != c.why {
				t.Errorf("%q (-want +got)\n%s", why, diff)
			}
		})
	}
}

// TestAnotherUnit: a metric that is measured in another unit from some moment on is
// not drawn on the scale of the first.
func TestAnotherUnit(t *testing.T) {
	var h History
	for i, r := range []Reading{{Name: "cpu", Unit: "percent", Value: 60}, {Name: "cpu", Value: 2.5}} {
		m := at(time.Duration(i)*time.Minute, 1, 1)
		m.Metrics = []Reading{r}
		h.Add(m)
	}
	got := h.Lanes(Window{From: start.UnixMilli(), To: start.Add(2 * time.Minute).UnixMilli(), Columns: 10}).Metrics
	if len(got) != 2 || got[0].Unit != "percent" || got[0].Value.Max[0] != 60 || got[1].Unit != "" || !nan(got[1].Value.Max[0]) {
		t.Errorf("%+v", got)
	}
}
