//go:build e2e

package advise_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/tidemark/tidemark/internal/advise"
	"github.com/tidemark/tidemark/test/live"
)

// number is a setting of the benchmark.
func number(b *testing.B, name string, usual int) int {
	b.Helper()
	text := os.Getenv(name)
	if text == "" {
		return usual
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 {
		b.Fatalf("%s must be a number above 0, got %q", name, text)
	}
	return n
}

// mostMemory is told, when a process has ended, the most memory that it had, in MiB.
// What the system says of a child when it has ended is no less than its parent had.
func mostMemory(pid int) <-chan float64 {
	out := make(chan float64, 1)
	go func() {
		most := 0.0
		for {
			status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
			_, line, known := strings.Cut(string(status), "VmHWM:")
			if err != nil || !known {
				out <- most
				return
			}
			if kib, err := strconv.ParseFloat(strings.Fields(line)[0], 64); err == nil {
				most = kib / 1024
			}
			time.Sleep(100 * time.Millisecond)
		}
	}()
	return out
}

// BenchmarkAdvise lets the built command judge as many workloads as WORKLOADS says,
// by WEEKS of a real Prometheus, one week of them quickly. It says how long that
// took, what the command needed at most, and how much Prometheus worked for it.
func BenchmarkAdvise(b *testing.B) {
	const command = "../../bin/tidemark"
	n, weeks := number(b, "WORKLOADS", 1000), number(b, "WEEKS", 1)
	length := time.Duration(weeks) * week
	data := b.TempDir()
	next := 0
	block(b, data, length, func() []made {
		const part = 20
		out := madeUp(b, next, min(part, n-next), length)
		next += len(out)
		return out
	})
	server, err := live.StartPrometheus(data)
	if err != nil {
		b.Fatal(err)
	}
	args := []string{"advise", "--prometheus", server.Address, "--until", begin.Add(length).Format(time.RFC3339), "--weeks", strconv.Itoa(weeks), "-o", "json"}
	if weeks == 1 {
		args = append(args, "--quick")
	}
	for b.Loop() {
		cmd := exec.Command(command, args...)
		var out, errs bytes.Buffer
		cmd.Stdout, cmd.Stderr = &out, &errs
		began := time.Now()
		if err := cmd.Start(); err != nil {
			b.Fatal(err)
		}
		most := mostMemory(cmd.Process.Pid)
		if err := cmd.Wait(); err != nil {
			b.Fatalf("%s: %v\n%s", strings.Join(args, " "), err, errs.String())
		}
		took := time.Since(began)
		var got struct {
			Workloads []advise.Advice `json:"workloads"`
		}
		if err := json.Unmarshal(out.Bytes(), &got); err != nil || len(got.Workloads) != n {
			b.Fatalf("%d workloads, want %d, %v", len(got.Workloads), n, err)
		}
		for i := range got.Workloads {
			if a := &got.Workloads[i]; a.Verdict == advise.Unjudged {
				b.Fatalf("%s: %s", a.Name, a.Says)
			}
		}
		used := cmd.ProcessState
		b.ReportMetric(took.Minutes(), "minutes")
		b.ReportMetric((used.UserTime()+used.SystemTime()).Seconds()/float64(n), "cpu-s/workload")
		b.ReportMetric(<-most, "MiB")
	}
	used := server.Stop()
	b.ReportMetric((used.UserTime()+used.SystemTime()).Seconds()/float64(n), "server-cpu-s/workload")
}
