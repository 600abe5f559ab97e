//go:build e2e

package e2e

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/tidemark/tidemark/api/v1alpha1"
	"github.com/tidemark/tidemark/test/live"
)

// perPod wants a pod for every ten in the queue.
const perPod = `{replicas: {min: 1, max: 20}, metrics: [{type: External, external: {metric: {name: queue_length}, target: {averageValue: 10}}}]}`

// byRecommendation gives pods the cpu that their VPA recommends.
const byRecommendation = `{replicas: {min: 2, max: 2}, containers: [{name: app, cpu: {}}], vertical: {source: VPA, vpaName: web, update: InPlace}}`

// TestAQuotaOfPodsIsTold: a minimum is ordered whatever a quota allows. Half of the pods
// are not created, and the status says which quota to raise instead of that everything is
// well.
func TestAQuotaOfPodsIsTold(t *testing.T) {
	controller := share(t)
	p := newPlace(t)
	p.quota("few", "pods", "5")
	p.queue("100")
	p.workload("web", 2)
	p.autoscaler("web", strings.Replace(perPod, "min: 1", "min: 10", 1))

	eventually(t, patience, p.shows("web", "AbleToScale", "False", "Quota", "5 of 10 pods do not exist since 20", "exceeded quota: few",
		"limited: pods=5", "raise the quota"))
	p.neverFollowed("web")
	eventually(t, patience, p.told("web", "Warning Quota: ", "pods do not exist since 20", "exceeded quota: few"))
	eventually(t, patience, p.counts(controller, "pods_missing", 5))
	eventually(t, patience, p.counts(controller, "able", 0))
	for command, words := range map[string]string{"get": "! Quota", "explain": "exceeded quota: few"} {
		if out := tidemark(t, command, "web", "-n", p.name); !strings.Contains(out, words) {
			t.Errorf("tidemark %s does not say %q:\n%s", command, words, out)
		}
	}
	p.quietStatus("web")

	p.patch(&v1alpha1.WorkloadAutoscaler{}, "web", `{spec: {replicas: {min: 1}}}`)
	p.queue("50")
	p.eventuallyHas("web", 5)
	eventually(t, patience, p.shows("web", "AbleToScale", "True", "Ready"))
	eventually(t, patience, p.counts(controller, "pods_missing", 0))
}

// TestPodsWithoutANodeAreTold: no node takes a second pod, and there are three
// more pods than nodes. The nodes are of this test alone.
func TestPodsWithoutANodeAreTold(t *testing.T) {
	controller := share(t)
	p := newPlace(t)
	const homes = 2
	for range homes {
		taintedNode(t, p.name)
	}
	p.queue(fmt.Sprint(10 * (homes + 3)))
	p.create(&appsv1.Deployment{}, `{metadata: {name: web}, spec: {replicas: 1, selector: {matchLabels: {app: web}},
		template: {metadata: {labels: {app: web}}, spec: {containers: [{name: app, image: none, resources: {requests: {cpu: 100m}}}],
		nodeSelector: {taint: %[1]s}, tolerations: [{key: %[1]s, operator: Exists}],
		affinity: {podAntiAffinity: {requiredDuringSchedulingIgnoredDuringExecution: [{topologyKey: kubernetes.io/hostname, labelSelector: {matchLabels: {app: web}}}]}}}}}}`, p.name)
	p.autoscaler("web", perPod)

	eventually(t, patience, p.shows("web", "AbleToScale", "False", "Unschedulable", fmt.Sprintf("3 of %d pods have no node since 20", homes+3),
		"the scheduler finds no node"))
	p.neverFollowed("web")
	status, err := p.status("web")
	if err != nil {
		t.Fatal(err)
	}
	for _, pod := range p.homeless("web") {
		if !strings.Contains(summary(status), pod) {
			t.Errorf("pod %s is not named: %s", pod, summary(status))
		}
	}
	eventually(t, patience, p.told("web", "Warning Unschedulable: "))
	eventually(t, patience, p.counts(controller, "pods_pending", 3))
	p.quietStatus("web")

	p.queue(fmt.Sprint(10 * homes))
	p.eventuallyHas("web", homes)
	eventually(t, patience, p.shows("web", "AbleToScale", "True", "Ready"))
}

// TestResizesThatAreNotInForceAreTold: nodes that have no room now, or never.
func TestResizesThatAreNotInForceAreTold(t *testing.T) {
	beside(t)
	for answer, words := range map[string]string{
		"deferred": "its node has no room for its new size yet", "infeasible": "its node can never give it this size; vertical.update InPlace does not replace pods",
	} {
		t.Run(answer, func(t *testing.T) {
			controller := share(t)
			p := newPlace(t)
			p.deployment("web", 2, "cluster.tidemark.dev/resize: "+answer, `requests: {cpu: 100m, memory: 64Mi}`)
			pods := p.eventuallyReady("web", 2)
			p.scriptedVPA("web", "200m", "64Mi")
			p.autoscaler("web", byRecommendation)

			eventually(t, patience, p.shows("web", "AbleToScale", "True", "Waiting", "2 of 2 pods are not at the size decided since 20", pods[0].Name,
				pods[1].Name, words))
			p.neverFollowed("web")
			eventually(t, patience, p.counts(controller, "pods_not_at_size", 2))
			p.quietStatus("web")

			for _, pod := range pods {
				p.patch(&corev1.Pod{}, pod.Name, `{metadata: {annotations: {cluster.tidemark.dev/resize: null}}}`)
			}
			eventually(t, patience, p.shows("web", "AbleToScale", "True", "Ready"))
			eventually(t, patience, p.counts(controller, "pods_not_at_size", 0))
		})
	}
}

// TestASlowResizeIsUnderWay: while a node works on it, it is no obstacle.
func TestASlowResizeIsUnderWay(t *testing.T) {
	controller := share(t)
	p := newPlace(t)
	p.deployment("web", 2, `cluster.tidemark.dev/resize-seconds: "10"`, `requests: {cpu: 100m, memory: 64Mi}`)
	p.eventuallyReady("web", 2)
	p.scriptedVPA("web", "200m", "64Mi")
	p.autoscaler("web", byRecommendation)
	eventually(t, patience, p.counts(controller, "pods_not_at_size", 2))
	eventually(t, patience, func() error {
		if err := p.shows("web", "AbleToScale", "True", "Ready")(); err != nil {
			return live.Fatal{Err: err}
		}
		return p.counts(controller, "pods_not_at_size", 0)()
	})
}

// TestSeriesFollowTheDecision: one decision, after which none comes for ten
// minutes. It scales, so no series says that something keeps it where it is; it
// begins a forbidden window, which is shown at once; and of two metrics with one
// name both are there.
func TestSeriesFollowTheDecision(t *testing.T) {
	controller := share(t)
	p := newPlace(t)
	for name, length := range map[string]string{"orders": "30", "bills": "15"} {
		p.metric(name, "external: queue_length\nlabels: {queue: "+name+"}\nvalue: %q\n", length)
	}
	p.workload("web", 2)
	const metric = `{type: External, external: {metric: {name: queue_length, selector: {matchLabels: {queue: %s}}}, watermarks: {type: AverageValue, low: 5, high: 10}}}`
	p.autoscaler("web", `{replicas: {min: 1, max: 20}, metrics: [`+fmt.Sprintf(metric, "orders")+`, `+fmt.Sprintf(metric, "bills")+`],
		behavior: {syncPeriodSeconds: 600, scaleUp: {forbiddenWindowSeconds: 120}, scaleDown: {forbiddenWindowSeconds: 600}}}`)
	p.eventuallyHas("web", 3)

	for series, want := range map[string]int{
		`replicas_scaling_effective`:                        3,
		`transition_countdown_seconds/transition="upscale"`: 120, `transition_countdown_seconds/transition="downscale"`: 600,
		`value/selector="queue=orders"`: 15, `upscale_replicas_total`: 1, `min_replicas`: 1, `max_replicas`: 20,
	} {
		eventually(t, patience, p.counts(controller, series, want))
	}
	eventually(t, patience, p.counts(controller, `replicas_scaling_proposal/selector="queue=orders"`, 3))
	eventually(t, patience, p.counts(controller, `replicas_scaling_proposal/selector="queue=bills"`, 2))
}

// quota makes a ResourceQuota and waits until it holds.
func (p *place) quota(name, resource, hard string) {
	p.t.Helper()
	quota := &corev1.ResourceQuota{}
	p.create(quota, `{metadata: {name: %s}, spec: {hard: {%s: %q}}}`, name, resource, hard)
	eventually(p.t, patience, func() error {
		err := p.get(quota, name)
		if err == nil && len(quota.Status.Used) == 0 {
			err = fmt.Errorf("quota %s does not count yet", name)
		}
		return err
	})
}

// counts is a check of one series of web, given as its name without the prefix,
// and a label after a slash.
func (p *place) counts(c *sharedController, series string, want int) func() error {
	name, label, _ := strings.Cut(series, "/")
	return func() error {
		text, err := c.Series()
		if err != nil {
			return err
		}
		for line := range strings.Lines(text) {
			if strings.HasPrefix(line, "tidemark_workload_"+name+"{") && strings.Contains(line, `namespace="`+p.name+`"`) && strings.Contains(line, label) {
				if got := strings.TrimSpace(line[strings.LastIndex(line, "}")+1:]); got != fmt.Sprint(want) {
					return fmt.Errorf("%s, want %d", strings.TrimSpace(line), want)
				}
				return nil
			}
		}
		return fmt.Errorf("there is no series %s of %s", series, p.name)
	}
}

// neverFollowed fails if a condition says that all is as decided.
func (p *place) neverFollowed(name string) {
	p.t.Helper()
	status, err := p.status(name)
	if text := summary(status); err != nil || strings.Contains(text, "followed") || strings.Contains(text, "Ready:") {
		p.t.Errorf("the status says that the desired size is followed: %s, error %v", text, err)
	}
}

// quietStatus fails if the status is written although nothing changes.
func (p *place) quietStatus(name string) {
	p.t.Helper()
	version := func() (string, error) {
		var obj v1alpha1.WorkloadAutoscaler
		err := p.get(&obj, name)
		return obj.ResourceVersion, err
	}
	eventually(p.t, patience, func() error {
		before, err := version()
		if err != nil {
			return err
		}
		time.Sleep(10 * time.Second)
		after, err := version()
		if err == nil && after != before {
			err = fmt.Errorf("the status of %s was written within five periods", name)
		}
		return err
	})
}

// homeless are the pods of a Deployment that have no node.
func (p *place) homeless(name string) []string {
	p.t.Helper()
	var list corev1.PodList
	if err := world.List(context.Background(), &list, client.InNamespace(p.name), client.MatchingLabels{"app": name}); err != nil {
		p.t.Fatal(err)
	}
	var out []string
	for _, pod := range list.Items {
		if pod.Spec.NodeName == "" {
			out = append(out, pod.Name)
		}
	}
	return out
}
