package sim_test

import (
	"fmt"
	"time"

	"github.com/tidemark/tidemark/internal/replay/sim"
	"github.com/tidemark/tidemark/internal/replay/trace"
	"github.com/tidemark/tidemark/scale"
)

// Two pods of one core meet a demand of one core for a minute, and of three for
// another: in the second minute one core is missing.
func ExampleRun() {
	start := time.Date(2026, 1, 5, 0, 0, 0, 0, time.UTC)
	demand, err := sim.NewDemand(trace.Trace{Step: time.Minute, Points: []trace.Point{
		{At: start, Value: 1 * scale.Thousand},
		{At: start.Add(time.Minute), Value: 3 * scale.Thousand},
	}})
	if err != nil {
		panic(err)
	}
	score := sim.Run(sim.Settings{
		Demand: demand, Requests: scale.Resources{}.With(scale.CPU, scale.Thousand), Replicas: 2, Sync: 15 * time.Second,
	}, sim.Static(2), nil)
	fmt.Println(score.Starved, score.Unserved == sim.Work{}.Plus(scale.Thousand, time.Minute))
	// Output: 1m0s true
}
