//go:build e2e

package e2e

import (
	"fmt"
	"strings"
	"testing"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
)

// grownUp is how old pods must be until what they use of cpu counts, in the tests
// of this file: longer than a crash loop takes to come around.
const grownUp = 30 * time.Second

// byCPU is a target of half of what is requested, with a largest count and what
// keeps it from being lowered.
func byCPU(most int, scaleDown string) string {
	return fmt.Sprintf(`{replicas: {min: 1, max: %d}, metrics: [{type: Resource, resource: {name: cpu, target: {averageUtilization: 50}}}],
	behavior: {cpuInitializationSeconds: 30, initialReadinessSeconds: 1, scaleDown: {%s}}}`, most, scaleDown)
}

// What keeps a count from being lowered: everything, where the samples are still
// of the time before; or a window that is longer than until new pods are measured.
const (
	neverDown  = "selectPolicy: Disabled"
	slowlyDown = "stabilizationWindowSeconds: 20"
)

// grow waits until pods are so old that nothing of them counts as a start.
func (p *place) grow(pods []corev1.Pod) {
	p.t.Helper()
	for i := range pods {
		time.Sleep(time.Until(pods[i].Status.StartTime.Add(grownUp + time.Second)))
	}
}

// crash lets pods that were ready crash again and again, and burn cpu meanwhile.
func (p *place) crash(pods []corev1.Pod) {
	p.t.Helper()
	for i := range pods {
		p.patch(&corev1.Pod{}, pods[i].Name, `{metadata: {annotations: {cluster.tidemark.dev/crash-seconds: "10", cluster.tidemark.dev/back-off-seconds: "5",
			usage-cpu.cluster.tidemark.dev/app: 250m}}}`)
	}
}

// explains is a check that the last decision of an object says all of this.
func (p *place) explains(name string, words ...string) func() error {
	return func() error {
		status, err := p.status(name)
		if err != nil {
			return err
		}
		var text strings.Builder
		if d := status.LastDecision; d != nil {
			for _, s := range d.Steps {
				fmt.Fprintln(&text, s.Reason, s.Message)
			}
		}
		for _, word := range words {
			if !strings.Contains(text.String(), word) {
				return fmt.Errorf("the decision about %s does not say %q:\n%s", name, word, text.String())
			}
		}
		return nil
	}
}

// crashLoops is as long as two crash loops take to come around, and what they use
// to be measured.
const crashLoops = time.Minute

// TestCrashLoopOfSomePods: two of six pods crash and use 250 % of what they
// request. The four that serve are at their target, so the count stays: to count
// all six would make it fourteen.
func TestCrashLoopOfSomePods(t *testing.T) {
	p := newPlace(t)
	p.workload("web", 6)
	p.demand("web", "0.2")
	share(t)
	pods := p.eventuallyReady("web", 6)
	p.grow(pods)
	p.crash(pods[:2])
	p.eventuallyReady("web", 4)
	p.autoscaler("web", byCPU(20, neverDown))
	eventually(t, patience, p.explains("web", "WithinTolerance", "4 pods counted, 2 not ready", pods[0].Name, pods[1].Name))
	always(t, crashLoops, p.has("web", 6))
	eventually(t, patience, p.explains("web", "in back-off"))
	eventually(t, patience, p.explains("web", "restarting"))
}

// TestCrashLoopOfAllPods: where all pods crash, nothing is known of the demand.
func TestCrashLoopOfAllPods(t *testing.T) {
	p := newPlace(t)
	p.workload("web", 3)
	p.demand("web", "0.15")
	share(t)
	pods := p.eventuallyReady("web", 3)
	p.grow(pods)
	p.crash(pods)
	p.eventuallyReady("web", 0)
	p.autoscaler("web", byCPU(20, neverDown))
	eventually(t, patience, p.shows("web", "ScalingActive", "False", "NoData", "no pod serves", pods[0].Name, pods[1].Name, pods[2].Name))
	always(t, crashLoops, p.has("web", 3))

	// Pods that serve again have a say again: 150m over three pods is their target.
	for i := range pods {
		p.patch(&corev1.Pod{}, pods[i].Name, `{metadata: {annotations: {cluster.tidemark.dev/crash-seconds: null, usage-cpu.cluster.tidemark.dev/app: null}}}`)
	}
	eventually(t, patience, p.shows("web", "ScalingActive", "True", "WithinTolerance"))
	if err := p.has("web", 3)(); err != nil {
		t.Error(err)
	}
}

// overload lets pods lose readiness while the demand is more than they can do.
func (p *place) overload(name, how string) {
	p.t.Helper()
	p.patch(&appsv1.Deployment{}, name, `{metadata: {annotations: {cluster.tidemark.dev/overload: %q}}}`, how)
}

// TestOverloadTakesReadinessFromAllPods: two pods of 100m cannot do 290m, and
// neither of them is ready any more. They speak all the same: 290m at half of a
// request are six pods, and then all are ready.
func TestOverloadTakesReadinessFromAllPods(t *testing.T) {
	p := newPlace(t)
	p.deployment("web", 2, "", `requests: {cpu: 100m}, limits: {cpu: 100m}`)
	share(t)
	p.grow(p.eventuallyReady("web", 2))
	p.overload("web", "all")
	p.demand("web", "0.29")
	p.eventuallyReady("web", 0)
	p.steady("web", "0.2") // what two pods of 100m can do
	p.autoscaler("web", byCPU(20, slowlyDown))
	p.eventuallyHas("web", 6)
	p.eventuallyReady("web", 6)
	eventually(t, patience, p.shows("web", "ScalingActive", "True", "WithinTolerance"))
}

// TestOverloadTakesReadinessFromSomePods: two of four pods of 100m lose readiness
// under 600m, and all use 100m. The two that serve point up, and so the others
// count with what they use: 400m are eight pods. Were they taken as idle, four
// would be exactly enough.
func TestOverloadTakesReadinessFromSomePods(t *testing.T) {
	p := newPlace(t)
	p.deployment("web", 4, "", `requests: {cpu: 100m}, limits: {cpu: 100m}`)
	share(t)
	p.grow(p.eventuallyReady("web", 4))
	p.overload("web", "2")
	p.demand("web", "0.6")
	p.eventuallyReady("web", 2)
	p.steady("web", "0.4") // what four pods of 100m can do
	p.autoscaler("web", byCPU(8, slowlyDown))
	p.eventuallyHas("web", 8)
	p.eventuallyReady("web", 8)
	always(t, 10*time.Second, p.has("web", 8))
}
