//go:build browser

package browser

import "testing"

// TestStrangeAddresses: an address that names nothing says so, and one that is broken in
// part shows the rest; none of them stops the pages.
func TestStrangeAddresses(t *testing.T) {
	t.Parallel()
	s := demo(t)
	b := open(t, s, s.address(""), 1280, 900)
	b.until(settled + ` && document.querySelectorAll("tbody tr[data-id]").length === 13`)
	for _, hash := range []string{"#/constructor", "#/toString/a/b", "#/__proto__", "#/%E0%A4%A", "#/nothing"} {
		t.Run(hash, func(t *testing.T) {
			b.eval(`location.hash = "` + hash + `"`)
			b.until(`document.querySelector("main .problem")?.textContent.startsWith("There is no such page.")`)
			b.eval(`location.hash = "#/"`)
			b.until(`document.querySelectorAll("tbody tr[data-id]").length === 13`)
		})
	}
	t.Run("a column that there is not", func(t *testing.T) {
		b.eval(`location.hash = "#/?sort=zzz&down=1"`)
		b.until(`document.querySelector("tbody th.name")?.textContent === "shop/web"`)
	})
}

// TestSkipLink: it goes to the content of the page that is shown.
func TestSkipLink(t *testing.T) {
	t.Parallel()
	s := demo(t)
	b := open(t, s, s.address("/workload/bank/fraud"), 1280, 900)
	b.until(settled + ` && ` + drawn)
	b.eval(`document.querySelector(".skip").focus()`)
	b.keys("\r")
	b.until(`document.activeElement.id === "main"`)
	b.is(`location.hash.split("?")[0]`, "#/workload/bank/fraud")
	b.until(drawn)
}
