//go:build browser

package browser

import (
	"regexp"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/tidemark/tidemark/internal/replay"
	"github.com/tidemark/tidemark/internal/replay/trace/generate"
	"github.com/tidemark/tidemark/internal/ui/replayed"
	"github.com/tidemark/tidemark/internal/ui/server"
	"github.com/tidemark/tidemark/scale"
)

// fourWeeks is a recorded demand of four weeks, decided on every 15 seconds, under policies
// of the engine and under one that gives no reasons.
var fourWeeks = sync.OnceValues(func() (*site, error) {
	demand, err := generate.Named("weekly", 1, generate.Options{Length: 28 * 24 * time.Hour})
	if err != nil {
		return nil, err
	}
	plant := replay.Ideal()
	plant.PriceCPU = scale.Parts / 20
	r, err := replay.New(demand, plant)
	if err != nil {
		return nil, err
	}
	var policies []replay.Policy
	for _, name := range []string{"hpa:60", "static:20"} {
		p, _, err := replay.Named(name)
		if err != nil {
			return nil, err
		}
		policies = append(policies, p)
	}
	f, err := replayed.New("weekly.csv", r, policies)
	if err != nil {
		return nil, err
	}
	return start("127.0.0.1:0", server.Options{Feed: f, Token: "secret"})
})

// all is the four weeks of a workload.
const all = "/workload/replay/hpa%3A60?span=2419200000"

// allDrawn is true once all of them are drawn.
const allDrawn = drawn + ` && document.querySelector("#window").textContent.includes("161,280 decisions")`

// TestReplay shows a recorded demand.
func TestReplay(t *testing.T) {
	t.Parallel()
	s := shared(t, fourWeeks)
	b := open(t, s, s.address(""), 1440, 900)
	b.until(`document.querySelectorAll("tbody tr[data-id]").length === 2`)
	b.is(names, "replay/hpa:60,replay/static:20")
	// It saves nothing, and the money of what it wasted is told.
	b.until(`document.querySelector("tbody tr:nth-child(3) td:last-child").textContent === "–" &&
		/^\d+ % \d+\.\d\d$/.test(document.querySelector("tbody tr:nth-child(3) td:nth-last-child(2)").textContent)`)
	b.eval(`location.hash = "#` + all + `"`)
	b.until(allDrawn)
	b.shoot("replay")
	b.eval(`location.hash = "#/workload/replay/static%3A20"`)
	b.until(`document.querySelector("h1").textContent === "replay/static:20" && document.querySelectorAll(".lane canvas").length >= 2`)
	b.expect("422")
	b.eval(`location.hash = "#/decision/replay/static%3A20/last"`)
	b.until(`document.querySelector('[role="alert"]:not(#problem)')`)
	b.is(`document.querySelector('[role="alert"]:not(#problem)').textContent`, "static:20 is no policy of the engine, so it gives no reasons")
}

// slower is how many times as slow as promised something may be here: other work goes on
// beside the tests. What a machine takes that does nothing else is in docs/ui.md.
const slower = 20

// within checks that the fastest of some tries took no longer than was promised.
func within(t *testing.T, what string, promised, took time.Duration) {
	t.Helper()
	if t.Logf("%s: %s, promised are %s", what, took, promised); took > slower*promised {
		t.Errorf("%s took %s, more than %d times the %s that are promised", what, took, slower, promised)
	}
}

// fastest is the least that an expression comes to in some tries, in milliseconds.
func fastest(b *tab, tries int, expression string) time.Duration {
	b.t.Helper()
	least := time.Hour
	for range tries {
		ms, err := strconv.ParseFloat(b.eval(expression), 64)
		if err != nil {
			b.t.Fatal(err)
		}
		least = min(least, time.Duration(ms*float64(time.Millisecond)))
	}
	return least.Round(time.Millisecond)
}

// redraw asks for what is shown again, and is how long it takes until it is drawn.
const redraw = `(async () => { const t = performance.now(), w = document.querySelector("#window"); w.textContent = "";
	document.querySelector('[data-key="0"]').click(); while (!w.textContent) await new Promise((r) => setTimeout(r, 1)); return performance.now() - t; })()`

// TestPromises measures what docs/ui.md promises. It is not parallel: nothing of these tests
// runs beside it.
func TestPromises(t *testing.T) {
	s := shared(t, fourWeeks)
	t.Run("the first paint", func(t *testing.T) {
		least := time.Hour
		for range 3 {
			b := open(t, s, s.address(""), 1440, 900)
			b.until(`performance.getEntriesByName("first-contentful-paint").length`)
			least = min(least, fastest(b, 1, `performance.getEntriesByName("first-contentful-paint")[0].startTime`))
		}
		within(t, "the first paint", 200*time.Millisecond, least)
	})
	t.Run("four weeks", func(t *testing.T) {
		b := open(t, s, s.address(all), 1440, 900)
		b.until(allDrawn)
		within(t, "four weeks at 15 s", 300*time.Millisecond, fastest(b, 5, redraw))
	})
	t.Run("an edit", func(t *testing.T) { edits(t, s) })
}

// edits: an edit is replayed over a week and over four, also while the best HPA is looked for.
func edits(t *testing.T, s *site) {
	b := open(t, s, s.address("/whatif/replay/hpa%3A60"), 1440, 900)
	b.until(status + `.includes("28 d after")`)
	b.is(`[...document.querySelectorAll('.results [role="group"] button')].map((e) => e.textContent).join()`, "The last 7 d,The last 28 d")
	// An HPA is there from the beginning, and the best one later.
	b.is(`/^edited,present,(best )?HPA, hpa:\d+$/.test(`+sheet+`)`, "true")
	week, weeks := time.Hour, time.Hour
	for i, target := range []string{"61", "62", "63"} {
		replace(b, "averageUtilization: 6"+strconv.Itoa(i), "averageUtilization: "+target)
		b.until(status + `.includes("28 d after")`)
		found := regexp.MustCompile(`7 d after ([\d.]+) s, 28 d after ([\d.]+) s`).FindStringSubmatch(b.eval(status))
		if found == nil {
			t.Fatal(b.eval(status))
		}
		t.Log(found[0])
		for n, least := range []*time.Duration{&week, &weeks} {
			took, err := time.ParseDuration(found[n+1] + "s")
			if err != nil {
				t.Fatal(err)
			}
			*least = min(*least, took)
		}
	}
	within(t, "a week after the last key", time.Second, week)
	within(t, "four weeks after the last key", 3*time.Second, weeks)
	b.click(`.results [role="group"] button:nth-child(2)`)
	b.until(sheet + `.startsWith("edited,present,best HPA, hpa:")`)
	b.shoot("replay-whatif")
}

// TestRedrawn: a page that is drawn again and again, also in other colors, holds no more.
func TestRedrawn(t *testing.T) {
	s := shared(t, fourWeeks)
	b := open(t, s, s.address(all), 1440, 900)
	b.until(allDrawn)
	some := func(times int) int {
		for range times {
			b.eval(`document.querySelector("#theme").click()`)
			b.eval(redraw)
		}
		return b.heap()
	}
	before := some(10)
	after := some(40)
	// A plot of four weeks that was kept would be some 100 KiB each time.
	if t.Logf("%d KiB after 10 drawings, %d KiB after 50", before>>10, after>>10); after > before+(2<<20) {
		t.Errorf("the page grew from %d to %d KiB", before>>10, after>>10)
	}
}
