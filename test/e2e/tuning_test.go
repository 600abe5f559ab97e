//go:build e2e

package e2e

import (
	"fmt"
	"strings"
	"testing"
	"time"

	autoscalingv2 "k8s.io/api/autoscaling/v2"
	eventsv1 "k8s.io/api/events/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	vpav1 "k8s.io/autoscaler/vertical-pod-autoscaler/pkg/apis/autoscaling.k8s.io/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/yaml"

	"github.com/tidemark/tidemark/api/v1alpha1"
)

// found is where we note what was in an HPA before.
const found = "autoscaling.tidemark.dev/found"

// hpa makes an HPA of the Deployment web. Its metrics are in a list.
func (p *place) hpa(bounds, annotations, metrics string) {
	p.t.Helper()
	p.create(&autoscalingv2.HorizontalPodAutoscaler{}, `{metadata: {name: theirs, annotations: {%s}},
		spec: {%s, scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: web}, metrics: [%s]}}`, annotations, bounds, metrics)
}

// hpaHas is a check of the HPA's numbers: its bounds, then the target of each of
// its metrics.
func (p *place) hpaHas(want string) func() error {
	return func() error {
		var hpa autoscalingv2.HorizontalPodAutoscaler
		if err := p.get(&hpa, "theirs"); err != nil {
			return err
		}
		got := fmt.Sprintf("%d..%d", *hpa.Spec.MinReplicas, hpa.Spec.MaxReplicas)
		for _, m := range hpa.Spec.Metrics {
			switch {
			case m.ContainerResource != nil:
				got += fmt.Sprintf(" %d", *m.ContainerResource.Target.AverageUtilization)
			case m.Resource != nil:
				got += fmt.Sprintf(" %d", *m.Resource.Target.AverageUtilization)
			case m.External != nil && m.External.Target.Value != nil:
				got += " " + m.External.Target.Value.String()
			}
		}
		if got != want {
			status, _ := p.status("web")
			return fmt.Errorf("the HPA has %s, want %s, and notes %s; %s", got, want, hpa.Annotations[found], summary(status))
		}
		return nil
	}
}

// given is a check that the HPA has these numbers again, and no note of ours.
func (p *place) given(want string) func() error {
	return func() error {
		if err := p.hpaHas(want)(); err != nil {
			return err
		}
		var hpa autoscalingv2.HorizontalPodAutoscaler
		if err := p.get(&hpa, "theirs"); err != nil {
			return err
		}
		if note, noted := hpa.Annotations[found]; noted {
			return fmt.Errorf("the HPA still has our note: %s", note)
		}
		return nil
	}
}

// recommends makes a VPA of the Deployment web that no recommender looks after,
// and says what it recommends.
func (p *place) recommends(cpu, memory string) {
	p.t.Helper()
	vpa := &vpav1.VerticalPodAutoscaler{}
	if err := p.get(vpa, "web"); err != nil {
		p.create(vpa,
			`{metadata: {name: web}, spec: {targetRef: {apiVersion: apps/v1, kind: Deployment, name: web}, recommenders: [{name: nobody}], updatePolicy: {updateMode: "Off"}}}`)
	}
	vpa.Status = vpav1.VerticalPodAutoscalerStatus{Recommendation: &vpav1.RecommendedPodResources{
		ContainerRecommendations: []vpav1.RecommendedContainerResources{{ContainerName: "app", Target: resources(cpu, memory)}},
	}}
	if err := world.Status().Update(p.t.Context(), vpa); err != nil {
		p.t.Fatal(err)
	}
}

// TestAnHPAIsTuned: the HPA gets our stated bounds and goes on scaling by itself.
func TestAnHPAIsTuned(t *testing.T) {
	share(t)
	p := newPlace(t)
	p.workload("web", 2)
	p.queue("70")
	p.hpa(`minReplicas: 1, maxReplicas: 3`, ``, `{type: External, external: {metric: {name: queue_length}, target: {type: AverageValue, averageValue: "10"}}}`)
	p.eventuallyHas("web", 3)

	p.autoscaler("web", `{actuator: HPA, hpaName: theirs, replicas: {min: 2, max: 7},
		metrics: [{type: External, external: {metric: {name: queue_length}, target: {averageValue: 10}}}]}`)
	eventually(t, patience, p.hpaHas("2..7"))
	p.eventuallyHas("web", 7)
	eventually(t, patience, p.told("web", "Normal LeftToHPA"))
	eventually(t, patience, p.shows("web", "AbleToScale", "True", "Ready"))
}

// TestAnHPAOfWhichNothingIsKnownIsLeftAlone: nothing is learned and nothing is
// stated, so nothing is written. The object needs no metrics of its own.
func TestAnHPAOfWhichNothingIsKnownIsLeftAlone(t *testing.T) {
	share(t)
	p := newPlace(t)
	p.workload("web", 6)
	p.hpa(`minReplicas: 6, maxReplicas: 30`, ``,
		`{type: ContainerResource, containerResource: {name: cpu, container: app, target: {type: Utilization, averageUtilization: 60}}}`)
	p.autoscaler("web", `{actuator: HPA, hpaName: theirs, learn: {targets: true}}`)
	eventually(t, patience, p.shows("web", "AbleToScale", "True", "Ready"))
	always(t, 15*time.Second, p.given("6..30 60"))
}

// TestTheHPAsOwnTargetsAreTuned: what is tuned, and from where, is its own list:
// a ContainerResource metric, and an External one that an annotation of the
// Tortoise design names. Each moves once for what was recommended.
func TestTheHPAsOwnTargetsAreTuned(t *testing.T) {
	share(t)
	p := newPlace(t)
	p.workload("web", 2)
	p.queue("1")
	p.metric("memory", "external: load-memory-app\nvalue: \"60\"\n")
	p.hpa(`minReplicas: 2, maxReplicas: 5`, `tortoises.autoscaling.mercari.com/container-based-memory-metric-prefix: load-memory-`,
		`{type: ContainerResource, containerResource: {name: cpu, container: app, target: {type: Utilization, averageUtilization: 80}}},
		{type: External, external: {metric: {name: load-memory-app}, target: {type: Value, value: "70"}}},
		{type: External, external: {metric: {name: queue_length}, target: {type: Value, value: "50"}}}`)
	p.autoscaler("web", `{actuator: HPA, hpaName: theirs, learn: {targets: true}, vertical: {source: VPA, vpaName: web}}`)
	eventually(t, patience, p.shows("web", "AbleToScale", "True", "Ready"))
	always(t, 6*time.Second, p.hpaHas("2..5 80 70 50"))

	// 102 % of the request at 80 % is 78. 91 % at 70 % would be 79, and rises by 5.
	p.recommends("102m", "58Mi")
	eventually(t, patience, p.hpaHas("2..5 78 75 50"))
	// The same recommendation again and again moves nothing.
	always(t, 15*time.Second, p.hpaHas("2..5 78 75 50"))
	eventually(t, patience, func() error {
		status, err := p.status("web")
		if err == nil {
			text, _ := yaml.Marshal(status.LastDecision.Steps)
			if !strings.Contains(string(text), "queue_length") {
				err = fmt.Errorf("nothing says that queue_length is not tuned: %s", text)
			}
		}
		return err
	})

	// More than before lowers it at once.
	p.recommends("110m", "58Mi")
	eventually(t, patience, p.hpaHas("2..5 70 75 50"))

	if err := world.Delete(t.Context(), &v1alpha1.WorkloadAutoscaler{ObjectMeta: metav1.ObjectMeta{Namespace: p.name, Name: "web"}}); err != nil {
		t.Fatal(err)
	}
	eventually(t, patience, p.given("2..5 80 70 50"))
	eventually(t, patience, p.givenBackIsTold)
}

// givenBackIsTold is a check that there is an event about the HPA.
func (p *place) givenBackIsTold() error {
	var list eventsv1.EventList
	if err := world.List(p.t.Context(), &list, client.InNamespace(p.name)); err != nil {
		return err
	}
	for _, e := range list.Items {
		if e.Regarding.Kind == "HorizontalPodAutoscaler" && e.Reason == "GivenBack" {
			return nil
		}
	}
	return fmt.Errorf("nobody told that the HPA was given back")
}

// TestAnHPAWithoutATunableMetricIsSaid: learning targets in vain shows.
func TestAnHPAWithoutATunableMetricIsSaid(t *testing.T) {
	share(t)
	p := newPlace(t)
	p.workload("web", 2)
	p.queue("1")
	p.hpa(`minReplicas: 2, maxReplicas: 5`, ``, `{type: External, external: {metric: {name: queue_length}, target: {type: Value, value: "50"}}}`)
	p.autoscaler("web", `{actuator: HPA, hpaName: theirs, learn: {targets: true}}`)
	eventually(t, patience, p.shows("web", "AbleToScale", "True", "Waiting", "none of its metrics can be tuned", "queue_length"))
}

// TestAnHPAIsGivenBack: each way to stop tuning leaves the HPA as it was found,
// except where someone has changed it since.
func TestAnHPAIsGivenBack(t *testing.T) {
	share(t)
	p := newPlace(t)
	p.workload("web", 6)
	p.hpa(`minReplicas: 6, maxReplicas: 30`, ``, `{type: Resource, resource: {name: cpu, target: {type: Utilization, averageUtilization: 60}}}`)
	p.autoscaler("web", `{actuator: HPA, hpaName: theirs, replicas: {min: 4, max: 20}}`)
	eventually(t, patience, p.hpaHas("4..20 60"))

	p.patch(&v1alpha1.WorkloadAutoscaler{}, "web", `{spec: {mode: "Off"}}`)
	eventually(t, patience, p.given("6..30 60"))
	p.patch(&v1alpha1.WorkloadAutoscaler{}, "web", `{spec: {mode: Auto}}`)
	eventually(t, patience, p.hpaHas("4..20 60"))

	// A bound that is no longer stated is no longer ours.
	p.patch(&v1alpha1.WorkloadAutoscaler{}, "web", `{spec: {replicas: {min: null}}}`)
	eventually(t, patience, p.hpaHas("6..20 60"))

	// Beside an HPA that tunes nothing, an object that scales must only recommend.
	p.patch(&autoscalingv2.HorizontalPodAutoscaler{}, "theirs", `{spec: {minReplicas: 7}}`)
	p.patch(&v1alpha1.WorkloadAutoscaler{}, "web", `{spec: {mode: Recommend, actuator: Scale, hpaName: null}}`)
	eventually(t, patience, p.given("7..30 60"))
}

// TestAnHPAIsGivenBackAfterARestart: the object goes while no controller runs.
func TestAnHPAIsGivenBackAfterARestart(t *testing.T) {
	alone(t)
	p := newPlace(t)
	p.workload("web", 6)
	p.hpa(`minReplicas: 6, maxReplicas: 30`, ``, `{type: Resource, resource: {name: cpu, target: {type: Utilization, averageUtilization: 60}}}`)
	p.autoscaler("web", `{actuator: HPA, hpaName: theirs, replicas: {min: 4, max: 20}}`)
	first := startController(t, options{})
	eventually(t, patience, p.hpaHas("4..20 60"))
	if err := first.Stop(); err != nil {
		t.Fatal(err)
	}
	if err := world.Delete(t.Context(), &v1alpha1.WorkloadAutoscaler{ObjectMeta: metav1.ObjectMeta{Namespace: p.name, Name: "web"}}); err != nil {
		t.Fatal(err)
	}
	always(t, 3*time.Second, p.hpaHas("4..20 60"))
	startController(t, options{})
	eventually(t, patience, p.given("6..30 60"))
}

// TestPodsAreSizedBesideATunedHPA: the Tortoise design's usual way. The HPA
// decides how many pods there are, and we how large each of them is.
func TestPodsAreSizedBesideATunedHPA(t *testing.T) {
	share(t)
	p := newPlace(t)
	p.workload("web", 2)
	p.queue("30")
	p.hpa(`minReplicas: 1, maxReplicas: 3`, ``, `{type: External, external: {metric: {name: queue_length}, target: {type: AverageValue, averageValue: "10"}}}`)
	p.eventuallyHas("web", 3)
	p.recommends("100m", "128Mi")
	p.autoscaler("web",
		`{actuator: HPA, hpaName: theirs, replicas: {min: 2, max: 7}, containers: [{name: app, memory: {scaling: Vertical}}], vertical: {source: VPA, vpaName: web}}`)
	eventually(t, patience, p.hpaHas("2..7"))
	eventually(t, patience, p.allSized("web", 3, "100m", "128Mi"))

	p.queue("50")
	p.eventuallyHas("web", 5)
	eventually(t, patience, p.allSized("web", 5, "100m", "128Mi"))
}

// allSized is a check that a Deployment has so many ready pods, all of this size.
func (p *place) allSized(name string, count int, cpu, memory string) func() error {
	return func() error {
		pods, err := p.ready(name)
		if err != nil {
			return err
		}
		if len(pods) != count {
			return fmt.Errorf("%d pods are ready, want %d", len(pods), count)
		}
		want := resources(cpu, memory)
		for _, pod := range pods {
			got := pod.Spec.Containers[0].Resources.Requests
			if !got.Cpu().Equal(*want.Cpu()) || !got.Memory().Equal(*want.Memory()) {
				status, _ := p.status(name)
				return fmt.Errorf("%s requests %s and %s, want %s and %s; %s", pod.Name, got.Cpu(), got.Memory(), cpu, memory, summary(status))
			}
		}
		return nil
	}
}
