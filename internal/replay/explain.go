package replay

import (
	"fmt"
	"time"

	"github.com/tidemark/tidemark/explain"
	"github.com/tidemark/tidemark/internal/replay/sim"
)

// Moment reads a moment of the demand: a time in RFC 3339, or how long after
// the start.
func (r *Replay) Moment(text string) (time.Time, error) {
	at, err := time.Parse(time.RFC3339, text)
	if after, wrong := time.ParseDuration(text); wrong == nil {
		at, err = r.plant.Demand.Start().Add(after), nil
	}
	if err != nil {
		return at, fmt.Errorf("%q is neither a time such as 2026-01-05T10:00:00Z nor a duration such as 36h", text)
	}
	if at.Before(r.plant.Demand.Start()) || !at.Before(r.plant.Demand.End()) {
		return at, fmt.Errorf("%s is not within the demand, which lasts from %s to %s",
			at.Format(time.RFC3339), r.plant.Demand.Start().Format(time.RFC3339), r.plant.Demand.End().Format(time.RFC3339))
	}
	return at, nil
}

// Explain replays a policy up to a moment and explains its last decision until
// then.
func (r *Replay) Explain(p Policy, at time.Time) (string, error) {
	if p.spec == nil {
		return "", fmt.Errorf("%s is no policy of the engine, so it gives no reasons: a timeline shows what it decides", p.Name)
	}
	s, c, err := r.start(p)
	if err != nil {
		return "", err
	}
	text := ""
	sim.Run(s, c, func(m sim.Moment) bool {
		if m.At.After(at) {
			return false
		}
		if next := m.At.Add(s.Sync); next.After(at) {
			text = fmt.Sprintf("%s  demand %s, %d of %d pods ready\n%s", m.At.Format(time.RFC3339), cores(int64(m.Demand)), m.Ready,
				m.Decision.From.Replicas, explain.Text(m.Decision))
		}
		return true
	})
	return text, nil
}
