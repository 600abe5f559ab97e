//go:build e2e

package prometheus

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/tidemark/tidemark/scale"
	"github.com/tidemark/tidemark/test/live"
)

// startPrometheus starts a real server whose two series count the minutes since
// Monday, and returns its address.
func startPrometheus(t *testing.T, minutes int) string {
	t.Helper()
	if _, err := exec.LookPath("promtool"); err != nil {
		t.Fatal("promtool is needed: install the package prometheus")
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
	source := filepath.Join(dir, "work.om")
	if err := os.WriteFile(source, []byte(text.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	data := filepath.Join(dir, "data")
	if out, err := exec.Command("promtool", "tsdb", "create-blocks-from", "openmetrics", source, data).CombinedOutput(); err != nil {
		t.Fatalf("promtool: %v\n%s", err, out)
	}
	server, err := live.StartPrometheus(data)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { server.Stop() })
	return server.Address
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
