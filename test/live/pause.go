package live

import "syscall"

// Pause lets the controller stand still, as a machine that is suspended does, or a
// process that is out of time.
func (p *Controller) Pause() error { return p.cmd.Process.Signal(syscall.SIGSTOP) }

// Resume lets it go on.
func (p *Controller) Resume() error { return p.cmd.Process.Signal(syscall.SIGCONT) }
