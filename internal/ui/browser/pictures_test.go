//go:build browser

package browser

import "testing"

// TestPictures takes the pictures of docs/ui.md.
func TestPictures(t *testing.T) {
	if *pictures == "" {
		t.Skip("make pictures takes them")
	}
	s := demo(t)
	b := open(t, s, s.address(""), 1280, 760)
	b.until(settled)
	b.shoot("ui-fleet")
	b.eval(`location.hash = "#/workload/shop/checkout?span=86400000"`)
	b.size(1280, 900)
	b.until(drawn)
	b.shoot("ui-workload")
	b.eval(`location.hash = document.querySelector(".changes a").hash`)
	b.until(`document.querySelector(".tree")`)
	b.size(1280, 700)
	b.shoot("ui-decision")
}
