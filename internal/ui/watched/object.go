package watched

import (
	"cmp"
	"encoding/json"
	"fmt"
	"math"
	"time"

	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/tidemark/tidemark/api/v1alpha1"
	"github.com/tidemark/tidemark/explain"
	"github.com/tidemark/tidemark/internal/onlook"
	"github.com/tidemark/tidemark/internal/record"
	"github.com/tidemark/tidemark/internal/ui/feed"
	"github.com/tidemark/tidemark/scale"
)

// object is what is known of one WorkloadAutoscaler.
type object struct {
	history *feed.History
	row     feed.Row
	prices  *feed.Prices
	// seen are the decisions since one began to look, the last at the end, and said is
	// that one.
	seen []seen
	said outcome
	// calls are what looks saw, and pods those of the last, while someone has the
	// object open; unseen says why nothing is seen.
	calls  looks
	pods   []feed.Pod
	unseen string
	// asked is when someone last asked for it, looks when it was last looked at, retry
	// when a look is worth another try, and news is set where the status has changed
	// since.
	asked, looks, retry time.Time
	looking, news       bool
	// known is what has been learned, and learned when that was read.
	known   *onlook.Known
	learned time.Time
	// version tells the object from what it was before, and became is when it became as
	// it is; zero is before one looked.
	version string
	became  time.Time
	// stated are the bounds of the spec.
	stated [2]int32
	// oom is when a container last ran out of memory.
	oom time.Time
}

// outcome is what a decision came to. There may be thousands of objects, so it is
// small.
type outcome struct {
	because     [2]scale.Reason
	want        int32
	cpu, memory float32
}

func outcomeOf(v *explain.View) outcome {
	cpu, memory := podOf(v.Want)
	return outcome{[2]scale.Reason{v.Reason, v.LimitedBy}, v.Want.Replicas, float32(cpu), float32(memory)}
}

// why says why a decision is not known with all that it looked at.
func (o *object) why(k feed.Key) string {
	why := "what you may see yourself of that time leads to another decision."
	switch {
	case o.unseen != "":
		why = o.unseen
	case len(o.calls) == 0:
		why = "nothing has been looked at yet."
	}
	return fmt.Sprintf("A status does not keep what a decision looked at, and %s 'tidemark record -n %s %s' writes the document of what is decided from now on.",
		why, k.Namespace, k.Name)
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
	version := fmt.Sprintf("%s %d", wa.UID, wa.Generation)
	if o.version != "" && o.version != version {
		o.became, o.news = now, true
	}
	o.version = version
	last := wa.Status.LastDecision
	var view explain.View
	if last != nil {
		view = record.FromStatus(last)
		if at := last.At.Time; len(o.seen) == 0 || at.After(o.seen[len(o.seen)-1].at) {
			// What came as JSON can be written as such.
			text, _ := json.Marshal(last)
			o.seen, o.news = append(o.seen, seen{at, text}), true
			o.history.Add(o.since(momentOf(wa, &view, cmp.Or(last.At.Time, now))))
		}
	}
	o.said = outcomeOf(&view)
	before := o.row
	o.row = rowOf(wa, &view, o.history.Day(), *o.prices)
	stated := [2]int32{o.row.Min, o.row.Max}
	// What the last look saw holds until the next, unless other bounds are stated now.
	if before.Name != "" && before.Ready >= 0 {
		if o.row.Ready = before.Ready; o.stated == stated {
			o.row.Min, o.row.Max = before.Min, before.Max
		}
	}
	o.stated = stated
}

// since lets a moment that a status tells of go on with what the last look saw: it
// comes a little after the decision, and time only goes on.
func (o *object) since(m feed.Moment) feed.Moment {
	last, _ := o.history.Last()
	if !last.At.Before(m.At) {
		m.At = last.At.Add(time.Second)
	}
	if last.At.IsZero() || m.At.Sub(last.At) > fresh {
		return m
	}
	for _, line := range []int{feed.Demand, feed.Capacity, feed.Expected, feed.Room, feed.Ready} {
		m.Values[line] = last.Values[line]
	}
	if o.row.Ready >= 0 {
		m.Values[feed.Min], m.Values[feed.Max] = last.Values[feed.Min], last.Values[feed.Max]
		m.MinReason, m.MaxReason = last.MinReason, last.MaxReason
	}
	m.Metrics = last.Metrics
	return m
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
	m.Values[feed.Min], m.MinReason = float32(least), scale.MinReplicas
	if most > 0 {
		m.Values[feed.Max], m.MaxReason = float32(most), scale.MaxReplicas
	}
	if cpu, memory := podOf(v.Want); cpu > 0 {
		m.Values[feed.CPU], m.Values[feed.Memory] = float32(cpu), float32(memory)
	}
	resized := v.From.Pod() != v.Want.Pod()
	if m.Changed = v.From.Replicas != v.Want.Replicas || resized; m.Changed {
		m.Headline = v.Headline()
	}
	if resized {
		m.Marks = []feed.Mark{{At: at.UnixMilli(), Kind: feed.Resized, Words: v.From.Pod() + " -> " + v.Want.Pod()}}
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
func rowOf(wa *v1alpha1.WorkloadAutoscaler, v *explain.View, day feed.Day, p feed.Prices) feed.Row {
	least, most := bounds(wa)
	row := feed.Row{
		Key: feed.Key{Namespace: wa.Namespace, Name: wa.Name}, Kind: wa.Spec.TargetRef.Kind, Labels: wa.Labels,
		Mode: cmp.Or(string(wa.Spec.Mode), "Auto"), Replicas: wa.Status.Replicas, Want: wa.Status.Replicas, Ready: -1, Min: least, Max: most, Needs: []feed.Need{},
	}
	if at := wa.Status.LastScaleTime; at != nil {
		row.Changed = at.UnixMilli()
	}
	addDay(&row, day, p)
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
	cores, gib := total(v.From)
	wantedCores, wantedGiB := total(v.Proposed)
	row.AddSaving(cores-wantedCores, gib-wantedGiB, p)
	return row
}

// total is what all pods request, in cores and GiB.
func total(s explain.SizeView) (cores, gib float64) {
	cpu, memory := podOf(s)
	return cpu * float64(s.Replicas), memory * float64(s.Replicas) / (1 << 30)
}
