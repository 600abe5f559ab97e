//go:build browser

package browser

import "testing"

// TestPictures takes the pictures of docs/ui.md.
func TestPictures(t *testing.T) {
	if *pictures == "" {
		t.Skip("make pictures takes them")
	}
	s := demo(t)
	b := open(t, s, s.address(""), 1360, 760)
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
	b.eval(`location.hash = "#/learned/shop/web"`)
	b.size(1360, 900)
	b.until(`document.querySelector('[aria-label="What was said and what came"] canvas')`)
	b.shoot("ui-learned")
	b.eval(`location.hash = "#/migrate/ScaledObject/data/worker"`)
	b.size(1280, 860)
	b.until(`document.querySelector("tr.lost")`)
	b.shoot("ui-migrate")
}

// TestPicturesOfWhatIf takes those that need replays.
func TestPicturesOfWhatIf(t *testing.T) {
	if *pictures == "" {
		t.Skip("make pictures takes them")
	}
	s := demo(t)
	b := open(t, s, s.address(""), 1280, 960)
	b.until(settled)
	b.eval(`location.hash = "#/whatif/shop/checkout"`)
	b.size(1280, 960)
	b.until(sheet + `.startsWith("edited,present,best HPA, hpa:")`)
	replace(b, "averageUtilization: 60", "averageUtilization: 75")
	b.until(`document.querySelector('[aria-label="Where they differ"] tbody tr') && ` + status + `.includes("7 d 9 h after")`)
	b.shoot("ui-whatif")
	b.click(`[aria-label="Tune"] button`)
	b.until(`document.querySelector('[aria-label="Policies"] tbody tr')`)
	b.size(1280, 760)
	b.eval(`document.querySelector('[aria-label="Tune"]').scrollIntoView()`)
	b.shoot("ui-tune")
}
