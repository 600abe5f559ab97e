package learner

import "github.com/tidemark/tidemark/scale"

// seenOf is what a look saw. Full pods hide what they are asked for, so it is taken to
// be as much as a decision assumes: by what they used, whatever made them full would
// look cheap when it is replayed.
func seenOf(obs *scale.Observation, u *use, room scale.Amount, known bool) Seen {
	out := Seen{At: u.at, Delay: u.delay, Used: u.total, Room: -1}
	if u.full {
		out.Used = out.Used.Times(hidden)
	}
	if known {
		out.Room = room
	}
	if len(obs.Pods) > 0 {
		out.Window = obs.Pods[0].UsageWindow
	}
	return out
}
