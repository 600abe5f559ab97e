package v1alpha1_test

import (
	"fmt"

	"sigs.k8s.io/yaml"

	"github.com/tidemark/tidemark/api/v1alpha1"
)

// The types of an object are those of its manifest.
func ExampleWorkloadAutoscaler() {
	var object v1alpha1.WorkloadAutoscaler
	err := yaml.UnmarshalStrict([]byte(`
apiVersion: autoscaling.tidemark.dev/v1alpha1
kind: WorkloadAutoscaler
metadata: {name: web, namespace: shop}
spec:
  targetRef: {apiVersion: apps/v1, kind: Deployment, name: web}
  replicas: {min: 2, max: 20}
  metrics:
  - type: Resource
    resource: {name: cpu, target: {type: Utilization, averageUtilization: 60}}
`), &object)
	fmt.Println(object.Spec.TargetRef.Kind, *object.Spec.Replicas.Max, object.Spec.Metrics[0].Resource.Name, err)
	// Output: Deployment 20 cpu <nil>
}
