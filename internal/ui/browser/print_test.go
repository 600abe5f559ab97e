//go:build browser

package browser

import (
	"bytes"
	"fmt"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/page"

	"github.com/tidemark/tidemark/internal/ui/feed"
)

// paper prints a page and returns how many sheets that takes.
func (b *tab) paper() int {
	b.t.Helper()
	out := command(b, page.PrintToPDF, page.PrintToPDFParams{})
	return bytes.Count(out.Data, []byte("/Type /Page\n"))
}

// TestPrint: what is printed is light, has all rows of the filter or says which, and the
// page is as it was before.
func TestPrint(t *testing.T) {
	t.Parallel()
	f := &many{}
	for i := range 3000 {
		f.rows = append(f.rows, feed.Row{Key: feed.Key{Namespace: fmt.Sprintf("ns-%d", i%3), Name: fmt.Sprintf("w-%04d", i)}, Replicas: 1, Needs: []feed.Need{}})
	}
	s := serve(t, f, "127.0.0.1:0", "secret")
	b := open(t, s, s.address(""), 1280, 900)
	const rows, note = `document.querySelectorAll("tbody tr[data-id]").length`, `document.querySelector(".printed").textContent`
	b.until(rows + ` > 10`)
	b.theme("dark")
	seen := b.eval(rows)
	during := func(check func()) {
		b.eval(`dispatchEvent(new Event("beforeprint"))`)
		check()
		b.eval(`dispatchEvent(new Event("afterprint"))`)
		b.is(`document.documentElement.dataset.theme`, "dark")
	}
	t.Run("too many", func(t *testing.T) {
		during(func() {
			b.is(`document.documentElement.dataset.theme`, "light")
			b.is(rows, "1000")
			b.is(note, "These are the first 1,000 of 3,000 rows. CSV saves all of them.")
		})
		b.is(rows, seen)
	})
	t.Run("all of a filter", func(t *testing.T) {
		b.eval(`(() => { const e = document.querySelector("#search"); e.value = "w-00"; e.dispatchEvent(new Event("input")); })()`)
		during(func() {
			b.is(rows, "100")
			b.is(note, "")
		})
	})
	t.Run("on paper", func(t *testing.T) {
		if all, screen := b.paper(), 2; all <= screen {
			t.Errorf("100 rows take %d sheets", all)
		}
		b.is(`document.documentElement.dataset.theme`, "dark")
	})
	t.Run("to look at", func(t *testing.T) {
		b.size(1060, 740)
		command(b, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Media: "print"})
		during(func() {
			b.fits()
			b.shoot("print-fleet")
		})
	})
}

// TestPrintLanes: the lanes of a workload are printed as wide as the paper is, light.
func TestPrintLanes(t *testing.T) {
	t.Parallel()
	s := demo(t)
	b := open(t, s, s.address("/workload/bank/fraud"), 1280, 900)
	b.until(settled + ` && ` + drawn)
	b.theme("dark")
	const ink = `(() => { const c = document.querySelector(".lane canvas"); const d = c.getContext("2d").getImageData(0, 0, c.width, c.height).data;
		let n = 0; for (let i = 3; i < d.length; i += 4) if (d[i]) n++; return n > 100; })()`
	b.eval(`dispatchEvent(new Event("beforeprint"))`)
	b.is(`document.documentElement.dataset.theme`, "light")
	b.is(ink, "true")
	b.eval(`dispatchEvent(new Event("afterprint"))`)
	b.is(ink, "true")
	if n := b.paper(); n < 1 || n > 9 {
		t.Errorf("it takes %d sheets", n)
	}
}
