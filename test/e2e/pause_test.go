//go:build e2e

package e2e

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	vpav1 "k8s.io/autoscaler/vertical-pod-autoscaler/pkg/apis/autoscaling.k8s.io/v1"

	"github.com/tidemark/tidemark/api/v1alpha1"
)

// TestAPauseStopsEveryChange: while the administrator pauses the controller,
// decisions are made and told, and nothing else is written. Afterward the work
// goes on.
func TestAPauseStopsEveryChange(t *testing.T) {
	alone(t)
	through, err := newGate(world.Config)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(through.server.Close)
	p := newPlace(t)
	controller := startController(t, options{through: through})
	p.sizedAndScaled(v1alpha1.ModeAuto)
	eventually(t, patience, p.runs("web", 2, "200m"))
	eventually(t, patience, p.shows("web", "ScalingActive", "True", "WithinTolerance"))

	controller.administer(t, func(a *v1alpha1.AdminSettings) { a.Paused = true })
	eventually(t, patience, controller.says("tidemark_paused 1"))
	before := through.changes(p.name)
	p.queue("30")
	p.recommend("web", "250m", "64Mi")
	eventually(t, patience, p.shows("web", "AbleToScale", "False", "Paused", "would apply 2 x 200m 64Mi -> 3 x 250m 64Mi"))
	always(t, 5*time.Second, p.runs("web", 2, "200m"))
	if diff := cmp.Diff(before, through.changes(p.name)); diff != "" {
		t.Errorf("changes before the pause and after it (-before +after):\n%s", diff)
	}

	controller.administer(t, func(a *v1alpha1.AdminSettings) { a.Paused = false })
	eventually(t, patience, p.runs("web", 3, "250m"))
	eventually(t, patience, p.shows("web", "AbleToScale", "True", "Ready"))
	eventually(t, patience, controller.says("tidemark_paused 0"))
}

// TestModesThatChangeNothing: an object that is off, or that only recommends,
// says what it would do and changes nothing, until its mode is Auto.
func TestModesThatChangeNothing(t *testing.T) {
	beside(t)
	for mode, reason := range map[v1alpha1.Mode]string{v1alpha1.ModeOff: "ModeOff", v1alpha1.ModeRecommend: "Recommend"} {
		t.Run(string(mode), func(t *testing.T) {
			gate := share(t).gate
			p := newPlace(t)
			p.sizedAndScaled(mode)
			eventually(t, patience, p.shows("web", "AbleToScale", "False", reason, "would apply 1 x 100m 64Mi -> 2 x 200m 64Mi"))
			always(t, 5*time.Second, p.runs("web", 1, "100m"))
			if writes := gate.changes(p.name); len(writes) > 0 {
				t.Errorf("in mode %s there were %v", mode, writes)
			}
			p.patch(&v1alpha1.WorkloadAutoscaler{}, "web", `{spec: {mode: Auto}}`)
			eventually(t, patience, p.runs("web", 2, "200m"))
			eventually(t, patience, p.shows("web", "AbleToScale", "True", "Ready"))
		})
	}
}

// TestAnExcludedNamespaceIsLeftAlone until the administrator includes it again.
func TestAnExcludedNamespaceIsLeftAlone(t *testing.T) {
	controller := share(t)
	p := newPlace(t)
	p.sizedAndScaled(v1alpha1.ModeAuto)
	eventually(t, patience, p.runs("web", 2, "200m"))

	controller.administer(t, func(a *v1alpha1.AdminSettings) { a.ExcludedNamespaces = append(a.ExcludedNamespaces, p.name) })
	eventually(t, patience, p.shows("web", "AbleToScale", "False", "NamespaceExcluded", p.name))
	before := controller.gate.changes(p.name)
	p.queue("30")
	p.recommend("web", "250m", "64Mi")
	always(t, 5*time.Second, p.runs("web", 2, "200m"))
	if diff := cmp.Diff(before, controller.gate.changes(p.name)); diff != "" {
		t.Errorf("changes before the exclusion and after it (-before +after):\n%s", diff)
	}

	controller.administer(t, func(a *v1alpha1.AdminSettings) {
		a.ExcludedNamespaces = slices.DeleteFunc(a.ExcludedNamespaces, func(name string) bool { return name == p.name })
	})
	eventually(t, patience, p.runs("web", 3, "250m"))
}

// sizedAndScaled makes the Deployment web with one pod of 100m, and an object
// that wants two of 200m.
func (p *place) sizedAndScaled(mode v1alpha1.Mode) {
	p.t.Helper()
	p.queue("20")
	p.workload("web", 1)
	p.eventuallyReady("web", 1)
	p.scriptedVPA("web", "200m", "64Mi")
	p.autoscaler("web",
		fmt.Sprintf(`{mode: %q, replicas: {min: 1, max: 9}, behavior: {syncPeriodSeconds: 1}, containers: [{name: app, cpu: {}}], vertical: {source: VPA, vpaName: web},
		metrics: [{type: External, external: {metric: {name: queue_length}, target: {averageValue: 10}}}]}`, mode))
}

// recommend changes what a scripted VPA recommends.
func (p *place) recommend(name, cpu, memory string) {
	p.t.Helper()
	vpa := &vpav1.VerticalPodAutoscaler{}
	if err := p.get(vpa, name); err != nil {
		p.t.Fatal(err)
	}
	vpa.Status.Recommendation.ContainerRecommendations[0].Target = resources(cpu, memory)
	if err := world.Status().Update(p.t.Context(), vpa); err != nil {
		p.t.Fatal(err)
	}
}

// runs is a check that a Deployment has been given a count, that so many pods
// are ready, and that each of them requests this much CPU.
func (p *place) runs(name string, count int32, cpu string) func() error {
	return func() error {
		if err := p.has(name, count)(); err != nil {
			return err
		}
		pods, err := p.ready(name)
		if err != nil {
			return err
		}
		var requests []string
		for _, pod := range pods {
			requests = append(requests, pod.Spec.Containers[0].Resources.Requests.Cpu().String())
		}
		if want := slices.Repeat([]string{cpu}, int(count)); !slices.Equal(requests, want) {
			status, _ := p.status(name)
			return fmt.Errorf("the ready pods request %v of CPU, want %v; %s", requests, want, summary(status))
		}
		return nil
	}
}

// changes are the requests of a namespace that write more than what is said and
// known of an object: its status, its history and its events.
func (g *gate) changes(namespace string) map[string]int {
	out := g.of(namespace)
	maps.DeleteFunc(out, func(what string, _ int) bool {
		return strings.HasPrefix(what, "GET ") || strings.Contains(what, " events.k8s.io/") || strings.Contains(what, " workloadhistories") ||
			strings.Contains(what, " workloadautoscalers/") && strings.HasSuffix(what, "/status")
	})
	return out
}

// says is a check that a controller has a series with a value.
func (p *controllerProcess) says(line string) func() error {
	return func() error {
		text, err := p.Series()
		if err == nil && !strings.Contains(text, "\n"+line+"\n") {
			err = fmt.Errorf("there is no series %q", line)
		}
		return err
	}
}
