package convert

import (
	"bytes"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tidemark/tidemark/internal/cli/exit"
)

// verb runs the verb and returns its exit code too.
func verb(t *testing.T, args ...string) (code int, stdout, stderr string) {
	t.Helper()
	var out, errs bytes.Buffer
	cmd := New()
	cmd.SetArgs(args)
	cmd.SetOut(&out)
	cmd.SetErr(&errs)
	cmd.SilenceErrors, cmd.SilenceUsage = true, true
	code, _ = exit.Of(cmd.Execute())
	return code, out.String(), errs.String()
}

// folder writes files below a folder of its own.
func folder(t *testing.T, files map[string]string) string {
	t.Helper()
	root := t.TempDir()
	for name, text := range files {
		file := filepath.Join(root, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return root
}

const (
	hpaOf = `apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata: {name: NAME}
spec:
  scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: NAME}
  maxReplicas: 5
  metrics: [{type: Resource, resource: {name: cpu, target: {type: Utilization, averageUtilization: 60}}}]
`
	// twice has a key twice, and merges another map, as people's Deployments do.
	twice = `apiVersion: apps/v1
kind: Deployment
metadata: {name: web}
spec:
  replicas: 2
  replicas: 3
  template: {spec: {containers: [{name: app, env: [&e {name: A, value: b}, {<<: *e, name: C}]}]}}
`
	merging = `apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata: {name: merged}
spec:
  scaleTargetRef: &ref {apiVersion: apps/v1, kind: Deployment, name: merged}
  maxReplicas: 5
  metrics:
  - &m {type: Resource, resource: {name: cpu, target: {type: Utilization, averageUtilization: 60}}}
  - {<<: *m, resource: {name: memory, target: {type: Utilization, averageUtilization: 70}}}
`
	template = "apiVersion: autoscaling/v2\nkind: HorizontalPodAutoscaler\nmetadata:\n  {{- include \"labels\" . | nindent 2 }}\n"
)

func hpaNamed(name string) string { return strings.ReplaceAll(hpaOf, "NAME", name) }

func TestPaths(t *testing.T) {
	root := folder(t, map[string]string{
		"a.yaml": hpaNamed("a"), "team/b.yml": twice + "---\n" + hpaNamed("b"), "team/c.json": `{"kind":"List","items":[]}`, "team/note.txt": "no manifest",
		"merge.yaml": merging, ".hidden/d.yaml": hpaNamed("d"),
	})
	for name, c := range map[string]struct {
		args []string
		want string
	}{
		"two flags":       {[]string{"-f", root + "/a.yaml", "-f", root + "/team/b.yml"}, "a b"},
		"two paths":       {[]string{root + "/a.yaml", root + "/team/b.yml"}, "a b"},
		"both":            {[]string{"-f", root + "/team/b.yml", root + "/a.yaml"}, "b a"},
		"one named twice": {[]string{root + "/a.yaml", root + "/a.yaml"}, "a"},
		"a folder":        {[]string{root}, "a merged b"},
		"a merge key":     {[]string{root + "/merge.yaml"}, "merged"},
	} {
		t.Run(name, func(t *testing.T) {
			code, out, notes := verb(t, append(c.args, "-o", "json")...)
			var got []string
			for line := range strings.Lines(out) {
				_, rest, _ := strings.Cut(line, `"metadata":{"name":"`)
				name, _, _ := strings.Cut(rest, `"`)
				got = append(got, name)
			}
			if code != exit.OK || strings.Join(got, " ") != c.want {
				t.Errorf("want %q, got exit %d, %q: %s", c.want, code, got, notes)
			}
			if name == "a merge key" && !strings.Contains(out, `"averageUtilization":70`) {
				t.Errorf("want the merged metric, got %s", out)
			}
		})
	}
}

// TestPartialSuccess: what can be converted is, and everything else is named.
func TestPartialSuccess(t *testing.T) {
	root := folder(t, map[string]string{
		"a.yaml": hpaNamed("a"), "b.yaml": strings.ReplaceAll(hpaNamed("b"), "maxReplicas: 5", "maxReplicas: many"), "c.yaml": template,
		"d.yaml": strings.ReplaceAll(hpaNamed("d"), "autoscaling/v2", "autoscaling/v3"),
		"e.yaml": strings.ReplaceAll(hpaNamed("e"), "PodAutoscaler", "PodAutoScaler"),
		"f.yaml": strings.ReplaceAll(hpaNamed("f"), "  maxReplicas: 5", "  maxReplicas: 5\n  maxReplicas: 6"),
	})
	code, out, notes := verb(t, root)
	if code != exit.Refused || strings.Count(out, "kind: WorkloadAutoscaler") != 1 || !strings.Contains(out, "name: a") {
		t.Errorf("want a alone, and exit 2, got %d: %s", code, out)
	}
	for _, want := range []string{
		"b.yaml: HorizontalPodAutoscaler b: spec.maxReplicas: ", "c.yaml: the document is not valid YAML", `d.yaml: HorizontalPodAutoscaler d: apiVersion: "autoscaling/v3" is not read`,
		"e.yaml: HorizontalPodAutoScaler e: kind: must be HorizontalPodAutoscaler", "f.yaml: HorizontalPodAutoscaler f: spec.maxReplicas: is given twice, first on line 6: keep one of them (line 7)",
		"1 converted, 5 refused, 0 passed over",
	} {
		t.Run(want, func(t *testing.T) {
			if !strings.Contains(notes, want) {
				t.Errorf("want %q in %s", want, notes)
			}
		})
	}
	if code, out, _ := verb(t, root, "--strict"); code != exit.Refused || out != "" {
		t.Errorf("want nothing where something is refused, got %d: %s", code, out)
	}
}

// TestFoundInAFolder: folders hold YAML of all sorts. What is none of ours, and
// cannot be read, is passed over there, and refused where somebody names it.
func TestFoundInAFolder(t *testing.T) {
	strangers := map[string]string{
		"chart.yaml": "{{- if .Values.on }}\napiVersion: apps/v1\nkind: Deployment\n{{- end }}\n", "playbook.yaml": "- hosts: all\n", "tagged.yaml": "key: !secret name\n",
	}
	files := map[string]string{"a.yaml": hpaNamed("a")}
	maps.Copy(files, strangers)
	root := folder(t, files)
	code, out, notes := verb(t, root)
	if code != exit.OK || strings.Count(out, "kind: WorkloadAutoscaler") != 1 || strings.Count(notes, "is passed over: ") != len(strangers) {
		t.Errorf("want a alone, and exit 0, got %d: %s%s", code, out, notes)
	}
	for name := range strangers {
		t.Run(name, func(t *testing.T) {
			if code, _, notes := verb(t, filepath.Join(root, name)); code != exit.Refused {
				t.Errorf("want it refused, got %d: %s", code, notes)
			}
		})
	}
}

const kafka = `apiVersion: keda.sh/v1alpha1
kind: ScaledObject
metadata: {name: worker}
spec:
  scaleTargetRef: {name: worker}
  minReplicaCount: 1
  triggers:
  - {type: cpu, metricType: Utilization, metadata: {value: "60"}}
  - {type: kafka, metadata: {lagThreshold: "5"}}
`

// TestStrict: a ScaledObject that carries on is no excuse.
func TestStrict(t *testing.T) {
	root := folder(t, map[string]string{"whole.yaml": hpaNamed("a"), "lossy.yaml": kafka})
	if code, out, notes := verb(t, root+"/whole.yaml", "--strict"); code != exit.OK || !strings.Contains(out, "kind: WorkloadAutoscaler") {
		t.Errorf("want the object, got %d: %s%s", code, out, notes)
	}
	code, out, notes := verb(t, root+"/lossy.yaml", "--strict")
	if code != exit.Failed || out != "" || !strings.Contains(notes, "ScaledObject worker: spec.triggers[1] is not carried: ") {
		t.Errorf("want nothing but the loss, and exit 1, got %d: %s%s", code, out, notes)
	}
	if code, out, _ := verb(t, root+"/lossy.yaml", "--strict", "--diff"); code != exit.Failed || !strings.Contains(out, "verdict: not proven: ") {
		t.Errorf("want the comparison and exit 1, got %d: %s", code, out)
	}
	if code, out, _ := verb(t, root+"/lossy.yaml"); code != exit.OK || !strings.HasPrefix(out, "# Not carried: spec.triggers[1]: ") {
		t.Errorf("want the loss above the object, got %d: %s", code, out)
	}
}
