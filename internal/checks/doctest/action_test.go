package doctest

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"sigs.k8s.io/yaml"
)

// action is action.yml, as far as a runner of GitHub reads it.
type action struct {
	Name, Description, Author string

	Branding struct{ Icon, Color string }
	Inputs   map[string]struct{ Description, Default string }
	Outputs  map[string]struct{ Description, Value string }
	Runs     struct {
		Using string
		Steps []step
	}
}

type step struct {
	Name, ID, Shell, Run, Uses, If string
	Env, With                      map[string]string
}

func readAction(t *testing.T) action {
	t.Helper()
	var a action
	if err := yaml.UnmarshalStrict([]byte(read(t, "action.yml")), &a); err != nil {
		t.Fatal(err)
	}
	return a
}

var expression = regexp.MustCompile(`\$\{\{\s*(.*?)\s*\}\}`)

// TestActionIsWellFormed: what a runner would refuse, or take for nothing, is
// found here: a script without a shell, an input or a step that is not there, and
// a text from outside inside of a script.
func TestActionIsWellFormed(t *testing.T) {
	a := readAction(t)
	if a.Runs.Using != "composite" || a.Name == "" || a.Description == "" || len(a.Runs.Steps) == 0 {
		t.Errorf("%+v", a)
	}
	known := map[string]bool{"github.action_ref": true}
	for name, input := range a.Inputs {
		known["inputs."+name] = true
		if input.Description == "" || !strings.Contains(read(t, "docs/action.md"), "\n| `"+name+"` |") {
			t.Errorf("%s has no description, or is not in docs/action.md", name)
		}
	}
	for _, s := range a.Runs.Steps {
		known["steps."+s.ID] = true
	}
	named := regexp.MustCompile(`(?:inputs|steps|github)\.[a-z_-]+`)
	for _, match := range expression.FindAllStringSubmatch(read(t, "action.yml"), -1) {
		for _, name := range named.FindAllString(match[1], -1) {
			if !known[name] {
				t.Errorf("%s is not there", name)
			}
		}
	}
	for _, s := range a.Runs.Steps {
		if (s.Run == "") == (s.Uses == "") || (s.Run != "" && s.Shell != "bash") {
			t.Errorf("%s: has a script and its shell, or another action", s.Name)
		}
		if expression.MatchString(s.Run) {
			t.Errorf("%s: what is inserted into a script could be a command", s.Name)
		}
	}
}

// job runs the steps of the action as a runner does.
type job struct {
	dir    string
	inputs map[string]string
	env    []string
	// outputs are those of steps, by steps.ID.outputs.NAME.
	outputs map[string]string
	used    []string
}

// value is the value of an expression, as far as the action uses any.
func (j *job) value(text string) string {
	return expression.ReplaceAllStringFunc(text, func(match string) string {
		inner := expression.FindStringSubmatch(match)[1]
		for part := range strings.SplitSeq(inner, " || ") {
			if name, ok := strings.CutPrefix(part, "inputs."); ok && j.inputs[name] != "" {
				return j.inputs[name]
			}
			if v := j.outputs[part]; v != "" {
				return v
			}
		}
		return ""
	})
}

// run runs the steps until one fails, and returns its name and its output.
func (j *job) run(t *testing.T, a action) (failed, log string) {
	t.Helper()
	j.outputs = map[string]string{}
	for name, input := range a.Inputs {
		if _, given := j.inputs[name]; !given {
			j.inputs[name] = input.Default
		}
	}
	for _, s := range a.Runs.Steps {
		if s.Uses != "" {
			if s.If == "${{ inputs.upload == 'true' }}" && j.inputs["upload"] == "true" {
				j.used = append(j.used, s.Uses+" "+j.value(s.With["sarif_file"]))
			}
			continue
		}
		output := filepath.Join(t.TempDir(), "output")
		cmd := exec.CommandContext(t.Context(), "bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", s.Run)
		cmd.Dir, cmd.Env = j.dir, append(append(os.Environ(), j.env...), "GITHUB_OUTPUT="+output)
		for name, text := range s.Env {
			cmd.Env = append(cmd.Env, name+"="+j.value(text))
		}
		text, err := cmd.CombinedOutput()
		log += string(text)
		if err != nil {
			return s.Name, log
		}
		written, _ := os.ReadFile(output)
		for line := range strings.Lines(string(written)) {
			name, value, _ := strings.Cut(strings.TrimSpace(line), "=")
			j.outputs["steps."+s.ID+".outputs."+name] = value
		}
	}
	return "", log
}

const (
	goodHPA = "apiVersion: autoscaling/v2\nkind: HorizontalPodAutoscaler\nmetadata: {name: web}\nspec:\n" +
		"  scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: web}\n  minReplicas: 2\n  maxReplicas: 9\n" +
		"  metrics: [{type: Resource, resource: {name: cpu, target: {type: Utilization, averageUtilization: 60}}}]\n"
	badHPA = "apiVersion: autoscaling/v2\nkind: HorizontalPodAutoscaler\nmetadata: {name: web}\nspec:\n" +
		"  scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: web}\n  minReplicas: 20\n  maxReplicas: 9\n"
)

// TestActionWithoutAnAnswer: where lint refuses to look, nothing is uploaded, and the
// job ends with what lint said.
func TestActionWithoutAnAnswer(t *testing.T) {
	p := newPlace(t, nil)
	j := job{dir: t.TempDir(), inputs: map[string]string{"program": filepath.Join(p.dir, "bin", "tidemark"), "paths": ".", "fail-on": "often"}}
	failed, log := j.run(t, readAction(t))
	if failed != "Lint" || len(j.used) > 0 || !strings.Contains(log, "must be error or warning") {
		t.Errorf("fails in %q, uses %q\n%s", failed, j.used, log)
	}
}

// TestAction runs the action over folders with and without a fault: both write
// SARIF and upload it, and the one with the fault fails, in its last step.
func TestAction(t *testing.T) {
	a := readAction(t)
	p := newPlace(t, nil)
	program := filepath.Join(p.dir, "bin", "tidemark")
	for name, c := range map[string]struct {
		manifest, path, failOn, failed, code string
		findings                             bool
	}{
		"good":        {goodHPA, "deploy", "error", "", "0", false},
		"bad":         {badHPA, "deploy", "error", "Judge", "1", true},
		"lenient":     {badHPA, "deploy", "never", "", "0", true},
		"not there":   {goodHPA, "nowhere", "error", "Judge", "2", true},
		"hostile":     {badHPA, "deploy $(touch owned) ;touch owned", "never", "Judge", "2", true},
		"two folders": {badHPA, "deploy\ndeploy/below", "error", "Judge", "1", true},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			if err := os.MkdirAll(filepath.Join(dir, "deploy", "below"), 0o700); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(filepath.Join(dir, "deploy", "hpa.yaml"), []byte(c.manifest), 0o600); err != nil {
				t.Fatal(err)
			}
			j := job{dir: dir, inputs: map[string]string{"program": program, "paths": c.path, "fail-on": c.failOn}}
			if failed, log := j.run(t, a); failed != c.failed {
				t.Errorf("fails in %q, want %q\n%s", failed, c.failed, log)
			}
			if code := j.outputs["steps.lint.outputs.code"]; code != c.code {
				t.Errorf("the code is %s, want %s", code, c.code)
			}
			if len(j.used) != 1 || !strings.HasPrefix(j.used[0], "github/codeql-action/upload-sarif@") || !strings.HasSuffix(j.used[0], " tidemark.sarif") {
				t.Errorf("uses %q", j.used)
			}
			if _, err := os.Stat(filepath.Join(dir, "owned")); err == nil {
				t.Error("an input became a command")
			}
			if got := sarifFindings(t, filepath.Join(dir, "tidemark.sarif")); got != c.findings {
				t.Errorf("SARIF has findings: %v, want %v", got, c.findings)
			}
		})
	}
}

func sarifFindings(t *testing.T, path string) bool {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var sarif struct {
		Version string
		Runs    []struct{ Results []json.RawMessage }
	}
	if err := json.Unmarshal(text, &sarif); err != nil || sarif.Version != "2.1.0" || len(sarif.Runs) != 1 {
		t.Fatalf("%v\n%s", err, text)
	}
	return len(sarif.Runs[0].Results) > 0
}

// TestActionInstalls: a release is downloaded, and refused unless its sum is right.
func TestActionInstalls(t *testing.T) {
	a := readAction(t)
	archive := packed(t, "#!/bin/sh\necho '{}'\n")
	served := map[string][]byte{
		"/v1.2.3/tidemark_v1.2.3_linux_amd64.tar.gz": archive,
		"/v1.2.3/SHA256SUMS":                         fmt.Appendf(nil, "%x  tidemark_v1.2.3_linux_amd64.tar.gz\n", sha256.Sum256(archive)),
		"/v1.2.4/tidemark_v1.2.4_linux_amd64.tar.gz": archive,
		"/v1.2.4/SHA256SUMS":                         fmt.Appendf(nil, "%064d  tidemark_v1.2.4_linux_amd64.tar.gz\n", 0),
		"/v1.2.5/SHA256SUMS":                         []byte("\n"),
		"/v1.2.5/tidemark_v1.2.5_linux_amd64.tar.gz": archive,
	}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if served[r.URL.Path] == nil {
			http.NotFound(w, r)
			return
		}
		_, _ = w.Write(served[r.URL.Path])
	}))
	defer server.Close()
	for version, failed := range map[string]string{"v1.2.3": "", "v1.2.4": "Install", "v1.2.5": "Install", "main": "Install", "v9.9.9": "Install"} {
		t.Run(version, func(t *testing.T) {
			j := job{dir: t.TempDir(), inputs: map[string]string{"version": version, "download": server.URL, "upload": "false"},
				env: []string{"RUNNER_OS=Linux", "RUNNER_ARCH=X64", "RUNNER_TEMP=" + t.TempDir()}}
			if got, log := j.run(t, a); got != failed {
				t.Errorf("fails in %q, want %q\n%s", got, failed, log)
			}
			if len(j.used) > 0 {
				t.Errorf("uploads %v", j.used)
			}
		})
	}
}

// packed is an archive of a release with one program.
func packed(t *testing.T, program string) []byte {
	t.Helper()
	var out bytes.Buffer
	zipped := gzip.NewWriter(&out)
	w := tar.NewWriter(zipped)
	if err := w.WriteHeader(&tar.Header{Typeflag: tar.TypeReg, Name: "tidemark", Mode: 0o755, Size: int64(len(program))}); err != nil {
		t.Fatal(err)
	}
	if _, err := w.Write([]byte(program)); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if err := zipped.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}
