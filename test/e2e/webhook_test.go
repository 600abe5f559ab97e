//go:build e2e

package e2e

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	admissionregistrationv1 "k8s.io/api/admissionregistration/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	vpav1 "k8s.io/autoscaler/vertical-pod-autoscaler/pkg/apis/autoscaling.k8s.io/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/tidemark/tidemark/internal/controller/webhook"
)

// TestNewPodsGetTheDecidedSize lets the API server call the controller's webhook
// over TLS, with the certificate that the controller made for itself. Running
// pods are left alone, as the object asks.
func TestNewPodsGetTheDecidedSize(t *testing.T) {
	share(t)
	p := newPlace(t)
	p.workload("web", 1)
	before := p.eventuallyReady("web", 1)[0]
	p.scriptedVPA("web", "250m", "256Mi")
	p.autoscaler("web", `{replicas: {max: 5}, containers: [{name: app, cpu: {}}], vertical: {source: VPA, vpaName: web, update: Initial}}`)
	eventually(t, patience, func() error {
		status, err := p.status("web")
		if d := status.LastDecision; err == nil && (d == nil || d.Want.Containers["app"]["cpu"] != "250m") {
			err = fmt.Errorf("want a request of 250m to be decided: %s", summary(status))
		}
		return err
	})
	if now := p.eventuallyReady("web", 1)[0]; now.UID != before.UID || now.Spec.Containers[0].Resources.Requests.Cpu().String() != "100m" {
		t.Errorf("the running pod was touched: %+v", now.Spec.Containers[0].Resources)
	}
	// The webhook's cache comes to know the decision a moment later than we.
	eventually(t, patience, func() error {
		p.remove(&corev1.Pod{}, p.eventuallyReady("web", 1)[0].Name)
		pod := p.eventuallyReady("web", 1)[0]
		requests, by := pod.Spec.Containers[0].Resources.Requests, pod.Annotations[webhook.SizedBy]
		if requests.Cpu().String() != "250m" || requests.Memory().String() != "64Mi" || by != "web: app requests.cpu=250m" {
			return fmt.Errorf("a new pod requests %v, by %q; want 250m of CPU and the memory of the template", requests, by)
		}
		return nil
	})
}

// TestPodsOfAScaleUpGetItsSize: a decision of more pods and of another size makes
// the new pods of that size, although the status is complete only after it was
// carried out.
func TestPodsOfAScaleUpGetItsSize(t *testing.T) {
	share(t)
	p := newPlace(t)
	p.workload("web", 1)
	before := p.eventuallyReady("web", 1)[0]
	p.scriptedVPA("web", "250m", "256Mi")
	// The webhook is asked about the namespace once an object there sizes pods.
	p.autoscaler("idle", `{mode: "Off", replicas: {max: 5}, containers: [{name: app, cpu: {}}]}`)
	p.eventuallyInScope()
	p.autoscaler("web", `{replicas: {min: 3, max: 5}, containers: [{name: app, cpu: {}}], vertical: {source: VPA, vpaName: web, update: Initial}}`)
	for _, pod := range p.eventuallyReady("web", 3) {
		want := "250m"
		if pod.UID == before.UID {
			want = "100m"
		}
		if got := pod.Spec.Containers[0].Resources.Requests.Cpu().String(); got != want {
			t.Errorf("pod %s requests %s, want %s", pod.Name, got, want)
		}
	}
}

// TestAPodThatALimitRangeRefusesKeepsTheSizeOfItsTemplate: with the decided size its
// limit, which stays, would be too many times its request. A new pod is created all
// the same, and the object says why it is not smaller.
func TestAPodThatALimitRangeRefusesKeepsTheSizeOfItsTemplate(t *testing.T) {
	share(t)
	p := newPlace(t)
	p.create(&corev1.LimitRange{}, `{metadata: {name: tight}, spec: {limits: [{type: Container, maxLimitRequestRatio: {cpu: "4"}}]}}`)
	p.deployment("web", 1, "", `requests: {cpu: 100m, memory: 64Mi}, limits: {cpu: 400m}`)
	p.eventuallyReady("web", 1)
	p.scriptedVPA("web", "50m", "256Mi")
	p.autoscaler("web", `{replicas: {max: 5}, containers: [{name: app, cpu: {}, controlledValues: RequestsOnly}], vertical: {source: VPA, vpaName: web, update: Initial}}`)
	p.eventuallyInScope()
	eventually(t, patience, func() error {
		p.remove(&corev1.Pod{}, p.eventuallyReady("web", 1)[0].Name)
		pod := p.eventuallyReady("web", 1)[0]
		told, err := p.events("web")
		if cpu := pod.Spec.Containers[0].Resources.Requests.Cpu().String(); err == nil && cpu != "100m" {
			t.Fatalf("a pod was created with %s of CPU, against the LimitRange", cpu)
		}
		if why := pod.Annotations[webhook.NotSized]; err == nil && (!strings.Contains(why, "no more than 4 times its request") ||
			!strings.Contains(strings.Join(told, "\n"), "LimitRange")) {
			err = fmt.Errorf("want the pod and the object to say why; the pod says %q, the object %q", why, told)
		}
		return err
	})
}

// eventuallyInScope waits until the API server is told to ask about new pods of
// the place.
func (p *place) eventuallyInScope() {
	p.t.Helper()
	eventually(p.t, patience, func() error {
		var config admissionregistrationv1.MutatingWebhookConfiguration
		err := world.Get(p.t.Context(), client.ObjectKey{Name: "tidemark"}, &config)
		for _, r := range config.Webhooks[0].NamespaceSelector.MatchExpressions {
			if r.Operator == metav1.LabelSelectorOpIn && slices.Contains(r.Values, p.name) {
				return err
			}
		}
		return errors.Join(err, fmt.Errorf("namespace %s is not in %v", p.name, config.Webhooks[0].NamespaceSelector))
	})
}

// scriptedVPA makes a VPA that no recommender looks after, with this
// recommendation for the container app.
func (p *place) scriptedVPA(name, cpu, memory string) {
	p.t.Helper()
	vpa := &vpav1.VerticalPodAutoscaler{}
	p.create(vpa, `{metadata: {name: %[1]s}, spec: {targetRef: {apiVersion: apps/v1, kind: Deployment, name: %[1]s},
		updatePolicy: {updateMode: "Off"}, recommenders: [{name: nobody}]}}`, name)
	vpa.Status.Recommendation = &vpav1.RecommendedPodResources{ContainerRecommendations: []vpav1.RecommendedContainerResources{{
		ContainerName: "app", Target: resources(cpu, memory),
	}}}
	if err := world.Status().Update(p.t.Context(), vpa); err != nil {
		p.t.Fatal(err)
	}
}
