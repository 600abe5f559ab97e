package process

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"syscall"
	"time"
)

// Process is a running child.
type Process struct {
	cmd  *exec.Cmd
	done chan struct{}
	err  error
}

// Command prepares this very program under another name.
func Command(name string, args ...string) *exec.Cmd {
	return &exec.Cmd{Path: self, Args: append([]string{name}, args...)}
}

// Start starts a command with its output appended to a log file.
func Start(logFile string, cmd *exec.Cmd) (*Process, error) {
	out, err := os.OpenFile(logFile, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return nil, fmt.Errorf("opening the log of %s: %w", cmd.Args[0], err)
	}
	defer out.Close()
	p := &Process{cmd: cmd, done: make(chan struct{})}
	p.cmd.Stdout, p.cmd.Stderr = out, out
	if err := start(p.cmd); err != nil {
		return nil, fmt.Errorf("starting %s: %w", cmd.Args[0], err)
	}
	go func() {
		p.err = p.cmd.Wait()
		close(p.done)
	}()
	return p, nil
}

// PID is the process's number.
func (p *Process) PID() int { return p.cmd.Process.Pid }

// Done is closed when the process has ended.
func (p *Process) Done() <-chan struct{} { return p.done }

// Err tells how the process ended. It must only be called after Done.
func (p *Process) Err() error {
	if p.err == nil {
		return errors.New("exit status 0")
	}
	return p.err
}

// Stop asks the process to end and, when the patience is over, kills its whole
// group. It returns when the process is gone.
func (p *Process) Stop(patience time.Duration) {
	_ = p.cmd.Process.Signal(syscall.SIGTERM) // An error means that it has ended already.
	select {
	case <-p.done:
	case <-time.After(patience):
	}
	_ = syscall.Kill(-p.PID(), syscall.SIGKILL) // The group may be empty by now.
	<-p.done
}
