//go:build browser

package browser

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/tidemark/tidemark/internal/ui/feed"
)

// settled is true once the past of the demo is there.
const settled = `document.querySelector("#about").textContent.includes("2026-01-12 09:00:00") && document.querySelector("#link").textContent === "live"`

const names = `[...document.querySelectorAll("tbody tr[data-id] th.name")].map((e) => e.textContent).join()`

// TestFleet uses the table as a person does: filters, search, groups, sorting, with
// the mouse and with keys, in both themes and at every width.
func TestFleet(t *testing.T) {
	t.Parallel()
	s := demo(t)
	b := open(t, s, s.address(""), 1440, 900)
	b.until(settled + ` && document.querySelectorAll("tbody tr[data-id]").length === 13`)
	b.is(`location.hash + document.cookie + localStorage.length + sessionStorage.length`, "#/00")
	b.shoot("fleet-light")
	b.accessible()
	t.Run("counters filter", func(t *testing.T) {
		b.click(`.counters button:nth-child(3)`)
		b.is(names, "ops/gateway")
		b.is(`document.querySelector('.counters [aria-pressed="true"]').textContent`, "1 no data")
		b.is(`location.hash`, "#/?need=no+data")
		b.click(`.counters button:nth-child(3)`)
	})
	t.Run("search", func(t *testing.T) {
		b.keys("/")
		b.keys("team=payments led")
		b.is(names, "bank/ledger")
		b.eval(`(() => { const e = document.querySelector("#search"); e.value = ""; e.dispatchEvent(new Event("input")); e.blur(); })()`)
	})
	t.Run("groups", func(t *testing.T) {
		b.eval(`(() => { const e = document.querySelector('select[aria-label="Group by"]'); e.value = "label team"; e.dispatchEvent(new Event("change")); })()`)
		b.is(`[...document.querySelectorAll("tr.group")].map((e) => e.textContent).join()`, "media 2,payments 3,platform 4,search 1,storefront 3")
		b.shoot("fleet-groups")
		b.eval(`(() => { const e = document.querySelector('select[aria-label="Group by"]'); e.value = ""; e.dispatchEvent(new Event("change")); })()`)
	})
	t.Run("sorting", func(t *testing.T) {
		b.click(`th.name button`)
		b.is(`document.querySelector("tbody th.name").textContent`, "shop/web")
		b.is(`document.querySelector("thead th.name").getAttribute("aria-sort")`, "descending")
		b.click(`th.name button`)
	})
	t.Run("keys", func(t *testing.T) {
		b.eval(`document.activeElement.blur()`)
		b.keys("jjk")
		b.is(`document.activeElement.textContent`, "bank/fraud")
		b.keys("?")
		b.until(`document.querySelector("dialog[open]")`)
		b.accessible()
		b.keys("\r")
		b.until(`!document.querySelector("dialog")`)
	})
	looks(b, "fleet")
}

// looks looks at a page in both themes and at three widths.
func looks(b *tab, name string) {
	b.t.Helper()
	for _, theme := range []string{"dark", "light"} {
		b.theme(theme)
		for _, width := range []int64{360, 1280, 3840} {
			b.size(width, 900)
			b.eval(`new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))`)
			b.fits()
			b.shoot(fmt.Sprintf("%s-%s-%d", name, theme, width))
			// What is hard to read is so at any width, and what is cut off in any theme.
			if width == 360 || theme == "light" && width == 3840 {
				b.accessible()
			}
		}
	}
	b.size(1440, 900)
}

// many is a feed of very many workloads.
type many struct {
	feed.Feed
	rows []feed.Row
}

func (m *many) About() feed.About {
	return feed.About{Source: "cluster", Title: "many", Now: time.Now().UnixMilli()}
}
func (m *many) Fleet() []feed.Row        { return m.rows }
func (m *many) Changed() <-chan struct{} { return nil }

// TestTenThousand: only what is seen is there, the end is reached at once, and a
// search is answered.
func TestTenThousand(t *testing.T) {
	f := &many{}
	for i := range 10_000 {
		f.rows = append(f.rows, feed.Row{Key: feed.Key{Namespace: fmt.Sprintf("ns-%02d", i/100), Name: fmt.Sprintf("w-%05d", i)}, Mode: "Auto", Replicas: 3, Want: 3,
			Max: 10, Needs: []feed.Need{}, Demand: strings.Repeat("K", 48), Capacity: strings.Repeat("e", 48), Top: 4})
	}
	s := serve(t, f, "127.0.0.1:0", "secret")
	b := open(t, s, s.address(""), 1440, 900)
	b.until(`document.querySelector(".bar-of-tools .quiet").textContent === "10000 workloads"`)
	b.is(`document.querySelector("table").getAttribute("aria-rowcount")`, "10001")
	b.is(`document.querySelectorAll("tbody tr").length < 60`, "true")
	b.eval(`(() => { const e = document.querySelector(".scroll"); e.scrollTop = e.scrollHeight; })()`)
	b.until(`document.querySelector('tr[data-id="ns-99/w-09999"]')`)
	b.eval(`(() => { const e = document.querySelector("#search"); e.value = "w-04242"; e.dispatchEvent(new Event("input")); })()`)
	b.is(names, "ns-42/w-04242")
	// How long a person waits for a key of the search, with all rows to look at: a tenth of a
	// second is felt to be at once.
	within(t, "a key of the search", 100*time.Millisecond, fastest(b, 3, `(() => {
		const e = document.querySelector("#search"), t = performance.now();
		e.value = e.value ? "" : "w";
		e.dispatchEvent(new Event("input"));
		return performance.now() - t;
	})()`))
}

// TestRestart: a server that goes away is found again, and one that has another
// token asks for it.
func TestRestart(t *testing.T) {
	t.Parallel()
	f := &many{rows: []feed.Row{{Key: feed.Key{Namespace: "shop", Name: "web"}, Needs: []feed.Need{}}}}
	s := serve(t, f, "127.0.0.1:0", "secret")
	b := open(t, s, s.address(""), 1024, 700)
	b.until(`document.querySelectorAll("tbody tr[data-id]").length === 1`)
	b.expect("ERR_")
	b.expect("401")
	s.stop()
	b.until(`document.querySelector("#link").textContent.startsWith("connection lost")`)
	again := serve(t, f, s.host, "secret")
	b.until(`document.querySelector("#link").textContent === "live"`)
	again.stop()
	serve(t, f, s.host, "another")
	b.until(`document.querySelector(".gate .problem")`)
	b.accessible()
	b.shoot("gate")
	b.eval(`document.querySelector("#token").focus()`)
	b.keys("http://" + s.host + "/#token=another\r")
	b.until(`document.querySelectorAll("tbody tr[data-id]").length === 1 && document.querySelector("#link").textContent === "live"`)
}
