package replay

import "github.com/tidemark/tidemark/internal/replay/sim"

// Settings returns the plant as it is simulated, for a controller of one's own.
func (r *Replay) Settings() sim.Settings { return r.settings() }

// Start returns a fresh controller of the policy, and adapts the plant to it.
func (p Policy) Start(s *sim.Settings) (sim.Controller, error) { return p.controller(s) }

// ScoreOf returns a score sheet as it is printed.
func ScoreOf(s sim.Score) Score { return scoreOf(s) }
