//go:build e2e

package e2e

import (
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// tidemark runs the built program against the cluster, as its administrator.
func tidemark(t *testing.T, args ...string) string {
	t.Helper()
	cmd := exec.Command("../../bin/tidemark", args...)
	cmd.Env = append(os.Environ(), "KUBECONFIG="+world.Kubeconfig)
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("tidemark %s: %v\n%s", strings.Join(args, " "), err, stderrOf(err))
	}
	return string(out)
}

func stderrOf(err error) string {
	if failed, ok := errors.AsType[*exec.ExitError](err); ok {
		return string(failed.Stderr)
	}
	return ""
}

// TestCommandsShowWhatTheControllerDid: get, explain, record and lint on a live
// object, and a recording that can be decided again.
func TestCommandsShowWhatTheControllerDid(t *testing.T) {
	share(t)
	p := newPlace(t)
	p.queue("80")
	p.workload("web", 2)
	p.autoscaler("web", `{replicas: {min: 1, max: 6}, metrics: [{type: External, external: {metric: {name: queue_length}, target: {averageValue: 10}}}]}`)
	p.eventuallyHas("web", 6)
	eventually(t, patience, p.shows("web", "ScalingLimited", "True", "MaxReplicas"))

	for command, words := range map[string][]string{
		"get":     {"web", "Deployment/web", "6", "AboveTarget", "MaxReplicas"},
		"explain": {"AboveTarget", "MaxReplicas", "queue_length", "AbleToScale"},
	} {
		out := tidemark(t, command, "web", "-n", p.name)
		for _, word := range words {
			if !strings.Contains(out, word) {
				t.Errorf("tidemark %s does not say %q:\n%s", command, word, out)
			}
		}
	}
	var explained struct {
		Decision struct{ Want struct{ Replicas int32 } }
	}
	if err := json.Unmarshal([]byte(tidemark(t, "explain", "web", "-n", p.name, "-o", "json")), &explained); err != nil || explained.Decision.Want.Replicas != 6 {
		t.Errorf("want a decision for 6 pods, got %+v, error %v", explained, err)
	}
	tidemark(t, "lint", "--cluster", "-n", p.name, "--fail-on", "error")

	recording := filepath.Join(t.TempDir(), "web.jsonl")
	if err := os.WriteFile(recording, []byte(tidemark(t, "record", "web", "-n", p.name, "--for", "5s")), 0o600); err != nil {
		t.Fatal(err)
	}
	answers := strings.Split(strings.TrimSpace(tidemark(t, "decide", "-f", recording)), "\n")
	if len(answers) < 2 {
		t.Fatalf("want a decision for each period of five seconds, got %d", len(answers))
	}
	for _, line := range answers {
		var answer struct {
			Decision struct {
				Reason, LimitedBy string
				Want              struct{ Replicas int32 }
			}
		}
		if err := json.Unmarshal([]byte(line), &answer); err != nil {
			t.Fatal(err)
		}
		if d := answer.Decision; d.Want.Replicas != 6 || d.Reason != "AboveTarget" || d.LimitedBy != "MaxReplicas" {
			t.Errorf("the recording is decided as %+v", d)
		}
	}
}
