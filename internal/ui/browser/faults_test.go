//go:build browser

package browser

import (
	"strings"
	"testing"
)

// TestFaultsAreFound gives what watches over the pages something to find: what
// their policy forbids, errors, requests to others, and what axe looks for.
func TestFaultsAreFound(t *testing.T) {
	t.Parallel()
	s := demo(t)
	b := open(t, s, s.address(""), 1024, 700)
	b.until(settled)
	b.eval(`(() => { const s = document.createElement("script"); s.textContent = "window.owned = true"; document.body.append(s); })()`)
	b.eval(`(() => { document.body.insertAdjacentHTML("beforeend", "<p style='color: red'>x</p>"); })()`)
	b.eval(`fetch("http://198.51.100.7/").catch(() => null)`)
	b.eval(`(() => { console.error("a fault"); setTimeout(() => { throw new Error("thrown"); }); })()`)
	b.is(`window.owned`, "undefined")
	for _, want := range []string{"script-src", "style-src", "connect-src", "a fault", "thrown"} {
		t.Run(want, func(t *testing.T) { b.untilNoted(want) })
	}
	b.eval(`(() => { document.querySelector("#main").append(document.createElement("button")); })()`)
	if got := b.violations(); !strings.Contains(got, "button-name") {
		t.Errorf("axe found %q", got)
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.problems = nil
}
