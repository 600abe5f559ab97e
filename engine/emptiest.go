package engine

import (
	"cmp"
	"slices"

	"github.com/tidemark/tidemark/engine/horizontal"
	"github.com/tidemark/tidemark/scale"
)

// mostLeaving bounds how many pods are chosen: each is written to.
const mostLeaving = 50

// load is what a pod has to do.
type load struct {
	pod    *scale.Pod
	amount scale.Amount
}

// emptiest chooses the pods that leave first, where a decision removes some: those with
// the least to do. Pods that do not serve go before them anyway, and those of which
// nothing is known are not chosen.
func (in input) emptiest(d *scale.Decision) {
	leaving := int(d.From.Replicas) - int(d.Want.Replicas)
	if !in.policy.EmptiestFirst || leaving <= 0 || in.policy.TunesHPA {
		return
	}
	var serving []load
	for i := range in.obs.Pods {
		p := &in.obs.Pods[i]
		switch amount, known := in.loadOf(i); {
		case p.Ended():
		case !p.Serves():
			leaving--
		case known:
			serving = append(serving, load{p, amount})
		}
	}
	leaving = min(leaving, mostLeaving, len(serving))
	if leaving <= 0 {
		return
	}
	slices.SortFunc(serving, func(a, b load) int {
		return cmp.Or(cmp.Compare(a.amount, b.amount), cmp.Compare(a.pod.Name, b.pod.Name))
	})
	var named scale.PodNames
	for _, l := range serving[:leaving] {
		d.Leaving = append(d.Leaving, l.pod.Name)
		named.Add(l.pod.Name)
	}
	d.Steps = append(d.Steps, scale.Step{Stage: scale.StageLimit, Reason: scale.EmptiestFirst, In: d.Want, Out: d.Want, Pods: &named})
}

// loadOf is what the i-th pod has to do: its value of the first metric of pods, or else
// the cpu that it uses.
func (in input) loadOf(i int) (scale.Amount, bool) {
	for j := range in.policy.Horizontal.Metrics {
		if in.policy.Horizontal.Metrics[j].Kind != horizontal.Pods || j >= len(in.obs.Samples) {
			continue
		}
		if values := in.obs.Samples[j].PerPod; i < len(values) {
			return values[i].Value, values[i].Known && !values[i].Unusable && values[i].Value >= 0
		}
		return 0, false
	}
	sum, known := scale.Amount(0), false
	for k := range in.obs.Pods[i].Containers {
		used, ok := in.obs.Pods[i].Containers[k].Usage.Usable(scale.CPU)
		if !ok {
			return 0, false
		}
		sum, known = sum.Add(used), true
	}
	return sum, known
}
