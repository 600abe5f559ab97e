package rivals

import (
	"time"

	"github.com/tidemark/tidemark/internal/replay/sim"
	"github.com/tidemark/tidemark/scale"
)

// View is all that a rival sees of a plant.
type View interface {
	// Now is the present moment.
	Now() time.Time
	// Size is how many pods there should be, and what each of them requests.
	Size() scale.Size
	// Ready is how many pods serve.
	Ready() int32
	// Short is how many of them have less than was decided, as long as a resize
	// takes.
	Short() int32
	// Metered is what everyone's metrics show, late and smoothed; false where the
	// sample is lost.
	Metered() (sim.Usage, bool)
	// UsageOver is the mean over a time, by the counters of the pods themselves.
	UsageOver(from, until time.Time) sim.Usage
	// Periods appends the kernel's periods of a time, as a pod's counters show
	// them.
	Periods(to []sim.Period, from, until time.Time) []sim.Period
}

// rival decides about what it sees.
type rival interface {
	decide(v View) scale.Decision
}

// controller lets a rival scale a plant.
type controller struct{ rival }

// Decide shows the plant to the rival.
func (c controller) Decide(p *sim.Plant) scale.Decision { return c.decide(p) }

// counted is a decision for a number of pods of the present size.
func counted(v View, replicas int32) scale.Decision {
	from := v.Size()
	return scale.Decision{From: from, Want: from.WithReplicas(replicas)}
}

// sized is a decision for a number of pods that each request so much cpu. A limit
// stays as far above the request as it is.
func sized(v View, replicas int32, cpu scale.Amount) scale.Decision {
	d := counted(v, replicas)
	if len(d.From.Containers) == 0 {
		return d
	}
	now := d.From.Containers[0]
	request, _ := now.Requests.Get(scale.CPU)
	if limit, ok := now.Limits.Get(scale.CPU); ok {
		now.Limits = now.Limits.With(scale.CPU, max(limit.Share(int64(cpu), int64(max(request, 1))), cpu))
	}
	now.Requests = now.Requests.With(scale.CPU, cpu)
	if now != d.From.Containers[0] {
		d.Want.Containers = []scale.Container{now}
	}
	return d
}

// capped is a decision for pods that each request, and may use, so much cpu.
func capped(v View, cpu scale.Amount) scale.Decision {
	d := counted(v, v.Size().Replicas)
	if len(d.From.Containers) == 0 {
		return d
	}
	now := d.From.Containers[0]
	now.Requests, now.Limits = now.Requests.With(scale.CPU, cpu), now.Limits.With(scale.CPU, cpu)
	if now != d.From.Containers[0] {
		d.Want.Containers = []scale.Container{now}
	}
	return d
}

// podCPU is what each pod of a plant requests at first.
func podCPU(s *sim.Settings) scale.Amount {
	cpu, _ := s.Requests.Get(scale.CPU)
	return max(cpu, 1)
}

// settle lets a plant begin with the pods of one who only resizes them: as many
// as the demand needs on average, or at first if that is more.
func settle(s *sim.Settings) {
	s.Replicas = max(s.Replicas, s.Needed(s.Demand.Mean()), 1)
}

func ceilDiv(a, b scale.Amount) int64 { return (int64(a) + int64(b) - 1) / int64(b) }

// pods is a count within what a plant can hold, and at least one: what arrives
// where there is no pod is lost, as nothing waits for one to start.
func pods(n int64) int32 { return int32(min(max(n, 1), sim.MaxPods)) }
