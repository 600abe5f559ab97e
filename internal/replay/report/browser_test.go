//go:build browser

package report

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tidemark/tidemark/internal/replay"
)

var pictures = flag.String("pictures", "", "folder to write pictures of the report to")

// tunedSample is a report with all its parts.
func tunedSample(t *testing.T) Report {
	r := sample(t, 3)
	r.Tuned = &Tuned{
		Objective: "cost where unserved<=0.01%",
		YAML:      "replicas:\n  max: 40\n  min: 2\n# " + hostile + "\n",
		Trials: []Trial{
			{Name: "as it is", Score: r.Results[0].Score},
			{Name: "trial 1", Best: true, Settings: []replay.Fact{{Name: "replicas.min", Value: "5"}}, Score: r.Results[1].Score, HeldOut: &r.Results[1].Score},
		},
	}
	return r
}

func (b *browser) expect(expression, want string) {
	b.t.Helper()
	if got := b.eval(expression); got != want {
		b.t.Errorf("%s is %q, want %q", expression, got, want)
	}
}

// TestReportInChromium uses the report as a person would: with the mouse, with
// the keyboard, in a narrow window, in the dark.
func TestReportInChromium(t *testing.T) {
	path := filepath.Join(t.TempDir(), "report.html")
	report := tunedSample(t)
	if err := os.WriteFile(path, []byte(written(t, report)), 0o600); err != nil {
		t.Fatal(err)
	}
	b := startBrowser(t)
	b.open(path, 1280, 900)
	b.expect(`document.querySelectorAll(".panel").length`, "4")
	b.expect(`document.querySelectorAll(".scores tbody tr").length`, "3")
	b.expect(`document.querySelectorAll("#front circle").length`, "2")
	b.expect(`document.title`, report.Title+" · Tidemark replay")
	b.expect(`document.images.length`, "0")
	t.Run("hover", func(t *testing.T) { hover(b, report) })
	t.Run("keyboard", func(t *testing.T) { keyboard(b, report) })
	t.Run("toggles", func(t *testing.T) { toggles(b) })
	t.Run("themes", func(t *testing.T) { themes(b, path) })
	t.Run("sizes", func(t *testing.T) { sizes(b, path) })
	b.mu.Lock()
	defer b.mu.Unlock()
	if len(b.problems) > 0 {
		t.Errorf("the page had problems:\n%s", strings.Join(b.problems, "\n"))
	}
}

// hover: pointing at a decision shows its reason, at a plot the values.
func hover(b *browser, r Report) {
	first := r.Results[0].Course.Decisions[0]
	b.mouse("mouseMoved", `.mark[data-n="0"]`)
	if got := b.eval(`document.querySelector("#decision").textContent`); !strings.Contains(got, first.Headline) || !strings.Contains(got, "horizontal") {
		b.t.Errorf("the decision shows %q, want %q", got, first.Headline)
	}
	b.mouse("mouseMoved", `#plots svg.chart`)
	if got := b.eval(`document.querySelector("#tip").hidden + document.querySelector("#tip").textContent`); !strings.HasPrefix(got, "false") ||
		!strings.Contains(got, "demand") {
		b.t.Errorf("the tip shows %q", got)
	}
}

// keyboard: the decisions are one stop of Tab, and arrows walk along them.
func keyboard(b *browser, r Report) {
	decisions := r.Results[0].Course.Decisions
	b.expect(`document.querySelectorAll('.mark[tabindex="0"]').length`, "1")
	b.eval(`document.querySelector("#focus").focus()`)
	b.key("Tab")
	b.expect(`document.activeElement.dataset.n`, "0")
	b.key("ArrowRight")
	b.expect(`document.activeElement.dataset.n`, "1")
	if got := b.eval(`document.querySelector("#decision").textContent`); !strings.Contains(got, decisions[1].Headline) {
		b.t.Errorf("the decision shows %q, want %q", got, decisions[1].Headline)
	}
	b.key("End")
	if got := b.eval(`document.querySelector("#decision").textContent`); !strings.Contains(got, decisions[len(decisions)-1].Headline) {
		b.t.Errorf("the last decision shows %q", got)
	}
}

// toggles: a policy can be hidden and shown, and another one's decisions chosen.
func toggles(b *browser) {
	lines := `document.querySelectorAll('#plots g[data-run="0"]').length`
	before := b.eval(lines)
	b.click(`#legend button[data-run="0"]`)
	b.expect(lines, "0")
	b.expect(`document.querySelector('#legend button[data-run="0"]').getAttribute("aria-pressed")`, "false")
	b.click(`#legend button[data-run="0"]`)
	b.expect(lines, before)
	b.eval(`(() => { const s = document.querySelector("#focus"); s.value = "2"; s.dispatchEvent(new Event("change")); })()`)
	b.expect(`document.querySelectorAll(".mark.c2").length > 0`, "true")
	b.eval(`(() => { const s = document.querySelector("#focus"); s.value = "0"; s.dispatchEvent(new Event("change")); })()`)
}

// themes: the system's is followed, and the button changes it.
func themes(b *browser, path string) {
	b.call("Emulation.setEmulatedMedia", map[string]any{"features": []map[string]string{{"name": "prefers-color-scheme", "value": "dark"}}})
	b.open(path, 1280, 1500)
	b.expect(`document.documentElement.dataset.theme`, "dark")
	b.shoot("dark.png")
	b.click("#theme")
	b.expect(`document.documentElement.dataset.theme`, "light")
	b.call("Emulation.setEmulatedMedia", map[string]any{"features": []map[string]string{{"name": "prefers-color-scheme", "value": "light"}}})
	b.mouse("mouseMoved", `.mark[data-n="3"]`)
	b.shoot("light.png")
}

// sizes: no window is too narrow, and the page prints.
func sizes(b *browser, path string) {
	for _, width := range []int{1600, 820, 360} {
		b.open(path, width, 900)
		b.expect(`[...document.querySelectorAll("body *")].filter((e) => !e.closest(".scroll, pre, svg") && e.getBoundingClientRect().right > innerWidth + 1).map((e) => e.tagName + "." + e.className).join()`, "")
	}
	b.shoot("narrow.png")
	var printed struct{ Data string }
	b.decode(b.call("Page.printToPDF", map[string]any{"printBackground": true}), &printed)
	if len(printed.Data) < 10_000 {
		b.t.Errorf("a print of %d bytes", len(printed.Data))
	}
}

func (b *browser) shoot(name string) {
	if *pictures != "" {
		b.picture(filepath.Join(*pictures, name))
	}
}
