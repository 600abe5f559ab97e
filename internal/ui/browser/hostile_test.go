//go:build browser

package browser

import (
	"testing"
	"time"

	"github.com/tidemark/tidemark/internal/ui/feed"
)

// hostile is a text that would break out of markup, script or attribute.
const hostile = `</td><img src=x onerror="document.title='owned'"><script>document.title='owned'</script>"'<!--`

// liar is a feed whose every word is hostile.
type liar struct{ many }

func (l *liar) Lanes(feed.Key, feed.Window) (feed.Lanes, error) {
	one := feed.Band{Min: feed.Numbers{1}, Max: feed.Numbers{2}}
	return feed.Lanes{Columns: 1, Step: 1000, Lines: map[string]feed.Band{"want": one, "replicas": one},
		Metrics: []feed.MetricLane{{Name: hostile, Unit: hostile, Value: one, Low: one, High: one}},
		Ribbon:  feed.Ribbon{Words: []string{hostile}, Reasons: []int{0}, Limits: []int{0}}, Changes: []feed.Change{{Reason: hostile, Headline: hostile}},
		Marks: []feed.Mark{{Kind: feed.OutOfMemory, Words: hostile}}, Pods: []feed.Pod{{Name: hostile, State: hostile, Words: hostile}}, Problem: hostile}, nil
}

func (l *liar) Decision(feed.Key, time.Time) (feed.Decision, error) {
	return feed.Decision{Headline: hostile, Text: hostile, Script: hostile, Document: hostile, Sums: []string{}, Unmoved: []string{hostile},
		Changes: []feed.Turn{{Metric: hostile, Now: hostile, At: hostile, Headline: hostile}}, Pods: []feed.Pod{{Name: hostile, State: hostile, Words: hostile}}}, nil
}

// TestTextStaysText: whatever a cluster is made to say is shown as it is, on every
// page, and nothing of it is run.
func TestTextStaysText(t *testing.T) {
	f := &liar{many{rows: []feed.Row{{
		Key: feed.Key{Namespace: hostile, Name: hostile}, Kind: hostile, Mode: hostile, Size: hostile, WantSize: hostile + "2", Reason: hostile,
		Limited: hostile, Headline: hostile, Needs: []feed.Need{hostile}, Why: hostile, Labels: map[string]string{hostile: hostile},
		Demand: hostile, Capacity: hostile,
	}}}}
	s := serve(t, f, "127.0.0.1:0", "secret")
	b := open(t, s, s.address(""), 1440, 900)
	for page, ready := range map[string]string{
		`#/`: `document.querySelector("tbody tr[data-id]")`,
		`#/workload/" + encodeURIComponent(name) + "/" + encodeURIComponent(name) + "`:      `document.querySelector(".changes li")`,
		`#/decision/" + encodeURIComponent(name) + "/" + encodeURIComponent(name) + "/last`: `document.querySelector(".squares li")`,
	} {
		b.eval(`(() => { const name = ` + "`" + hostile + "`" + `; location.hash = "` + page + `"; })()`)
		b.until(ready)
		b.is(`document.querySelectorAll("main img, main script, #crumbs img").length`, "0")
		b.is(`document.title.startsWith("owned")`, "false")
		b.is(`document.body.textContent.includes("onerror=")`, "true")
	}
}
