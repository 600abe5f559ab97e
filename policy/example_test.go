package policy_test

import (
	"fmt"

	"sigs.k8s.io/yaml"

	"github.com/tidemark/tidemark/api/v1alpha1"
	"github.com/tidemark/tidemark/policy"
)

// All that is wrong with a spec is said at once, each with its field.
func ExampleCompile() {
	var spec v1alpha1.WorkloadAutoscalerSpec
	err := yaml.UnmarshalStrict([]byte(`
targetRef: {apiVersion: apps/v1, kind: Deployment, name: web}
replicas: {min: 5, max: 3}
metrics:
- type: Resource
  resource: {name: cpu}
`), &spec)
	if err != nil {
		panic(err)
	}
	_, err = policy.Compile(spec, v1alpha1.AdminSettings{})
	fmt.Println(err)
	// Output:
	// metrics[0].resource: needs a target or watermarks
	// replicas.min: must not be above replicas.max: 5 > 3
}
