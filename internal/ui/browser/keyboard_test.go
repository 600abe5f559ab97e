//go:build browser

package browser

import (
	"sync/atomic"
	"testing"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"

	"github.com/tidemark/tidemark/internal/ui/feed"
)

// codes are those of keys that write nothing.
var codes = map[string]int64{"Escape": 27, "Tab": 9, "ArrowDown": 40, "ArrowUp": 38, "ArrowLeft": 37, "ArrowRight": 39, "End": 35}

// press presses keys by their names.
func (b *tab) press(names ...string) {
	b.t.Helper()
	for _, key := range names {
		for _, kind := range []input.DispatchKeyEventType{input.DispatchKeyEventTypeKeyDown, input.DispatchKeyEventTypeKeyUp} {
			command(b, input.DispatchKeyEvent, input.DispatchKeyEventParams{Type: kind, Key: key, Code: key, WindowsVirtualKeyCode: codes[key]})
		}
	}
}

// tabTo walks with Tab until the focus is on something.
func (b *tab) tabTo(selector string) {
	b.t.Helper()
	for range 60 {
		if b.eval(`document.activeElement.matches('`+selector+`')`) == "true" {
			return
		}
		b.press("Tab")
	}
	b.t.Fatalf("Tab never comes to %s", selector)
}

// TestKeyboardAlone goes from the fleet to a decision and back without a mouse.
func TestKeyboardAlone(t *testing.T) {
	t.Parallel()
	s := demo(t)
	b := open(t, s, s.address(""), 1440, 1000)
	b.until(settled + ` && document.querySelectorAll("tbody tr[data-id]").length === 13`)
	t.Run("a filter", func(t *testing.T) {
		b.press("Tab")
		b.is(`document.activeElement.className`, "skip")
		b.tabTo(`.counters button:nth-child(3)`)
		b.keys(" ")
		b.is(names, "ops/gateway")
		b.keys(" ")
		b.is(`document.querySelectorAll("tbody tr[data-id]").length`, "13")
	})
	t.Run("a group", func(t *testing.T) {
		b.tabTo(`select[aria-label="Group by"]`)
		b.press("ArrowDown")
		b.until(`document.querySelectorAll("tr.group").length === 5`)
		b.press("ArrowUp")
		b.until(`document.querySelectorAll("tr.group").length === 0`)
	})
	t.Run("the list of keys", func(t *testing.T) {
		b.eval(`document.querySelector("#keys").focus()`)
		b.keys("\r")
		b.until(`document.querySelector("dialog[open]")`)
		b.press("Escape")
		b.until(`!document.querySelector("dialog")`)
		b.is(`document.activeElement.id`, "keys")
	})
	t.Run("the colors", func(t *testing.T) {
		before := b.eval(`document.documentElement.dataset.theme`)
		b.keys("t")
		b.is(`document.documentElement.dataset.theme === "`+before+`"`, "false")
		b.keys("t")
	})
	t.Run("a workload", func(t *testing.T) {
		b.eval(`document.activeElement.blur()`)
		b.keys("jj")
		to := b.eval(focused)
		b.keys("\r")
		b.until(drawn + ` && document.querySelector("h1").textContent === "` + to + `"`)
	})
	t.Run("lanes", func(t *testing.T) {
		was := b.eval(window)
		b.press("ArrowLeft")
		b.until(window + ` !== "` + was + `"`)
		b.keys("+")
		b.until(`/from=\d+&to=\d+/.test(location.hash) && ` + drawn)
		b.keys(",,.")
		b.until(`document.querySelector(".readout a")`)
		b.tabTo(".readout a")
		b.keys("\r")
		b.until(`document.querySelector(".tree")`)
	})
	t.Run("a decision", func(t *testing.T) {
		b.tabTo("summary")
		b.keys("\r")
		b.until(`document.activeElement.parentElement.open`)
		b.keys("f")
		b.until(`document.querySelectorAll("tbody tr[data-id]").length === 13`)
	})
}

// paced is a feed with a speed.
type paced struct {
	many
	speed atomic.Int64
}

func (p *paced) SetSpeed(speed int) { p.speed.Store(int64(speed)) }

func (p *paced) About() feed.About {
	out, speed := p.many.About(), int(p.speed.Load())
	out.Speed = &speed
	return out
}

// TestSpeed: the time of the demo passes as fast as one chooses.
func TestSpeed(t *testing.T) {
	t.Parallel()
	f := &paced{many: many{rows: []feed.Row{{Key: feed.Key{Namespace: "shop", Name: "web"}, Needs: []feed.Need{}}}}}
	f.speed.Store(60)
	s := serve(t, f, "127.0.0.1:0", "secret")
	b := open(t, s, s.address(""), 1280, 800)
	const choice = `document.querySelector("#speed select")`
	b.until(choice + `?.value === "60"`)
	b.eval(choice + `.focus()`)
	b.press("ArrowDown")
	b.until(`document.querySelector("#said").textContent === "Speed: 10 min/s"`)
	if got := f.speed.Load(); got != 600 {
		t.Errorf("the speed is %d", got)
	}
	b.press("ArrowUp", "ArrowUp", "ArrowUp")
	b.until(`document.querySelector("#said").textContent === "Speed: paused"`)
	if got := f.speed.Load(); got != 0 {
		t.Errorf("the speed is %d", got)
	}
}

// TestDeepLinks: an address shows the same again, also after a reload, which forgets the
// token and asks for it.
func TestDeepLinks(t *testing.T) {
	t.Parallel()
	s := demo(t)
	b := open(t, s, s.address("/?need=no+data&group=namespace"), 1280, 900)
	b.until(settled + ` && document.querySelector("tr.group")?.textContent === "ops 1"`)
	b.is(names, "ops/gateway")
	const link = "#/workload/bank/fraud?from=1768100000000&to=1768110000000"
	b.eval(`location.hash = "` + link + `"`)
	b.until(drawn)
	shown := b.eval(window)
	b.do(chromedp.Reload())
	b.until(`document.querySelector(".gate #token")?.matches(":focus")`)
	b.is(`location.hash`, link)
	b.click("#token")
	b.keys("secret\r")
	b.until(drawn)
	b.until(window + ` === "` + shown + `"`)
	b.is(`location.hash`, link)
}
