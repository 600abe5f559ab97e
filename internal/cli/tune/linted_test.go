package tune

import (
	"encoding/json"
	"os"
	"strings"
	"testing"

	"sigs.k8s.io/yaml"

	"github.com/tidemark/tidemark/api/v1alpha1"
	"github.com/tidemark/tidemark/internal/cli/exit"
	"github.com/tidemark/tidemark/internal/replay"
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

// TestWarnings: a spec is looked at beside the pods of the plant, whose limit is
// twice their request, and what is wrong with it anyway is not new.
func TestWarnings(t *testing.T) {
	pods := replay.Honest().Settings
	for name, c := range map[string]struct {
		spec, want string
	}{
		"nothing": {`{replicas: {max: 20}, metrics: [{type: Resource, resource: {name: cpu, target: {averageUtilization: 60}}}]}`, ""},
		"a target that the limit stops": {
			`{replicas: {max: 20}, metrics: [{type: Resource, resource: {name: cpu, target: {averageUtilization: 200}}}]}`, "TM050 spec.metrics[0].resource.target",
		},
		"a window without a part": {`{replicas: {max: 20}, metrics: [{type: Resource, resource: {name: cpu}}], learn: {headroom: {resize: {usual: "1"}}},
			behavior: {scaleDown: {stabilizationWindowSeconds: 60}}}`, "TM115 spec.behavior.scaleDown.stabilizationWindowSeconds"},
	} {
		t.Run(name, func(t *testing.T) {
			var spec v1alpha1.WorkloadAutoscalerSpec
			if err := yaml.UnmarshalStrict([]byte(strings.ReplaceAll(c.spec, "\t", " ")), &spec); err != nil {
				t.Fatal(err)
			}
			if got := strings.Join(linted(pods)(spec), ", "); got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}
