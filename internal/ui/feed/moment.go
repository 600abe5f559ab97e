package feed

import (
	"math"
	"slices"
	"strings"
	"time"

	"github.com/tidemark/tidemark/explain"
	"github.com/tidemark/tidemark/scale"
)

// Moment is one decision and the workload when it was made.
type Moment struct {
	At time.Time
	// Values are the lines' values, NaN where they are not known.
	Values [lines]float32
	// Metrics are what the metrics showed, in their order.
	Metrics []Reading
	Reason  scale.Reason
	// LimitedBy is empty where nothing held the desired size back.
	LimitedBy scale.Reason
	// MinReason and MaxReason are why the bounds are what they are: stated, learned,
	// scheduled or paused.
	MinReason, MaxReason scale.Reason
	// Changed is set where the size changes, and Headline says how then.
	Changed  bool
	Headline string
	// Marks are what happened to the pods.
	Marks []Mark
}

// Mark is something that happened to pods, at a moment in milliseconds.
type Mark struct {
	At   int64    `json:"at"`
	Kind MarkKind `json:"kind"`
	// Words say more of it.
	Words string `json:"words"`
}

// MarkKind is what happened.
type MarkKind string

// The kinds of marks.
const (
	Resized     MarkKind = "resized"
	OutOfMemory MarkKind = "out of memory"
)

// The lines of every workload.
const (
	// Demand and Capacity are in cores.
	Demand = iota
	Capacity
	// Expected is what is likely to be asked for soon, Room that with what is kept
	// free for growth.
	Expected
	Room
	// Replicas is the count found, Want the one decided; Ready pods serve.
	Replicas
	Want
	Ready
	// Min and Max are the bounds that held.
	Min
	Max
	// CPU and Memory are what a pod requests, in cores and bytes.
	CPU
	Memory
	lines
)

// LineNames are the lines by their numbers.
var LineNames = [lines]string{"demand", "capacity", "expected", "room", "replicas", "want", "ready", "min", "max", "cpu", "memory"}

// Reading is a metric's value and the band it should be in.
type Reading struct {
	// Name tells it apart from the others of the workload.
	Name string
	// Unit is percent, bytes or empty.
	Unit             string
	Value, Low, High float32
}

var unknown = float32(math.NaN())

// Seen is what a moment is made of, beside its decision.
type Seen struct {
	At               time.Time
	Demand, Capacity scale.Amount
	Ready            int32
}

// MomentOf returns a decision as a moment.
func MomentOf(seen Seen, d *scale.Decision) Moment {
	m := Moment{At: seen.At, Reason: d.Reason, LimitedBy: d.LimitedBy, Changed: !d.Want.Equal(d.From)}
	for i := range m.Values {
		m.Values[i] = unknown
	}
	v := &m.Values
	v[Demand], v[Capacity] = units(seen.Demand), units(seen.Capacity)
	v[Replicas], v[Want], v[Ready] = float32(d.From.Replicas), float32(d.Want.Replicas), float32(seen.Ready)
	if d.Bounds.Max > 0 {
		v[Min], v[Max] = float32(d.Bounds.Min), float32(d.Bounds.Max)
		m.MinReason, m.MaxReason = d.Bounds.MinReason, d.Bounds.MaxReason
	}
	if cpu, memory := podSize(d.Want); cpu > 0 {
		v[CPU], v[Memory] = units(cpu), units(memory)
	}
	for i := range d.Steps {
		if f := d.Steps[i].Metric; f != nil && f.Index >= 0 {
			m.read(f)
		}
	}
	if resized(d) {
		view := explain.ViewOf(*d)
		m.Marks = []Mark{{At: seen.At.UnixMilli(), Kind: Resized, Words: view.From.Pod() + " -> " + view.Want.Pod()}}
	}
	switch {
	case m.Changed && d.Reason == "":
		m.Headline = explain.Move(d.From, d.Want)
	case m.Changed:
		m.Headline = explain.Headline(*d)
	}
	return m
}

// resized tells whether pods get another size.
func resized(d *scale.Decision) bool {
	cpu, memory := podSize(d.From)
	wantCPU, wantMemory := podSize(d.Want)
	return cpu != wantCPU || memory != wantMemory
}

// podSize is what a pod requests, all containers together.
func podSize(s scale.Size) (cpu, memory scale.Amount) {
	for i := range s.Containers {
		c, _ := s.Containers[i].Requests.Get(scale.CPU)
		b, _ := s.Containers[i].Requests.Get(scale.Memory)
		cpu, memory = cpu.Add(c), memory.Add(b)
	}
	return cpu, memory
}

// read adds what a metric showed.
func (m *Moment) read(f *scale.MetricFacts) {
	out := Reading{Name: MetricName(f.Name, f.Of), Value: unknown, Low: unknown, High: unknown}
	switch {
	case f.Headroom != nil && f.Headroom.Resource == scale.CPU:
		if f.Known {
			soon := f.Value
			if f.Headroom.Expected > 0 {
				soon = f.Headroom.Expected
			}
			m.Values[Expected], m.Values[Room] = units(soon), units(soon.Add(f.Headroom.Headroom))
			out.Value = units(f.Value)
		}
		m.Metrics = append(m.Metrics, out)
		return
	case f.Bytes:
		out.Unit = "bytes"
	case f.Type == scale.Utilization && f.Headroom == nil:
		out.Unit = "percent"
	}
	if f.Known {
		out.Value = units(f.Value)
	}
	if f.Headroom == nil && (f.Band.High > 0 || f.Band.Low > 0) {
		out.Low, out.High = units(f.Band.Low), units(f.Band.High)
	}
	m.Metrics = append(m.Metrics, out)
}

// MetricName is a metric's name and, where others have the same, what it is of.
func MetricName(name string, of scale.MetricSource) string {
	parts := []string{name}
	for _, more := range []string{of.Container, of.Object, of.Selector} {
		if more != "" && !slices.Contains(parts, more) {
			parts = append(parts, more)
		}
	}
	return strings.Join(parts, " of ")
}

func units(a scale.Amount) float32 { return float32(float64(a) / float64(scale.Thousand)) }
