package process

import (
	"math"
	"os/exec"
	"runtime"
	"sync"
	"syscall"

	"golang.org/x/sys/unix"
)

// self is the running program, even when its file was replaced since.
const self = "/proc/self/exe"

// The kernel sends the death signal when the thread that started a child ends,
// not when the process does. So one thread that never ends starts them all.
var spawner = sync.OnceValue(func() chan<- func() {
	work := make(chan func())
	go func() {
		runtime.LockOSThread()
		for start := range work {
			start()
		}
	}()
	return work
})

// start starts a command in a process group of its own, so that Ctrl-C in a
// terminal reaches only the parent, and binds its life to the parent's.
func start(cmd *exec.Cmd) error {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
	done := make(chan error)
	spawner() <- func() { done <- cmd.Start() }
	return <-done
}

// Detach makes a command the leader of a session of its own: it goes on when
// the terminal and the caller are gone. It keeps none of the caller's files but
// its standard ones: a lock that somebody holds around the caller must end with
// the caller.
func Detach(cmd *exec.Cmd) {
	_ = unix.CloseRange(3, math.MaxUint32, unix.CLOSE_RANGE_CLOEXEC) // An older kernel goes on as before.
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
}
