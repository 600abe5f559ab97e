package policy_test

import (
	"testing"

	"sigs.k8s.io/yaml"

	"github.com/tidemark/tidemark/api/v1alpha1"
	"github.com/tidemark/tidemark/policy"
)

// TestPodsAreAlikeWhereTheyAreSized: a metric takes all pods to request the same
// where the object changes what it is measured by, and nowhere else: pods of an
// older template have requests of their own.
func TestPodsAreAlikeWhereTheyAreSized(t *testing.T) {
	const (
		whole     = `{type: Resource, resource: {name: cpu, target: {averageUtilization: 50}}}`
		container = `{type: ContainerResource, containerResource: {name: cpu, container: app, target: {averageUtilization: 50}}}`
	)
	for name, c := range map[string]struct {
		metric, sizes string
		want          bool
	}{
		"nothing is sized":                  {whole, ``, false},
		"intervals":                         {whole, `intervals: {ranges: [{maxReplicas: 2, maxResources: {cpu: "1"}}]}`, true},
		"its resource":                      {whole, `containers: [{name: app, cpu: {scaling: Horizontal}}]`, true},
		"its resource, for the rest":        {container, `containers: [{name: "*", cpu: {}}]`, true},
		"another resource":                  {whole, `containers: [{name: app, memory: {}}]`, false},
		"its resource is left alone":        {whole, `containers: [{name: app, cpu: {scaling: "Off"}, memory: {}}]`, false},
		"another container":                 {container, `containers: [{name: proxy, cpu: {}}]`, false},
		"its own entry says that it is off": {container, `containers: [{name: app, cpu: {scaling: "Off"}}, {name: "*", cpu: {}}]`, false},
		"another container of the pod":      {whole, `containers: [{name: proxy, cpu: {}}]`, true},
	} {
		t.Run(name, func(t *testing.T) {
			var spec v1alpha1.WorkloadAutoscalerSpec
			if err := yaml.UnmarshalStrict([]byte("replicas: {max: 9}\nmetrics: ["+c.metric+"]\n"+c.sizes), &spec); err != nil {
				t.Fatal(err)
			}
			p, err := policy.Compile(spec, v1alpha1.AdminSettings{})
			if err != nil {
				t.Fatal(err)
			}
			if got := p.Horizontal.Metrics[0].Alike; got != c.want {
				t.Errorf("pods are alike: %v, want %v", got, c.want)
			}
		})
	}
}
