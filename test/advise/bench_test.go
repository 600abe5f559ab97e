//go:build e2e

package advise_test

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"syscall"
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
		if err := cmd.Run(); err != nil {
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
		b.ReportMetric(float64(used.SysUsage().(*syscall.Rusage).Maxrss)/1024, "MiB")
	}
	used := server.Stop()
	b.ReportMetric((used.UserTime()+used.SystemTime()).Seconds()/float64(n), "server-cpu-s/workload")
}
