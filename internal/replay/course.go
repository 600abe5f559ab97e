package replay

import (
	"math"
	"time"

	"github.com/tidemark/tidemark/explain"
	"github.com/tidemark/tidemark/internal/replay/sim"
	"github.com/tidemark/tidemark/scale"
)

// Course is a run in few enough numbers to be drawn: in each of its columns the
// smallest and the largest value of every line, so that no peak vanishes, and
// each decision that changed the size.
type Course struct {
	Start time.Time
	// Step is how long a column lasts.
	Step time.Duration
	// Demand and Capacity are in cores, Replicas are pods.
	Demand, Capacity, Replicas Envelope
	// CPU and Memory are what a pod requests, in cores and GiB.
	CPU, Memory Envelope
	// Value is what the first metric showed, in percent of the requests or in
	// its own unit, and Low and High are where it should be.
	Value, Low, High Envelope
	Metric           string
	Percent          bool
	Decisions        []Change
	// LeftOut is how many decisions came after the last of them.
	LeftOut int
}

// Envelope is the smallest and the largest value of each column. A column that
// has none is NaN.
type Envelope struct{ Min, Max []float64 }

// Change is a decision that changed the size.
type Change struct {
	At        time.Time
	From, To  int32
	Reason    scale.Reason
	LimitedBy scale.Reason
	// Headline says in one line what was decided and why, Text in full.
	Headline, Text string
}

// The size of a course is bounded, however long the run is. There are more columns
// than dots on a screen, so that there is something to see for who zooms in: five
// minutes of a week, twenty of four.
const (
	courseColumns   = 2016
	courseDecisions = 3000
)

func newCourse(start time.Time, length time.Duration) *Course {
	// Whole milliseconds: the clocks of browsers know nothing finer.
	step := max(length/courseColumns+time.Millisecond, time.Second).Truncate(time.Millisecond)
	c := &Course{Start: start, Step: step}
	n := int((length + step - 1) / step)
	for _, e := range c.envelopes() {
		e.Min, e.Max = make([]float64, n), make([]float64, n)
		for i := range n {
			e.Min[i], e.Max[i] = math.NaN(), math.NaN()
		}
	}
	return c
}

func (c *Course) envelopes() []*Envelope {
	return []*Envelope{&c.Demand, &c.Capacity, &c.Replicas, &c.CPU, &c.Memory, &c.Value, &c.Low, &c.High}
}

func (e *Envelope) add(i int, v float64) {
	if i = min(max(i, 0), len(e.Min)-1); math.IsNaN(e.Min[i]) {
		e.Min[i], e.Max[i] = v, v
		return
	}
	e.Min[i], e.Max[i] = min(e.Min[i], v), max(e.Max[i], v)
}

func (c *Course) add(m sim.Moment) {
	i, d := int(m.At.Sub(c.Start)/c.Step), &m.Decision
	c.Demand.add(i, inUnits(m.Demand))
	c.Capacity.add(i, inUnits(m.Capacity))
	c.Replicas.add(i, float64(d.Want.Replicas))
	if len(d.Want.Containers) > 0 {
		requests := d.Want.Containers[0].Requests
		if cpu, ok := requests.Get(scale.CPU); ok {
			c.CPU.add(i, inUnits(cpu))
		}
		if memory, ok := requests.Get(scale.Memory); ok {
			c.Memory.add(i, inUnits(memory)/(1<<30))
		}
	}
	c.addMetric(i, d)
	if d.Want.Equal(d.From) {
		return
	}
	if len(c.Decisions) >= courseDecisions {
		c.LeftOut++
		return
	}
	c.Decisions = append(c.Decisions, changeOf(m.At, *d))
}

func changeOf(at time.Time, d scale.Decision) Change {
	out := Change{At: at, From: d.From.Replicas, To: d.Want.Replicas, Reason: d.Reason, LimitedBy: d.LimitedBy}
	if d.Reason == "" {
		// A yardstick gives no reasons.
		out.Headline = explain.Move(d.From, d.Want)
		return out
	}
	out.Headline, out.Text = explain.Headline(d), explain.Text(d)
	return out
}

// addMetric draws the value of the first metric and its band. A metric that is
// sized by measured growth has no target; what its room amounts to is one.
func (c *Course) addMetric(i int, d *scale.Decision) {
	for s := range d.Steps {
		m := d.Steps[s].Metric
		if m == nil || m.Index != 0 || !m.Known {
			continue
		}
		c.Metric, c.Percent = m.Name, m.Type == scale.Utilization || m.Headroom != nil
		if m.Headroom == nil {
			c.Value.add(i, inUnits(m.Value))
			c.Low.add(i, inUnits(m.Band.Low))
			c.High.add(i, inUnits(m.Band.High))
			return
		}
		if request := totalCPU(d.From); request > 0 && m.Value > 0 {
			c.Value.add(i, 100*float64(m.Value)/float64(request))
			implied := 100 * float64(m.Value) / float64(m.Value.Add(m.Headroom.Headroom))
			c.Low.add(i, implied)
			c.High.add(i, implied)
		}
		return
	}
}

func totalCPU(s scale.Size) scale.Amount { return podCPU(s).Times(int64(s.Replicas)) }

// podCPU is what one pod requests.
func podCPU(s scale.Size) scale.Amount {
	sum := scale.Amount(0)
	for i := range s.Containers {
		cpu, _ := s.Containers[i].Requests.Get(scale.CPU)
		sum = sum.Add(cpu)
	}
	return sum
}

func inUnits(a scale.Amount) float64 { return float64(a) / float64(scale.Thousand) }
