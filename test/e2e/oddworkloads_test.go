//go:build e2e

package e2e

import (
	"fmt"
	"testing"
	"time"

	appsv1 "k8s.io/api/apps/v1"
)

// TestPodsOfAnotherWithTheSameLabels: a Deployment whose selector also matches the
// busy pods of another one. They are not its own, and not its work.
func TestPodsOfAnotherWithTheSameLabels(t *testing.T) {
	share(t)
	p := newPlace(t)
	p.deployment("web", 2, `kwok.x-k8s.io/usage-cpu: 50m`, `requests: {cpu: 100m, memory: 64Mi}`)
	p.create(&appsv1.Deployment{}, `{metadata: {name: batch}, spec: {replicas: 3, selector: {matchLabels: {job: batch}},
		template: {metadata: {labels: {app: web, job: batch}, annotations: {kwok.x-k8s.io/usage-cpu: 300m}},
		spec: {containers: [{name: app, image: none, resources: {requests: {cpu: 100m, memory: 64Mi}}}]}}}}`)
	p.autoscaler("web", `{replicas: {min: 1, max: 9}, metrics: [{type: Resource, resource: {name: cpu, target: {averageUtilization: 50}}}]}`)
	eventually(t, patience, p.shows("web", "ScalingActive", "True", "WithinTolerance"))
	always(t, 10*time.Second, p.has("web", 2))
}

// TestAPausedDeploymentIsScaled: only its rollouts are paused.
func TestAPausedDeploymentIsScaled(t *testing.T) {
	share(t)
	p := newPlace(t)
	p.queue("20")
	p.workload("web", 2)
	p.eventuallyReady("web", 2)
	p.patch(&appsv1.Deployment{}, "web", `{spec: {paused: true}}`)
	p.autoscaler("web", byQueue)
	p.queue("40")
	p.eventuallyHas("web", 4)
	p.eventuallyReady("web", 4)
	p.queue("10")
	p.eventuallyHas("web", 1)
	eventually(t, patience, p.shows("web", "AbleToScale", "True", "Ready"))
}

// TestAStatefulSetInOrder: each pod waits for the one before it, on the way up and on
// the way down. What is on its way is no reason to ask for more.
func TestAStatefulSetInOrder(t *testing.T) {
	share(t)
	p := newPlace(t)
	p.queue("10")
	p.create(&appsv1.StatefulSet{}, `{metadata: {name: db}, spec: {replicas: 1, podManagementPolicy: OrderedReady, serviceName: db, selector: {matchLabels: {app: db}},
		template: {metadata: {labels: {app: db}}, spec: {containers: [{name: app, image: none, resources: {requests: {cpu: 100m, memory: 64Mi}}}]}}}}`)
	p.object("db", "db", `{targetRef: {apiVersion: apps/v1, kind: StatefulSet, name: db}, replicas: {min: 1, max: 9},
		metrics: [{type: External, external: {metric: {name: queue_length}, target: {averageValue: 10}}}]}`)
	for _, size := range []int32{4, 2} {
		p.queue(map[int32]string{4: "40", 2: "20"}[size])
		eventually(t, patience, func() error {
			var set appsv1.StatefulSet
			if err := p.get(&set, "db"); err != nil {
				return err
			}
			if *set.Spec.Replicas > 4 {
				t.Fatalf("it was given %d replicas", *set.Spec.Replicas)
			}
			if *set.Spec.Replicas != size || set.Status.ReadyReplicas != size || set.Status.Replicas != size {
				return fmt.Errorf("%d pods are ready of %d, want %d", set.Status.ReadyReplicas, *set.Spec.Replicas, size)
			}
			return nil
		})
	}
	eventually(t, patience, p.shows("db", "AbleToScale", "True", "Ready"))
}
