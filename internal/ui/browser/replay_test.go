//go:build browser

package browser

import (
	"testing"
	"time"

	"github.com/tidemark/tidemark/internal/replay"
	"github.com/tidemark/tidemark/internal/replay/trace/generate"
	"github.com/tidemark/tidemark/internal/ui/replayed"
	"github.com/tidemark/tidemark/scale"
)

// TestReplay shows four weeks of a recorded demand, decided on every 15 seconds,
// under policies of the engine and under one that gives no reasons.
func TestReplay(t *testing.T) {
	demand, err := generate.Named("weekly", 1, generate.Options{Length: 28 * 24 * time.Hour})
	if err != nil {
		t.Fatal(err)
	}
	plant := replay.Ideal()
	plant.PriceCPU = scale.Parts / 20
	r, err := replay.New(demand, plant)
	if err != nil {
		t.Fatal(err)
	}
	var policies []replay.Policy
	for _, name := range []string{"hpa:60", "static:20"} {
		p, _, err := replay.Named(name)
		if err != nil {
			t.Fatal(err)
		}
		policies = append(policies, p)
	}
	f, err := replayed.New("weekly.csv", r, policies)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Stop()
	s := serve(t, f, "127.0.0.1:0", "secret")
	b := open(t, s, s.address(""), 1440, 900)
	b.until(`document.querySelectorAll("tbody tr[data-id]").length === 2`)
	b.is(names, "replay/hpa:60,replay/static:20")
	b.is(`document.querySelector("tbody tr:nth-child(3) td:last-child").textContent`, "0.00 a day")
	b.eval(`location.hash = "#/workload/replay/hpa%3A60?span=2419200000"`)
	b.until(drawn + ` && document.querySelector("#window").textContent.includes("161,280 decisions")`)
	b.shoot("replay")
	// All four weeks again: asked for, read and drawn.
	took := b.eval(`(async () => { const t = performance.now(), w = document.querySelector("#window"); w.textContent = "";
		document.querySelector('[data-key="0"]').click(); while (!w.textContent) await new Promise((r) => setTimeout(r, 1)); return Math.round(performance.now() - t); })()`)
	t.Logf("four weeks at 15 s are drawn in %s ms", took)
	b.eval(`location.hash = "#/whatif/replay/hpa%3A60"`)
	b.until(sheet + `.startsWith("edited,present,best HPA, hpa:")`)
	b.is(`[...document.querySelectorAll('.results [role="group"] button')].map((e) => e.textContent).join()`, "The last 7 d,The last 28 d")
	b.click(`.results [role="group"] button:nth-child(2)`)
	b.until(sheet + `.startsWith("edited,present,best HPA, hpa:")`)
	replace(b, "averageUtilization: 60", "averageUtilization: 70")
	b.until(status + `.includes("28 d after")`)
	t.Logf("an edit: %s", b.eval(status))
	b.shoot("replay-whatif")
	b.eval(`location.hash = "#/workload/replay/static%3A20"`)
	b.until(`document.querySelector("h1").textContent === "replay/static:20" && document.querySelectorAll(".lane canvas").length >= 2`)
	b.expect("422")
	b.eval(`location.hash = "#/decision/replay/static%3A20/last"`)
	b.until(`document.querySelector('[role="alert"]:not(#problem)')`)
	b.is(`document.querySelector('[role="alert"]:not(#problem)').textContent`, "static:20 is no policy of the engine, so it gives no reasons")
}
