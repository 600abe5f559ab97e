//go:build browser

package report

import (
	"flag"
	"os"
	"path/filepath"
	"strconv"
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

// painted is true where every canvas has something on it.
const painted = `[...document.querySelectorAll("canvas")].every((c) => c.getContext("2d").getImageData(0, 0, c.width, c.height).data.some((v) => v > 0))`

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
	// Demand, metric and decisions: replicas of pods that are all alike would be the same line as the capacity.
	b.expect(`[...document.querySelectorAll(".panel h3")].map((e) => e.firstChild.textContent).join()`, "Demand and capacity,Metric in its band,Decisions")
	if got := b.eval(`document.querySelector("#verdict").textContent`); !strings.Contains(got, "core-hours") {
		t.Errorf("the verdict is %q", got)
	}
	b.expect(`document.querySelectorAll(".scores tbody tr").length`, "3")
	b.expect(`document.querySelectorAll("#front canvas").length`, "1")
	if got := b.eval(`document.querySelector("#front").getAttribute("aria-label")`); !strings.Contains(got, "as it is: ") || !strings.Contains(got, "trial 1: ") {
		t.Errorf("the front is %q", got)
	}
	b.expect(painted, "true")
	b.expect(`document.title`, report.Title+" · Tidemark replay")
	b.expect(`document.images.length`, "0")
	t.Run("hover", func(t *testing.T) { hover(b, report) })
	t.Run("keyboard", func(t *testing.T) { keyboard(b, report) })
	t.Run("zoom", func(t *testing.T) { zoom(b) })
	t.Run("toggles", func(t *testing.T) { toggles(b) })
	t.Run("themes", func(t *testing.T) { themes(b, path) })
	t.Run("phone", func(t *testing.T) { phone(b, path) })
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
	b.mouse("mouseMoved", `#plots .chart`)
	if got := b.eval(`document.querySelector("#tip").hidden + document.querySelector("#tip").textContent`); !strings.HasPrefix(got, "false") ||
		!strings.Contains(got, "demand") {
		b.t.Errorf("the tip shows %q", got)
	}
}

// keyboard walks over the marks, each of which shows the first of its decisions.
func keyboard(b *browser, r Report) {
	decisions := r.Results[0].Course.Decisions
	b.expect(`document.querySelectorAll('.mark[tabindex="0"]').length`, "1")
	b.eval(`document.querySelector("#all").disabled = true, document.querySelector("#in").focus()`)
	b.key("Tab")
	b.expect(`document.activeElement.dataset.n`, "0")
	b.key("ArrowRight")
	second, err := strconv.Atoi(b.eval(`document.querySelectorAll("#plots .mark")[1].dataset.n`))
	if err != nil {
		b.t.Fatal(err)
	}
	b.expect(`document.activeElement.dataset.n`, strconv.Itoa(second))
	if got := b.eval(`document.querySelector("#decision").textContent`); !strings.Contains(got, decisions[second].Headline) {
		b.t.Errorf("the decision shows %q, want %q", got, decisions[second].Headline)
	}
	b.key("End")
	b.expect(`document.activeElement === [...document.querySelectorAll("#plots .mark")].at(-1)`, "true")
}

// zoom: dragging over a plot shows that part alone, in as many dots; buttons zoom
// and move; a double click shows all again. No mark stands on another.
func zoom(b *browser) {
	const seen, apart = `document.querySelector("#range").textContent`, `(() => { const at = [...document.querySelectorAll("#plots .mark")].map((m) => m.getBoundingClientRect());
		return at.every((r, i) => i === 0 || r.left >= at[i - 1].right - 2); })()`
	const counted = `[...document.querySelectorAll("#plots .mark")].reduce((n, m) => n + Number(m.dataset.count), 0)`
	all, marks := b.eval(seen), b.eval(counted)
	b.expect(apart, "true")
	b.drag("#plots .chart", 0.4, 0.6)
	part := b.eval(seen)
	if part == all || b.eval(counted) == marks {
		b.t.Errorf("dragging does not zoom: %s, %s marks", part, marks)
	}
	b.expect(apart, "true")
	b.click("#later")
	b.settle()
	if later := b.eval(seen); later <= part {
		b.t.Errorf("%s is not later than %s", later, part)
	}
	b.eval(`document.querySelector("#plots").dispatchEvent(new WheelEvent("wheel", {deltaX: -5000}))`)
	b.settle()
	if got := b.eval(seen); got[:16] != all[:16] {
		b.t.Errorf("moved back too far, it begins at %s instead of %s", got, all)
	}
	b.eval(`document.querySelector("#plots").dispatchEvent(new MouseEvent("dblclick", {bubbles: true}))`)
	b.settle()
	b.expect(seen, all)
	b.expect(counted, marks)
	b.expect(`document.querySelector("#all").disabled`, "true")
	b.eval(`document.querySelector('#plots .mark:not([data-count="1"])')?.dispatchEvent(new Event("click"))`)
	b.settle()
	if got := b.eval(seen); got == all {
		b.t.Error("a mark of several decisions does not zoom in")
	}
	b.click("#all")
	b.settle()
	b.expect(seen, all)
}

// phone: everything is readable without a scroll to the side, and fingers zoom and
// move.
func phone(b *browser, path string) {
	b.call("Emulation.setTouchEmulationEnabled", map[string]any{"enabled": true, "maxTouchPoints": 2})
	b.open(path, 390, 844)
	b.expect(`document.documentElement.scrollWidth <= innerWidth`, "true")
	b.expect(`[...document.querySelectorAll(".sheet")].filter((e) => e.closest(".scroll").scrollWidth > e.closest(".scroll").clientWidth + 1).length`, "0")
	b.expect(`getComputedStyle(document.querySelector(".scores td"), "::before").content`, `"Billed core-hours"`)
	const seen = `document.querySelector("#range").textContent`
	all := b.eval(seen)
	b.fingers("#plots .chart", []float64{0.45, 0.55}, []float64{0.2, 0.8})
	near := b.eval(seen)
	if near == all {
		b.t.Error("two fingers do not zoom")
	}
	b.fingers("#plots .chart", []float64{0.8}, []float64{0.4})
	if later := b.eval(seen); later <= near {
		b.t.Errorf("a finger does not move: %s after %s", later, near)
	}
	b.shoot("phone.png")
	b.call("Emulation.setTouchEmulationEnabled", map[string]any{"enabled": false})
}

// toggles: a policy can be hidden and shown, and another one's decisions chosen.
func toggles(b *browser) {
	lines := `document.querySelectorAll('#plots [data-runs~="0"]').length`
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
	const pixels = `document.querySelector("#plots canvas").toDataURL()`
	dark := b.eval(pixels)
	b.click("#theme")
	b.expect(`document.documentElement.dataset.theme`, "light")
	if b.eval(pixels) == dark {
		b.t.Error("the plots keep their colors")
	}
	b.expect(painted, "true")
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
