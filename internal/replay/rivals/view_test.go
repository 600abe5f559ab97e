package rivals

import (
	"time"

	"github.com/tidemark/tidemark/internal/replay/sim"
	"github.com/tidemark/tidemark/scale"
)

// monday is when everything begins here.
var monday = time.Date(2026, 1, 5, 0, 0, 0, 0, time.UTC)

// fake is a plant whose figures a test writes down.
type fake struct {
	now          time.Time
	size         scale.Size
	ready, short int32
	metered      sim.Usage
	lost         bool
	// over says what was used from a moment until another.
	over    func(from, until time.Time) sim.Usage
	periods func(from, until time.Time) []sim.Period
}

func (f *fake) Now() time.Time                            { return f.now }
func (f *fake) Size() scale.Size                          { return f.size }
func (f *fake) Ready() int32                              { return f.ready }
func (f *fake) Short() int32                              { return f.short }
func (f *fake) Metered() (sim.Usage, bool)                { return f.metered, !f.lost }
func (f *fake) UsageOver(from, until time.Time) sim.Usage { return f.over(from, until) }

func (f *fake) Periods(to []sim.Period, from, until time.Time) []sim.Period {
	return append(to, f.periods(from, until)...)
}

// sizeOf is so many pods of so much cpu, which they may use and no more.
func sizeOf(replicas int32, cpu scale.Amount) scale.Size {
	each := scale.Resources{}.With(scale.CPU, cpu)
	return scale.Size{Replicas: replicas, Containers: []scale.Container{{Name: sim.ContainerName, Requests: each, Limits: each}}}
}

// cpuOf is what each pod of a size requests, and may use.
func cpuOf(s scale.Size) (request, limit scale.Amount) {
	request, _ = s.Containers[0].Requests.Get(scale.CPU)
	limit, _ = s.Containers[0].Limits.Get(scale.CPU)
	return request, limit
}
