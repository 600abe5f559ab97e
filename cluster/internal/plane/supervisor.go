package plane

import (
	"context"
	"fmt"
	"os/exec"
	"slices"
	"sync"
	"time"

	"github.com/tidemark/tidemark/cluster/internal/process"
)

const (
	// readyTimeout is how long a component may take to answer. A cold start of
	// the API server takes seconds; a busy machine gets much more.
	readyTimeout = 2 * time.Minute
	stopPatience = 10 * time.Second
	// restartPause keeps a component that cannot live from being started in a
	// tight loop.
	restartPause = 2 * time.Second
	tailLines    = 15
)

// unit is a component together with its process.
type unit struct {
	component
	log string

	mu     sync.Mutex
	proc   *process.Process
	wanted bool
	exit   error
}

// supervisor starts, watches and stops the components.
type supervisor struct {
	layout Layout
	prober prober
	flags  map[string][]string
	notice func(format string, args ...any)

	mu    sync.Mutex
	units []*unit
}

// start starts a component and returns as soon as its process exists.
func (s *supervisor) start(c component) (*unit, error) {
	c.args = append(c.args, s.flags[c.name]...)
	u := &unit{component: c, log: s.layout.Log(c.name)}
	if err := u.launch(); err != nil {
		return nil, err
	}
	s.mu.Lock()
	s.units = append(s.units, u)
	s.mu.Unlock()
	return u, nil
}

// launch starts the unit's process, unless it runs already.
func (u *unit) launch() error {
	u.mu.Lock()
	defer u.mu.Unlock()
	if u.wanted {
		return nil
	}
	proc, err := process.Start(u.log, u.command())
	if err != nil {
		return err
	}
	u.proc, u.wanted, u.exit = proc, true, nil
	return nil
}

// command is what to run. A component may have a binary of its own instead of
// a name in this one.
func (u *unit) command() *exec.Cmd {
	cmd := process.Command(u.name, u.args...)
	if u.binary != "" {
		cmd.Path = u.binary
	}
	return cmd
}

// halt stops the unit's process and keeps it stopped.
func (u *unit) halt() {
	u.mu.Lock()
	defer u.mu.Unlock()
	if !u.wanted {
		return
	}
	u.wanted, u.exit = false, nil
	u.proc.Stop(stopPatience)
}

// await waits until the unit answers. It fails at once when the process ends.
func (s *supervisor) await(ctx context.Context, u *unit) error {
	ctx, cancel := context.WithTimeout(ctx, readyTimeout)
	defer cancel()
	u.mu.Lock()
	proc := u.proc
	u.mu.Unlock()
	for {
		last := s.prober.ask(ctx, u.probe)
		if last == nil {
			return nil
		}
		select {
		case <-proc.Done():
			return u.failure("ended before it was ready: " + proc.Err().Error())
		case <-ctx.Done():
			return u.failure(fmt.Sprintf("was not ready in time; the last probe said: %v", last))
		case <-time.After(probeInterval):
		}
	}
}

func (u *unit) failure(what string) error {
	return fmt.Errorf("%s %s\nthe last lines of %s:\n%s", u.name, what, u.log, process.Tail(u.log, tailLines))
}

// keep restarts a unit that ends by itself, until the context ends.
func (s *supervisor) keep(ctx context.Context, u *unit) {
	for {
		u.mu.Lock()
		proc := u.proc
		u.mu.Unlock()
		select {
		case <-ctx.Done():
			return
		case <-proc.Done():
		}
		if u.noteExit(proc) {
			s.notice("%s ended by itself (%v) and is started again; see %s", u.name, proc.Err(), u.log)
		}
		select {
		case <-ctx.Done():
			return
		case <-time.After(restartPause):
		}
		u.relaunch()
	}
}

// noteExit records an end that nobody ordered, and tells whether it was one.
func (u *unit) noteExit(proc *process.Process) bool {
	u.mu.Lock()
	defer u.mu.Unlock()
	if !u.wanted || u.proc != proc {
		return false
	}
	u.exit = proc.Err()
	return true
}

// relaunch starts the process again if it ended by itself.
func (u *unit) relaunch() {
	u.mu.Lock()
	defer u.mu.Unlock()
	if !u.wanted || u.exit == nil {
		return
	}
	if proc, err := process.Start(u.log, u.command()); err == nil {
		u.proc, u.exit = proc, nil
	}
}

// find returns the unit of a component.
func (s *supervisor) find(name string) (*unit, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, u := range s.units {
		if u.name == name {
			return u, nil
		}
	}
	return nil, fmt.Errorf("this cluster has no component %q; `cluster status` lists them", name)
}

// stopAll stops everything, the last started first.
func (s *supervisor) stopAll() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, u := range slices.Backward(s.units) {
		u.halt()
	}
	s.units = nil
}

// status asks every component, all at the same time.
func (s *supervisor) status(ctx context.Context) []ComponentStatus {
	s.mu.Lock()
	units := append([]*unit(nil), s.units...)
	s.mu.Unlock()
	list := make([]ComponentStatus, len(units))
	var wait sync.WaitGroup
	for i, u := range units {
		wait.Go(func() { list[i] = s.inspect(ctx, u) })
	}
	wait.Wait()
	return list
}

func (s *supervisor) inspect(ctx context.Context, u *unit) ComponentStatus {
	u.mu.Lock()
	status := ComponentStatus{Name: u.name, URL: u.url, Log: u.log, State: Running}
	switch {
	case !u.wanted:
		status.State, status.Message = Stopped, "stopped by order; `cluster start "+u.name+"` starts it"
	case u.exit != nil:
		status.State, status.Message = Exited, "ended by itself: "+u.exit.Error()
	default:
		status.PID = u.proc.PID()
	}
	u.mu.Unlock()
	if status.State != Running {
		return status
	}
	if err := s.prober.ask(ctx, u.probe); err != nil {
		status.Message = err.Error()
		return status
	}
	status.Ready = true
	return status
}
