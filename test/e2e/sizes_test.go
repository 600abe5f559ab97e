//go:build e2e

package e2e

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metricsv1beta1 "k8s.io/metrics/pkg/apis/metrics/v1beta1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/tidemark/tidemark/api/v1alpha1"
	"github.com/tidemark/tidemark/scale"
)

// sizes is what a test wants the pods of a workload to be: so many, all of the
// same cpu, both as they were asked to be and as they are.
type sizes struct {
	least, most int
	low, high   int64
}

// exactly is for sizes that leave nothing open.
func exactly(pods int, cpu int64) sizes { return sizes{pods, pods, cpu, cpu} }

func (s sizes) String() string {
	return fmt.Sprintf("%d to %d pods of %dm to %dm", s.least, s.most, s.low, s.high)
}

// comeTo is a check that the pods of a Deployment are as wanted, and that the
// object says nothing else.
func (p *place) comeTo(name string, want sizes) func() error {
	return func() error {
		pods, err := p.ready(name)
		if err != nil {
			return err
		}
		status, err := p.status(name)
		if err != nil {
			return err
		}
		if status.LastDecision == nil {
			return fmt.Errorf("%s: nothing was decided yet", name)
		}
		asked, has, same := cpuOf(pods), inForce(pods), true
		decided, err := scale.ParseAmount(status.LastDecision.Want.Containers["app"]["cpu"])
		if err != nil {
			return err
		}
		for i := range pods {
			same = same && asked[i] == int64(decided) && has[i] == asked[i]
		}
		if count := int(status.LastDecision.Want.Replicas); !same || len(pods) != count || count < want.least || count > want.most ||
			int64(decided) < want.low || int64(decided) > want.high {
			return fmt.Errorf("%s has pods of %vm, in force %vm, want %s: %s", name, asked, has, want, summary(status))
		}
		return nil
	}
}

// cpuOf is what the container app of each pod was asked to have, in thousandths.
func cpuOf(pods []corev1.Pod) []int64 {
	var all []int64
	for i := range pods {
		all = append(all, pods[i].Spec.Containers[0].Resources.Requests.Cpu().MilliValue())
	}
	return all
}

// inForce is what it has.
func inForce(pods []corev1.Pod) []int64 {
	var all []int64
	for i := range pods {
		cpu := int64(0)
		for _, c := range pods[i].Status.ContainerStatuses {
			if c.Name == "app" && c.Resources != nil {
				cpu = c.Resources.Requests.Cpu().MilliValue()
			}
		}
		all = append(all, cpu)
	}
	return all
}

// capacity is a check that the pods have at least so much in force.
func (p *place) capacity(name string, least int64) func() error {
	return func() error {
		pods, err := p.ready(name)
		if err != nil {
			return err
		}
		sum := int64(0)
		for _, cpu := range inForce(pods) {
			sum += cpu
		}
		if sum < least {
			status, _ := p.status(name)
			return fmt.Errorf("%s has %dm in force, of pods of %vm, want %dm: %s", name, sum, inForce(pods), least, summary(status))
		}
		return nil
	}
}

// same fails the test where a pod is not one of those before.
func (p *place) same(before, after []corev1.Pod) {
	p.t.Helper()
	known := map[string]bool{}
	for i := range before {
		known[string(before[i].UID)] = true
	}
	for i := range after {
		if !known[string(after[i].UID)] {
			p.t.Errorf("pod %s was started where a resize was enough", after[i].Name)
		}
	}
}

// measured is a check that the pods of the namespace use a demand, but for a
// tenth, if one asks the metrics-server.
func (p *place) measured(name, demand string) func() error {
	return func() error {
		list, err := p.podMetrics()
		if err != nil {
			return err
		}
		sum := int64(0)
		for _, pod := range list.Items {
			for _, c := range pod.Containers {
				sum += c.Usage.Cpu().MilliValue()
			}
		}
		quantity := resource.MustParse(demand)
		if wanted := quantity.MilliValue(); 10*sum < 9*wanted || 10*sum > 11*wanted {
			return fmt.Errorf("%s uses %dm, want %s", name, sum, demand)
		}
		return nil
	}
}

// steady waits until the pods of the namespace have used a demand for so long that
// whoever looks sees nothing of the time before: metrics-server measures over ten
// seconds, and the controller shares what it has read for half a period.
func (p *place) steady(name, demand string) {
	p.t.Helper()
	eventually(p.t, patience, p.measured(name, demand))
	time.Sleep(20 * time.Second)
}

// podMetrics is what metrics-server says of the pods.
func (p *place) podMetrics() (list metricsv1beta1.PodMetricsList, err error) {
	text, err := world.Kubectl("get", "--raw", "/apis/metrics.k8s.io/v1beta1/namespaces/"+p.name+"/pods")
	if err != nil {
		return list, err
	}
	return list, json.Unmarshal([]byte(text), &list)
}

// allMeasured is an error while a pod of the namespace has no usage yet.
func (p *place) allMeasured() error {
	list, err := p.podMetrics()
	if err != nil {
		return err
	}
	known := map[string]bool{}
	for _, pod := range list.Items {
		known[pod.Name] = true
	}
	var pods corev1.PodList
	if err := world.List(p.t.Context(), &pods, client.InNamespace(p.name)); err != nil {
		return err
	}
	for i := range pods.Items {
		if pod := &pods.Items[i]; !known[pod.Name] {
			return fmt.Errorf("%s is not measured yet", pod.Name)
		}
	}
	return nil
}

const (
	// aLastSample is longer than what is measured takes to be known and decided
	// on: metrics-server looks every ten seconds.
	aLastSample = 30 * time.Second
	// stillness is for how long nothing may be changed once a workload has come
	// to rest.
	stillness = time.Minute
)

// settled waits until every pod is measured and has what it was asked to have, nothing
// of that changes anything any more, and nothing is waited for: a workload that is quiet
// because some of its pods are not known yet will move once they are.
func (p *place) settled(name string, g *gate) {
	p.t.Helper()
	eventually(p.t, 2*patience, func() error {
		if err := errors.Join(p.allMeasured(), p.allInForce(name)); err != nil {
			return err
		}
		before := g.of(p.name)
		time.Sleep(aLastSample)
		got, err := p.status(name)
		if err != nil {
			return err
		}
		for _, condition := range got.Conditions {
			if slices.Contains(unsettled, scale.Reason(condition.Reason)) {
				return fmt.Errorf("%s waits: %s", name, summary(got))
			}
		}
		return p.wrote(g, before)
	})
}

// unsettled are the reasons of a workload that holds still and will move once it knows
// more, or once some time is over.
var unsettled = []scale.Reason{
	scale.NoData, scale.PartialData, scale.DirectionGuard, scale.ResizePending, scale.ResizeLagging, scale.Stabilized, scale.Delayed,
	scale.ForbiddenWindow, scale.ScaleInPostponed, scale.Unschedulable,
}

// allInForce is an error while a pod has not got what it was asked to have.
func (p *place) allInForce(name string) error {
	pods, err := p.ready(name)
	if err != nil {
		return err
	}
	if asked, has := cpuOf(pods), inForce(pods); !slices.Equal(asked, has) {
		return fmt.Errorf("%s has pods of %vm, in force %vm", name, asked, has)
	}
	return nil
}

// silent fails the test if anything is changed before the time is over.
func (p *place) silent(g *gate, during time.Duration) {
	p.t.Helper()
	before := g.of(p.name)
	always(p.t, during, func() error { return p.wrote(g, before) })
}

// wrote is an error if something of the namespace was changed through the gate.
// What is said of it does not count: on a busy machine measurements are late, and
// a status tells.
func (p *place) wrote(g *gate, before map[string]int) error {
	for what, n := range g.of(p.name) {
		said := strings.Contains(what, v1alpha1.GroupVersion.Group) || strings.Contains(what, "events.k8s.io")
		if n > before[what] && !strings.HasPrefix(what, "GET ") && !said {
			return fmt.Errorf("%s while nothing should change", what)
		}
	}
	return nil
}
