package simulate

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestAnHPA is what people have: it is replayed as it is, and said to be converted.
func TestAnHPA(t *testing.T) {
	folder := t.TempDir()
	files := map[string]string{
		"hpa.yaml": `apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata: {name: web}
spec:
  scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: web}
  maxReplicas: 9
  metrics: [{type: Resource, resource: {name: cpu, target: {type: Utilization, averageUtilization: 50}}}]
`,
		"demand.csv": "time,value\n0,2\n3600,2\n",
	}
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	var out, notes bytes.Buffer
	cmd := New()
	cmd.SetArgs([]string{"-f", filepath.Join(folder, "hpa.yaml"), "--demand", filepath.Join(folder, "demand.csv"), "-o", "json"})
	cmd.SetOut(&out)
	cmd.SetErr(&notes)
	cmd.SilenceErrors, cmd.SilenceUsage = true, true
	if err := cmd.Execute(); err != nil {
		t.Fatalf("%v: %s", err, notes.String())
	}
	if !strings.Contains(out.String(), `"coreHours"`) || !strings.Contains(notes.String(), "the HorizontalPodAutoscaler web is read as what tidemark convert makes of it") {
		t.Errorf("want a score and a note, got %s, %s", out.String(), notes.String())
	}
}
