//go:build browser

package report

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

// browser is Chromium, driven over the pipe of its DevTools protocol: it needs
// no port and no library.
type browser struct {
	t       *testing.T
	to      *os.File
	session string

	mu      sync.Mutex
	next    int
	answers map[int]chan json.RawMessage
	// problems are errors on the console, exceptions, and requests to anything
	// but the file itself.
	problems []string
	loaded   chan struct{}
}

// patience bounds every wait: a browser on a busy machine is slow, never that
// slow.
const patience = 5 * time.Minute

// startBrowser starts Chromium with one empty page.
func startBrowser(t *testing.T) *browser {
	t.Helper()
	path, err := exec.LookPath("chromium")
	if err != nil {
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
	cmd := exec.Command(path, "--headless", "--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update",
		"--disable-sync", "--no-first-run", "--hide-scrollbars", "--remote-debugging-pipe", "--user-data-dir="+t.TempDir(), "about:blank")
	cmd.ExtraFiles = []*os.File{in, out}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	in.Close()
	out.Close()
	b := &browser{t: t, to: to, answers: map[int]chan json.RawMessage{}, loaded: make(chan struct{}, 10)}
	go b.listen(from)
	t.Cleanup(func() {
		b.call("Browser.close", nil)
		_ = cmd.Wait()
	})
	b.attach()
	return b
}

// attach opens a page and watches it.
func (b *browser) attach() {
	var target struct{ TargetID string }
	b.decode(b.call("Target.createTarget", map[string]any{"url": "about:blank"}), &target)
	var session struct{ SessionID string }
	b.decode(b.call("Target.attachToTarget", map[string]any{"targetId": target.TargetID, "flatten": true}), &session)
	b.session = session.SessionID
	for _, domain := range []string{"Page", "Runtime", "Log", "Network"} {
		b.call(domain+".enable", nil)
	}
}

func (b *browser) decode(raw json.RawMessage, into any) {
	b.t.Helper()
	if err := json.Unmarshal(raw, into); err != nil {
		b.t.Fatalf("%s: %v", raw, err)
	}
}

// call calls a method of the protocol and returns its result.
func (b *browser) call(method string, params any) json.RawMessage {
	b.t.Helper()
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
		b.t.Fatal(err)
	}
	if _, err := b.to.Write(append(text, 0)); err != nil {
		b.t.Fatalf("%s: %v", method, err)
	}
	select {
	case raw := <-answer:
		return raw
	case <-time.After(patience):
		b.t.Fatalf("%s: no answer", method)
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
func (b *browser) listen(from *os.File) {
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
func (b *browser) note(e event) {
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
		if json.Unmarshal(e.Params, &sent) == nil && !strings.HasPrefix(sent.Request.URL, "file://") && !strings.HasPrefix(sent.Request.URL, "data:") {
			b.problems = append(b.problems, "request to "+sent.Request.URL)
		}
	}
}

// open shows a file in a window of a size.
func (b *browser) open(path string, width, height int) {
	b.t.Helper()
	b.call("Emulation.setDeviceMetricsOverride", map[string]any{"width": width, "height": height, "deviceScaleFactor": 1, "mobile": false})
	b.call("Page.navigate", map[string]any{"url": "file://" + path})
	select {
	case <-b.loaded:
	case <-time.After(patience):
		b.t.Fatal("the page does not load")
	}
}

// eval evaluates an expression and returns what it prints as.
func (b *browser) eval(expression string) string {
	b.t.Helper()
	var out struct {
		Result           struct{ Value any }
		ExceptionDetails json.RawMessage
	}
	b.decode(b.call("Runtime.evaluate", map[string]any{"expression": expression, "returnByValue": true, "awaitPromise": true}), &out)
	if out.ExceptionDetails != nil {
		b.t.Fatalf("%s: %s", expression, out.ExceptionDetails)
	}
	return fmt.Sprint(out.Result.Value)
}

// middle is where the middle of an element is in the window.
func (b *browser) middle(selector string) (x, y float64) {
	b.t.Helper()
	var at [2]float64
	text := b.eval(fmt.Sprintf(`(() => { const e = document.querySelector(%q); e.scrollIntoView({block: "center"}); const r = e.getBoundingClientRect(); return JSON.stringify([r.x + r.width / 2, r.y + r.height / 2]); })()`, selector))
	b.decode(json.RawMessage(text), &at)
	return at[0], at[1]
}

func (b *browser) mouse(kind, selector string) {
	b.t.Helper()
	x, y := b.middle(selector)
	b.call("Input.dispatchMouseEvent", map[string]any{"type": kind, "x": x, "y": y, "button": "left", "clickCount": 1})
}

// drag presses at one share of an element's width and releases at another.
func (b *browser) drag(selector string, from, to float64) {
	b.t.Helper()
	at := b.across(selector)
	send := func(kind string, share float64, buttons int) {
		x, y := at(share)
		b.call("Input.dispatchMouseEvent", map[string]any{"type": kind, "x": x, "y": y, "button": "left", "buttons": buttons, "clickCount": 1})
	}
	send("mousePressed", from, 1)
	send("mouseMoved", (from+to)/2, 1)
	send("mouseMoved", to, 1)
	send("mouseReleased", to, 0)
	b.settle()
}

// fingers moves one or two fingers over an element, from some shares of its width
// to others.
func (b *browser) fingers(selector string, from, to []float64) {
	b.t.Helper()
	at := b.across(selector)
	touch := func(kind string, shares []float64) {
		points := []map[string]any{}
		for i, share := range shares {
			x, y := at(share)
			points = append(points, map[string]any{"x": x, "y": y, "id": i})
		}
		b.call("Input.dispatchTouchEvent", map[string]any{"type": kind, "touchPoints": points})
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
	b.settle()
}

// across is where a share of an element's width is, in its middle line.
func (b *browser) across(selector string) func(share float64) (x, y float64) {
	b.t.Helper()
	x, y := b.middle(selector)
	var width float64
	b.decode(json.RawMessage(b.eval(fmt.Sprintf(`document.querySelector(%q).getBoundingClientRect().width`, selector))), &width)
	return func(share float64) (float64, float64) { return x + (share-0.5)*width, y }
}

// settle waits until what was asked for is drawn.
func (b *browser) settle() {
	b.t.Helper()
	b.eval(`new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(""))))`)
}

func (b *browser) click(selector string) {
	b.t.Helper()
	b.mouse("mousePressed", selector)
	b.mouse("mouseReleased", selector)
}

func (b *browser) key(name string) {
	b.t.Helper()
	for _, kind := range []string{"keyDown", "keyUp"} {
		b.call("Input.dispatchKeyEvent", map[string]any{"type": kind, "key": name, "code": name,
			"windowsVirtualKeyCode": map[string]int{"Tab": 9, "ArrowRight": 39, "ArrowLeft": 37, "End": 35}[name]})
	}
}

// picture writes what is seen to a file.
func (b *browser) picture(path string) {
	b.t.Helper()
	var shot struct{ Data string }
	b.decode(b.call("Page.captureScreenshot", map[string]any{"format": "png", "captureBeyondViewport": true}), &shot)
	image, err := base64.StdEncoding.DecodeString(shot.Data)
	if err != nil {
		b.t.Fatal(err)
	}
	if err := os.WriteFile(path, image, 0o600); err != nil {
		b.t.Fatal(err)
	}
}
