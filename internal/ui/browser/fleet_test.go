//go:build browser

package browser

import "testing"

func TestFleet(t *testing.T) {
	s := demo(t)
	b := open(t, s, s.address(""), 1440, 900)
	b.until(`document.querySelectorAll("tbody tr[data-id]").length === 13 && document.querySelector("#about").textContent.includes("09:00")`)
	b.shoot("fleet-light")
	b.theme("dark")
	b.shoot("fleet-dark")
	b.size(360, 740)
	b.fits()
	b.shoot("fleet-360")
}
