package explain

import (
	"github.com/tidemark/tidemark/engine/interval"
	"github.com/tidemark/tidemark/scale"
)

// row is one replica count of the effective intervals.
type row struct {
	replicas int32
	edges    [len(scale.EveryResource)]edge
}

// edge is where one resource's interval ends, as totals.
type edge struct {
	known bool
	// max is the total above which the count grows.
	max scale.Amount
	// in is the total at or below which the count shrinks. On the first row,
	// which has nowhere to go, it is what the pods have at their minimum.
	in    scale.Amount
	hasIn bool
}

// perPod is a total's part for one pod, rounded up as requests are.
func (r *row) perPod(total scale.Amount) scale.Amount { return total.Share(1, int64(r.replicas)) }

func rowsOf(rules *interval.Rules) []row {
	out := make([]row, len(rules.Table.Rows))
	for i := range out {
		out[i].replicas = rules.Table.First + int32(i)
		for _, res := range scale.EveryResource {
			e := &rules.Table.Rows[i].Edges[res]
			out[i].edges[res] = edge{known: e.Known, max: e.Max, in: e.In, hasIn: i > 0}
		}
	}
	for _, res := range scale.EveryResource {
		if least := sized(rules, res).Resources[res].Min; least > 0 && len(out) > 0 {
			first := &out[0].edges[res]
			first.in, first.hasIn = least.Times(int64(out[0].replicas)), true
		}
	}
	return out
}

// known lists the resources that have a say in the count.
func known(rules *interval.Rules) []scale.Resource {
	var out []scale.Resource
	for _, res := range scale.EveryResource {
		if len(rules.Table.Rows) > 0 && rules.Table.Rows[0].Edges[res].Known {
			out = append(out, res)
		}
	}
	return out
}

// sized is the container that stands for all of them where they differ: the
// one that may become smallest, or else the first that is sized at all. The
// intervals themselves are the same for every container.
func sized(rules *interval.Rules, res scale.Resource) *interval.Container {
	chosen := &rules.Default
	for i := range rules.Containers {
		c := &rules.Containers[i]
		if !c.Resources[res].Sized {
			continue
		}
		least, best := c.Resources[res].Min, chosen.Resources[res].Min
		if chosen == &rules.Default && best == 0 || least > 0 && least < best {
			chosen = c
		}
	}
	return chosen
}
