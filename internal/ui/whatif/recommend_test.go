package whatif

import (
	"reflect"
	"strings"
	"testing"

	"github.com/tidemark/tidemark/fault"
	"github.com/tidemark/tidemark/internal/object"
	"github.com/tidemark/tidemark/internal/ui/feed"
)

// ofStyle are objects that say the same in one style each; MODE is where a mode may
// stand.
var ofStyle = map[string]string{
	"block": `apiVersion: autoscaling.tidemark.dev/v1alpha1
kind: WorkloadAutoscaler
metadata:
  name: web
  labels:
    team: shop
spec:
  MODE
  targetRef: {apiVersion: apps/v1, kind: Deployment, name: web} # stays
  replicas:
    max: 7
  metrics:
  - resource: {name: cpu, target: {averageUtilization: 50}}
    type: Resource
`,
	"four spaces": `apiVersion: autoscaling.tidemark.dev/v1alpha1
kind: WorkloadAutoscaler
metadata:
    name: web
    labels:
        team: shop
spec:
    MODE
    targetRef: {apiVersion: apps/v1, kind: Deployment, name: web} # stays
    replicas:
        max: 7
    metrics:
        - resource: {name: cpu, target: {averageUtilization: 50}}
          type: Resource
`,
	"flow": `apiVersion: autoscaling.tidemark.dev/v1alpha1
kind: WorkloadAutoscaler
metadata: {name: web, labels: {team: shop}} # stays
spec: {MODE targetRef: {apiVersion: apps/v1, kind: Deployment, name: web}, replicas: {max: 7},
  metrics: [{type: Resource, resource: {name: cpu, target: {averageUtilization: 50}}}]}
`,
}

// TestRecommend: an object in mode Recommend is the same but for its mode, whatever its
// style is, and so is the spec of it that is applied.
func TestRecommend(t *testing.T) {
	none := func(object.Object) fault.List { return nil }
	for style, text := range ofStyle {
		for name, mode := range map[string]string{"without": "", "with": "mode: Auto"} {
			if style == "flow" && mode != "" {
				mode += ","
			}
			t.Run(style+" "+name+" a mode", func(t *testing.T) {
				given := strings.Replace(text, "MODE", mode, 1)
				got, err := (&Bench{}).Recommend(feed.Edit{Key: key, YAML: given})
				if err != nil {
					t.Fatal(err)
				}
				want, faults := object.Read([]byte(given), none)
				whole, more := object.Read([]byte(got.YAML), none)
				spec, most := object.Read([]byte(got.Spec), none)
				if all := append(append(faults, more...), most...); len(all) > 0 {
					t.Fatalf("%s:\n%s\n%s", all.Error(), got.YAML, got.Spec)
				}
				want.Spec.Mode = "Recommend"
				if !reflect.DeepEqual(whole.Spec, want.Spec) || !reflect.DeepEqual(spec.Spec, want.Spec) || whole.Name != "web" {
					t.Errorf("%s\n%s", got.YAML, got.Spec)
				}
				if !strings.Contains(got.YAML, "# stays") || !strings.Contains(got.YAML, "team: shop") {
					t.Errorf("something is lost:\n%s", got.YAML)
				}
			})
		}
	}
	for name, text := range map[string]string{
		"nothing": "", "no object": "[1]", "no spec": "kind: WorkloadAutoscaler\n", "a typo": "kind: WorkloadAutoscaler\nspec: {mod: Off}\n", "two": "a: 1\n---\nb: 2\n",
	} {
		t.Run(name, func(t *testing.T) {
			if got, err := (&Bench{}).Recommend(feed.Edit{YAML: text}); err == nil {
				t.Errorf("%+v", got)
			}
		})
	}
}
