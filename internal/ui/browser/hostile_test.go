//go:build browser

package browser

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/tidemark/tidemark/internal/replay"
	"github.com/tidemark/tidemark/internal/ui/feed"
	"github.com/tidemark/tidemark/internal/ui/whatif"
)

var _ feed.Tries = (*liar)(nil)

// hostile is a text that would break out of markup, script or attribute.
const hostile = `</td><img src=x onerror="document.title='owned'"><script>document.title='owned'</script>"'<!--`

// liar is a feed whose every word is hostile.
type liar struct{ many }

func (l *liar) Lanes(context.Context, feed.Key, feed.Window) (feed.Lanes, error) {
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

func (l *liar) Object(context.Context, feed.Key) (feed.Object, error) {
	return feed.Object{YAML: hostile, Note: hostile, Until: 8 * 86400_000}, nil
}

func (l *liar) Try(_ context.Context, _ feed.Edit, tell func(any) error) error {
	one := feed.Band{Min: feed.Numbers{1}, Max: feed.Numbers{2}}
	ran := whatif.Ran{Part: "week", Role: "edited", Name: hostile, Columns: 1, Step: 1000, Numbers: []replay.Number{{Title: hostile, Text: hostile, Shown: true}},
		Lines: map[string]feed.Band{"demand": one, "capacity": one, "want": one}}
	other := ran
	other.Role = "hpa"
	said := whatif.Decided{Reason: hostile, Limited: hostile}
	checked := whatif.Checked{Valid: true, Notes: []string{hostile}, Findings: []feed.Finding{wrong}}
	return errors.Join(
		tell(map[string]any{"checked": checked}), tell(map[string]any{"ran": ran}), tell(map[string]any{"ran": other}),
		tell(map[string]any{"differences": whatif.Differences{Part: "week", Times: 1, Largest: []whatif.Difference{{Present: said, Edited: said}}}}))
}

// wrong is a finding whose every word is hostile.
var wrong = feed.Finding{Severity: hostile, Line: 1, Path: hostile, Message: hostile, Fix: hostile, Rule: hostile}

func (l *liar) Tune(context.Context, feed.Edit, func(any) error) error { return nil }
func (l *liar) Why(context.Context, feed.Edit, int64) (feed.Decision, error) {
	return l.Decision(feed.Key{}, time.Time{})
}

func (l *liar) Recommend(feed.Edit) (feed.Recommended, error) {
	return feed.Recommended{YAML: hostile, Spec: hostile}, nil
}

func (l *liar) Learned(context.Context, feed.Key) (feed.Learned, error) {
	return feed.Learned{
		Uses: []feed.Use{{What: hostile, Field: hostile}}, Zone: hostile, Days: []string{hostile}, Hours: []int{0}, Note: hostile,
		Slots: [][]feed.Slot{{{Known: true, Value: 1}}}, Phase: hostile, Steps: []string{hostile}, Risks: []feed.Risk{},
		Targets: []feed.TargetLine{{Name: hostile, Unit: hostile, At: []int64{1}, Low: []float64{1}, High: []float64{2}}},
	}, nil
}

// foreign is an object whose every word is hostile.
var foreign = feed.ForeignObject{ID: hostile, Kind: hostile, Namespace: hostile, Name: hostile, Target: hostile, Verdict: hostile, With: []string{hostile}}

func (l *liar) Foreign(context.Context) (feed.Foreign, error) {
	return feed.Foreign{Notes: []string{hostile}, Objects: []feed.ForeignObject{foreign}}, nil
}

func (l *liar) Move(context.Context, string) (feed.Move, error) {
	return feed.Move{
		ForeignObject: foreign, YAML: hostile, Converted: hostile, Findings: []feed.Finding{wrong}, Original: hostile, Words: hostile,
		Fields: []feed.Field{{Path: hostile, Fate: hostile, To: hostile, Note: hostile}}, NotComputed: []string{hostile}, OneSided: []string{hostile},
		Rows: []feed.MovedRow{{Load: hostile, Differs: true, Because: []string{hostile}}},
	}, nil
}

// TestTextStaysText: whatever a cluster is made to say is shown as it is, on every
// page, and nothing of it is run.
func TestTextStaysText(t *testing.T) {
	t.Parallel()
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
		`#/whatif/" + encodeURIComponent(name) + "/" + encodeURIComponent(name) + "`:        `document.querySelector('[aria-label="Where they differ"] tbody tr')`,
		`#/learned/" + encodeURIComponent(name) + "/" + encodeURIComponent(name) + "`:       `document.querySelector(".uses li")`,
		`#/migrate`: `document.querySelector('[aria-label="Objects"] tbody tr')`,
		`#/migrate/" + encodeURIComponent(name) + "/" + encodeURIComponent(name) + "/" + encodeURIComponent(name) + "`: `document.querySelector("pre.manifest")`,
	} {
		b.eval(`(() => { const name = ` + "`" + hostile + "`" + `; location.hash = "` + page + `"; })()`)
		b.until(ready)
		b.is(`[document, document.querySelector(".editor")?.shadowRoot].filter(Boolean).map((d) => d.querySelectorAll("main img, main script, #crumbs img, .cm-editor img, .cm-editor script").length).join("+").replace("0+0", "0")`, "0")
		b.is(`document.title.startsWith("owned")`, "false")
		b.is(`document.body.textContent.includes("onerror=")`, "true")
	}
}
