//go:build chaos

package chaos

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/tidemark/tidemark/internal/controller/config"
	"github.com/tidemark/tidemark/internal/controller/decisions"
	"github.com/tidemark/tidemark/internal/controller/operator"
	"github.com/tidemark/tidemark/test/chaos/trail"
	"github.com/tidemark/tidemark/test/live"
)

// restartPause is how long a controller that ended is not started again.
const restartPause = time.Second

// controller is one of the two, through all its starts.
type controller struct {
	name   string
	folder string
	gate   *gate
	note   func(trail.Event)
	fail   func(error)

	mu      sync.Mutex
	process *live.Controller
	who     string
	starts  int
	// over is set when it is not to be started again.
	over    atomic.Bool
	tailing sync.WaitGroup
	running sync.WaitGroup
}

// startController starts a controller behind a gate of its own, and keeps it
// running.
func (c *campaign) startController(name string, webhookPort int) (*controller, error) {
	gate, err := newGate(c.cluster.Config, c.note)
	if err != nil {
		return nil, err
	}
	one := &controller{name: name, folder: filepath.Join(c.folder, name), gate: gate, note: c.note, fail: c.fail}
	if err := os.MkdirAll(one.folder, 0o700); err != nil {
		return nil, err
	}
	who, record := one.next()
	one.process, err = c.cluster.Start(one.folder, live.Options{
		Through: gate.asServer(), Binary: "tidemark-chaos", Environment: []string{operator.WrongBy + "=" + c.clockFile},
		Flags: []string{"--record", record},
		Change: func(s *config.Controller) {
			s.Admin.Prometheus = c.source.settings()
			s.Webhook.Enabled, s.Webhook.Host, s.Webhook.Port = true, "127.0.0.1", webhookPort
		},
	})
	if err != nil {
		return nil, err
	}
	one.begun(who, record)
	one.running.Go(one.keep)
	return one, nil
}

// next numbers a start.
func (c *controller) next() (who, record string) {
	c.starts++
	who = fmt.Sprintf("%s-%d", c.name, c.starts)
	c.gate.who.Store(who)
	return who, filepath.Join(c.folder, "decisions-"+who+".jsonl")
}

func (c *controller) begun(who, record string) {
	c.who = who
	c.note(trail.Event{Process: &trail.Process{Who: who, What: trail.Started}})
	process := c.process
	c.tailing.Go(func() { tail(record, process.Done(), func(line []byte) { c.decided(line, who) }) })
}

// keep starts the controller again whenever it has ended, as the kubelet does.
func (c *controller) keep() {
	for {
		<-c.process.Done()
		c.note(trail.Event{Process: &trail.Process{Who: c.who, What: trail.Ended}})
		if c.over.Load() {
			return
		}
		time.Sleep(restartPause)
		c.mu.Lock()
		who, record := c.next()
		process, err := c.process.Again("--record", record)
		if err != nil {
			c.mu.Unlock()
			panic(err) // a program that ran a moment ago
		}
		c.process = process
		c.begun(who, record)
		c.mu.Unlock()
	}
}

// signal does something to the process that runs now.
func (c *controller) signal(s syscall.Signal) {
	c.mu.Lock()
	defer c.mu.Unlock()
	_ = c.process.Signal(s) // one that has just ended needs none
	switch s {
	case syscall.SIGSTOP:
		c.note(trail.Event{Process: &trail.Process{Who: c.who, What: trail.Paused}})
	case syscall.SIGCONT:
		c.note(trail.Event{Process: &trail.Process{Who: c.who, What: trail.Resumed}})
	}
}

// stop ends the controller as Kubernetes does.
func (c *controller) stop() error {
	c.over.Store(true)
	c.mu.Lock()
	process := c.process
	c.mu.Unlock()
	err := process.Stop()
	c.running.Wait()
	c.tailing.Wait()
	return err
}

// current is who runs now.
func (c *controller) current() (string, *live.Controller) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.who, c.process
}

// tail reads the decisions that a controller writes down, until it has ended. A
// file that was begun anew is followed.
func tail(path string, done <-chan struct{}, decided func(line []byte)) {
	var file *os.File
	var lines *bufio.Reader
	defer func() { _ = file.Close() }()
	var partial []byte
	for last := false; ; {
		if file == nil {
			if file, _ = os.Open(path); file != nil {
				lines = bufio.NewReader(file)
			}
		}
		for file != nil {
			line, err := lines.ReadBytes('\n')
			partial = append(partial, line...)
			if err != nil {
				break
			}
			decided(partial)
			partial = nil
		}
		switch {
		case file != nil && replaced(file, path):
			_ = file.Close()
			file = nil
			continue
		case last:
			return
		}
		select {
		case <-done:
			last = true
		case <-time.After(50 * time.Millisecond):
		}
	}
}

// replaced tells whether a path leads to another file than it did, and the old
// one has been read.
func replaced(file *os.File, path string) bool {
	before, err := file.Stat()
	if err != nil {
		return false
	}
	now, err := os.Stat(path)
	if err != nil || os.SameFile(before, now) {
		return false
	}
	at, err := file.Seek(0, io.SeekCurrent)
	return err == nil && at >= before.Size()
}

func (c *controller) decided(line []byte, who string) {
	var entry decisions.Entry
	if err := json.Unmarshal(line, &entry); err != nil {
		c.fail(fmt.Errorf("a decision of %s cannot be read: %w", who, err))
		return
	}
	c.note(trail.Event{Decision: &trail.Decision{Who: who, Object: entry.Object, Document: entry.Document, Answer: entry.Answer}})
}

var errNoLeader = errors.New("nobody has the lease")

// leader is the controller that renewed the lease last; the other one stands by.
func (c *campaign) leader() (leads, other *controller) {
	a, b := c.controllers[0], c.controllers[1]
	if b.gate.renewed.Load() > a.gate.renewed.Load() {
		return b, a
	}
	return a, b
}

// led is an error unless somebody renewed the lease since a moment.
func (c *campaign) led(since time.Time) error {
	leads, _ := c.leader()
	if leads.gate.renewed.Load() < since.UnixNano() {
		return errNoLeader
	}
	return nil
}
