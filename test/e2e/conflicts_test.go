//go:build e2e

package e2e

import (
	"testing"
	"time"

	autoscalingv2 "k8s.io/api/autoscaling/v2"

	"github.com/tidemark/tidemark/api/v1alpha1"
)

const byQueue = `{replicas: {min: 1, max: 9}, metrics: [{type: External, external: {metric: {name: queue_length}, target: {averageValue: 10}}}]}`

// TestTwoObjectsOnOneTarget: both show it and none scales, until one of them is
// gone.
func TestTwoObjectsOnOneTarget(t *testing.T) {
	share(t)
	p := newPlace(t)
	p.workload("web", 2)
	p.autoscaler("web", byQueue)
	p.autoscaler("other", `{targetRef: {apiVersion: apps/v1, kind: Deployment, name: web}, replicas: {min: 1, max: 3}}`)
	eventually(t, patience, p.shows("web", "AbleToScale", "False", "SharedTarget", "other"))
	eventually(t, patience, p.shows("other", "AbleToScale", "False", "SharedTarget", "web"))
	p.queue("40")
	always(t, 8*time.Second, p.has("web", 2))

	p.remove(&v1alpha1.WorkloadAutoscaler{}, "other")
	p.eventuallyHas("web", 4)
	eventually(t, patience, p.shows("web", "AbleToScale", "True", "Ready"))
}

// TestAForeignHPAOnTheTarget is left to scale alone.
func TestAForeignHPAOnTheTarget(t *testing.T) {
	share(t)
	p := newPlace(t)
	p.workload("web", 2)
	// Without a metric that it can read, the HPA keeps the count.
	p.create(&autoscalingv2.HorizontalPodAutoscaler{}, `{metadata: {name: theirs}, spec: {maxReplicas: 9,
		scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: web},
		metrics: [{type: External, external: {metric: {name: nothing}, target: {type: Value, value: "10"}}}]}}`)
	p.queue("40")
	p.autoscaler("web", byQueue)
	eventually(t, patience, p.shows("web", "AbleToScale", "False", "ForeignAutoscaler", "the HPA theirs", "delete it"))
	always(t, 8*time.Second, p.has("web", 2))

	p.remove(&autoscalingv2.HorizontalPodAutoscaler{}, "theirs")
	p.eventuallyHas("web", 4)
}

// TestAKEDAScaledObjectOnTheTarget: KEDA scales through an HPA that belongs to
// its ScaledObject. Its user knows the ScaledObject, so that is what is named.
// The HPA alone is what tells of it, and so all that is needed here: without
// KEDA's definitions nobody can find out that its owner does not exist.
func TestAKEDAScaledObjectOnTheTarget(t *testing.T) {
	share(t)
	p := newPlace(t)
	p.workload("web", 2)
	p.create(&autoscalingv2.HorizontalPodAutoscaler{}, `{metadata: {name: keda-hpa-orders,
			labels: {app.kubernetes.io/managed-by: keda-operator, app.kubernetes.io/name: keda-hpa-orders, scaledobject.keda.sh/name: orders},
			ownerReferences: [{apiVersion: keda.sh/v1alpha1, kind: ScaledObject, name: orders,
				uid: 6b1f4c1e-0f0e-4b52-9c57-0c5d2f3a1e77, controller: true, blockOwnerDeletion: true}]},
		spec: {minReplicas: 1, maxReplicas: 9, scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: web},
			metrics: [{type: External, external: {metric: {name: s0-rabbitmq-orders, selector: {matchLabels: {scaledobject.keda.sh/name: orders}}}, target: {type: AverageValue, averageValue: "5"}}}]}}`)
	p.queue("40")
	p.autoscaler("web", byQueue)
	eventually(t, patience, p.shows("web", "AbleToScale", "False", "ForeignAutoscaler", "the ScaledObject orders (through the HPA keda-hpa-orders)", "Recommend"))
	eventually(t, patience, p.told("web", "Warning ForeignAutoscaler"))
	always(t, 6*time.Second, p.has("web", 2))

	// KEDA's user goes over to us as the message says: first beside it, then
	// without it.
	p.patch(&v1alpha1.WorkloadAutoscaler{}, "web", `{spec: {mode: Recommend}}`)
	eventually(t, patience, p.shows("web", "AbleToScale", "False", "Recommend"))
	p.remove(&autoscalingv2.HorizontalPodAutoscaler{}, "keda-hpa-orders")
	p.patch(&v1alpha1.WorkloadAutoscaler{}, "web", `{spec: {mode: Auto}}`)
	p.eventuallyHas("web", 4)
}
