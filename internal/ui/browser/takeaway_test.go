//go:build browser

package browser

import (
	"encoding/csv"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/browser"

	"github.com/tidemark/tidemark/internal/ui/feed"
)

// TestCSV: what is saved is what is listed, in its order, and no cell of it is taken for
// a formula by a spreadsheet.
func TestCSV(t *testing.T) {
	t.Parallel()
	f := &many{}
	for _, r := range []feed.Row{
		{Key: feed.Key{Namespace: "a", Name: "calm"}, Mode: "Auto", Replicas: 2, Want: 2, Starved: -1},
		{Key: feed.Key{Namespace: "shop", Name: "web"}, Mode: "Auto", Replicas: 3, Want: 5, Reason: "AboveTarget", Limited: `a "rate", stated`, Starved: 4},
		{Key: feed.Key{Namespace: "shop", Name: "worker"}, Mode: "=cmd()", Replicas: 9, Want: 9, Reason: "-1"},
	} {
		r.Needs = []feed.Need{}
		f.rows = append(f.rows, r)
	}
	s := serve(t, f, "127.0.0.1:0", "secret")
	b := open(t, s, s.address("/?q=shop&sort=name&down=1"), 1280, 800)
	b.until(names + ` === "shop/worker,shop/web"`)
	folder := t.TempDir()
	command(b, browser.SetDownloadBehavior, browser.SetDownloadBehaviorParams{Behavior: browser.SetDownloadBehaviorBehaviorAllow, DownloadPath: folder})
	b.click(`.bar-of-tools button`)
	got := downloaded(t, filepath.Join(folder, "fleet.csv"))
	const head = "namespace,name,kind,mode,replicas,want,ready,min,max,size,wantSize,reason,limitedBy,changes,starved,waste,wasteMoney,saving,money"
	if first, _, _ := strings.Cut(got, "\n"); first != head {
		t.Errorf("it begins with %q", first)
	}
	rows, err := csv.NewReader(strings.NewReader(got)).ReadAll()
	if err != nil || len(rows) != 3 {
		t.Fatalf("%v: %q", err, got)
	}
	if worker := rows[1]; !slices.Equal(worker[:6], []string{"shop", "worker", "", "'=cmd()", "9", "9"}) || worker[11] != "-1" {
		t.Errorf("the first row is %q", worker)
	}
	if web := rows[2]; web[1] != "web" || web[5] != "5" || web[12] != `a "rate", stated` || web[14] != "4" {
		t.Errorf("the second row is %q", web)
	}
}

// downloaded waits for a file, which is there by this name when it is whole.
func downloaded(t *testing.T, path string) string {
	t.Helper()
	for deadline := time.Now().Add(patience); ; time.Sleep(50 * time.Millisecond) {
		if text, err := os.ReadFile(path); err == nil && len(text) > 0 {
			return string(text)
		}
		if time.Now().After(deadline) {
			t.Fatalf("%s never comes", path)
		}
	}
}

// TestCopies: each button puts what stands beside it on the clipboard, and says so.
func TestCopies(t *testing.T) {
	t.Parallel()
	s := demo(t)
	b := open(t, s, s.address("/decision/shop/checkout/last"), 1280, 900)
	for _, right := range []string{"clipboard-read", "clipboard-write"} {
		command(b, browser.SetPermission, browser.SetPermissionParams{
			Permission: &browser.PermissionDescriptor{Name: right}, Setting: browser.PermissionSettingGranted, Origin: "http://" + s.host,
		})
	}
	const pasted = `navigator.clipboard.readText()`
	b.until(`document.querySelectorAll('[aria-label="Take it away"] details').length === 3`)
	b.eval(`document.querySelectorAll("details").forEach((d) => { d.open = true; })`)
	for i, what := range []string{"Explanation", "Script", "Document"} {
		t.Run(what, func(t *testing.T) {
			place := `[aria-label="Take it away"] details:nth-of-type(` + string(rune('1'+i)) + `)`
			b.is(`document.querySelector('`+place+` summary').textContent`, what)
			b.click(place + ` button`)
			b.until(`document.querySelector('` + place + ` button').textContent === "Copied"`)
			b.is(`document.querySelector("#said").textContent`, what+" copied")
			b.is(`(await `+pasted+`) === document.querySelector('`+place+` pre').textContent`, "true")
		})
	}
	t.Run("the object", func(t *testing.T) {
		b.eval(`location.hash = "#/whatif/shop/checkout"`)
		b.until(`document.querySelector(".editor")?.editor`)
		b.click(`[aria-label="Object"] [role="toolbar"] button:nth-of-type(2)`)
		b.until(`document.querySelector("#said").textContent === "The object copied"`)
		b.is(`(await `+pasted+`) === `+edited, "true")
		b.click(`[aria-label="Object"] [role="toolbar"] button:nth-of-type(3)`)
		b.until(`document.querySelector("#said").textContent === "The object in mode Recommend copied"`)
		b.is(`(await `+pasted+`).includes("\n  mode: Recommend\n")`, "true")
	})
	t.Run("a conversion", func(t *testing.T) {
		b.eval(`location.hash = "#/migrate/ScaledObject/data/worker"`)
		b.until(`document.querySelectorAll("pre.manifest").length === 2`)
		b.click(`section[aria-label="Converted"] button`)
		b.until(`document.querySelector("#said").textContent === "The object copied"`)
		b.is(`(await `+pasted+`) === document.querySelector('section[aria-label="Converted"] pre').textContent`, "true")
	})
}
