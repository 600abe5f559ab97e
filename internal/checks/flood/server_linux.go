package flood

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
)

// asServer is the variable that makes a test binary a server. It has the
// arguments, one a line.
const asServer = "TIDEMARK_TEST_FLOOD"

// worst is how much memory a server may take before it ends itself. It is far
// more than any test allows: where the bounds do not hold, the server ends, and
// not the machine.
const worst = 1 << 30

// Serve runs a server and ends the process, where it was started by Start. It is
// called at the beginning of TestMain.
func Serve(run func(args []string) error) {
	args := os.Getenv(asServer)
	if args == "" {
		return
	}
	err := syscall.Setrlimit(syscall.RLIMIT_DATA, &syscall.Rlimit{Cur: worst, Max: worst})
	if err == nil {
		err = run(strings.Split(args, "\n"))
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	os.Exit(0)
}

// Server is a server in a process of its own.
type Server struct {
	// Said is the line on standard error that says where it serves, as JSON.
	Said []byte
	// Address is the field address of that line.
	Address string
	pid     int
}

// Start runs the test binary as a server, until the test ends.
func Start(t *testing.T, args ...string) *Server {
	t.Helper()
	cmd := exec.Command(os.Args[0]) //nolint:gosec // G204: it is the test binary itself.
	cmd.Env = append(os.Environ(), asServer+"="+strings.Join(args, "\n"))
	cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	stderr, err := cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	})
	s := &Server{pid: cmd.Process.Pid}
	lines := bufio.NewReader(stderr)
	for s.Address == "" {
		if s.Said, err = lines.ReadBytes('\n'); err != nil {
			t.Fatalf("it does not serve: %s (%v)", s.Said, err)
		}
		var line struct{ Address string }
		if json.Unmarshal(s.Said, &line) == nil {
			s.Address = line.Address
		}
	}
	go func() { _, _ = io.Copy(io.Discard, lines) }()
	return s
}

// Peak is the most memory that the process ever had, in KiB.
func (s *Server) Peak(t *testing.T) int {
	t.Helper()
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", s.pid))
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(text)) {
		var size int
		if n, _ := fmt.Sscanf(line, "VmHWM: %d kB", &size); n == 1 {
			return size
		}
	}
	t.Fatalf("no peak in %s", text)
	return 0
}
