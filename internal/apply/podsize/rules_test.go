package podsize_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"sigs.k8s.io/yaml"

	"github.com/tidemark/tidemark/api/v1alpha1"
	"github.com/tidemark/tidemark/internal/apply/podsize"
	"github.com/tidemark/tidemark/scale"
)

// TestOnlyWhatTheObjectSizes: the wanted size always has both resources of
// both containers, with limits.
func TestOnlyWhatTheObjectSizes(t *testing.T) {
	full := func(name string) scale.Container {
		amounts := cpu(500).With(scale.Memory, gi)
		return scale.Container{Name: name, Requests: amounts, Limits: amounts}
	}
	justCPU := func(name string) scale.Container {
		return scale.Container{Name: name, Requests: cpu(500), Limits: cpu(500)}
	}
	for name, tc := range map[string]struct {
		spec    string
		want    []scale.Container
		wantAny bool
	}{
		"an object that sizes nothing":              {`{}`, nil, false},
		"a resource that is named":                  {`{containers: [{name: app, cpu: {}}]}`, []scale.Container{justCPU("app")}, true},
		"one that scales Horizontal may change too": {`{containers: [{name: app, cpu: {scaling: Horizontal}}]}`, []scale.Container{justCPU("app")}, true},
		"one that is Off does not":                  {`{containers: [{name: app, cpu: {scaling: "Off"}}]}`, nil, true},
		"the policy for the rest":                   {`{containers: [{name: "*", cpu: {}}]}`, []scale.Container{justCPU("app"), justCPU("proxy")}, true},
		"a container's own policy counts before it": {`{containers: [{name: "*", cpu: {}}, {name: proxy, cpu: {scaling: "Off"}}]}`, []scale.Container{justCPU("app")}, true},
		"limits stay where only requests are ours":  {`{containers: [{name: app, cpu: {}, controlledValues: RequestsOnly}]}`, []scale.Container{{Name: "app", Requests: cpu(500)}}, true},
		"intervals size everything":                 {`{intervals: {}}`, []scale.Container{full("app"), full("proxy")}, true},
		"but not what is said to scale another way": {`{intervals: {}, containers: [{name: proxy, memory: {scaling: Horizontal}}]}`, []scale.Container{full("app"), justCPU("proxy")}, true},
		"headroom sizes the container it measures": {`{metrics: [{type: ContainerResource, containerResource: {name: cpu, container: proxy}}], learn: {headroom: {resize: {usual: "1"}}}}`,
			[]scale.Container{justCPU("proxy")}, true},
		"but none of several that it measures as one": {`{metrics: [{type: Resource, resource: {name: cpu}}], learn: {headroom: {resize: {usual: "1"}}}}`, nil, true},
		"by prices too": {`{metrics: [{type: ContainerResource, containerResource: {name: cpu, container: proxy}}], learn: {headroom: {}}}`,
			[]scale.Container{justCPU("proxy")}, true},
		"and nothing where only the count has it": {`{metrics: [{type: Resource, resource: {name: cpu}}], learn: {headroom: {risk: "0.001"}}}`, nil, false},
		"or is to have it":                        {`{learn: {headroom: {resize: {enabled: false}}}}`, nil, false},
	} {
		t.Run(name, func(t *testing.T) {
			var spec v1alpha1.WorkloadAutoscalerSpec
			if err := yaml.UnmarshalStrict([]byte(tc.spec), &spec); err != nil {
				t.Fatal(err)
			}
			rules := podsize.RulesOf(&spec)
			if got := rules.Any(); got != tc.wantAny {
				t.Errorf("sizes pods: %v, want %v", got, tc.wantAny)
			}
			got := rules.Only([]scale.Container{full("app"), full("proxy")})
			if diff := cmp.Diff(tc.want, got, cmp.AllowUnexported(scale.Resources{})); diff != "" {
				t.Errorf("sizes (-want +got):\n%s", diff)
			}
		})
	}
}

// TestHeadroomSizesTheOnlyContainer: a metric of the whole pod is one of its only
// container.
func TestHeadroomSizesTheOnlyContainer(t *testing.T) {
	var spec v1alpha1.WorkloadAutoscalerSpec
	if err := yaml.UnmarshalStrict([]byte(`{metrics: [{type: Resource, resource: {name: cpu}}], learn: {headroom: {resize: {usual: "1"}}}}`), &spec); err != nil {
		t.Fatal(err)
	}
	amounts := cpu(500).With(scale.Memory, gi)
	got := podsize.RulesOf(&spec).Only([]scale.Container{{Name: "app", Requests: amounts, Limits: amounts}})
	want := []scale.Container{{Name: "app", Requests: cpu(500), Limits: cpu(500)}}
	if diff := cmp.Diff(want, got, cmp.AllowUnexported(scale.Resources{})); diff != "" {
		t.Errorf("sizes (-want +got):\n%s", diff)
	}
}
