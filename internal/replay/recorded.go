package replay

import (
	"errors"

	"github.com/tidemark/tidemark/internal/replay/sim"
	"github.com/tidemark/tidemark/internal/replay/trace"
)

// Recorded is a policy that repeats the counts a workload really had, whoever
// decided them.
func Recorded(name string, replicas trace.Trace) Policy {
	return Policy{Name: name, Start: func(s *sim.Settings) (sim.Controller, error) {
		if len(replicas.Points) == 0 {
			return nil, errors.New("no count of pods was recorded")
		}
		s.Replicas = sim.Pods(replicas.Points[0].Value)
		return sim.NewRecorded(replicas.Points), nil
	}}
}
