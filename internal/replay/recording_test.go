package replay

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/tidemark/tidemark/internal/replay/trace"
	"github.com/tidemark/tidemark/scale"
)

// seenAt is a document of a decision at so many seconds, with the usage of two
// pods measured half a minute earlier.
func seenAt(seconds int, usage ...string) string {
	at := monday.Add(time.Duration(seconds) * time.Second)
	var pods []string
	for i, u := range usage {
		used := `"usage":{"cpu":"` + u + `"}`
		if u == "" {
			used = `"usage":{}`
		}
		pods = append(pods, fmt.Sprintf(`{"name":"web-%d","ready":true,"usageAt":%q,"containers":[{"name":"app","requests":{"cpu":"1"},%s}]}`,
			i, at.Add(-30*time.Second).Truncate(30*time.Second).Format(time.RFC3339), used))
	}
	return fmt.Sprintf(`{"spec":{"replicas":{"max":9},"metrics":[{"type":"Resource","resource":{"name":"cpu","target":{"averageUtilization":60}}}]},`+
		`"observation":{"at":%q,"target":{"specReplicas":2},"pods":[%s]}}`+"\n", at.Format(time.RFC3339), strings.Join(pods, ","))
}

// leaving makes the third pod of a document one that is on its way out.
func leaving(document string) string {
	return strings.Replace(document, `"web-2"`, `"web-2","deleting":true`, 1)
}

// queued is a document in YAML whose only number is a queue's length.
func queued(seconds int, length string) string {
	return fmt.Sprintf("---\n# a queue\nspec:\n  replicas: {max: 9}\n  metrics: [{type: External, external: {metric: {name: queue}, target: "+
		"{averageValue: 5}}}]\n"+
		"observation: {at: %q, target: {specReplicas: 2}, metrics: [{value: %q}]}\n", monday.Add(time.Duration(seconds)*time.Second).Format(time.RFC3339), length)
}

func values(t trace.Trace) map[time.Duration]scale.Amount {
	out := map[time.Duration]scale.Amount{}
	for _, p := range t.Points {
		out[p.At.Sub(monday)] = p.Value
	}
	return out
}

// TestRecordingsAreDemand: the usage of the pods is summed at the time it was
// measured; one that is seen twice counts once, and one of which a part is
// missing is a gap.
func TestRecordingsAreDemand(t *testing.T) {
	for name, c := range map[string]struct {
		text  string
		want  map[time.Duration]scale.Amount
		notes []string
	}{
		"usage": {
			seenAt(30, "500m", "250m") + seenAt(45, "500m", "250m") + seenAt(60, "1", "1") + seenAt(90, "1", "") + seenAt(120, "2", "1"),
			map[time.Duration]scale.Amount{0: 750, 30 * time.Second: 2000, 90 * time.Second: 3000},
			[]string{"1 observations showed the usage of an earlier one and count once", "1 gaps, the longest 30s: the value before a gap holds until its end"},
		},
		"a pod that does not serve need not show any": {
			seenAt(30, "500m", "250m", "") + leaving(seenAt(60, "1", "1", "")) + leaving(seenAt(90, "1", "2", "")),
			map[time.Duration]scale.Amount{30 * time.Second: 2000, 60 * time.Second: 3000},
			nil,
		},
		"a metric": {
			queued(0, "7") + queued(15, "12500m"),
			map[time.Duration]scale.Amount{0: 7000, 15 * time.Second: 12500},
			[]string{"2 observations had no usage of pods: their metric is the demand, in its own unit (MeanPods scales it), beside 0 that had"},
		},
	} {
		got, notes, err := ReadDemand(strings.NewReader(c.text), Reading{})
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if diff := cmp.Diff(c.want, values(got)); diff != "" {
			t.Errorf("%s: (-want +got)\n%s", name, diff)
		}
		if diff := cmp.Diff(c.notes, notes); diff != "" {
			t.Errorf("%s: notes (-want +got)\n%s", name, diff)
		}
	}
}

// TestBadDocumentsAreCounted: without Repair they are refused.
func TestBadDocumentsAreCounted(t *testing.T) {
	text := seenAt(30, "1") + `{"spec":{},"observation":{"bogus":1}}` + "\n" + seenAt(60, "1") + seenAt(90, "1")
	if _, _, err := ReadDemand(strings.NewReader(text), Reading{}); !errors.Is(err, trace.ErrRefused) {
		t.Errorf("got %v", err)
	}
	got, notes, err := ReadDemand(strings.NewReader(text), Reading{Format: trace.Format{Repair: true}})
	if err != nil || len(got.Points) != 3 || len(notes) != 1 || !strings.Contains(notes[0], "1 of 4 samples were repaired") {
		t.Errorf("%d points, %q, %v", len(got.Points), notes, err)
	}
}

// TestLongRecordingsAreReadInParts: five megabytes, and no document is cut.
func TestLongRecordingsAreReadInParts(t *testing.T) {
	var text strings.Builder
	n := 0
	for ; text.Len() < 5<<20; n++ {
		text.WriteString(seenAt(30+30*n, "1", "1", "1", "1", "1", "1", "1", "1", "1", "1", "1", "1", "1", "1", "1", "1"))
	}
	got, _, err := ReadDemand(strings.NewReader(text.String()), Reading{})
	if err != nil || len(got.Points) != n {
		t.Errorf("%d points of %d, %v", len(got.Points), n, err)
	}
	endless := `{"spec":{"a":"` + strings.Repeat("x", 3*partSize) + "\n"
	if _, _, err := ReadDemand(strings.NewReader(endless), Reading{}); !errors.Is(err, trace.ErrTooLong) {
		t.Errorf("an endless document: %v", err)
	}
}

// TestReadingPrepares: gaps are filled first, then the trace is resampled.
func TestReadingPrepares(t *testing.T) {
	const text = "time,value\n0,1\n60,3\n240,9\n300,1\n"
	for name, c := range map[string]struct {
		how   Reading
		want  []scale.Amount
		notes []string
	}{
		"hold":        {Reading{}, []scale.Amount{1000, 3000, 9000, 1000}, []string{"1 gaps, the longest 2m0s: the value before a gap holds until its end"}},
		"interpolate": {Reading{Gaps: trace.Interpolate}, []scale.Amount{1000, 3000, 5000, 7000, 9000, 1000}, []string{"1 gaps, the longest 2m0s: 2 samples were made up to fill them"}},
		"largest": {
			Reading{Gaps: trace.Zero, Resample: 2 * time.Minute, Largest: true}, []scale.Amount{3000, 0, 9000},
			[]string{"1 gaps, the longest 2m0s: 2 samples were made up to fill them", "6 samples became 3, one each 2m0s"},
		},
	} {
		got, notes, err := ReadDemand(strings.NewReader(text), c.how)
		if err != nil {
			t.Fatal(err)
		}
		var v []scale.Amount
		for _, p := range got.Points {
			v = append(v, p.Value)
		}
		if diff := cmp.Diff(c.want, v); diff != "" {
			t.Errorf("%s: (-want +got)\n%s", name, diff)
		}
		if diff := cmp.Diff(c.notes, notes); diff != "" {
			t.Errorf("%s: notes (-want +got)\n%s", name, diff)
		}
	}
	if _, _, err := ReadDemand(strings.NewReader(text), Reading{Resample: time.Hour}); err == nil {
		t.Error("one point was taken for a demand")
	}
}
