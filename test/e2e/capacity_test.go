//go:build e2e

package e2e

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
)

// TestTheCountGrowsAsFarAsAQuotaAllows: ten pods are desired and five allowed. None is
// ordered that would be refused, so nothing is missing, and with a larger quota it goes on.
func TestTheCountGrowsAsFarAsAQuotaAllows(t *testing.T) {
	controller := share(t)
	p := newPlace(t)
	p.quota("few", "pods", "5")
	p.queue("100")
	p.workload("web", 2)
	p.eventuallyReady("web", 2)
	p.autoscaler("web", perPod)

	eventually(t, patience, p.shows("web", "ScalingLimited", "True", "Quota", "the quota of the namespace allows 5 pods"))
	p.eventuallyReady("web", 5)
	always(t, 5*time.Second, func() error { return errors.Join(p.has("web", 5)(), p.neverRefused("web")) })
	eventually(t, patience, p.counts(controller, "pods_missing", 0))
	if out := tidemark(t, "explain", "web", "-n", p.name); !strings.Contains(out, "the quota of the namespace allows 5 pods") {
		t.Errorf("tidemark explain does not say it:\n%s", out)
	}

	p.patch(&corev1.ResourceQuota{}, "few", `{spec: {hard: {pods: "8"}}}`)
	p.eventuallyReady("web", 8)
}

// TestPodsGrowAsFarAsAQuotaAllows: two pods of 100m should have 200m each, and 50m are left.
func TestPodsGrowAsFarAsAQuotaAllows(t *testing.T) {
	controller := share(t)
	p := newPlace(t)
	p.quota("small", "requests.cpu", "250m")
	p.workload("web", 2)
	p.eventuallyReady("web", 2)
	p.scriptedVPA("web", "200m", "64Mi")
	p.autoscaler("web", byRecommendation)

	eventually(t, patience, p.shows("web", "ScalingLimited", "True", "Quota", "the quota of the namespace has no more cpu for 2 pods"))
	eventually(t, patience, func() error { return p.sized("web", 2, 125, 125) })
	eventually(t, patience, p.shows("web", "AbleToScale", "True", "Ready"))
	eventually(t, patience, p.counts(controller, "pods_not_at_size", 0))
	p.quietStatus("web")

	p.patch(&corev1.ResourceQuota{}, "small", `{spec: {hard: {requests.cpu: 500m}}}`)
	eventually(t, patience, func() error { return p.sized("web", 2, 200, 200) })
}

// TestPodsGrowAsFarAsALimitRangeAllows: a container may request, and use, 150m.
func TestPodsGrowAsFarAsALimitRangeAllows(t *testing.T) {
	share(t)
	p := newPlace(t)
	p.create(&corev1.LimitRange{}, `{metadata: {name: tight}, spec: {limits: [{type: Container, max: {cpu: 150m}}]}}`)
	p.deployment("web", 2, "", `requests: {cpu: 100m, memory: 64Mi}, limits: {cpu: 100m, memory: 64Mi}`)
	p.eventuallyReady("web", 2)
	p.scriptedVPA("web", "200m", "64Mi")
	p.autoscaler("web", byRecommendation)

	eventually(t, patience, p.shows("web", "ScalingLimited", "True", "LimitRange", "a LimitRange of the namespace"))
	eventually(t, patience, func() error { return p.sized("web", 2, 150, 150) })
	eventually(t, patience, p.shows("web", "AbleToScale", "True", "Ready"))
}

// TestPodsGrowNoLargerThanTheLargestNode: pods should have more than any node has for
// pods, and are to have what the largest one has at most.
func TestPodsGrowNoLargerThanTheLargestNode(t *testing.T) {
	share(t)
	p := newPlace(t)
	p.workload("web", 2)
	p.eventuallyReady("web", 2)
	p.scriptedVPA("web", "1000000", "64Mi")
	// No pod that runs is changed: what it takes would be missing elsewhere.
	p.autoscaler("web", strings.Replace(byRecommendation, "update: InPlace", "update: Initial", 1))

	eventually(t, patience, p.shows("web", "ScalingLimited", "True", "NodeSize", "no node has more cpu for one pod"))
	if status, err := p.status("web"); err != nil || strings.Contains(fmt.Sprint(status.LastDecision.Want), "1M") ||
		strings.Contains(fmt.Sprint(status.LastDecision.Want), "1000000") {
		t.Errorf("pods are to have a million cores: %s, error %v", summary(status), err)
	}
}

// neverRefused tells whether a pod of a Deployment was refused.
func (p *place) neverRefused(name string) error {
	var d appsv1.Deployment
	if err := p.get(&d, name); err != nil {
		return err
	}
	for _, c := range d.Status.Conditions {
		if c.Type == appsv1.DeploymentReplicaFailure && c.Status == corev1.ConditionTrue {
			return fmt.Errorf("a pod of %s was refused: %s", name, c.Message)
		}
	}
	return nil
}
