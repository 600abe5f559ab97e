package explain

import (
	"github.com/tidemark/tidemark/engine/interval"
	"github.com/tidemark/tidemark/scale"
)

// walkSteps is how finely a walk looks at the totals: about twice as fine as
// the pixels of a picture.
const walkSteps = 800

// stop is where a walk has brought the workload.
type stop struct {
	total    scale.Amount
	replicas int32
	request  scale.Amount
}

// walker leads a workload of one container along the totals of one resource.
type walker struct {
	rules *interval.Rules
	res   scale.Resource
	size  scale.Size
}

// walk lets the total rise from next to nothing to the last interval's end, and
// fall again, and asks the engine at every step.
func walk(rules *interval.Rules, res scale.Resource) (up, down []stop) {
	w := walker{rules: rules, res: res, size: scale.Size{
		Replicas:   rules.Table.First,
		Containers: []scale.Container{{Name: sized(rules, res).Name, Requests: scale.Resources{}.With(res, 0)}},
	}}
	top := rules.Table.Rows[len(rules.Table.Rows)-1].Edges[res].Max
	for i := int64(1); i <= walkSteps; i++ {
		up = append(up, w.risen(top.Share(i, walkSteps)))
	}
	for i := int64(walkSteps); i >= 1; i-- {
		down = append(down, w.fallen(top.Share(i, walkSteps)))
	}
	return up, down
}

// risen asks only when the total is above what the workload has. Just after a
// step out it has more than the total needs, and to give that back would be a
// scale-down of its own.
func (w *walker) risen(total scale.Amount) stop {
	if total <= w.request().Times(int64(w.size.Replicas)) {
		return w.at(total)
	}
	return w.fallen(total)
}

func (w *walker) fallen(total scale.Amount) stop {
	w.size = w.rules.Choose(w.size, interval.Totals{scale.Resources{}.With(w.res, total)}).Size
	return w.at(total)
}

func (w *walker) at(total scale.Amount) stop {
	return stop{total: total, replicas: w.size.Replicas, request: w.request()}
}

func (w *walker) request() scale.Amount {
	request, _ := w.size.Containers[0].Requests.Get(w.res)
	return request
}
