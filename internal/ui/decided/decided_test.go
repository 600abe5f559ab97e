package decided

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tidemark/tidemark/internal/record"
	"github.com/tidemark/tidemark/internal/ui/feed"
)

func decided(t *testing.T, text string) feed.Decision {
	t.Helper()
	for result := range record.Decode([]byte(text)) {
		if len(result.Faults) > 0 {
			t.Fatal(result.Faults)
		}
		return Of(feed.Key{Namespace: "shop", Name: "web"}, result.Call)
	}
	t.Fatal("no document")
	return feed.Decision{}
}

const document = `
spec:
  replicas: {min: 1, max: 7}
  metrics:
  - type: Resource
    resource: {name: cpu, target: {averageUtilization: 50}}
  - type: External
    external: {metric: {name: queue}, watermarks: {type: AverageValue, low: 5, high: 10}}
observation:
  at: "2026-01-05T10:00:00Z"
  target: {specReplicas: 4, containers: [{name: app, requests: {cpu: "1"}}]}
  pods:
  - {name: a, containers: [{name: app, requests: {cpu: "1"}, usage: {cpu: 800m}}]}
  - {name: b, containers: [{name: app, requests: {cpu: "1"}, usage: {cpu: 800m}}]}
  - {name: c, containers: [{name: app, requests: {cpu: "1"}, usage: {cpu: 800m}}]}
  - {name: d, pending: Unschedulable, containers: [{name: app, requests: {cpu: "1"}}]}
  metrics: [{}, {value: "90"}]
`

// TestDecision: the words are those of explain, sums are written out where they
// are how the count came about, and what was taken away leads to the same again.
func TestDecision(t *testing.T) {
	d := decided(t, document)
	if d.Headline != "4 -> 7: AboveHighWatermark, limited by MaxReplicas" || !strings.HasPrefix(d.Text, d.Headline+"\n") {
		t.Errorf("got %s", d.Text)
	}
	// Of four pods three are measured, at 800m; the one that waits is counted in, idle.
	want := []string{"⌈4 × 2400m ÷ 4 ÷ 50%⌉ = 5", "⌈4 × 90 ÷ 4 ÷ 10⌉ = 9", "", ""}
	if diff := cmp.Diff(want, d.Sums); diff != "" {
		t.Errorf("(-want +got)\n%s\n%s", diff, d.Text)
	}
	wantPods := []feed.Pod{{Name: "a", State: "serving", Words: "serving, app uses 800m of 1 cpu"}, {Name: "d", State: "pending", Words: "pending: Unschedulable"}}
	if diff := cmp.Diff(wantPods, []feed.Pod{d.Pods[0], d.Pods[3]}); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	if again := decided(t, d.Document); again.Text != d.Text {
		t.Errorf("the document leads to\n%s\nand not to\n%s", again.Text, d.Text)
	}
	for _, u := range d.Unmoved {
		if u == "MaxReplicas" {
			t.Error("a limit that acted is listed as one that did not")
		}
	}
	if len(d.Changes) != 4 && len(d.Changes) != 5 {
		t.Errorf("%+v", d.Changes)
	}
}

// TestHeldBack: what the mode keeps back is told, or every value would lead to the
// same words.
func TestHeldBack(t *testing.T) {
	d := decided(t, strings.Replace(document, "spec:\n", "spec:\n  mode: Recommend\n", 1))
	if got := d.Changes[2].Headline; !strings.Contains(got, "limited by Recommend: mode Auto would apply 4 -> ") {
		t.Errorf("got %q of %+v", got, d.Changes)
	}
}
