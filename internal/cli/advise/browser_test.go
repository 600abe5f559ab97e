//go:build browser

package advise

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/tidemark/tidemark/internal/checks/chromium"
	"github.com/tidemark/tidemark/internal/cli/exit"
)

// TestFleetInChromium looks at the page of a fleet as a person would: in the light and
// in the dark, on a phone, enlarged, and from there at the page of a workload.
func TestFleetInChromium(t *testing.T) {
	page := filepath.Join(t.TempDir(), "fleet.html")
	_, stderr, code := execute("--prometheus", serve(t, &fake{}), "--until", until, "--quick", "--price-cpu", "0.5", "--report", page, "-o", "csv")
	if code != exit.OK {
		t.Fatalf("exit %d: %s", code, stderr)
	}
	b := chromium.Start(t)
	for _, dark := range []bool{false, true} {
		b.Dark(dark)
		b.Open(page, 1280, 900)
		b.Expect(`document.querySelectorAll("tbody tr").length`, "2")
		// It has no button for themes and stays light: what is dark by half cannot be read.
		b.Expect(`(() => { const light = (c) => c.match(/\d+/g).slice(0, 3).reduce((n, v) => n + Number(v), 0) / 3;
			const s = getComputedStyle(document.body); return light(s.backgroundColor) - light(s.color) > 120; })()`, "true")
		b.Expect(`document.documentElement.scrollWidth <= innerWidth`, "true")
	}
	b.Dark(false)
	t.Run("phone", func(t *testing.T) {
		b.Open(page, 390, 844)
		b.Expect(`document.documentElement.scrollWidth <= innerWidth`, "true")
		b.Expect(`getComputedStyle(document.querySelector('td[data-title="Core-hours"]'), "::before").content`, `"Core-hours"`)
	})
	// Twice as large is half as wide.
	t.Run("enlarged", func(t *testing.T) {
		b.Open(page, 640, 450)
		b.Expect(`document.documentElement.scrollWidth <= innerWidth`, "true")
	})
	t.Run("a workload", func(t *testing.T) {
		b.Open(page, 1280, 900)
		to := strings.TrimPrefix(b.Eval(`document.querySelector("tbody a").href`), "file://")
		b.Open(to, 1280, 900)
		const seen = `document.querySelector("#range").textContent`
		all := b.Eval(seen)
		b.Drag("#plots svg.chart", 0.4, 0.6)
		if part := b.Eval(seen); part == all {
			t.Errorf("dragging does not zoom: %s", part)
		}
	})
	b.NoProblems()
}
