package process

import (
	"fmt"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// TestDetachedProgramsKeepNoFiles of their caller: one that holds a lock would
// hold it for as long as the cluster runs.
func TestDetachedProgramsKeepNoFiles(t *testing.T) {
	path := filepath.Join(t.TempDir(), "lock")
	held, err := syscall.Open(path, syscall.O_CREAT|syscall.O_RDWR, 0o600) // Without O_CLOEXEC, as a shell hands it on.
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = syscall.Close(held) }()
	cmd := exec.Command("/bin/sh", "-c", "ls -l /proc/self/fd")
	Detach(cmd)
	text, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(string(text), fmt.Sprint("-> ", path)) {
		t.Errorf("the program has the caller's file:\n%s", text)
	}
}
