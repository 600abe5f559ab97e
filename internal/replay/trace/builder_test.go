package trace

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// TestBuilderJudgesAsReadDoes: the samples are the lines of the repaired CSV
// in TestReadCSV's manner, and so are the counts.
func TestBuilderJudgesAsReadDoes(t *testing.T) {
	build := func() *Builder {
		var b Builder
		at := func(minutes int) time.Time { return noon.Add(time.Duration(minutes) * minute) }
		for _, err := range []error{b.Add(at(1), 2000), b.Add(at(0), 1500), b.Add(at(1), 9000), b.Missing(at(2)), b.Add(at(3), -5), b.Add(at(4), 4)} {
			t.Run(fmt.Sprint(err), func(t *testing.T) {
				if err != nil {
					t.Fatal(err)
				}
			})
		}
		b.Unreadable("nonsense")
		return &b
	}
	got, report, err := build().Trace(Format{Repair: true, Step: minute})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(points(minute, 1500, 2000, -1, -1, 4), got.Points); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	want := Report{Series: 1, Samples: 7, Missing: 1, Unsorted: 1, Duplicated: 1, Negative: 1, Unparsable: 1,
		First: "sample 2: time is earlier than the one before"}
	if diff := cmp.Diff(want, report); diff != "" {
		t.Errorf("report (-want +got)\n%s", diff)
	}
	if _, _, err := build().Trace(Format{}); !errors.Is(err, ErrRefused) || !strings.Contains(err.Error(), "1 are unreadable") {
		t.Errorf("unrepaired: %v", err)
	}
	var early Builder
	if err := early.Add(time.Unix(-5, 0), 1); err != nil || early.report.Unparsable != 1 {
		t.Errorf("before 1970: %v, %+v", err, early.report)
	}
}
