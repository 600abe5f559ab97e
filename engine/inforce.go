package engine

import (
	"slices"

	"github.com/tidemark/tidemark/engine/horizontal"
	"github.com/tidemark/tidemark/scale"
)

// enoughPercent of what is wanted is enough: to measure takes some away.
const enoughPercent = 98

// mostReplicas is more than any workload has.
const mostReplicas int32 = 1 << 30

// need is a total of a resource, and what a pod has that is started for it.
type need struct{ least, most, each scale.Amount }

// inForceCounts is how many pods it takes with what they have in force: at least
// by what is measured, at most if pods that are not measured do as much as the
// others.
func (in input) inForceCounts(p *plan, d *desired) (least, most int32) {
	for i := range in.from.Containers {
		for _, r := range scale.EveryResource {
			n := in.needed(p, d, i, r)
			if n.least <= 0 || n.each <= 0 {
				continue
			}
			has := in.podsInForce(i, r)
			least = max(least, countInForce(has, n.least, n.each))
			most = max(most, countInForce(has, n.most, n.each))
		}
	}
	return least, most
}

// needed is what metrics and recommendations ask for of a resource; nothing where
// more pods would not help.
func (in input) needed(p *plan, d *desired, i int, r scale.Resource) need {
	name := in.from.Containers[i].Name
	switch {
	case d.Elastic.Set:
		if r == scale.CPU && i == d.Elastic.Pods.Container {
			total := d.Elastic.Past.Total
			switch {
			case d.Elastic.Rules.Prices != nil:
				total = min(total, d.Elastic.Enough)
			case p.Reason == scale.HeadroomHeld:
				total = min(total, d.Elastic.Past.Needed())
			}
			return need{total, total, d.Elastic.Rules.Usual}
		}
	case p.Totals != nil:
		total, _ := p.Totals[i].Get(r)
		return in.measured(d, name, r, need{total, total, in.intended(name, r)})
	case in.policy.Rightsize != nil && d.Informed && in.policy.Rightsize.InNumbers(name, r):
		request, _ := in.from.Containers[i].Requests.Get(r)
		total := request.Times(int64(d.Replicas))
		return in.measured(d, name, r, need{total, total, request})
	}
	return need{}
}

// measured is what is needed where so much is asked for. While a count is held,
// or falls, the pods that made up for others are part of what is desired: then
// what pods are seen to use says how much is needed, and no more is.
func (in input) measured(d *desired, name string, r scale.Resource, asked need) need {
	request, used, most := in.request(name, r), scale.Amount(-1), scale.Amount(-1)
	for j := range d.Answers {
		facts := d.Answers[j].Metric
		if facts.Index < 0 || !facts.Known || facts.Headroom != nil {
			continue
		}
		m := &d.Metrics[facts.Index]
		if of, ok := containerOf(m, in.from.Containers); !ok || of != name || m.Resource != r || m.Kind >= horizontal.Pods || m.Type != scale.Utilization {
			continue
		}
		per := request.Share(int64(facts.Value), int64(m.Band.High))
		used = max(used, per.Times(int64(facts.Pods.Counted)))
		most = max(most, per.Times(int64(facts.Pods.Counted+facts.Pods.Missing+facts.Pods.Unready)))
	}
	if used < 0 || d.Replicas > in.from.Replicas {
		return asked
	}
	return need{min(asked.least, used), min(asked.most, most), asked.each}
}

// podsInForce is what each pod has of a resource. Pods that are on their way,
// placed or not even created, count as ordered.
func (in input) podsInForce(i int, r scale.Resource) []scale.Amount {
	c := &in.from.Containers[i]
	ordered, _ := c.Requests.Get(r)
	var out []scale.Amount
	for j := range in.obs.Pods {
		p := &in.obs.Pods[j]
		if p.Ended() {
			continue
		}
		has := ordered
		for k := range p.Containers {
			if p.Containers[k].Name == c.Name && p.Phase != scale.Pending {
				if amount, known := p.Containers[k].Has(r); known {
					has = amount
				}
			}
		}
		out = append(out, has)
	}
	for len(out) < int(in.from.Replicas) {
		out = append(out, ordered)
	}
	return out
}

// countInForce is how many of the pods have a total, even if the largest of them
// are those that leave; where all are too few, how many it takes with new ones.
func countInForce(has []scale.Amount, total, each scale.Amount) int32 {
	slices.Sort(has)
	enough, sum := total.Share(enoughPercent, 100), scale.Amount(0)
	for i, amount := range has {
		if sum = sum.Add(amount); sum >= enough {
			return int32(i + 1)
		}
	}
	missing := scale.NewRatio(scale.Product{int64(total - sum), 1}, scale.Product{}, scale.Product{int64(each), 1}).Ceil(1)
	return int32(min(int64(len(has))+int64(missing), int64(mostReplicas)))
}
