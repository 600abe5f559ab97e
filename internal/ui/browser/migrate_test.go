//go:build browser

package browser

import (
	"strings"
	"testing"
)

// TestMigrate walks through the objects of other autoscalers.
func TestMigrate(t *testing.T) {
	t.Parallel()
	s := demo(t)
	b := open(t, s, s.address(""), 1440, 1000)
	b.until(settled)
	b.click(`#crumbs a[href="#/migrate"]`)
	const rows = `[...document.querySelectorAll('[aria-label="Objects"] tbody th')].map((e) => e.textContent).join()`
	b.until(rows + ` === "shop/web,shop/web,shop/checkout,data/worker,data/cache,bank/billing"`)
	b.is(`document.title`, "Migrate · Tidemark")
	b.shoot("migrate-list")
	b.accessible()
	t.Run("filters and search", func(t *testing.T) {
		b.click(`.counters button`)
		b.is(rows, "shop/checkout")
		b.is(`location.hash`, "#/migrate?only=with+errors")
		b.click(`.counters button`)
		b.keys("/")
		b.keys("scaledobject")
		b.is(rows, "data/worker")
		b.eval(`(() => { const e = document.querySelector("#search"); e.value = ""; e.dispatchEvent(new Event("input")); e.blur(); })()`)
	})
	looks(b, "migrate-list")
	t.Run("side by side", func(t *testing.T) {
		b.click(`[aria-label="Objects"] tbody a`)
		b.until(`document.querySelectorAll("pre.manifest").length === 2`)
		b.is(`document.title`, "Migrate · web · Tidemark")
		texts := b.eval(`[...document.querySelectorAll("pre.manifest")].map((e) => e.textContent).join("=====")`)
		before, after, _ := strings.Cut(texts, "=====")
		if !strings.Contains(before, "kind: HorizontalPodAutoscaler") || !strings.Contains(after, "kind: WorkloadAutoscaler") || !strings.Contains(after, "max: 20") {
			t.Errorf("%s", texts)
		}
		if got := b.eval(`document.querySelector(".verdict").parentElement.textContent`); !strings.HasPrefix(got, "Equal equal: all ") {
			t.Errorf("the verdict is %q", got)
		}
		b.is(`document.querySelectorAll("tr.differs").length`, "0")
		b.until(`document.querySelector("main").textContent.includes("It becomes one object with VerticalPodAutoscaler shop/web.")`)
	})
	t.Run("what is lost", func(t *testing.T) {
		b.eval(`location.hash = "#/migrate/ScaledObject/data/worker"`)
		b.until(`document.querySelector("tr.lost")`)
		b.shoot("migrate")
		b.accessible()
	})
	looks(b, "migrate")
	t.Run("who is not there", func(t *testing.T) {
		b.expect("404")
		b.eval(`location.hash = "#/migrate/ScaledObject/data/none"`)
		b.until(`document.querySelector('main [role="alert"]')`)
	})
}
