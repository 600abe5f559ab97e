package trace

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// TestLayouts: the same two samples, 1.5 at noon and 2 a minute later, in
// every way that a spreadsheet writes them.
func TestLayouts(t *testing.T) {
	tokyo, err := time.LoadLocation("Asia/Tokyo")
	if err != nil {
		t.Fatal(err)
	}
	want := points(minute, 1500, 2000)
	for name, c := range map[string]struct {
		text   string
		format Format
	}{
		"value first":              {"value,time\n1.5,1767614400\n2,1767614460\n", Format{}},
		"any name for the value":   {"Timestamp,Requests\n1767614400,1.5\n1767614460,2\n", Format{}},
		"date and time apart":      {"date,time,value\n2026-01-05,12:00:00,1.5\n2026-01-05,12:01:00,2\n", Format{}},
		"date and time, value 1st": {"value,time,date\n1.5,12:00,2026-01-05\n2,12:01,2026-01-05\n", Format{}},
		"a column by name":         {"time,errors,cpu\n1767614400,9,1.5\n1767614460,9,2\n", Format{Columns: []string{"CPU"}}},
		"a column by number":       {"time,errors,cpu\n1767614400,9,1.5\n1767614460,9,2\n", Format{Columns: []string{"3"}}},
		"value among others":       {"host,value,time\na,1.5,1767614400\na,2,1767614460\n", Format{}},
		"semicolons":               {"time;value\n1767614400;1,5\n1767614460;2\n", Format{}},
		"semicolons, points":       {"time;value\n1767614400;1.5\n1767614460;2\n", Format{}},
		"tabs":                     {"time\tvalue\n1767614400\t1.5\n1767614460\t2\n", Format{}},
		"milliseconds":             {"ts,value\n1767614400000,1.5\n1767614460000,2\n", Format{}},
		"another zone in the text": {"time,value\n2026-01-05T21:00:00+09:00,1.5\n2026-01-05 21:01:00+09:00,2\n", Format{}},
		"another zone by format":   {"time,value\n2026-01-05 21:00:00,1.5\n2026-01-05T21:01:00,2\n", Format{Zone: tokyo}},
		"the text's zone wins":     {"time,value\n2026-01-05T12:00:00Z,1.5\n2026-01-05T12:01:00Z,2\n", Format{Zone: tokyo}},
		"a column, one number":     {"cpu\n1.5\n2\n", Format{Columns: []string{"cpu"}, Step: minute, Start: noon}},
	} {
		t.Run(name, func(t *testing.T) {
			got, _, err := Read(strings.NewReader(c.text), c.format)
			if err != nil {
				t.Errorf("%s: %v", name, err)
			}
			if diff := cmp.Diff(want, got.Points); diff != "" {
				t.Errorf("%s: (-want +got)\n%s", name, diff)
			}
		})
	}
}

func TestLayoutsRefused(t *testing.T) {
	for name, c := range map[string]struct {
		text   string
		column []string
		says   string
	}{
		"no such column":         {"time,a,b\n1,2,3\n", []string{"c"}, `no column "c" of values among time, a, b`},
		"no such number":         {"time,a,b\n1,2,3\n", []string{"4"}, `no column "4"`},
		"the times as values":    {"time,a\n1,2\n", []string{"time"}, `no column "time" of values`},
		"nothing called a value": {"time,a,b\n1,2,3\n", nil, "say which is meant"},
		"no times":               {"a,value\n1,2\n", nil, "a column of times"},
	} {
		t.Run(name, func(t *testing.T) {
			if _, _, err := Read(strings.NewReader(c.text), Format{Columns: c.column}); !errors.Is(err, ErrNotTrace) || !strings.Contains(err.Error(), c.says) {
				t.Errorf("%s: got %v, want %q", name, err, c.says)
			}
		})
	}
}

// TestClocksGoBack: in the hour that a zone repeats, naive times repeat as
// well. Which is which cannot be known, so they are refused, or counted.
func TestClocksGoBack(t *testing.T) {
	berlin, err := time.LoadLocation("Europe/Berlin")
	if err != nil {
		t.Fatal(err)
	}
	text := "time,value\n2026-10-25 02:00,1\n2026-10-25 02:30,2\n2026-10-25 02:00,3\n2026-10-25 02:30,4\n2026-10-25 03:00,5\n"
	if _, _, err := Read(strings.NewReader(text), Format{Zone: berlin}); !errors.Is(err, ErrRefused) {
		t.Errorf("got %v", err)
	}
	got, report, err := Read(strings.NewReader(text), Format{Zone: berlin, Repair: true})
	if err != nil || len(got.Points) != 3 || report.Duplicated != 2 || report.Unsorted != 1 {
		t.Errorf("%d points, %+v, %v", len(got.Points), report, err)
	}
}
