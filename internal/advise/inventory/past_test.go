package inventory

import (
	"regexp"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"sigs.k8s.io/yaml"

	"github.com/tidemark/tidemark/internal/advise"
	"github.com/tidemark/tidemark/scale"
)

// TestPodsByName: pods are told apart by their names, also where those are cut.
func TestPodsByName(t *testing.T) {
	long := strings.Repeat("a", 50)
	endless := strings.Repeat("b", 63)
	for name, c := range map[string]struct {
		kind, name string
		pod        string
		want       bool
	}{
		"its own":                   {advise.Deployment, "web", "web-7d9f8b6c5d-x2x4z", true},
		"of a longer name":          {advise.Deployment, "web", "web-api-7d9f8b6c5d-x2x4z", false},
		"of a StatefulSet":          {advise.Deployment, "web", "web-0", false},
		"numbered":                  {advise.StatefulSet, "db", "db-12", true},
		"with a dot":                {advise.Deployment, "a.b", "a.b-7d9f8b6c5d-x2x4z", true},
		"another letter than a dot": {advise.Deployment, "a.b", "acb-7d9f8b6c5d-x2x4z", false},
		"cut in its hash":           {advise.Deployment, long, long + "-7d9f8b6x2x4z", true},
		"cut in its name":           {advise.Deployment, endless, endless[:58] + "x2x4z", true},
		"of another long name":      {advise.Deployment, long, long[:49] + "b-7d9f8bx2x4z", false},
	} {
		t.Run(name, func(t *testing.T) {
			selector := (&Prometheus{}).podsOf(advise.Workload{Namespace: "shop", Kind: c.kind, Name: c.name})
			_, pattern, _ := strings.Cut(selector, `pod=~"`)
			pattern, _, _ = strings.Cut(pattern, `"`)
			if got := regexp.MustCompile("^(?:" + pattern + ")$").MatchString(c.pod); got != c.want {
				t.Errorf("%s, of %s: %v", c.pod, pattern, got)
			}
		})
	}
}

// TestTemplate: what a pod requests is known by its template as well, with sidecars.
// It has no limit where one of its containers has none.
func TestTemplate(t *testing.T) {
	const text = `{spec: {template: {spec: {
		initContainers: [
			{name: once, resources: {requests: {cpu: 9}}},
			{name: proxy, restartPolicy: Always, resources: {limits: {cpu: 100m}}}],
		containers: [{name: app, resources: {requests: {cpu: 500m, memory: 1Gi}, limits: {cpu: 1}}}]}}}}`
	object := &unstructured.Unstructured{}
	if err := yaml.Unmarshal([]byte(text), &object.Object); err != nil {
		t.Fatal(err)
	}
	requests, limits := template(object)
	if want := (scale.Resources{}).With(scale.CPU, 600).With(scale.Memory, 1<<30*scale.Thousand); requests != want {
		t.Errorf("requests are %+v, want %+v", requests, want)
	}
	if want := (scale.Resources{}).With(scale.CPU, 1100); limits != want {
		t.Errorf("limits are %+v, want %+v", limits, want)
	}
}
