package linted

import (
	"strings"
	"testing"

	"sigs.k8s.io/yaml"

	"github.com/tidemark/tidemark/api/v1alpha1"
	"github.com/tidemark/tidemark/internal/replay"
)

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
			if got := strings.Join(Warnings(pods)(spec), ", "); got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}
