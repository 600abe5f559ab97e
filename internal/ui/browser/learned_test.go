//go:build browser

package browser

import (
	"strings"
	"testing"
)

// TestLearned looks at what was learned: of an hour of every day with targets that
// move, and of demand that may come.
func TestLearned(t *testing.T) {
	t.Parallel()
	s := demo(t)
	b := open(t, s, s.address("/workload/bank/fraud"), 1440, 1100)
	b.until(settled + ` && document.querySelector('#crumbs a[href^="#/learned/"]')`)
	b.click(`#crumbs a[href^="#/learned/"]`)
	b.until(`document.querySelector(".heat td.now")`)
	b.is(`document.title`, "Learned · bank/fraud · Tidemark")
	b.is(`document.querySelectorAll(".heat tbody tr").length + " " + document.querySelectorAll(".heat td.unknown").length`, "24 0")
	b.is(`document.querySelector(".heat td.now").parentElement.firstChild.textContent`, "09:00")
	b.is(`[...document.querySelectorAll(".uses .on")].map((e) => e.querySelector("code").textContent).join()`, "spec.learn,spec.learn.targets")
	if got := b.eval(`document.querySelector('[aria-label="The hours"] p').textContent`); got != "Learned: 24 of 24 slots are known. Hours are those of UTC. Each shows the most pods that were ready, and the bounds min..max that follow." {
		t.Errorf("it says %q", got)
	}
	b.until(`document.querySelector('[aria-label="Targets over time"] canvas')`)
	// The bounds of this hour are those of the decision.
	bounds := b.eval(`document.querySelector(".heat td.now small").textContent`)
	b.shoot("learned-targets")
	looks(b, "learned")
	b.eval(`location.hash = "#/decision/bank/fraud/last"`)
	b.until(`document.querySelector(".tree")`)
	least, most, _ := strings.Cut(bounds, "..")
	if got := b.eval(`document.querySelector("main").textContent`); !strings.Contains(got, "at least "+least+" (LearnedMin), at most "+most+" (LearnedMax)") {
		t.Errorf("the hour is %s, but the decision says %s", bounds, got)
	}
	t.Run("room for what may come", func(t *testing.T) {
		b.eval(`location.hash = "#/learned/shop/web"`)
		b.until(`document.querySelector('[aria-label="What was said and what came"] canvas')`)
		if got := b.eval(`document.querySelector('[aria-label="What was said and what came"] p').textContent`); !strings.Contains(got, "but for 2 of 100 cases") {
			t.Errorf("it says %q", got)
		}
		b.is(`document.querySelectorAll(".heat td.unknown").length`, "0")
		b.eval(`document.querySelectorAll("details").forEach((d) => { d.open = true; })`)
		b.shoot("learned")
		b.accessible()
	})
	t.Run("who is not there", func(t *testing.T) {
		b.expect("404")
		b.eval(`location.hash = "#/learned/shop/none"`)
		b.until(`document.querySelector('main [role="alert"]')`)
	})
}
