//go:build browser || e2e

package chromium

import (
	"bufio"
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"
	"time"
)

// Browser is Chromium, driven over the pipe of its DevTools protocol: it needs
// no port and no library.
type Browser struct {
	T       *testing.T
	to      *os.File
	session string

	mu      sync.Mutex
	next    int
	answers map[int]chan json.RawMessage
	// problems are errors on the console, exceptions, and requests to anything
	// but the file itself or its server.
	problems []string
	server   string
	loaded   chan struct{}
}

// patience bounds every wait: a browser on a busy machine is slow, never that
// slow.
const patience = 5 * time.Minute

// Start starts Chromium with one empty page.
func Start(t *testing.T) *Browser {
	t.Helper()
	if _, err := exec.LookPath("chromium"); err != nil {
		t.Fatal("chromium is needed: make test-browser installs it")
	}
	in, to, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	from, out, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("chromium", "--headless", "--no-sandbox", "--disable-gpu", "--disable-background-networking", //nolint:gosec // G204: a folder of the test.
		"--disable-component-update",
		"--disable-sync", "--no-first-run", "--hide-scrollbars", "--remote-debugging-pipe", "--user-data-dir="+t.TempDir(), "about:blank")
	cmd.ExtraFiles = []*os.File{in, out}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	in.Close()
	out.Close()
	b := &Browser{T: t, to: to, answers: map[int]chan json.RawMessage{}, loaded: make(chan struct{}, 10)}
	go b.listen(from)
	t.Cleanup(func() {
		b.Call("Browser.close", nil)
		_ = cmd.Wait()
	})
	b.attach()
	return b
}

// attach opens a page and watches it.
func (b *Browser) attach() {
	var target struct{ TargetID string }
	b.Decode(b.Call("Target.createTarget", map[string]any{"url": "about:blank"}), &target)
	var session struct{ SessionID string }
	b.Decode(b.Call("Target.attachToTarget", map[string]any{"targetId": target.TargetID, "flatten": true}), &session)
	b.session = session.SessionID
	for _, domain := range []string{"Page", "Runtime", "Log", "Network"} {
		b.Call(domain+".enable", nil)
	}
}

// Decode reads a result of the protocol.
func (b *Browser) Decode(raw json.RawMessage, into any) {
	b.T.Helper()
	if err := json.Unmarshal(raw, into); err != nil {
		b.T.Fatalf("%s: %v", raw, err)
	}
}

// Call calls a method of the protocol and returns its result.
func (b *Browser) Call(method string, params any) json.RawMessage {
	b.T.Helper()
	b.mu.Lock()
	b.next++
	id, answer := b.next, make(chan json.RawMessage, 1)
	b.answers[id] = answer
	b.mu.Unlock()
	message := map[string]any{"id": id, "method": method}
	if params != nil {
		message["params"] = params
	}
	if b.session != "" && method != "Browser.close" {
		message["sessionId"] = b.session
	}
	text, err := json.Marshal(message)
	if err != nil {
		b.T.Fatal(err)
	}
	if _, err := b.to.Write(append(text, 0)); err != nil {
		b.T.Fatalf("%s: %v", method, err)
	}
	select {
	case raw := <-answer:
		return raw
	case <-time.After(patience):
		b.T.Fatalf("%s: no answer", method)
	}
	return nil
}

type event struct {
	ID     int
	Method string
	Params json.RawMessage
	Result json.RawMessage
	Error  json.RawMessage
}

// listen reads what Chromium says, messages that end with a zero byte.
func (b *Browser) listen(from *os.File) {
	in := bufio.NewReader(from)
	for {
		text, err := in.ReadBytes(0)
		if err != nil {
			return
		}
		var e event
		if json.Unmarshal(bytes.TrimRight(text, "\x00"), &e) != nil {
			continue
		}
		b.mu.Lock()
		if answer := b.answers[e.ID]; answer != nil {
			if e.Error != nil {
				b.problems = append(b.problems, string(e.Error))
			}
			answer <- e.Result
			delete(b.answers, e.ID)
		}
		b.note(e)
		b.mu.Unlock()
	}
}

// note keeps what a page should never do.
func (b *Browser) note(e event) {
	params := string(e.Params)
	switch {
	case e.Method == "Page.loadEventFired":
		b.loaded <- struct{}{}
	case e.Method == "Runtime.exceptionThrown", e.Method == "Page.javascriptDialogOpening":
		b.problems = append(b.problems, params)
	case e.Method == "Runtime.consoleAPICalled" && strings.Contains(params, `"type":"error"`):
		b.problems = append(b.problems, params)
	case e.Method == "Log.entryAdded" && strings.Contains(params, `"level":"error"`):
		b.problems = append(b.problems, params)
	case e.Method == "Network.requestWillBeSent":
		var sent struct{ Request struct{ URL string } }
		own := func(prefix string) bool { return prefix != "" && strings.HasPrefix(sent.Request.URL, prefix) }
		if json.Unmarshal(e.Params, &sent) == nil && !own("file://") && !own("data:") && !own(b.server) {
			b.problems = append(b.problems, "request to "+sent.Request.URL)
		}
	}
}

// Open shows a file in a window of a size.
func (b *Browser) Open(path string, width, height int) {
	b.T.Helper()
	b.show("file://"+path, width, height)
}

// OpenPage shows a page of a server, such as http://127.0.0.1:8089, which may ask that
// server for more.
func (b *Browser) OpenPage(server, page string, width, height int) {
	b.T.Helper()
	b.mu.Lock()
	b.server = server + "/"
	b.mu.Unlock()
	b.show(server+page, width, height)
}

func (b *Browser) show(address string, width, height int) {
	b.T.Helper()
	b.Call("Emulation.setDeviceMetricsOverride", map[string]any{"width": width, "height": height, "deviceScaleFactor": 1, "mobile": false})
	b.Call("Page.navigate", map[string]any{"url": address})
	select {
	case <-b.loaded:
	case <-time.After(patience):
		b.T.Fatal("the page does not load")
	}
}

// Eval evaluates an expression and returns what it prints as.
func (b *Browser) Eval(expression string) string {
	b.T.Helper()
	var out struct {
		Result           struct{ Value any }
		ExceptionDetails json.RawMessage
	}
	b.Decode(b.Call("Runtime.evaluate", map[string]any{"expression": expression, "returnByValue": true, "awaitPromise": true}), &out)
	if out.ExceptionDetails != nil {
		b.T.Fatalf("%s: %s", expression, out.ExceptionDetails)
	}
	return fmt.Sprint(out.Result.Value)
}

// middle is where the middle of an element is in the window.
func (b *Browser) middle(selector string) (x, y float64) {
	b.T.Helper()
	var at [2]float64
	text := b.Eval(fmt.Sprintf(`(() => { const e = document.querySelector(%q); e.scrollIntoView({block: "center"}); const r = e.getBoundingClientRect(); return JSON.stringify([r.x + r.width / 2, r.y + r.height / 2]); })()`, selector))
	b.Decode(json.RawMessage(text), &at)
	return at[0], at[1]
}

// Mouse does something with the mouse in the middle of an element.
func (b *Browser) Mouse(kind, selector string) {
	b.T.Helper()
	x, y := b.middle(selector)
	b.Call("Input.dispatchMouseEvent", map[string]any{"type": kind, "x": x, "y": y, "button": "left", "clickCount": 1})
}

// Drag presses at one share of an element's width and releases at another.
func (b *Browser) Drag(selector string, from, to float64) {
	b.T.Helper()
	at := b.across(selector)
	send := func(kind string, share float64, buttons int) {
		x, y := at(share)
		b.Call("Input.dispatchMouseEvent", map[string]any{"type": kind, "x": x, "y": y, "button": "left", "buttons": buttons, "clickCount": 1})
	}
	send("mousePressed", from, 1)
	send("mouseMoved", (from+to)/2, 1)
	send("mouseMoved", to, 1)
	send("mouseReleased", to, 0)
	b.Settle()
}

// Fingers moves one or two fingers over an element, from some shares of its width
// to others.
func (b *Browser) Fingers(selector string, from, to []float64) {
	b.T.Helper()
	at := b.across(selector)
	touch := func(kind string, shares []float64) {
		points := []map[string]any{}
		for i, share := range shares {
			x, y := at(share)
			points = append(points, map[string]any{"x": x, "y": y, "id": i})
		}
		b.Call("Input.dispatchTouchEvent", map[string]any{"type": kind, "touchPoints": points})
	}
	touch("touchStart", from)
	const steps = 5
	for step := 1; step <= steps; step++ {
		now := make([]float64, len(from))
		for i := range from {
			now[i] = from[i] + (to[i]-from[i])*float64(step)/steps
		}
		touch("touchMove", now)
	}
	touch("touchEnd", nil)
	b.Settle()
}

// across is where a share of an element's width is, in its middle line.
func (b *Browser) across(selector string) func(share float64) (x, y float64) {
	b.T.Helper()
	x, y := b.middle(selector)
	var width float64
	b.Decode(json.RawMessage(b.Eval(fmt.Sprintf(`document.querySelector(%q).getBoundingClientRect().width`, selector))), &width)
	return func(share float64) (float64, float64) { return x + (share-0.5)*width, y }
}

// Settle waits until what was asked for is drawn.
func (b *Browser) Settle() {
	b.T.Helper()
	b.Eval(`new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(""))))`)
}

// Click presses and releases the mouse in the middle of an element.
func (b *Browser) Click(selector string) {
	b.T.Helper()
	b.Mouse("mousePressed", selector)
	b.Mouse("mouseReleased", selector)
}

// Key presses and releases a key.
func (b *Browser) Key(name string) {
	b.T.Helper()
	for _, kind := range []string{"keyDown", "keyUp"} {
		b.Call("Input.dispatchKeyEvent", map[string]any{"type": kind, "key": name, "code": name,
			"windowsVirtualKeyCode": map[string]int{"Tab": 9, "ArrowRight": 39, "ArrowLeft": 37, "End": 35}[name]})
	}
}

// Picture writes what is seen to a file.
func (b *Browser) Picture(path string) {
	b.T.Helper()
	var shot struct{ Data string }
	b.Decode(b.Call("Page.captureScreenshot", map[string]any{"format": "png", "captureBeyondViewport": true}), &shot)
	image, err := base64.StdEncoding.DecodeString(shot.Data)
	if err != nil {
		b.T.Fatal(err)
	}
	if err := os.WriteFile(path, image, 0o600); err != nil {
		b.T.Fatal(err)
	}
}

// Expect evaluates an expression that must print as something.
func (b *Browser) Expect(expression, want string) {
	b.T.Helper()
	if got := b.Eval(expression); got != want {
		b.T.Errorf("%s is %q, want %q", expression, got, want)
	}
}

// NoProblems fails where a page did what none should.
func (b *Browser) NoProblems() {
	b.T.Helper()
	b.mu.Lock()
	defer b.mu.Unlock()
	if len(b.problems) > 0 {
		b.T.Errorf("the page had problems:\n%s", strings.Join(b.problems, "\n"))
	}
}

// Dark says whether the system wants pages to be dark.
func (b *Browser) Dark(dark bool) {
	b.T.Helper()
	b.Call("Emulation.setEmulatedMedia", map[string]any{"features": []map[string]string{
		{"name": "prefers-color-scheme", "value": map[bool]string{true: "dark", false: "light"}[dark]},
	}})
}
