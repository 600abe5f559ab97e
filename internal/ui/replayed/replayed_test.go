package replayed

import (
	"strings"
	"testing"
	"time"

	"github.com/tidemark/tidemark/internal/replay"
	"github.com/tidemark/tidemark/internal/replay/trace/generate"
	"github.com/tidemark/tidemark/internal/ui/feed"
)

// TestDecisionsAreThoseOfTheReplay: the page of a moment says what explaining the
// replay at that moment says, also where the policy remembers.
func TestDecisionsAreThoseOfTheReplay(t *testing.T) {
	demand, err := generate.Named("flash-crowd", 2, generate.Options{Length: 24 * time.Hour})
	if err != nil {
		t.Fatal(err)
	}
	r, err := replay.New(demand, replay.Honest())
	if err != nil {
		t.Fatal(err)
	}
	var policies []replay.Policy
	for _, name := range []string{"hpa:60", "static:12"} {
		p, _, err := replay.Named(name)
		if err != nil {
			t.Fatal(err)
		}
		policies = append(policies, p)
	}
	f, err := New("a test", r, policies)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Stop()
	hpa := feed.Key{Namespace: Namespace, Name: "hpa:60"}
	start, _ := r.Span()
	for len(f.Fleet()) < 2 {
		<-f.Changed()
	}
	for at := start.Add(7 * time.Hour); at.Before(start.Add(8 * time.Hour)); at = at.Add(7 * time.Minute) {
		want, err := r.Explain(policies[0], at)
		if err != nil {
			t.Fatal(err)
		}
		got, err := f.Decision(hpa, at)
		if err != nil || !strings.HasSuffix(want, got.Text) {
			t.Errorf("%s: %v\n%s\nwant\n%s", at, err, got.Text, want)
		}
	}
	if _, err := f.Decision(feed.Key{Namespace: Namespace, Name: "static:12"}, start); err == nil || !strings.Contains(err.Error(), "gives no reasons") {
		t.Errorf("a yardstick: %v", err)
	}
	if row := f.Fleet()[1]; row.Name != "static:12" || row.Want != 12 || row.Saving != 0 || row.Headline != "12 -> 12" {
		t.Errorf("a yardstick's row: %+v", row)
	}
	lanes, err := f.Lanes(t.Context(), hpa, feed.Window{Columns: 500})
	if err != nil || lanes.Points != 5760 || len(lanes.Changes) == 0 {
		t.Errorf("%d points, %d changes, %v", lanes.Points, len(lanes.Changes), err)
	}
}
