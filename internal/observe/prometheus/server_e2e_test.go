//go:build e2e

package prometheus

import (
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/tidemark/tidemark/scale"
)

// startPrometheus starts a real server whose two series count the minutes since
// Monday, and returns its address.
func startPrometheus(t *testing.T, minutes int) string {
	t.Helper()
	for _, name := range []string{"prometheus", "promtool"} {
		if _, err := exec.LookPath(name); err != nil {
			t.Fatalf("%s is needed: install the package prometheus", name)
		}
	}
	dir := t.TempDir()
	var text strings.Builder
	text.WriteString("# TYPE work gauge\n")
	for pod := range 2 {
		for i := range minutes {
			fmt.Fprintf(&text, "work{pod=\"%d\"} %d %d\n", pod, i, midnight.Unix()+int64(i)*60)
		}
	}
	text.WriteString("# EOF\n")
	put := func(name, content string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	data := filepath.Join(dir, "data")
	if out, err := exec.Command("promtool", "tsdb", "create-blocks-from", "openmetrics", put("work.om", text.String()), data).CombinedOutput(); err != nil {
		t.Fatalf("promtool: %v\n%s", err, out)
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	address := listener.Addr().String()
	listener.Close()
	cmd := exec.Command("prometheus", "--config.file="+put("prometheus.yml", "global: {}\n"), "--storage.tsdb.path="+data,
		"--storage.tsdb.retention.time=100y", "--web.listen-address="+address)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	})
	// It is long because the machine may be busy.
	const patience = 10 * time.Minute
	for deadline := time.Now().Add(patience); ; time.Sleep(100 * time.Millisecond) {
		if response, err := http.Get("http://" + address + "/-/ready"); err == nil {
			response.Body.Close()
			if response.StatusCode == http.StatusOK {
				return "http://" + address
			}
		}
		if time.Now().After(deadline) {
			t.Fatal("Prometheus does not become ready")
		}
	}
}

// TestRealPrometheus: sixteen days of a point a minute, more than one answer
// holds, arrive whole, and the series are added up.
func TestRealPrometheus(t *testing.T) {
	const minutes = 16 * 24 * 60
	o := Recording{
		Server: flagged(startPrometheus(t, minutes)), Query: "work",
		Start: midnight, End: midnight.Add((minutes - 1) * time.Minute), Step: time.Minute,
	}
	got, report, err := o.Fetch(t.Context())
	if err != nil || len(got.Points) != minutes || report.Repairs() != 0 {
		t.Fatalf("%d points, %+v, %v", len(got.Points), report, err)
	}
	for i, p := range got.Points {
		if !p.At.Equal(midnight.Add(time.Duration(i)*time.Minute)) || p.Value != 2*scale.Amount(i)*scale.Thousand {
			t.Fatalf("point %d is %v", i, p)
		}
	}
	o.Query = "sum(work"
	if _, _, err := o.Fetch(t.Context()); err == nil || !strings.Contains(err.Error(), "parse error") {
		t.Errorf("a broken query: %v", err)
	}
	o.Query = `work{pod="none"}`
	if _, _, err := o.Fetch(t.Context()); err == nil || !strings.Contains(err.Error(), "nothing is known") {
		t.Errorf("an empty query: %v", err)
	}
	reader, err := Open(o.Server, 1)
	if err != nil {
		t.Fatal(err)
	}
	lines, err := reader.During(t.Context(), `{__name__=~"none|work",pod="1"}`, midnight, midnight.Add(48*time.Hour-time.Minute), time.Minute)
	if err != nil || len(lines) != 1 || lines[0].Labels["__name__"] != "work" || len(lines[0].Points) != 48*60 || lines[0].Points[7].Value != 7*scale.Thousand {
		t.Errorf("%d series over a time: %v", len(lines), err)
	}
}
