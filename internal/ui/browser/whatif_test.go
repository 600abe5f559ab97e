//go:build browser

package browser

import (
	"strings"
	"testing"
	"time"

	"github.com/tidemark/tidemark/internal/replay"
	"github.com/tidemark/tidemark/internal/replay/trace/generate"
	"github.com/tidemark/tidemark/internal/ui/replayed"
	"github.com/tidemark/tidemark/internal/ui/server"
)

// edited is the text of the editor.
const edited = `document.querySelector(".editor").editor.text()`

// replace puts another text in the place of one of the editor's.
func replace(b *tab, from, to string) {
	b.t.Helper()
	b.eval(`(() => { const e = document.querySelector(".editor").editor, text = e.text(), at = text.indexOf("` + from + `");
		if (at < 0) throw new Error("there is no ` + from + ` in " + text); e.view.dispatch({changes: {from: at, to: at + ` + "`" + from + "`" + `.length, insert: "` + to + `"}}); })()`)
}

// status says what has been replayed.
const status = `document.querySelector('[aria-label="Replays"] [role="status"]').textContent`

// sheet are the policies of the score sheet.
const sheet = `[...document.querySelectorAll('[aria-label="Score sheet"] thead th')].slice(1).map((e) => e.textContent).join()`

// TestApplyAsRecommend: where changes are allowed, an edited object is applied in mode
// Recommend once that was confirmed.
func TestApplyAsRecommend(t *testing.T) {
	t.Parallel()
	by := &changer{}
	s := serveTo(t, "127.0.0.1:0", server.Options{Feed: days(t), Token: "secret", Changer: by})
	b := open(t, s, s.address("/whatif/replay/hpa%3A60"), 1280, 900)
	b.until(`document.querySelector(".editor")?.editor`)
	// However it is written.
	b.eval(`document.querySelector(".editor").editor.set("apiVersion: autoscaling.tidemark.dev/v1alpha1\nkind: WorkloadAutoscaler\nmetadata: {name: checkout, namespace: shop}\n` +
		`spec: {targetRef: {apiVersion: apps/v1, kind: Deployment, name: checkout}, replicas: {max: 30}, metrics: [{type: Resource, resource: {name: cpu, target: {averageUtilization: 55}}}]}\n")`)
	const button = `[aria-label="Object"] [role="toolbar"] button:nth-of-type(4)`
	b.until(`!document.querySelector('` + button + `').hidden`)
	b.click(button)
	b.until(`document.querySelector("dialog[open] pre")?.textContent.includes("+ mode: Recommend")`)
	b.accessible()
	b.click(`dialog .confirm`)
	b.until(`document.querySelector('[role="toolbar"] span').textContent.startsWith("Done")`)
	by.mu.Lock()
	defer by.mu.Unlock()
	const want = "hpa:60 apply metrics:\n- resource:\n    name: cpu\n    target:\n      averageUtilization: 55\n  type: Resource\n" +
		"mode: Recommend\nreplicas:\n  max: 30\ntargetRef:\n"
	if len(by.done) != 1 || !strings.HasPrefix(by.done[0], want) {
		t.Errorf("%q", by.done)
	}
}

// TestWhatIf edits an object, and looks at how it would have done.
func TestWhatIf(t *testing.T) {
	t.Parallel()
	s := demo(t)
	b := open(t, s, s.address("/whatif/shop/checkout"), 1440, 1200)
	b.until(settled)
	b.eval(`location.hash = "#/workload/shop/checkout"`)
	b.until(`document.querySelector('#crumbs a[href^="#/whatif/"]')`)
	b.click(`#crumbs a[href^="#/whatif/"]`)
	b.until(sheet + `.startsWith("edited,present,best HPA, hpa:")`)
	b.is(`document.title`, "What if · shop/checkout · Tidemark")
	b.until(`document.querySelectorAll(".results .lane canvas").length === 2 && document.querySelector(".results").textContent.includes("Both decide the same all the time.")`)
	t.Run("an edit is replayed", func(t *testing.T) {
		replace(b, "averageUtilization: 60", "averageUtilization: 90")
		b.until(`document.querySelector('[aria-label="Where they differ"] tbody tr') && ` + status + `.includes("7 d 9 h after")`)
		b.is(sheet+`.replace(/hpa:.*/, "")`, "edited,present,best HPA, ")
		if diff := b.eval(`document.querySelector(".diff").textContent`); !strings.Contains(diff, "-         averageUtilization: 60\n+         averageUtilization: 90\n") {
			t.Errorf("the difference is\n%s", diff)
		}
		t.Logf("after the last key: %s", b.eval(status))
		b.shoot("whatif")
		b.accessible()
	})
	t.Run("why", func(t *testing.T) {
		decided := b.eval(`document.querySelector('[aria-label="Where they differ"] tbody td:nth-child(5)').textContent`)
		b.click(`[aria-label="Where they differ"] tbody button`)
		b.until(`document.querySelector('[aria-label="Why"] pre')`)
		words := strings.Fields(strings.NewReplacer(",", "").Replace(decided))
		if why := b.eval(`document.querySelector('[aria-label="Why"]').textContent`); !strings.Contains(why, "→ "+words[0]) && !strings.Contains(why, "-> "+words[0]) {
			t.Errorf("%q is explained by\n%s", decided, why)
		}
	})
	t.Run("what is wrong is said on its line", func(t *testing.T) {
		replace(b, "averageUtilization: 90", "averageUtilisation: 90")
		b.until(`document.querySelector(".findings .error")`)
		if got := b.eval(`document.querySelector(".findings .error").textContent`); !strings.Contains(got, "did you mean averageUtilization?") {
			t.Errorf("it says %q", got)
		}
		b.until(`document.querySelector(".editor").shadowRoot.querySelector(".cm-lintRange-error")`)
		b.until(sheet + `.startsWith("present,best HPA")`)
		b.accessible()
		replace(b, "averageUtilisation: 90", "averageUtilization: 75")
		b.until(sheet + `.startsWith("edited,")`)
	})
	t.Run("completion", func(t *testing.T) {
		b.eval(`(() => { const v = document.querySelector(".editor").editor.view; v.dispatch({changes: {from: v.state.doc.length, insert: "  beh"}, selection: {anchor: v.state.doc.length + 5}}); v.focus(); })()`)
		b.keys("a")
		b.until(`document.querySelector(".editor").shadowRoot.querySelector('.cm-tooltip-autocomplete li[aria-selected]')`)
		b.is(`document.querySelector(".editor").shadowRoot.querySelector('.cm-tooltip-autocomplete li[aria-selected] .cm-completionLabel').textContent`, "behavior")
		b.shoot("whatif-completion")
		b.eval(`new Promise((done) => setTimeout(done, 200))`)
		b.keys("\r")
		b.until(edited + `.endsWith("  behavior:\n    ")`)
	})
	t.Run("Escape and Tab leave the editor", func(t *testing.T) {
		b.press("Escape", "Tab")
		b.is(`document.activeElement.classList.contains("editor")`, "false")
	})
	t.Run("as it is", func(t *testing.T) {
		b.click(`[aria-label="Object"] [role="toolbar"] button`)
		b.until(`document.querySelector(".results").textContent.includes("Both decide the same all the time.")`)
	})
	looks(b, "whatif")
}

// days is a replay of two days, which is soon searched.
func days(t *testing.T) *replayed.Feed {
	t.Helper()
	demand, err := generate.Named("daily", 1, generate.Options{Length: 48 * time.Hour})
	if err != nil {
		t.Fatal(err)
	}
	r, err := replay.New(demand, replay.Ideal())
	if err != nil {
		t.Fatal(err)
	}
	policy, _, err := replay.Named("hpa:60")
	if err != nil {
		t.Fatal(err)
	}
	f, err := replayed.New("daily.csv", r, []replay.Policy{policy})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(f.Stop)
	return f
}

// TestTune searches for better numbers, and takes one of them.
func TestTune(t *testing.T) {
	t.Parallel()
	s := serve(t, days(t), "127.0.0.1:0", "secret")
	b := open(t, s, s.address("/whatif/replay/hpa%3A60"), 1440, 1000)
	b.until(`document.querySelector(".editor")?.editor`)
	b.click(`[aria-label="Tune"] button`)
	b.until(`document.querySelector('[aria-label="Policies"] tbody tr')`)
	b.until(`document.querySelector(".scatter canvas")`)
	b.eval(`document.querySelector('[aria-label="Tune"]').scrollIntoView()`)
	b.shoot("whatif-tune")
	b.accessible()
	b.click(`.scatter .u-over`)
	before := b.eval(edited)
	b.click(`[aria-label="Policies"] tbody button`)
	if after := b.eval(edited); after == before {
		t.Error("the best is what it was")
	}
	b.size(360, 800)
	b.fits()
}
