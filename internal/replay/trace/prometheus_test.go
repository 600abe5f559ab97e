package trace

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// answer wraps series as Prometheus does.
func answer(series string) string {
	return `{"status":"success","data":{"resultType":"matrix","result":[` + series + `]},"warnings":[{"a":[1]}]}`
}

const (
	seriesA = `{"metric":{"__name__":"up","pod":"a"},"values":[[1767614400,"1"],[1767614460,"2"],[1767614520.000,"3"]]}`
	seriesB = `{"values":[[1767614460,"20"],[1767614520,"NaN"],[1767614580,"40.5"]],"metric":{"__name__":"up","pod":"b"},"histograms":[[1,{}]]}`
)

func TestReadPrometheus(t *testing.T) {
	for name, c := range map[string]struct {
		text   string
		format Format
		want   []Point
		report Report
	}{
		"one series": {
			text: answer(seriesA), want: points(minute, 1000, 2000, 3000), report: Report{Series: 1, Samples: 3},
		},
		"several are added up, and a sum of which a part is missing is missing": {
			text: "\n" + answer(seriesA+","+seriesB), want: points(minute, 1000, 22000, -1, 40500), report: Report{Series: 2, Samples: 6, Missing: 1},
		},
		"one is chosen": {
			text: answer(seriesA + "," + seriesB), format: Format{Series: map[string]string{"pod": "b"}},
			want: points(minute, -1, 20000, -1, 40500), report: Report{Series: 1, Samples: 3, Missing: 1},
		},
		"repaired": {
			text:   answer(`{"metric":{},"values":[[1767614460,"2"],[1767614400,"1"],[1767614400,"8"],[1767614520,"-3"],[1e99,"1"],[1767614580,"x"]]}`),
			format: Format{Repair: true}, want: points(minute, 1000, 2000),
			report: Report{Series: 1, Samples: 6, Unsorted: 1, Duplicated: 1, Negative: 1, Unparsable: 2, First: "sample 2: time is earlier than the one before"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			got, report, err := Read(strings.NewReader(c.text), c.format)
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

func TestReadPrometheusRefuses(t *testing.T) {
	for name, c := range map[string]struct {
		text string
		want error
		says string
	}{
		"an error":       {`{"status":"error","errorType":"bad_data","error":"parse error"}`, ErrNotTrace, "parse error"},
		"an instant":     {`{"status":"success","data":{"resultType":"vector","result":[{"metric":{},"value":[1,"1"]}]}}`, ErrNotTrace, `"vector"`},
		"no series":      {answer(""), ErrNotTrace, "no series"},
		"cut off":        {answer(seriesA)[:90], ErrNotTrace, "EOF"},
		"two answers":    {answer(seriesA) + answer(seriesA), ErrNotTrace, "follows"},
		"another thing":  {`{"data":[]}`, ErrNotTrace, `expected "{"`},
		"a long pair":    {answer(`{"values":[[1,"1",2]]}`), ErrNotTrace, `expected "]"`},
		"a short pair":   {answer(`{"values":[[1]]}`), ErrNotTrace, ""},
		"a bare value":   {answer(`{"values":[[1,1]]}`), ErrNotTrace, "cannot unmarshal number"},
		"a label of 5":   {answer(`{"metric":{"a":5}}`), ErrNotTrace, "cannot unmarshal number"},
		"out of order":   {answer(`{"values":[[60,"1"],[0,"2"]]}`), ErrRefused, "out of order"},
		"an infinite":    {answer(`{"values":[[60,"+Inf"]]}`), ErrRefused, "finite"},
		"samples in one": {answer(`{"values":[[60,"1"],[60,"2"]]}`), ErrRefused, "series 1: two samples"},
	} {
		t.Run(name, func(t *testing.T) {
			_, _, err := Read(strings.NewReader(c.text), Format{})
			if !errors.Is(err, c.want) || !strings.Contains(err.Error(), c.says) {
				t.Errorf("%s: got %v, want %v with %q", name, err, c.want, c.says)
			}
		})
	}
	if _, _, err := Read(strings.NewReader(answer(seriesA)), Format{Series: map[string]string{"pod": "z"}}); !errors.Is(err, ErrNotTrace) {
		t.Errorf("no series was chosen: %v", err)
	}
}
