package chaos

import (
	"fmt"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/yaml"

	"github.com/tidemark/tidemark/api/v1alpha1"
)

// prefix begins the names of the campaign's namespaces.
const prefix = "chaos-"

// shape is a policy. Every one of them ends at settled pods under the demand of
// restingValue.
type shape struct {
	name string
	// by is where its demand comes from.
	by     string
	period int
	spec   string
}

// Where demand comes from: the campaign's Prometheus server, the cluster's metrics
// adapter, and the cpu that pods use.
const (
	byPrometheus = "prometheus"
	byAdapter    = "adapter"
	byCPU        = "cpu"
)

// restingValue is the demand at the end, which asks for settled pods.
const restingValue, settled = 40, 4

// shapes have a rule each whose memory a restart could lose.
var shapes = []shape{
	{"windows", byPrometheus, 1, `{replicas: {min: 2, max: 8}, learn: {minFactor: "0.1", maxFactor: "9"}, behavior: {
	  scaleUp: {policies: [{type: Pods, value: 2, periodSeconds: 8}]},
	  scaleDown: {stabilizationWindowSeconds: 8, policies: [{type: Pods, value: 2, periodSeconds: 6}]}}}`},
	{"forbidden", byAdapter, 1, `{replicas: {min: 1, max: 8}, behavior: {
	  scaleUp: {forbiddenWindowSeconds: 4}, scaleDown: {forbiddenWindowSeconds: 10, stabilizationWindowSeconds: 0, limitPercent: 50}}}`},
	{"delays", byPrometheus, 1, `{replicas: {min: 2, max: 8}, behavior: {
	  scaleUp: {delaySeconds: 3, stabilizationWindowSeconds: 0}, scaleDown: {delaySeconds: 7, stabilizationWindowSeconds: 0}}}`},
	{"busy", byCPU, 2, `{replicas: {min: 1, max: 8}, behavior: {cpuInitializationSeconds: 10, initialReadinessSeconds: 1,
	  scaleDown: {stabilizationWindowSeconds: 15}}}`},
	{"sized", byPrometheus, 2, `{replicas: {min: 2, max: 8}, containers: [{name: app, cpu: {scaling: Vertical, min: 150m, max: 400m}}],
	  behavior: {scaleDown: {stabilizationWindowSeconds: 6}}}`},
}

// workload is one object with its Deployment, which has the same name.
type workload struct {
	shape
	namespace, name string
}

func (w *workload) key() client.ObjectKey {
	return client.ObjectKey{Namespace: w.namespace, Name: w.name}
}
func (w *workload) String() string { return w.namespace + "/" + w.name }

// object is the autoscaler.
func (w *workload) object() (*v1alpha1.WorkloadAutoscaler, error) {
	obj := &v1alpha1.WorkloadAutoscaler{ObjectMeta: metav1.ObjectMeta{Namespace: w.namespace, Name: w.name}}
	metric := fmt.Sprintf(`{type: External, external: {metric: {name: load}, prometheus: {query: 'load{object="%s"}'}, target: {averageValue: 10}}}`, w)
	switch w.by {
	case byAdapter:
		metric = `{type: External, external: {metric: {name: ` + w.name + `}, target: {averageValue: 10}}}`
	case byCPU:
		metric = `{type: Resource, resource: {name: cpu, target: {averageUtilization: 50}}}`
	}
	for _, text := range []string{w.spec, fmt.Sprintf(`{metrics: [%s]}`, metric), fmt.Sprintf(`{behavior: {syncPeriodSeconds: %d}}`, w.period)} {
		if err := yaml.Unmarshal([]byte(text), &obj.Spec); err != nil {
			return nil, err
		}
	}
	obj.Spec.TargetRef = v1alpha1.TargetReference{APIVersion: "apps/v1", Kind: "Deployment", Name: w.name}
	return obj, nil
}
