//go:build e2e

package e2e

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/tidemark/tidemark/api/v1alpha1"
	"github.com/tidemark/tidemark/internal/controller/webhook"
)

// TestAPodThatCannotBeResizedIsEvicted: a pod that its node can never give its
// size is replaced by one that has it from the start. A young pod is not, and
// nothing is evicted that a disruption budget protects.
func TestAPodThatCannotBeResizedIsEvicted(t *testing.T) {
	gate := share(t).gate
	p := newPlace(t)
	p.deployment("web", 2, `cluster.tidemark.dev/resize: infeasible`, `requests: {cpu: 500m, memory: 64Mi}`)
	first := p.eventuallyReady("web", 2)
	old, young := first[0], first[1]
	p.budget(2)
	p.scriptedVPA("web", "750m", "64Mi")
	p.autoscaler("web", `{replicas: {min: 2, max: 5}, containers: [{name: app, cpu: {}}], vertical: {source: VPA, vpaName: web}}`)
	for _, pod := range first {
		eventually(t, patience, p.shows("web", "AbleToScale", "True", "Waiting", pod.Name, "its node can never give it this size",
			"it is not replaced in its first 10m0s"))
	}
	if asked := gate.evictions(p.name); len(asked) > 0 {
		t.Fatalf("young pods were to be evicted: %q", asked)
	}

	p.age(old.Name, time.Hour)
	eventually(t, patience, p.shows("web", "AbleToScale", "True", "Waiting",
		"("+old.Name+"): its node can never give it this size; a PodDisruptionBudget does not let it go now", "("+young.Name+")"))
	eventually(t, patience, p.told("web", "Normal Waiting: 1 of 2 pods are not at the size decided since 20",
		"("+old.Name+"): its node can never give it this size; a PodDisruptionBudget"))
	always(t, 4*time.Second, p.still("web", old.UID, young.UID))

	p.budget(1)
	var now []corev1.Pod
	eventually(t, patience, func() (err error) {
		if now, err = p.ready("web"); err == nil && (len(now) != 2 || slices.ContainsFunc(now, is(old.UID))) {
			err = errors.New("the pod is not replaced yet")
		}
		return err
	})
	if !slices.ContainsFunc(now, is(young.UID)) {
		t.Error("the other pod was replaced too")
	}
	created := now[slices.IndexFunc(now, func(pod corev1.Pod) bool { return pod.UID != young.UID })]
	if cpu, by := created.Spec.Containers[0].Resources.Requests.Cpu().String(), created.Annotations[webhook.SizedBy]; cpu != "750m" || by == "" {
		t.Errorf("the new pod requests %s, by %q; want 750m from its start", cpu, by)
	}
	always(t, 4*time.Second, p.still("web", young.UID, created.UID))
	if diff := cmp.Diff([]string{old.Name}, gate.evictions(p.name)); diff != "" {
		t.Errorf("pods that were to be evicted (-want +got):\n%s", diff)
	}
}

// TestPodsThatMayNotGo: what an object says of evictions is asked for before each of them.
func TestPodsThatMayNotGo(t *testing.T) {
	gate := share(t).gate
	p := newPlace(t)
	p.deployment("web", 2, "", `requests: {cpu: 500m, memory: 64Mi}`)
	for _, pod := range p.eventuallyReady("web", 2) {
		p.age(pod.Name, time.Hour)
	}
	p.scriptedVPA("web", "750m", "64Mi")
	p.autoscaler("web", `{replicas: {min: 2, max: 5}, containers: [{name: app, cpu: {}}], vertical: {source: VPA, vpaName: web, update: Recreate,
		minReplicas: 3, evictionRequirements: [{resources: [cpu, memory], changeRequirement: TargetLowerThanRequests}]}}`)
	eventually(t, patience, p.shows("web", "AbleToScale", "True", "Waiting", "vertical.evictionRequirements do not let it be replaced for this change"))
	p.patch(&v1alpha1.WorkloadAutoscaler{}, "web", `{spec: {vertical: {evictionRequirements: [{resources: [cpu, memory], changeRequirement: TargetHigherThanRequests}]}}}`)
	eventually(t, patience, p.shows("web", "AbleToScale", "True", "Waiting", "there are fewer pods than vertical.minReplicas, 3"))
	if asked := gate.evictions(p.name); len(asked) > 0 {
		t.Fatalf("pods that may not go were to be evicted: %q", asked)
	}
	p.patch(&v1alpha1.WorkloadAutoscaler{}, "web", `{spec: {vertical: {minReplicas: 2}}}`)
	eventually(t, patience, func() error {
		if len(gate.evictions(p.name)) == 0 {
			return errors.New("no pod is evicted")
		}
		return nil
	})
}

// budget makes or changes the disruption budget of web, and waits until it is
// known how many pods may go.
func (p *place) budget(available int) {
	p.t.Helper()
	budget := &policyv1.PodDisruptionBudget{}
	if err := p.get(budget, "web"); err != nil {
		p.create(budget, `{metadata: {name: web}, spec: {minAvailable: %d, selector: {matchLabels: {app: web}}}}`, available)
	} else {
		p.patch(budget, "web", `{spec: {minAvailable: %d}}`, available)
	}
	eventually(p.t, patience, func() error {
		err := p.get(budget, "web")
		if s := budget.Status; err == nil && (s.ObservedGeneration < budget.Generation || s.ExpectedPods == 0) {
			err = fmt.Errorf("the budget does not know its pods yet: %+v", s)
		}
		return err
	})
}

// still is a check that these are the pods of a Deployment that are ready.
func (p *place) still(name string, uids ...types.UID) func() error {
	return func() error {
		pods, err := p.ready(name)
		if err != nil {
			return err
		}
		var got []types.UID
		for _, pod := range pods {
			got = append(got, pod.UID)
		}
		slices.Sort(got)
		slices.Sort(uids)
		if !slices.Equal(got, uids) {
			return fmt.Errorf("the ready pods are %v, want %v", got, uids)
		}
		return nil
	}
}

func is(uid types.UID) func(corev1.Pod) bool {
	return func(pod corev1.Pod) bool { return pod.UID == uid }
}

// evictions names the pods of a namespace whose eviction was asked for.
func (g *gate) evictions(namespace string) []string {
	var names []string
	for what := range maps.Keys(g.of(namespace)) {
		if rest, ok := strings.CutSuffix(what, "/eviction"); ok {
			names = append(names, strings.TrimPrefix(rest, "POST v1 pods/"))
		}
	}
	return names
}
