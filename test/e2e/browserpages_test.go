//go:build e2e

package e2e

import (
	"fmt"
	"testing"

	"github.com/tidemark/tidemark/internal/checks/chromium"
)

// TestPagesInChromium goes from the fleet to a workload to its decision in a browser, on the
// real control plane while the controller runs, and sees a change arrive in the open page.
func TestPagesInChromium(t *testing.T) {
	share(t)
	p := newPlace(t)
	p.queue("20")
	p.workload("web", 2)
	p.autoscaler("web", `{replicas: {min: 1, max: 6}, metrics: [{type: External, external: {metric: {name: queue_length}, target: {averageValue: 10}}}]}`)
	found := pagesAddress.FindStringSubmatch(startPages(t, "--kubeconfig", world.Kubeconfig, "-n", p.name))
	if found == nil {
		t.Fatal("no address is printed")
	}
	b := chromium.Start(t)
	b.OpenPage(found[1], "/#token="+found[2], 1280, 900)
	comesTrue := func(expression string) {
		t.Helper()
		eventually(t, patience, func() error {
			if b.Eval("String(!!("+expression+"))") == "true" {
				return nil
			}
			return fmt.Errorf("%s is not true of %s", expression, b.Eval(`location.hash + " " + document.body.innerText.slice(0, 2000)`))
		})
	}
	// An expression that says what a selector shows.
	text := func(selector string) string {
		return fmt.Sprintf(`document.querySelector(%q)?.textContent ?? ""`, selector)
	}
	comesTrue(`(` + text("#link") + `) === "live" && (` + text("tbody a.reason") + `) === "WithinTolerance"`)
	b.Expect(text("tbody th.name"), p.name+"/web")
	b.Expect(`location.hash + document.cookie + localStorage.length`, "#/0")

	b.Click("tbody th.name a")
	comesTrue(`document.querySelectorAll(".lane canvas").length >= 3 && document.querySelectorAll(".pods .pod.serving").length === 2`)
	p.queue("80")
	comesTrue(`(` + text(".headline") + `).includes("6: AboveTarget, limited by MaxReplicas")`)
	comesTrue(`document.querySelectorAll(".pods .pod.serving").length === 6 && (` + text(".why .legend") + `).includes("AboveTarget")`)

	b.Click(".headline a")
	comesTrue(`document.querySelector(".tree") && document.querySelector(".sum")`)
	b.Expect(`[...document.querySelectorAll(".word")].map((e) => e.textContent).includes("MaxReplicas")`, "true")
	b.Expect(`document.querySelector('[aria-label="What would change this"]').textContent.includes("queue_length")`, "true")
	b.NoProblems()
}
