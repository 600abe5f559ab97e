package watched

import (
	"cmp"
	"encoding/json"
	"math"
	"time"

	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/tidemark/tidemark/api/v1alpha1"
	"github.com/tidemark/tidemark/explain"
	"github.com/tidemark/tidemark/internal/record"
	"github.com/tidemark/tidemark/internal/ui/feed"
	"github.com/tidemark/tidemark/scale"
)

// object is what is known of one WorkloadAutoscaler.
type object struct {
	history *feed.History
	row     feed.Row
	// seen are the decisions since one began to look, the last at the end.
	seen []seen
}

// seen is a decision as a status had it, in the form of the API: as values it would
// be several times as large, and there may be thousands.
type seen struct {
	at       time.Time
	decision []byte
}

// view reads the decision again.
func (s seen) view() (explain.View, error) {
	var d v1alpha1.Decision
	if err := json.Unmarshal(s.decision, &d); err != nil {
		return explain.View{}, err
	}
	return record.FromStatus(&d), nil
}

// take takes what an object says now.
func (o *object) take(wa *v1alpha1.WorkloadAutoscaler, now time.Time) {
	last := wa.Status.LastDecision
	var view explain.View
	if last != nil {
		view = record.FromStatus(last)
		if at := last.At.Time; len(o.seen) == 0 || at.After(o.seen[len(o.seen)-1].at) {
			// What came as JSON can be written as such.
			text, _ := json.Marshal(last)
			o.seen = append(o.seen, seen{at, text})
		}
		o.history.Add(momentOf(wa, &view, cmp.Or(last.At.Time, now)))
	}
	o.row = rowOf(wa, &view, o.history.Day())
}

// trim keeps so many decisions.
func (o *object) trim(most int) {
	o.history.Trim(most)
	if few := max(most/50, 1); len(o.seen) > 2*few {
		o.seen = append([]seen(nil), o.seen[len(o.seen)-few:]...)
	}
}

// momentOf is a decision of a status as a moment. What the pods are asked for, and
// what they can do, no status says.
func momentOf(wa *v1alpha1.WorkloadAutoscaler, v *explain.View, at time.Time) feed.Moment {
	m := feed.Moment{At: at, Reason: v.Reason, LimitedBy: v.LimitedBy}
	for i := range m.Values {
		m.Values[i] = float32(math.NaN())
	}
	m.Values[feed.Replicas], m.Values[feed.Want] = float32(v.From.Replicas), float32(v.Want.Replicas)
	least, most := bounds(wa)
	m.Values[feed.Min] = float32(least)
	if most > 0 {
		m.Values[feed.Max] = float32(most)
	}
	if cpu, memory := podOf(v.Want); cpu > 0 {
		m.Values[feed.CPU], m.Values[feed.Memory] = float32(cpu), float32(memory)
	}
	if m.Changed = v.From.Replicas != v.Want.Replicas || v.From.Pod() != v.Want.Pod(); m.Changed {
		m.Headline = v.Headline()
	}
	return m
}

// bounds are those that the spec states.
func bounds(wa *v1alpha1.WorkloadAutoscaler) (least, most int32) {
	least = 1
	if r := wa.Spec.Replicas; r.Min != nil {
		least = *r.Min
	}
	if r := wa.Spec.Replicas; r.Max != nil {
		most = *r.Max
	}
	return least, most
}

// podOf is what a pod requests, in cores and bytes.
func podOf(s explain.SizeView) (cpu, memory float64) {
	for _, requests := range s.Containers {
		for name, text := range requests {
			q, err := resource.ParseQuantity(text)
			switch {
			case err != nil:
			case name == scale.CPU.String():
				cpu += q.AsApproximateFloat64()
			default:
				memory += q.AsApproximateFloat64()
			}
		}
	}
	return cpu, memory
}

// rowOf is an object in the table of the fleet.
func rowOf(wa *v1alpha1.WorkloadAutoscaler, v *explain.View, day feed.Day) feed.Row {
	least, most := bounds(wa)
	row := feed.Row{
		Key: feed.Key{Namespace: wa.Namespace, Name: wa.Name}, Kind: wa.Spec.TargetRef.Kind, Labels: wa.Labels,
		Mode: cmp.Or(string(wa.Spec.Mode), "Auto"), Replicas: wa.Status.Replicas, Want: wa.Status.Replicas, Ready: -1, Min: least, Max: most, Needs: []feed.Need{},
	}
	if at := wa.Status.LastScaleTime; at != nil {
		row.Changed = at.UnixMilli()
	}
	row.AddDay(day)
	var said []explain.Condition
	for _, c := range wa.Status.Conditions {
		said = append(said, explain.Condition{Type: c.Type, Status: c.Status == "True", Reason: c.Reason, Message: c.Message})
	}
	needs, why := feed.Judge(said, v.LimitedBy)
	row.Needs, row.Why = append(row.Needs, needs...), why
	if wa.Status.LastDecision == nil {
		row.Headline = "nothing has been decided yet"
		return row
	}
	row.Want, row.Size, row.WantSize = v.Proposed.Replicas, v.From.Pod(), v.Proposed.Pod()
	row.Reason, row.Limited, row.Headline = string(v.Reason), string(v.LimitedBy), v.Headline()
	now, _ := podOf(v.From)
	wanted, _ := podOf(v.Proposed)
	row.Saving = now*float64(v.From.Replicas) - wanted*float64(v.Proposed.Replicas)
	return row
}
