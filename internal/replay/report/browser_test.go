//go:build browser

package report

import (
	"flag"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/tidemark/tidemark/internal/checks/chromium"
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

// TestReportInChromium uses the report as a person would: with the mouse, with
// the keyboard, in a narrow window, in the dark.
func TestReportInChromium(t *testing.T) {
	path := filepath.Join(t.TempDir(), "report.html")
	report := tunedSample(t)
	if err := os.WriteFile(path, []byte(written(t, report)), 0o600); err != nil {
		t.Fatal(err)
	}
	b := chromium.Start(t)
	b.Open(path, 1280, 900)
	// Demand, metric and decisions: replicas of pods that are all alike would be the same line as the capacity.
	b.Expect(`[...document.querySelectorAll(".panel h3")].map((e) => e.firstChild.textContent).join()`, "Demand and capacity,Metric in its band,Decisions")
	if got := b.Eval(`document.querySelector("#verdict").textContent`); !strings.Contains(got, "core-hours") {
		t.Errorf("the verdict is %q", got)
	}
	b.Expect(`document.querySelectorAll(".scores tbody tr").length`, "3")
	b.Expect(`document.querySelectorAll("#front canvas").length`, "1")
	if got := b.Eval(`document.querySelector("#front").getAttribute("aria-label")`); !strings.Contains(got, "as it is: ") || !strings.Contains(got, "trial 1: ") {
		t.Errorf("the front is %q", got)
	}
	b.Expect(painted, "true")
	b.Expect(`document.title`, report.Title+" · Tidemark replay")
	b.Expect(`document.images.length`, "0")
	t.Run("hover", func(t *testing.T) { hover(b, report) })
	t.Run("keyboard", func(t *testing.T) { keyboard(b, report) })
	t.Run("zoom", func(t *testing.T) { zoom(b) })
	t.Run("toggles", func(t *testing.T) { toggles(b) })
	t.Run("themes", func(t *testing.T) { themes(b, path) })
	t.Run("phone", func(t *testing.T) { phone(b, path) })
	t.Run("sizes", func(t *testing.T) { sizes(b, path) })
	b.NoProblems()
}

// hover: pointing at a decision shows its reason, at a plot the values.
func hover(b *chromium.Browser, r Report) {
	first := r.Results[0].Course.Decisions[0]
	b.Mouse("mouseMoved", `.mark[data-n="0"]`)
	if got := b.Eval(`document.querySelector("#decision").textContent`); !strings.Contains(got, first.Headline) || !strings.Contains(got, "horizontal") {
		b.T.Errorf("the decision shows %q, want %q", got, first.Headline)
	}
	b.Mouse("mouseMoved", `#plots .chart`)
	if got := b.Eval(`document.querySelector("#tip").hidden + document.querySelector("#tip").textContent`); !strings.HasPrefix(got, "false") ||
		!strings.Contains(got, "demand") {
		b.T.Errorf("the tip shows %q", got)
	}
}

// keyboard walks over the marks, each of which shows the first of its decisions.
func keyboard(b *chromium.Browser, r Report) {
	decisions := r.Results[0].Course.Decisions
	b.Expect(`document.querySelectorAll('.mark[tabindex="0"]').length`, "1")
	b.Eval(`document.querySelector("#all").disabled = true, document.querySelector("#in").focus()`)
	b.Key("Tab")
	b.Expect(`document.activeElement.dataset.n`, "0")
	b.Key("ArrowRight")
	second, err := strconv.Atoi(b.Eval(`document.querySelectorAll("#plots .mark")[1].dataset.n`))
	if err != nil {
		b.T.Fatal(err)
	}
	b.Expect(`document.activeElement.dataset.n`, strconv.Itoa(second))
	if got := b.Eval(`document.querySelector("#decision").textContent`); !strings.Contains(got, decisions[second].Headline) {
		b.T.Errorf("the decision shows %q, want %q", got, decisions[second].Headline)
	}
	b.Key("End")
	b.Expect(`document.activeElement === [...document.querySelectorAll("#plots .mark")].at(-1)`, "true")
}

// zoom: dragging over a plot shows that part alone, in as many dots; buttons zoom
// and move; a double click shows all again. No mark stands on another.
func zoom(b *chromium.Browser) {
	const seen, apart = `document.querySelector("#range").textContent`, `(() => { const at = [...document.querySelectorAll("#plots .mark")].map((m) => m.getBoundingClientRect());
		return at.every((r, i) => i === 0 || r.left >= at[i - 1].right - 2); })()`
	const counted = `[...document.querySelectorAll("#plots .mark")].reduce((n, m) => n + Number(m.dataset.count), 0)`
	all, marks := b.Eval(seen), b.Eval(counted)
	b.Expect(apart, "true")
	b.Drag("#plots .chart", 0.4, 0.6)
	part := b.Eval(seen)
	if part == all || b.Eval(counted) == marks {
		b.T.Errorf("dragging does not zoom: %s, %s marks", part, marks)
	}
	b.Expect(apart, "true")
	b.Click("#later")
	b.Settle()
	if later := b.Eval(seen); later <= part {
		b.T.Errorf("%s is not later than %s", later, part)
	}
	b.Eval(`document.querySelector("#plots").dispatchEvent(new WheelEvent("wheel", {deltaX: -5000}))`)
	b.Settle()
	if got := b.Eval(seen); got[:16] != all[:16] {
		b.T.Errorf("moved back too far, it begins at %s instead of %s", got, all)
	}
	b.Eval(`document.querySelector("#plots").dispatchEvent(new MouseEvent("dblclick", {bubbles: true}))`)
	b.Settle()
	b.Expect(seen, all)
	b.Expect(counted, marks)
	b.Expect(`document.querySelector("#all").disabled`, "true")
	b.Eval(`document.querySelector('#plots .mark:not([data-count="1"])')?.dispatchEvent(new Event("click"))`)
	b.Settle()
	if got := b.Eval(seen); got == all {
		b.T.Error("a mark of several decisions does not zoom in")
	}
	b.Click("#all")
	b.Settle()
	b.Expect(seen, all)
}

// phone: everything is readable without a scroll to the side, and fingers zoom and
// move.
func phone(b *chromium.Browser, path string) {
	b.Call("Emulation.setTouchEmulationEnabled", map[string]any{"enabled": true, "maxTouchPoints": 2})
	b.Open(path, 390, 844)
	b.Expect(`document.documentElement.scrollWidth <= innerWidth`, "true")
	b.Expect(`[...document.querySelectorAll(".sheet")].filter((e) => e.closest(".scroll").scrollWidth > e.closest(".scroll").clientWidth + 1).length`, "0")
	b.Expect(`getComputedStyle(document.querySelector(".scores td"), "::before").content`, `"Billed core-hours"`)
	const seen = `document.querySelector("#range").textContent`
	all := b.Eval(seen)
	b.Fingers("#plots .chart", []float64{0.45, 0.55}, []float64{0.2, 0.8})
	near := b.Eval(seen)
	if near == all {
		b.T.Error("two fingers do not zoom")
	}
	b.Fingers("#plots .chart", []float64{0.8}, []float64{0.4})
	if later := b.Eval(seen); later <= near {
		b.T.Errorf("a finger does not move: %s after %s", later, near)
	}
	shoot(b, "phone.png")
	b.Call("Emulation.setTouchEmulationEnabled", map[string]any{"enabled": false})
}

// toggles: a policy can be hidden and shown, and another one's decisions chosen.
func toggles(b *chromium.Browser) {
	lines := `document.querySelectorAll('#plots [data-runs~="0"]').length`
	before := b.Eval(lines)
	b.Click(`#legend button[data-run="0"]`)
	b.Expect(lines, "0")
	b.Expect(`document.querySelector('#legend button[data-run="0"]').getAttribute("aria-pressed")`, "false")
	b.Click(`#legend button[data-run="0"]`)
	b.Expect(lines, before)
	b.Eval(`(() => { const s = document.querySelector("#focus"); s.value = "2"; s.dispatchEvent(new Event("change")); })()`)
	b.Expect(`document.querySelectorAll(".mark.c2").length > 0`, "true")
	b.Eval(`(() => { const s = document.querySelector("#focus"); s.value = "0"; s.dispatchEvent(new Event("change")); })()`)
}

// themes: the system's is followed, and the button changes it.
func themes(b *chromium.Browser, path string) {
	b.Dark(true)
	b.Open(path, 1280, 1500)
	b.Expect(`document.documentElement.dataset.theme`, "dark")
	shoot(b, "dark.png")
	const pixels = `document.querySelector("#plots canvas").toDataURL()`
	dark := b.Eval(pixels)
	b.Click("#theme")
	b.Expect(`document.documentElement.dataset.theme`, "light")
	if b.Eval(pixels) == dark {
		b.T.Error("the plots keep their colors")
	}
	b.Expect(painted, "true")
	b.Dark(false)
	b.Mouse("mouseMoved", `.mark[data-n="3"]`)
	shoot(b, "light.png")
}

// sizes: no window is too narrow, and the page prints.
func sizes(b *chromium.Browser, path string) {
	for _, width := range []int{1600, 820, 360} {
		b.Open(path, width, 900)
		b.Expect(`[...document.querySelectorAll("body *")].filter((e) => !e.closest(".scroll, pre, svg") && e.getBoundingClientRect().right > innerWidth + 1).map((e) => e.tagName + "." + e.className).join()`, "")
	}
	shoot(b, "narrow.png")
	var printed struct{ Data string }
	b.Decode(b.Call("Page.printToPDF", map[string]any{"printBackground": true}), &printed)
	if len(printed.Data) < 10_000 {
		b.T.Errorf("a print of %d bytes", len(printed.Data))
	}
}

func shoot(b *chromium.Browser, name string) {
	if *pictures != "" {
		b.Picture(filepath.Join(*pictures, name))
	}
}
