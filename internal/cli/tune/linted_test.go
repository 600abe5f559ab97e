package tune

import (
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/tidemark/tidemark/api/v1alpha1"
	"github.com/tidemark/tidemark/internal/cli/exit"
)

// TestWhatLintWarnsOfIsNotProposed: windows and tolerances have no part where pods
// are resized (TM115). The search offers them, and none of what it tried has one.
func TestWhatLintWarnsOfIsNotProposed(t *testing.T) {
	out, stderr, code := run(t, "-f", recommended(t), "--evaluations", "12", "-o", "json")
	var got struct {
		Warned int
		Front  []struct{ Settings map[string]string }
		Best   struct {
			Settings map[string]string
			Spec     v1alpha1.WorkloadAutoscalerSpec
		}
	}
	if err := json.Unmarshal([]byte(out), &got); err != nil || code != exit.OK {
		t.Fatalf("exit %d %s, %v\n%s", code, stderr, err, out)
	}
	if got.Warned == 0 {
		t.Error("lint warned of nothing")
	}
	for _, one := range append(got.Front, struct{ Settings map[string]string }{got.Best.Settings}) {
		for name := range one.Settings {
			if strings.HasSuffix(name, "tolerance") || strings.HasSuffix(name, "stabilizationWindowSeconds") && one.Settings[name] != "0" {
				t.Errorf("%s=%s is proposed", name, one.Settings[name])
			}
		}
	}
}

// recommended is the path of the example.
func recommended(t *testing.T) string {
	t.Helper()
	here, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	return here + "/../../../examples/recommended.yaml"
}
