//go:build browser

package browser

import (
	"os"
	"sync"

	"github.com/chromedp/chromedp"
)

// axe finds what keeps people from using a page who cannot see it well, or have no
// mouse.
var axe = sync.OnceValues(func() ([]byte, error) { return os.ReadFile("../web/third_party/axe-core/axe.min.js") })

// accessible asks axe about the page as it is now.
func (b *tab) accessible() {
	b.t.Helper()
	if found := b.violations(); found != "" {
		b.t.Errorf("not everyone can use the page: %s", found)
	}
}

// violations are what axe finds. Its script is not part of the page: the browser
// runs it for us, beside the page's policy.
func (b *tab) violations() string {
	b.t.Helper()
	script, err := axe()
	if err != nil {
		b.t.Fatal(err)
	}
	run(b, chromedp.Evaluate[any](`if (!window.axe) {`+string(script)+`}; null`))
	return b.eval(`axe.run(document, {resultTypes: ["violations"]}).then((r) => r.violations.map((v) =>
		v.id + " " + v.nodes.slice(0, 3).map((n) => n.target.join(" ") + ": " + n.failureSummary).join("; ")).join("\n"))`)
}
