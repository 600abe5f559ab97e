package doctest

import (
	"bytes"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/tidemark/tidemark/internal/cli"
)

// TestMain lets the test's own program be called by other names, so that a shell
// finds a tidemark of this source, and a kubectl that needs no cluster.
func TestMain(m *testing.M) {
	switch filepath.Base(os.Args[0]) {
	case "tidemark":
		os.Exit(cli.Main(os.Args, os.Stdin, os.Stdout, os.Stderr))
	case "kubectl":
		os.Exit(kubectl(os.Args[1:]))
	}
	os.Exit(m.Run())
}

// kubectl stands for a cluster that has the objects of examples/migrate: it gets
// those, and applies any file that is there.
func kubectl(args []string) int {
	if len(args) == 5 && args[0] == "get" && args[3] == "-o" && args[4] == "yaml" {
		text, err := os.ReadFile(filepath.Join("examples", "migrate", args[1]+"-"+args[2]+".yaml"))
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			return 1
		}
		_, _ = os.Stdout.Write(text)
		return 0
	}
	applied := 0
	for i, arg := range args {
		if args[0] != "apply" || arg != "-f" || i+1 == len(args) {
			continue
		}
		name := args[i+1]
		if name == "-" {
			name = "/dev/stdin"
		}
		if text, err := os.ReadFile(name); err != nil || !strings.Contains(string(text), "kind: ") {
			fmt.Fprintf(os.Stderr, "%s is no manifest: %v\n", name, err)
			return 1
		}
		applied++
	}
	if applied == 0 {
		fmt.Fprintf(os.Stderr, "kubectl %s cannot be run without a cluster\n", strings.Join(args, " "))
		return 1
	}
	return 0
}

// place is where a document's commands run.
type place struct {
	dir   string
	files map[string]string
	env   []string
}

// newPlace makes a folder with the parts of the repository that documents name,
// and with each block that is marked as a file: <!-- file: web.yaml -->.
func newPlace(t *testing.T, fenced []block) *place {
	t.Helper()
	p := &place{dir: t.TempDir(), files: map[string]string{}}
	for _, part := range []string{"docs", "examples", "spec"} {
		if err := os.CopyFS(filepath.Join(p.dir, part), os.DirFS(filepath.Join(root, part))); err != nil {
			t.Fatal(err)
		}
	}
	for _, b := range fenced {
		name, ok := strings.CutPrefix(b.mark, "file: ")
		if !ok {
			continue
		}
		p.files[name] = b.text
		if err := os.WriteFile(filepath.Join(p.dir, name), []byte(b.text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	bin := filepath.Join(p.dir, "bin")
	if err := os.Mkdir(bin, 0o700); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"tidemark", "kubectl"} {
		if err := os.Symlink(self, filepath.Join(bin, name)); err != nil {
			t.Fatal(err)
		}
	}
	p.env = append(os.Environ(), "PATH="+bin+string(os.PathListSeparator)+os.Getenv("PATH"), "HOME="+p.dir, "KUBECONFIG=")
	if day, ok := p.files["day.csv"]; ok {
		p.env = append(p.env, "PROMETHEUS="+prometheus(t, day))
	}
	return p
}

// prometheus answers each query with the samples of a CSV.
func prometheus(t *testing.T, csv string) string {
	t.Helper()
	var values []string
	for _, line := range strings.Split(strings.TrimSpace(csv), "\n")[1:] {
		at, value, _ := strings.Cut(line, ",")
		moment, err := time.Parse(time.RFC3339, at)
		if err != nil {
			t.Fatal(err)
		}
		values = append(values, fmt.Sprintf(`[%d,%q]`, moment.Unix(), value))
	}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		fmt.Fprintf(w, `{"status":"success","data":{"resultType":"matrix","result":[{"metric":{},"values":[%s]}]}}`, strings.Join(values, ","))
	}))
	t.Cleanup(server.Close)
	return server.URL
}

// shell runs a script and returns what it printed.
func (p *place) shell(t *testing.T, path string, b *block, script string) string {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "sh", "-e", "-c", script)
	var out, errs bytes.Buffer
	cmd.Dir, cmd.Env, cmd.Stdout, cmd.Stderr = p.dir, p.env, &out, &errs
	if err := cmd.Run(); err != nil {
		t.Fatalf("%s:%d: %v\n%s%s", path, b.line, err, script, errs.String())
	}
	return out.String()
}

// unchanged makes sure that what a document shows as a file is still that after
// its commands, of which one may be what writes it.
func (p *place) unchanged(t *testing.T) {
	t.Helper()
	for name, shown := range p.files {
		text, err := os.ReadFile(filepath.Join(p.dir, name))
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(shown, string(text)); diff != "" {
			t.Errorf("%s is another one after the commands (-document +file)\n%s", name, diff)
		}
	}
}
