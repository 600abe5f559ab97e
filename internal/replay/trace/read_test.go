package trace

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/tidemark/tidemark/scale"
)

var noon = time.Date(2026, 1, 5, 12, 0, 0, 0, time.UTC)

// points returns values in even steps from noon; a negative one is a gap.
func points(step time.Duration, values ...scale.Amount) []Point {
	var out []Point
	for i, v := range values {
		if v >= 0 {
			out = append(out, Point{At: noon.Add(time.Duration(i) * step), Value: v})
		}
	}
	return out
}

const minute = time.Minute

func TestRead(t *testing.T) {
	const secs = 1767614400 // Noon.
	for name, c := range map[string]struct {
		text   string
		format Format
		want   []Point
		report Report
	}{
		"RFC 3339": {
			text: "time,value\n2026-01-05T12:00:00Z,1\n2026-01-05T13:01:00+01:00,2.5\n",
			want: points(minute, 1000, 2500), report: Report{Samples: 2},
		},
		"date and time": {
			text: "timestamp,value\r\n2026-01-05 12:00:00,1\r\n2026-01-05 12:01:00,1e3\r\n",
			want: points(minute, 1000, 1e6), report: Report{Samples: 2},
		},
		"seconds, quotes, spaces, a byte order mark": {
			text: "\ufeff\"Period\" , \"Count\"\n\n 1767614400 , \"7\"\n1767614460.000,500m",
			want: points(minute, 7000, 500), report: Report{Samples: 2},
		},
		"fractions of a second": {
			text: fmt.Sprintf("time,value\n%d.25,1\n%d.5,2", secs, secs),
			want: []Point{{noon.Add(250 * time.Millisecond), 1000}, {noon.Add(500 * time.Millisecond), 2000}}, report: Report{Samples: 2},
		},
		"numbers": {
			text: "1\n2\n\n3\n", format: Format{Step: minute, Start: noon},
			want: points(minute, 1000, 2000, 3000), report: Report{Samples: 3},
		},
		"numbers below a header": {
			text: "value\n1\n\"\"\n3\n", format: Format{Step: minute, Start: noon},
			want: points(minute, 1000, -1, 3000), report: Report{Samples: 3, Missing: 1},
		},
		"gaps": {
			text: "time,value\n1767614400,1\n1767614460,NaN\n1767614520,\n1767614580,4\n1767614640,5\n1767614700,6",
			want: points(minute, 1000, -1, -1, 4000, 5000, 6000), report: Report{Samples: 6, Missing: 2},
		},
		"repaired": {
			text: "time,value\n1767614460,2\n1767614400,1\n1767614460,9\nyesterday,1\n1767614520,-1m\n1767614520,oops\n1767614520,3,4\n1767614580,4",
			want: points(minute, 1000, 2000, -1, 4000), format: Format{Repair: true, Step: minute},
			report: Report{Samples: 8, Unsorted: 1, Duplicated: 1, Negative: 1, Unparsable: 3, First: "line 3: time is earlier than the one before"},
		},
		"a repeated time whose first value is missing": {
			text: "time,value\n1767614400,\n1767614400,3\n1767614460,4", format: Format{Repair: true},
			want: points(minute, 3000, 4000), report: Report{Samples: 3, Missing: 1, Duplicated: 1, First: "CSV: two samples at 2026-01-05T12:00:00Z"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			got, report, err := Read(strings.NewReader(c.text), c.format)
			c.report.Series = 1
			if err != nil {
				t.Errorf("%s: %v", name, err)
			}
			if diff := cmp.Diff(c.want, got.Points); diff != "" {
				t.Errorf("%s: points (-want +got)\n%s", name, diff)
			}
			if diff := cmp.Diff(c.report, report); diff != "" {
				t.Errorf("%s: report (-want +got)\n%s", name, diff)
			}
		})
	}
}

func TestReadRefuses(t *testing.T) {
	for name, c := range map[string]struct {
		text string
		want error
		says string
	}{
		"nothing":              {"", ErrNotTrace, "empty"},
		"only space":           {" \n\n ", ErrNotTrace, "empty"},
		"only a header":        {"time,value\n", ErrNotTrace, "no usable sample"},
		"only missing":         {"time,value\n1,NaN\n", ErrNotTrace, "no usable sample"},
		"another header":       {"day,requests\n1,2\n", ErrNotTrace, `got "day,requests"`},
		"several columns":      {"time,a,b\n1,2,3\n", ErrNotTrace, "the columns time, a, b"},
		"no header":            {"1,2\n", ErrNotTrace, "header"},
		"numbers, no step":     {"1\n2\n", ErrNotTrace, "need a step"},
		"a long line":          {"time,value\n1," + strings.Repeat("1", maxLine+1), ErrNotTrace, "more than 65536"},
		"out of order":         {"time,value\n60,1\n0,2\n", ErrRefused, "1 samples are out of order"},
		"repeated":             {"time,value\n60,1\n60,2\n", ErrRefused, "two samples at 1970-01-01T00:01:00Z"},
		"negative":             {"time,value\n60,-1\n", ErrRefused, "line 2: value -1 is negative"},
		"a thousandth below 0": {"time,value\n60,-1m\n", ErrRefused, "negative"},
		"unreadable value":     {"time,value\n60,many\n", ErrRefused, `line 2: value "many" is not a quantity`},
		"infinite":             {"time,value\n60,+Inf\n", ErrRefused, "not a finite number"},
		"unreadable time":      {"time,value\nnow,1\n", ErrRefused, `time "now" is not a time`},
		"time with a suffix":   {"time,value\n5k,1\n", ErrRefused, "not a time"},
		"time of microseconds": {"time,value\n1767614400000000,1\n", ErrRefused, "not a time"},
		"a date of a month 13": {"date,value\n2026-13-05,1\n", ErrRefused, "not a time"},
		"negative time":        {"time,value\n-5,1\n", ErrRefused, "not a time"},
	} {
		t.Run(name, func(t *testing.T) {
			_, _, err := Read(strings.NewReader(c.text), Format{})
			if !errors.Is(err, c.want) || !strings.Contains(err.Error(), c.says) {
				t.Errorf("%s: got %v, want %v with %q", name, err, c.want, c.says)
			}
		})
	}
	if _, report, err := Read(strings.NewReader("1\n2\n3"), Format{Step: 1 << 62}); !errors.Is(err, ErrRefused) || report.Unparsable != 1 {
		t.Errorf("a step of centuries: %+v, %v", report, err)
	}
	broken := iotest.ErrReader(io.ErrClosedPipe)
	if _, _, err := Read(broken, Format{}); !errors.Is(err, io.ErrClosedPipe) {
		t.Errorf("a broken reader: %v", err)
	}
	if _, _, err := Read(io.MultiReader(strings.NewReader("time,value\n1,2\n"), broken), Format{Kind: CSV}); !errors.Is(err, io.ErrClosedPipe) {
		t.Errorf("a reader that breaks later: %v", err)
	}
}

// endless repeats a text forever.
type endless struct {
	text string
	at   int
}

func (e *endless) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = e.text[e.at%len(e.text)]
		e.at++
	}
	return len(p), nil
}

func TestEndlessInputEnds(t *testing.T) {
	if _, _, err := Read(&endless{text: "1\n"}, Format{Step: minute}); !errors.Is(err, ErrTooLong) {
		t.Errorf("numbers: %v", err)
	}
	blanks := bufio.NewReader(&limited{in: &endless{text: "   \n"}, left: 1 << 20})
	if _, _, err := readCSV(blanks, Format{}); !errors.Is(err, ErrTooLong) {
		t.Errorf("blanks: %v", err)
	}
	series := io.MultiReader(strings.NewReader(`{"data":{"result":[`), &endless{text: `{"values":[[1,"1"],[2,"1"]]},`})
	if _, _, err := readPrometheus(&limited{in: series, left: 1 << 20}, nil); !errors.Is(err, ErrTooLong) {
		t.Errorf("series: %v", err)
	}
}
