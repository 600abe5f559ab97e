package main

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// program is a controller that runs.
type program struct {
	cmd *exec.Cmd
	log string
	// over is closed once it has ended.
	over chan struct{}
	// metrics is where its series are served, and pprof where its profiles are;
	// the latter may be empty.
	metrics, pprof string
}

// launch runs a program until it is ended. It ends with us, however we end. The
// arguments begin with the name that the program gets.
func (p *plane) launch(log, binary string, args ...string) (*program, error) {
	file, err := os.Create(filepath.Join(p.folder, log))
	if err != nil {
		return nil, err
	}
	defer file.Close()
	cmd := exec.Command(binary)
	cmd.Args = args
	cmd.Stdout, cmd.Stderr = file, file
	// A Ctrl-C on the terminal reaches every program in the foreground: this one
	// is ended by us.
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	one := &program{cmd: cmd, log: file.Name(), over: make(chan struct{})}
	go func() {
		_ = cmd.Wait()
		close(one.over)
	}()
	p.running = append(p.running, one)
	return one, nil
}

// end stops a program and waits for it.
func (p *plane) end(one *program) {
	p.running = slices.DeleteFunc(p.running, func(other *program) bool { return other == one })
	_ = one.cmd.Process.Signal(syscall.SIGTERM)
	select {
	case <-one.over:
	case <-time.After(grace):
		_ = one.cmd.Process.Kill()
		<-one.over
	}
}

// alive is an error once the program has ended.
func (p *program) alive() error {
	select {
	case <-p.over:
		return fmt.Errorf("%s has ended: %s", p.cmd.Path, p.cmd.ProcessState)
	default:
		return nil
	}
}

// tail is the end of the program's log.
func (p *program) tail() string {
	text, err := os.ReadFile(p.log)
	if err != nil {
		return err.Error()
	}
	return string(text[max(0, len(text)-2000):])
}

// resources are what a program has used: its time on the cores, and the memory it
// holds now and held at most.
type resources struct {
	CPU          time.Duration
	Memory, Peak int64
}

// ticks is how many parts of a second the kernel counts processor time in. It
// is the same on every Linux.
const ticks = 100

func usedBy(pid int) (resources, error) {
	folder := filepath.Join("/proc", strconv.Itoa(pid))
	stat, err := os.ReadFile(filepath.Join(folder, "stat"))
	if err != nil {
		return resources{}, fmt.Errorf("reading the time of a process: %w", err)
	}
	status, err := os.ReadFile(filepath.Join(folder, "status"))
	if err != nil {
		return resources{}, fmt.Errorf("reading the memory of a process: %w", err)
	}
	return parseUsed(string(stat), string(status))
}

// parseUsed reads the kernel's files. The name of the program, in parentheses,
// may hold anything; the 12th and 13th fields after it are the times.
func parseUsed(stat, status string) (resources, error) {
	fields := strings.Fields(stat[strings.LastIndex(stat, ")")+1:])
	if len(fields) < 13 {
		return resources{}, fmt.Errorf("the stat of a process is too short: %q", stat)
	}
	var out resources
	for _, field := range fields[11:13] {
		n, err := strconv.ParseInt(field, 10, 64)
		if err != nil {
			return resources{}, fmt.Errorf("reading the time of a process: %w", err)
		}
		out.CPU += time.Duration(n) * time.Second / ticks
	}
	for line := range strings.Lines(status) {
		for prefix, into := range map[string]*int64{"VmRSS:": &out.Memory, "VmHWM:": &out.Peak} {
			if rest, found := strings.CutPrefix(line, prefix); found {
				if _, err := fmt.Sscanf(rest, "%d kB", into); err != nil {
					return resources{}, fmt.Errorf("reading the memory of a process: %w", err)
				}
				*into *= 1024
			}
		}
	}
	return out, nil
}

// profile takes a CPU profile of a while, and then one of the heap.
func (p *program) profile(ctx context.Context, folder string, while time.Duration) error {
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return err
	}
	seconds := strconv.Itoa(int(while / time.Second))
	if err := download(ctx, p.pprof+"/debug/pprof/profile?seconds="+seconds, filepath.Join(folder, "cpu.pprof")); err != nil {
		return err
	}
	return download(ctx, p.pprof+"/debug/pprof/heap?gc=1", filepath.Join(folder, "heap.pprof"))
}

func download(ctx context.Context, url, file string) error {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return err
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	out, err := os.Create(file)
	if err != nil {
		return err
	}
	_, err = io.Copy(out, response.Body)
	if closing := out.Close(); err == nil {
		err = closing
	}
	return err
}
