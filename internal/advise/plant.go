package advise

import (
	"errors"
	"time"

	"github.com/tidemark/tidemark/internal/replay"
	"github.com/tidemark/tidemark/internal/replay/sim"
	"github.com/tidemark/tidemark/scale"
)

// Options say how to judge.
type Options struct {
	// Length is how far back the past was asked for.
	Length time.Duration
	// Quick looks for the best of five targets of an HPA, instead of the best of all,
	// and lets the recommended policy look every 30 seconds instead of every 15.
	Quick bool
	// PriceCPU and PriceMemory are replay.Plant's.
	PriceCPU, PriceMemory int64
	// Course keeps each run to be drawn.
	Course bool
}

// leastLength is the least that anything is said about: a day has its night.
const leastLength = 24 * time.Hour

// Errors of what cannot be judged at all.
var (
	ErrNoDemand   = errors.New("no cpu usage of its pods is known to Prometheus")
	ErrNoRequests = errors.New("no cpu request of its pods is known, so there is nothing to size by: state one, or see that Prometheus has " +
		"kube_pod_container_resource_requests")
	ErrTooShort   = errors.New("less than a day of its usage is known")
	ErrNoReplicas = errors.New("how many pods it had is not known to Prometheus")
	ErrIdle       = errors.New("it had no pods in all that time")
)

// plantOf is the honest plant with the pods of a workload.
func plantOf(past *Past, o Options) (replay.Plant, error) {
	plant := replay.Honest()
	cpu, known := past.Requests.Get(scale.CPU)
	switch {
	case len(past.Demand.Points) == 0:
		return plant, ErrNoDemand
	case span(past.Demand) < leastLength:
		return plant, ErrTooShort
	case !known || cpu <= 0:
		return plant, ErrNoRequests
	case len(past.Replicas.Points) == 0:
		return plant, ErrNoReplicas
	case countsOf(past.Replicas).most == 0:
		return plant, ErrIdle
	}
	plant.Requests, plant.Limits = past.Requests, past.Limits
	plant.PriceCPU, plant.PriceMemory = o.PriceCPU, o.PriceMemory
	plant.Interpolate = true
	// Noise and neighbors move once in a decision, by as much as in the honest plant,
	// which takes two thirds of the time. Costs move by about a percent either way; where
	// demand bursts, those of the recommended policy are 7 to 8 percent higher.
	plant.Grain = plant.Sync
	if past.StartUp > 0 {
		plant.StartUp = past.StartUp
	}
	// Those that learn have learned something when they are adopted, from
	// Prometheus; so nobody's first day is scored.
	plant.WarmUp = min(leastLength, span(past.Demand)/8).Truncate(plant.Sync)
	plant.Replicas = max(sim.Pods(past.Replicas.Points[0].Value), 1)
	return plant, nil
}
