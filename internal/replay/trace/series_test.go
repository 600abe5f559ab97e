package trace

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestSeriesOfCSV: two pods of 1 and 0.5 cores at noon, 1.5 and 0.5 a minute
// later, in the ways that people have them.
func TestSeriesOfCSV(t *testing.T) {
	const long = "timestamp,namespace,pod,value\n1767614400,shop,a,1\n1767614400,shop,b,0.5\n1767614460,shop,a,1.5\n1767614460,shop,b,0.5\n"
	const wide = "time,a,b,other\n1767614400,1,0.5,9\n1767614460,1.5,0.5,8\n"
	const pods = `"Time","{pod=""a"", zone=""1""}","{pod=""b"", zone=""1""}"` + "\n1767614400000,1,0.5\n1767614460000,1.5,0.5\n"
	sum := points(minute, 1500, 2000)
	for name, c := range map[string]struct {
		text   string
		format Format
		want   []Point
		series int
	}{
		"long, with labels":             {long, Format{}, sum, 2},
		"long, by pod":                  {"timestamp,namespace,pod,value\n1767614400,s,a,1\n1767614460,s,a,1.5\n1767614400,s,b,.5\n1767614460,s,b,.5", Format{}, sum, 2},
		"long, and a sum":               {long, Format{Sum: true}, sum, 2},
		"one of the series":             {long, Format{Series: map[string]string{"Pod": "b"}}, points(minute, 500, 500), 1},
		"a label that is a number":      {"ts,id,value\n1767614400,1,1\n1767614400,2,9\n1767614460,1,2\n", Format{Series: map[string]string{"id": "1"}}, points(minute, 1000, 2000), 1},
		"other numbers are no labels":   {"time,errors,value\n1767614400,1,1\n1767614460,2,2\n", Format{}, points(minute, 1000, 2000), 1},
		"several columns":               {wide, Format{Sum: true, Columns: []string{"a", "b"}}, sum, 2},
		"a column named twice":          {wide, Format{Sum: true, Columns: []string{"a", "2"}}, points(minute, 1000, 1500), 1},
		"all columns, as Grafana joins": {"sep=,\n" + pods, Format{Sum: true}, sum, 2},
		"a column with labels as names": {pods, Format{Columns: []string{`{pod="a", zone="1"}`}}, points(minute, 1000, 1500), 1},
		"a pod that comes": {"time,a,b\n1767614400,1,\n1767614460,1.5,.5\n1767614520,1.5,.5\n",
			Format{Sum: true}, points(minute, 1000, 2000, 2000), 2},
		"a pod that goes": {"time,a,b\n1767614400,1,.5\n1767614460,1.5,\n1767614520,1.5,\n", Format{Sum: true}, points(minute, 1500, 1500, 1500), 2},
		"a pod that is not known for a minute": {"time,a,b\n1767614400,1,.5\n1767614460,1.5,\n1767614520,1.5,1\n1767614580,1,1",
			Format{Sum: true}, points(minute, 1500, -1, 2500, 2000), 2},
	} {
		t.Run(name, func(t *testing.T) {
			got, report, err := Read(strings.NewReader(c.text), c.format)
			if diff := cmp.Diff(c.want, got.Points); diff != "" || err != nil {
				t.Errorf("%v (-want +got)\n%s", err, diff)
			}
			if report.Series != c.series {
				t.Errorf("%d series, want %d", report.Series, c.series)
			}
		})
	}
}

func TestSeriesRefused(t *testing.T) {
	for name, c := range map[string]struct {
		text   string
		format Format
		want   error
		says   string
	}{
		"columns without a sum": {"time,a,b\n1,2,3\n", Format{Columns: []string{"a", "b"}}, ErrColumns, "2 columns are asked for"},
		"no such series":        {"time,pod,value\n1,a,3\n", Format{Series: map[string]string{"pod": "b"}}, ErrNothing, "no series with the wanted labels"},
		"no such label":         {"time,pod,value\n1,a,3\n", Format{Series: map[string]string{"job": "b"}}, ErrNotTrace, `no column "job" of labels among time, pod, value`},
		"text among the sum":    {"time,a,note\n1,2,x\n", Format{Sum: true}, ErrRefused, `line 2: value "x" is not a quantity`},
		"one pod twice":         {"time,pod,value\n1,a,3\n1,a,4\n1,b,4\n", Format{}, ErrRefused, "1 repeat a time"},
		"times of their own": {"time,pod,value\n0,a,1\n5,b,1\n60,a,1\n65,b,1\n120,a,1\n125,b,1\n", Format{Repair: true},
			ErrNotTrace, "its 2 series have their samples at different times"},
	} {
		t.Run(name, func(t *testing.T) {
			if _, _, err := Read(strings.NewReader(c.text), c.format); !errors.Is(err, c.want) || !strings.Contains(err.Error(), c.says) {
				t.Errorf("got %v, want %v with %q", err, c.want, c.says)
			}
		})
	}
}

// TestUnits: panels write a unit behind each number, and change it as the number
// grows.
func TestUnits(t *testing.T) {
	for text, want := range map[string]int64{
		"3.89 cores": 3890, "950 mcores": 950, "1 Core": 1000, "3.89cores": 3890, "12.5 req/s": 12500, "1.2 K": 1_200_000, "1.5 Mil": 1_500_000_000,
		"350 m": 350, "350m": 350, "2k": 2_000_000, "1e3 cores": 1_000_000,
	} {
		t.Run(text, func(t *testing.T) {
			if got, err := parseValue(text); err != nil || int64(got) != want {
				t.Errorf("%d, %v, want %d", got, err, want)
			}
		})
	}
	for text, says := range map[string]string{
		"45%": "of what is not known", "45 %": "of what is not known", "3 GiB": "not a quantity", "cores": "not a quantity", "3 4": "not a quantity",
		"1,234.5": "not a quantity", "-1 % cores": "not a quantity",
	} {
		t.Run(text, func(t *testing.T) {
			if _, err := parseValue(text); err == nil || !strings.Contains(err.Error(), says) {
				t.Errorf("got %v, want %q", err, says)
			}
		})
	}
}

// TestAnnouncedSeparators: a first line that says what separates is believed,
// also where the header has more of another.
func TestAnnouncedSeparators(t *testing.T) {
	want := points(minute, 1500, 2000)
	for name, text := range map[string]string{
		"semicolon":  "sep=;\ntime;a,b,c,d\n1767614400;1,5\n1767614460;2\n",
		"comma":      "sep=,\r\ntime,value\r\n1767614400,1.5\r\n1767614460,2\r\n",
		"with a BOM": "\ufeffsep=,\n\"Time\",\"a;b;c\"\n1767614400,1.5\n1767614460,2\n",
	} {
		t.Run(name, func(t *testing.T) {
			got, _, err := Read(strings.NewReader(text), Format{})
			if diff := cmp.Diff(want, got.Points); diff != "" || err != nil {
				t.Errorf("%v (-want +got)\n%s", err, diff)
			}
		})
	}
}
