//go:build browser

package browser

import (
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
)

const drawn = `document.querySelectorAll(".lane canvas").length >= 4`

// TestWorkload looks at a workload over time: it zooms and pans with buttons, keys
// and the mouse, reads all lanes under the cursor, and opens a decision by a click.
func TestWorkload(t *testing.T) {
	t.Parallel()
	s := demo(t)
	b := open(t, s, s.address("/workload/bank/fraud"), 1440, 1300)
	b.until(settled + ` && ` + drawn + ` && document.querySelector("#window").textContent.includes("to Mon 2026-01-12 09:00:00, 5,760 decisions")`)
	b.shoot("workload")
	b.accessible()
	t.Run("spans", func(t *testing.T) {
		b.click(`[role="toolbar"] button:nth-child(4)`)
		b.until(`document.querySelector("#window").textContent.includes("40,320 decisions")`)
		b.is(`location.hash`, "#/workload/bank/fraud?span=604800000")
		b.keys("+")
		b.until(`document.querySelector("#window").textContent.includes("20,160 decisions")`)
		b.keys("0")
		b.until(`document.querySelector("#window").textContent.includes("42,481 decisions")`)
		b.click(`[role="toolbar"] button:nth-child(3)`)
		b.until(`document.querySelector("#window").textContent.includes("5,760 decisions")`)
	})
	t.Run("hover reads all lanes", func(t *testing.T) {
		b.eval(`document.querySelector(".u-over").scrollIntoView()`)
		x, y := b.middle(".u-over")
		b.do(chromedp.MouseEvent("mouseMoved", x, y))
		b.until(`document.querySelector(".readout strong")`)
		got := b.eval(`document.querySelector(".readout").textContent`)
		for _, want := range []string{"2026-01-11 21:", "demand ", "capacity ", "wanted ", "serving ", "bounds ", "cpu ", "why "} {
			if !strings.Contains(got, want) {
				t.Errorf("%q lacks %q", got, want)
			}
		}
	})
	t.Run("a drag zooms", func(t *testing.T) {
		x, y := b.middle(".u-over")
		b.do(chromedp.MouseEvent("mouseMoved", x, y), chromedp.MouseEvent("mousePressed", x, y, chromedp.ButtonLeft),
			chromedp.MouseEvent("mouseMoved", x+200, y, chromedp.ButtonLeft), chromedp.MouseEvent("mouseReleased", x+200, y, chromedp.ButtonLeft))
		b.until(`/from=\d+&to=\d+/.test(location.hash)`)
	})
	t.Run("a click opens the decision", func(t *testing.T) {
		b.until(drawn)
		b.click(".u-over")
		b.until(`location.hash.startsWith("#/decision/bank/fraud/") && document.querySelector(".tree")`)
		b.eval(`history.back()`)
		b.until(drawn)
	})
	looks(b, "workload")
}

// TestDecision reads one decision, walks to its neighbors, and takes it away.
func TestDecision(t *testing.T) {
	t.Parallel()
	s := demo(t)
	b := open(t, s, s.address("/workload/shop/checkout"), 1440, 1100)
	b.until(settled + ` && document.querySelector(".changes a")`)
	// One that a metric asked for, and so has a sum.
	b.eval(`([...document.querySelectorAll(".changes li")].find((l) => l.textContent.includes("AboveTarget")).id = "asked")`)
	headline := b.eval(`document.querySelector("#asked").textContent.slice(24).trim()`)
	b.click("#asked a")
	b.until(`document.querySelector(".tree")`)
	if got := b.eval(`document.querySelector("h1").textContent`); !strings.HasSuffix(headline, got) {
		t.Errorf("the list says %q, the decision %q", headline, got)
	}
	b.until(`document.querySelector(".sum")`)
	b.eval(`document.querySelectorAll("details").forEach((d) => { d.open = true; })`)
	b.accessible()
	script := b.eval(`[...document.querySelectorAll("pre")].map((p) => p.textContent)[1]`)
	if !strings.Contains(script, "policy\n") || !strings.Contains(script, "eval every 15s\n  0s  ") {
		t.Errorf("the script is\n%s", script)
	}
	if got := b.eval(`[...document.querySelectorAll("pre")].map((p) => p.textContent)[2]`); !strings.HasPrefix(got, `{"spec":{`) {
		t.Errorf("the document is\n%s", got)
	}
	at := b.eval(`document.querySelector("time").dateTime`)
	b.eval(`document.activeElement.blur()`)
	b.keys("p")
	b.until(`document.querySelector("time") && document.querySelector("time").dateTime < "` + at + `"`)
	b.keys("n")
	b.until(`document.querySelector("time") && document.querySelector("time").dateTime === "` + at + `"`)
	looks(b, "decision")
	t.Run("who is not there", func(t *testing.T) {
		b.expect("404")
		b.eval(`location.hash = "#/decision/shop/none/last"`)
		b.until(`document.querySelector('main [role="alert"]')`)
		b.is(`document.querySelector('main [role="alert"]').textContent`, "there is no such workload")
	})
}
