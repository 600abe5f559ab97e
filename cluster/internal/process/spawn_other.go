//go:build unix && !linux

package process

import (
	"os"
	"os/exec"
	"syscall"
)

var self = func() string {
	path, err := os.Executable()
	if err != nil {
		return os.Args[0]
	}
	return path
}()

// start starts a command in a process group of its own. Without a death signal
// a parent that is killed hard leaves its children; `cluster down` ends them.
func start(cmd *exec.Cmd) error {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	return cmd.Start()
}

// Detach makes a command the leader of a session of its own: it goes on when
// the terminal and the caller are gone.
func Detach(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
}
