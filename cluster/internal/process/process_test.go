package process

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

func TestTail(t *testing.T) {
	tests := map[string]struct {
		content string
		want    string
	}{
		"the last lines of a longer log": {"one\ntwo\nthree\n", "two\nthree"},
		"a log shorter than asked for":   {"one\n", "one"},
		"a log that says nothing":        {"\n", "(the log is empty)"},
		"a log longer than is read":      {strings.Repeat("x\n", tailBytes) + "end\n", "x\nend"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "log")
			if err := os.WriteFile(path, []byte(test.content), 0o600); err != nil {
				t.Fatal(err)
			}
			if got := Tail(path, 2); got != test.want {
				t.Errorf("Tail: %q, want %q", got, test.want)
			}
		})
	}
}

func TestStopEndsAProcessThatDoesNotListen(t *testing.T) {
	log := filepath.Join(t.TempDir(), "log")
	cmd := exec.Command("/bin/sh", "-c", "trap '' TERM; echo deaf; exec sleep 60")
	p, err := Start(log, cmd)
	if err != nil {
		t.Fatal(err)
	}
	for Tail(log, 1) != "deaf" { // Until the trap is set.
		time.Sleep(10 * time.Millisecond)
	}
	p.Stop(10 * time.Millisecond)
	if err := syscall.Kill(-p.PID(), 0); err != syscall.ESRCH {
		t.Errorf("the process group after Stop: %v, want no such process", err)
	}
}
