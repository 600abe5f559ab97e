//go:build browser

package browser

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"

	"github.com/tidemark/tidemark/internal/ui/feed"
	"github.com/tidemark/tidemark/internal/ui/server"
)

// changer notes what is changed, and refuses the mode Off.
type changer struct {
	mu   sync.Mutex
	done []string
}

func (c *changer) Object(context.Context, string, feed.Key) (server.Object, error) {
	return server.Object{Spec: "mode: Auto\nreplicas:\n  max: 9\n", Version: "4", Mode: "Auto"}, nil
}

func (c *changer) Change(_ context.Context, _ string, k feed.Key, change server.Change) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if change.Mode == "Off" {
		return server.Refusal{Code: http.StatusForbidden, Words: "you cannot patch it"}
	}
	c.done = append(c.done, fmt.Sprintf("%s %s %s%s%s %s", k.Name, change.Action, change.Pause, change.Mode, change.Spec, change.Version))
	return nil
}

// last waits until so many changes were made, and returns the last.
func (c *changer) last(b *tab, many int) string {
	b.t.Helper()
	b.until(`document.querySelector('[aria-label="Change"] span').textContent.startsWith("Done")`)
	b.eval(`document.querySelector('[aria-label="Change"] > span').replaceChildren()`)
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.done) != many {
		b.t.Fatalf("changed %q, want %d", c.done, many)
	}
	return c.done[many-1]
}

// TestChanges: an object is paused, gets another mode and another spec, each only
// after it was confirmed; what is refused is told.
func TestChanges(t *testing.T) {
	t.Parallel()
	by := &changer{}
	s := serveTo(t, "127.0.0.1:0", server.Options{Feed: cluster(t), Token: "secret", Changer: by})
	b := open(t, s, s.address("/workload/shop/web"), 1280, 900)
	b.until(`document.querySelectorAll('[aria-label="Change"] button').length === 3`)
	button := func(n int) {
		b.click(fmt.Sprintf(`[aria-label="Change"] button:nth-of-type(%d)`, n))
		b.until(`document.querySelector("dialog[open]")`)
	}
	t.Run("not confirmed", func(t *testing.T) {
		button(1)
		b.accessible()
		b.click(`dialog button:not(.confirm)`)
		b.until(`!document.querySelector("dialog")`)
		if len(by.done) != 0 {
			t.Errorf("%v", by.done)
		}
	})
	t.Run("pause", func(t *testing.T) {
		button(1)
		b.eval(`document.querySelector("#pause-count").value = "4"`)
		b.eval(`document.querySelector("#pause-until").value = "2026-01-05T10:00"`)
		b.click(`dialog .confirm`)
		if got := by.last(b, 1); got != "web pause 4 until=2026-01-05T10:00:00Z 4" {
			t.Error(got)
		}
	})
	t.Run("mode", func(t *testing.T) {
		button(2)
		b.eval(`document.querySelector("#mode-choice").value = "Recommend"`)
		b.click(`dialog .confirm`)
		if got := by.last(b, 2); got != "web mode Recommend 4" {
			t.Error(got)
		}
	})
	t.Run("spec", func(t *testing.T) {
		button(3)
		b.accessible()
		b.eval(`document.querySelector(".spec").value = document.querySelector(".spec").value.replace("9", "12")`)
		b.click(`dialog .confirm`)
		b.until(`document.querySelector("dialog pre")`)
		b.is(`document.querySelector("dialog pre").textContent`, "-   max: 9\n+   max: 12")
		b.shoot("change")
		b.click(`dialog .confirm`)
		if got := by.last(b, 3); !strings.Contains(got, "max: 12") {
			t.Error(got)
		}
	})
	t.Run("refused", func(t *testing.T) {
		b.expect("403")
		button(2)
		b.eval(`document.querySelector("#mode-choice").value = "Off"`)
		b.click(`dialog .confirm`)
		b.until(`document.querySelector('[aria-label="Change"] .problem')`)
		b.is(`document.querySelector('[aria-label="Change"] .problem').textContent`, "you cannot patch it")
	})
	t.Run("on a phone", func(t *testing.T) {
		b.size(360, 740)
		button(1)
		b.fits()
	})
}

// TestReadOnlyPage: a page that changes nothing offers no change.
func TestReadOnlyPage(t *testing.T) {
	t.Parallel()
	s := serve(t, cluster(t), "127.0.0.1:0", "secret")
	b := open(t, s, s.address("/workload/shop/web"), 1280, 900)
	b.until(`document.querySelectorAll(".lane").length > 2`)
	b.is(`document.querySelectorAll('[aria-label="Change"]').length`, "0")
}
