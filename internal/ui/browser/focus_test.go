//go:build browser

package browser

import (
	"testing"

	"github.com/chromedp/chromedp"
)

// passes waits until a text has changed so many times.
func passes(b *tab, text string, times int) {
	b.t.Helper()
	for range times {
		before := b.eval(text)
		b.until(text + ` !== ` + "`" + before + "`")
	}
}

const (
	window  = `document.querySelector("#window").textContent`
	clock   = `document.querySelector("#about").textContent`
	focused = `document.activeElement.textContent`
)

// TestFocusStays: while time goes on, the focus, the cursor and what is read stay.
func TestFocusStays(t *testing.T) {
	t.Parallel()
	s := running(t)
	b := open(t, s, s.address("/workload/bank/fraud"), 1440, 1300)
	b.until(drawn)
	for name, selector := range map[string]string{"a link": `.headline a`, "a button": `[role="toolbar"] button:nth-child(3)`} {
		t.Run(name, func(t *testing.T) {
			b.eval(`document.querySelector('` + selector + `').focus()`)
			passes(b, window, 3)
			b.is(`document.activeElement === document.querySelector('`+selector+`')`, "true")
		})
	}
	t.Run("what the mouse reads", func(t *testing.T) {
		x, y := b.middle(".u-over")
		b.do(chromedp.MouseEvent("mouseMoved", x, y))
		b.until(`document.querySelector(".readout strong")`)
		b.eval(`document.querySelector(".u-over").mine = true`)
		passes(b, window, 3)
		b.is(`!!document.querySelector(".readout strong") && document.querySelector(".u-over").mine`, "true")
	})
	t.Run("what keys read", func(t *testing.T) {
		b.eval(`document.activeElement.blur()`)
		before := b.eval(`document.querySelector(".readout strong").textContent`)
		b.keys(",,")
		b.until(`document.querySelector(".readout strong").textContent < "` + before + `"`)
		b.eval(`document.querySelector(".readout a").focus()`)
		passes(b, window, 2)
		b.is(focused, "its decision")
		b.keys("\r")
		b.until(`location.hash.startsWith("#/decision/bank/fraud/") && document.querySelector(".tree")`)
		b.is(`document.querySelector("#main").contains(document.activeElement)`, "true")
	})
}

// TestFocusInTheTable: a link of a row, and the title of a column, keep the focus while
// rows change; who opens a row is at the title of what has come.
func TestFocusInTheTable(t *testing.T) {
	t.Parallel()
	s := running(t)
	b := open(t, s, s.address(""), 1440, 900)
	b.until(`document.querySelectorAll("tbody tr[data-id]").length === 13`)
	t.Run("a reason", func(t *testing.T) {
		b.eval(`document.querySelector('tr[data-id="bank/fraud"] a.reason').focus()`)
		passes(b, clock, 5)
		b.is(`document.activeElement.matches('tr[data-id="bank/fraud"] a.reason')`, "true")
	})
	t.Run("a column", func(t *testing.T) {
		b.eval(`document.querySelector("thead th.mode button").focus()`)
		b.keys("\r")
		b.until(`document.querySelector("thead th.mode").getAttribute("aria-sort") === "ascending"`)
		b.is(`document.activeElement.matches("thead th.mode button")`, "true")
	})
	t.Run("a row that is opened", func(t *testing.T) {
		b.eval(`document.querySelector('tr[data-id="bank/fraud"] a').focus()`)
		b.keys("\r")
		b.until(drawn)
		b.is(`document.activeElement.tagName + " " + document.activeElement.textContent`, "H1 bank/fraud")
	})
}
