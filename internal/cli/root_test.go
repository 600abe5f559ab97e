package cli

import (
	"encoding/json"
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/tidemark/tidemark/internal/cli/version"
)

// run calls the command line and returns what it printed.
func run(stdin string, args ...string) (code int, stdout, stderr string) {
	var out, errs strings.Builder
	code = Main(args, strings.NewReader(stdin), &out, &errs)
	return code, out.String(), errs.String()
}

func TestHelpTeaches(t *testing.T) {
	for _, args := range [][]string{{"tidemark"}, {"tidemark", "--help"}, {"tidemark", "help"}} {
		code, stdout, stderr := run("", args...)
		if code != 0 || stderr != "" {
			t.Errorf("%v: exit %d, stderr %q", args, code, stderr)
		}
		for _, want := range []string{"Examples:", "tidemark decide -f", "Exit codes: 0", "completion", "version"} {
			t.Run(want, func(t *testing.T) {
				if !strings.Contains(stdout, want) {
					t.Errorf("%v: the help does not mention %q", args, want)
				}
			})
		}
	}
	for _, verb := range newRoot("tidemark").Commands() {
		if verb.Short == "" || (verb.Example == "" && verb.Name() != "help") {
			t.Errorf("%s has no description or no example", verb.Name())
		}
	}
}

// TestTheExampleOfDecideRuns takes the document out of the help and decides
// it: three pods at twice the target should be six.
func TestTheExampleOfDecideRuns(t *testing.T) {
	_, help, _ := run("", "tidemark", "decide", "--help")
	_, rest, _ := strings.Cut(help, "echo '")
	document, _, ok := strings.Cut(rest, "' | tidemark decide -o text")
	if !ok {
		t.Fatalf("no example in %s", help)
	}
	code, stdout, stderr := run(document, "tidemark", "decide", "-o", "text")
	if code != 0 || !strings.HasPrefix(stdout, "3 -> 6: AboveTarget\n") {
		t.Errorf("exit %d, stdout %q, stderr %q", code, stdout, stderr)
	}
}

func TestKubectlPlugin(t *testing.T) {
	for _, name := range []string{"/usr/local/bin/kubectl-tidemark", "kubectl-tidemark.exe"} {
		code, stdout, _ := run("", name, "decide", "--help")
		if code != 0 || !strings.Contains(stdout, "kubectl tidemark decide [-f FILE]") {
			t.Errorf("%s: the help does not use the name the user typed:\n%s", name, stdout)
		}
	}
}

func TestVersion(t *testing.T) {
	version.Number = "v1.2.3"
	defer func() { version.Number = "" }()
	for _, flag := range []string{"--version", "-v"} {
		t.Run(flag, func(t *testing.T) {
			if code, stdout, _ := run("", "tidemark", flag); code != 0 || !strings.HasPrefix(stdout, "tidemark v1.2.3") {
				t.Errorf("exit %d, %q", code, stdout)
			}
		})
	}
	code, stdout, _ := run("", "tidemark", "version")
	if code != 0 || !strings.HasPrefix(stdout, "tidemark v1.2.3") || strings.Count(stdout, "\n") != 1 {
		t.Errorf("exit %d, %q", code, stdout)
	}
	code, stdout, _ = run("", "tidemark", "version", "-o", "json")
	var build version.Build
	if err := json.Unmarshal([]byte(stdout), &build); err != nil || code != 0 || build.Version != "v1.2.3" || build.Go == "" || build.Platform == "" {
		t.Errorf("exit %d, %q, %v", code, stdout, err)
	}
}

func TestCompletion(t *testing.T) {
	for _, shell := range []string{"bash", "zsh", "fish", "powershell"} {
		t.Run(shell, func(t *testing.T) {
			if code, stdout, _ := run("", "tidemark", "completion", shell); code != 0 || !strings.Contains(stdout, "tidemark") {
				t.Errorf("%s: exit %d", shell, code)
			}
		})
	}
	if _, stdout, _ := run("", "tidemark", "__complete", "decide", "-o", ""); !strings.HasPrefix(stdout, "json\ntext\n") {
		t.Errorf("-o completes to %q", stdout)
	}
	for _, verb := range []string{"backtest", "simulate", "tune"} {
		if _, stdout, _ := run("", "tidemark", "__complete", verb, "--policy", ""); !strings.Contains(stdout, "\nkpa:70\nkpa:70@sync\n") {
			t.Errorf("the policies of %s complete to %q", verb, stdout)
		}
	}
	if code, _, _ := run("", "tidemark", "completion", "nonsense"); code != 2 {
		t.Errorf("an unknown shell exits with %d", code)
	}
}

func TestOutputThatCannotBeWrittenIsAnError(t *testing.T) {
	document := "spec: {replicas: {max: 2}}\nobservation: {at: 2026-01-05T10:00:00Z, target: {specReplicas: 1}}"
	var errs strings.Builder
	code := Main([]string{"tidemark", "decide"}, strings.NewReader(document), fullDisk{}, &errs)
	if code == 0 || !strings.Contains(errs.String(), "no space left") {
		t.Errorf("exit %d, %q", code, errs.String())
	}
}

type fullDisk struct{}

var _ io.Writer = fullDisk{}

func (fullDisk) Write([]byte) (int, error) { return 0, errors.New("no space left") }
