//go:build browser

package browser

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
	"unicode"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
)

var pictures = flag.String("pictures", "", "folder to write pictures of the pages to")

// patience bounds every wait: a browser on a busy machine is slow, never that
// slow.
const patience = 3 * time.Minute

// tab is a page in Chromium.
type tab struct {
	t *testing.T
	context.Context
	host string

	mu sync.Mutex
	// problems are what a page should never do, but for what is expected of a test.
	problems, expected []string
}

// chromium starts the browser once for all tests.
var chromium = sync.OnceValues(func() (context.Context, error) {
	path, err := exec.LookPath("chromium")
	if err != nil {
		return nil, fmt.Errorf("chromium is needed: make test-browser installs it: %w", err)
	}
	flags := append([]chromedp.ExecAllocatorOption{}, chromedp.DefaultExecAllocatorOptions[:]...)
	flags = append(flags, chromedp.ExecPath(path), chromedp.NoSandbox, chromedp.Flag("disable-gpu", true), chromedp.Flag("hide-scrollbars", true),
		chromedp.Flag("disable-component-update", true), chromedp.WSURLReadTimeout(patience))
	root, _ := chromedp.NewExecAllocator(context.Background(), flags...)
	ctx, _ := chromedp.NewContext(root)
	return ctx, chromedp.Do(ctx)
})

func TestMain(m *testing.M) {
	flag.Parse()
	code := m.Run()
	if ctx, err := chromium(); err == nil {
		_ = chromedp.Cancel(ctx)
	}
	os.Exit(code)
}

// open opens a page of a server at a size.
func open(t *testing.T, s *site, address string, width, height int64) *tab {
	t.Helper()
	root, err := chromium()
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := chromedp.NewContext(root)
	t.Cleanup(cancel)
	b := &tab{t: t, Context: ctx, host: s.host}
	if err := chromedp.Do(ctx); err != nil {
		t.Fatal(err)
	}
	watch(b, runtime.ExceptionThrown, thrown)
	watch(b, runtime.ConsoleAPICalled, complaint)
	watch(b, log.EntryAdded, entry)
	watch(b, network.RequestWillBeSent, b.foreign)
	command(b, network.Enable, network.EnableParams{})
	command(b, log.Enable, cdp.Empty{})
	command(b, runtime.Enable, cdp.Empty{})
	// Tests run beside one another, and each is where the keys go.
	command(b, emulation.SetFocusEmulationEnabled, emulation.SetFocusEmulationEnabledParams{Enabled: true})
	b.size(width, height)
	b.do(chromedp.Navigate(address))
	t.Cleanup(b.wasQuiet)
	return b
}

// wasQuiet fails a test in which the page did what it should not.
func (b *tab) wasQuiet() {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, p := range b.problems {
		b.t.Errorf("the page had a problem: %s", p)
	}
}

// watch keeps what an event says, where that is a problem.
func watch[E any](b *tab, event cdp.Event[E], problem func(E) string) {
	events := chromedp.Events(b.Context, event)
	go func() {
		for e, err := range events {
			if err != nil {
				return
			}
			if text := problem(e); text != "" {
				b.note(text)
			}
		}
	}()
}

func (b *tab) note(problem string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, text := range b.expected {
		if strings.Contains(problem, text) {
			return
		}
	}
	b.problems = append(b.problems, problem)
}

// untilNoted waits for a problem to be noted.
func (b *tab) untilNoted(text string) {
	b.t.Helper()
	noted := func() bool {
		b.mu.Lock()
		defer b.mu.Unlock()
		return slices.ContainsFunc(b.problems, func(p string) bool { return strings.Contains(p, text) })
	}
	for deadline := time.Now().Add(patience); !noted(); time.Sleep(50 * time.Millisecond) {
		if time.Now().After(deadline) {
			b.t.Fatalf("nothing with %q was noted", text)
		}
	}
}

// thrown is an error that nobody caught.
func thrown(e runtime.EventExceptionThrown) string {
	if e.ExceptionDetails.Exception == nil {
		return e.ExceptionDetails.Text
	}
	return e.ExceptionDetails.Text + " " + e.ExceptionDetails.Exception.Description
}

// complaint is an error or a warning on the console.
func complaint(e runtime.EventConsoleAPICalled) string {
	if e.Type != runtime.ConsoleAPICalledTypeError && e.Type != runtime.ConsoleAPICalledTypeWarning {
		return ""
	}
	text, _ := json.Marshal(e.Args)
	return string(text)
}

// entry is what the browser itself complains about, such as what the policy of the
// page forbids.
func entry(e log.EventEntryAdded) string {
	if e.Entry.Level != log.EntryLevelError && e.Entry.Level != log.EntryLevelWarning {
		return ""
	}
	return e.Entry.Text + " " + e.Entry.URL
}

// foreign is a request to anyone else.
func (b *tab) foreign(e network.EventRequestWillBeSent) string {
	a := e.Request.URL
	if strings.HasPrefix(a, "http://"+b.host+"/") || strings.HasPrefix(a, "data:") || strings.HasPrefix(a, "blob:") {
		return ""
	}
	return "request to " + a
}

// expect says that a problem is the point of the test.
func (b *tab) expect(text string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.expected = append(b.expected, text)
}

// command calls the browser.
func command[P, R any](b *tab, c cdp.Command[P, R], params P) R {
	b.t.Helper()
	return run(b, func(ctx context.Context, t *chromedp.Target) (R, error) { return cdp.Call(ctx, t, c, params) })
}

// run does something and returns what came of it, or fails the test.
func run[T any](b *tab, action chromedp.Action[T]) T {
	b.t.Helper()
	ctx, cancel := context.WithTimeout(b.Context, patience)
	defer cancel()
	out, err := chromedp.Run(ctx, action)
	if err != nil {
		b.t.Fatal(err)
	}
	return out
}

func (b *tab) do(actions ...chromedp.Action[chromedp.Void]) {
	b.t.Helper()
	run(b, chromedp.Steps(actions...))
}

// eval is what an expression comes to, as text.
func (b *tab) eval(expression string) string {
	b.t.Helper()
	return run(b, chromedp.Evaluate[string](`(async () => String(await (`+expression+`)))()`, chromedp.EvalAwaitPromise))
}

// until waits for an expression to be true.
func (b *tab) until(expression string) {
	b.t.Helper()
	for deadline := time.Now().Add(patience); b.eval(`!!(`+expression+`)`) != "true"; time.Sleep(50 * time.Millisecond) {
		if time.Now().After(deadline) {
			b.t.Fatalf("%s never comes true: %s", expression, b.eval(`location.href.replace(/token=.*/, "") + "\n" + document.body.innerText.slice(0, 2000)`))
		}
	}
}

// is checks what an expression comes to.
func (b *tab) is(expression, want string) {
	b.t.Helper()
	if got := b.eval(expression); got != want {
		b.t.Errorf("%s is %q, want %q", expression, got, want)
	}
}

// middle is where the middle of an element is in the window.
func (b *tab) middle(selector string) (x, y float64) {
	b.t.Helper()
	var at struct{ X, Y float64 }
	text := b.eval(fmt.Sprintf(`(() => {
		const e = document.querySelector(%q);
		e.scrollIntoView({block: "center"});
		const r = e.getBoundingClientRect();
		return JSON.stringify({X: r.x + r.width / 2, Y: r.y + r.height / 2});
	})()`, selector))
	if err := json.Unmarshal([]byte(text), &at); err != nil {
		b.t.Fatalf("%s: %v", selector, err)
	}
	return at.X, at.Y
}

// click clicks an element as a mouse does. One that moves on meanwhile, because something
// above it has come, is missed, and clicked where it is then.
func (b *tab) click(selector string) {
	b.t.Helper()
	for deadline := time.Now().Add(patience); time.Now().Before(deadline); {
		b.eval(fmt.Sprintf(`(() => {
			window.hit = false;
			document.querySelector(%q).addEventListener("click", () => { window.hit = true; }, {once: true, capture: true});
		})()`, selector))
		x, y := b.middle(selector)
		b.do(chromedp.MouseClickXY(x, y))
		if b.eval(`new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(window.hit))))`) == "true" {
			return
		}
	}
	b.t.Fatalf("%s cannot be clicked", selector)
}

// keys presses keys, one after the other, as a keyboard does: what a page takes for
// itself is not typed as well.
func (b *tab) keys(keys string) {
	b.t.Helper()
	for _, r := range keys {
		// Codes of other signs are those of other keys.
		key, code := string(r), int64(0)
		switch {
		case r == '\r':
			key, code = "Enter", '\r'
		case unicode.IsLetter(r) || unicode.IsDigit(r):
			code = int64(unicode.ToUpper(r))
		}
		for _, kind := range []input.DispatchKeyEventType{input.DispatchKeyEventTypeKeyDown, input.DispatchKeyEventTypeKeyUp} {
			p := input.DispatchKeyEventParams{Type: kind, Key: key, WindowsVirtualKeyCode: code}
			if kind == input.DispatchKeyEventTypeKeyDown {
				p.Text = string(r)
			}
			command(b, input.DispatchKeyEvent, p)
		}
	}
}

// theme lets the system be light or dark.
func (b *tab) theme(name string) {
	b.t.Helper()
	command(b, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: name}}})
	b.until(`document.documentElement.dataset.theme === "` + name + `"`)
}

func (b *tab) size(width, height int64) {
	b.t.Helper()
	command(b, emulation.SetDeviceMetricsOverride, emulation.SetDeviceMetricsOverrideParams{Width: width, Height: height, DeviceScaleFactor: 1})
}

// shoot takes a picture, where pictures are wanted.
func (b *tab) shoot(name string) {
	b.t.Helper()
	if *pictures == "" {
		return
	}
	b.eval(`new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))`)
	image := command(b, page.CaptureScreenshot, page.CaptureScreenshotParams{}).Data
	if err := os.WriteFile(filepath.Join(*pictures, name+".png"), image, 0o644); err != nil {
		b.t.Fatal(err)
	}
}

// fits waits until nothing is wider than the window, but for what scrolls: what was drawn
// for another width is drawn again first.
func (b *tab) fits() {
	b.t.Helper()
	const wider = `[...document.querySelectorAll("body *")]
		.filter((e) => !e.closest(".scroll, pre, .skip, .hidden") && e.getBoundingClientRect().right > innerWidth + 1)
		.map((e) => e.tagName + "." + e.className).join()`
	for deadline := time.Now().Add(patience / 6); b.eval(wider) != ""; time.Sleep(50 * time.Millisecond) {
		if time.Now().After(deadline) {
			b.t.Errorf("wider than the window are %s", b.eval(wider))
			return
		}
	}
}
