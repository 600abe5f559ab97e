package whatif

import (
	"context"
	"time"

	"github.com/tidemark/tidemark/internal/replay"
	"github.com/tidemark/tidemark/internal/replay/sim"
	"github.com/tidemark/tidemark/internal/ui/feed"
	"github.com/tidemark/tidemark/scale"
)

// Ran is how a policy did over a part of the demand.
type Ran struct {
	Part string `json:"part"`
	// Role is edited, present, hpa, or usual: the HPA that is shown until the best one is known.
	Role    string          `json:"role"`
	Name    string          `json:"name"`
	Numbers []replay.Number `json:"numbers"`
	// Took is how long the replay took, in milliseconds.
	Took int64 `json:"took"`
	// From, Step and Columns are where the columns of the lines are.
	From    int64                `json:"from"`
	Step    int64                `json:"step"`
	Columns int                  `json:"columns"`
	Lines   map[string]feed.Band `json:"lines"`

	course []hold
}

// hold is what was decided from a moment on.
type hold struct {
	at              int64
	want            int32
	cpu, memory     float32
	reason, limited scale.Reason
}

// same tells whether the size is the same.
func (h hold) same(o hold) bool { return h.want == o.want && h.cpu == o.cpu && h.memory == o.memory }

// cores are what all pods request.
func (h hold) cores() float64 { return float64(h.want) * float64(h.cpu) }

// drawn are the lines that are drawn of a run, and columns as many as are seen.
var drawn = []string{"demand", "capacity", "want", "ready"}

const (
	columns = 1200
	// looks is how many decisions are made before one looks whether anybody waits.
	looks = 64
)

// run replays a policy, unless the context ends first.
func run(ctx context.Context, r *replay.Replay, p replay.Policy) (*Ran, error) {
	var history feed.History
	out := &Ran{Name: p.Name, Lines: map[string]feed.Band{}}
	began, n := time.Now(), 0
	score, whole, err := r.Watched(p, func(m sim.Moment) bool {
		if n++; n%looks == 0 && ctx.Err() != nil {
			return false
		}
		seen := feed.MomentOf(feed.Seen{At: m.At, Demand: m.Demand, Capacity: m.Capacity, Ready: m.Ready}, &m.Decision)
		history.Add(seen)
		out.see(&seen)
		return true
	})
	if err != nil {
		return nil, err
	}
	if !whole {
		return nil, context.Cause(ctx)
	}
	out.Took = time.Since(began).Milliseconds()
	out.Numbers = replay.Result{Policy: p.Name, Score: score}.Numbers()
	lanes := history.Lanes(feed.Window{Columns: columns})
	out.From, out.Step, out.Columns = lanes.From, lanes.Step, lanes.Columns
	for _, name := range drawn {
		if band, ok := lanes.Lines[name]; ok {
			out.Lines[name] = band
		}
	}
	return out, nil
}

// see keeps a decision where it is another than the one before.
func (r *Ran) see(m *feed.Moment) {
	h := hold{m.At.UnixMilli(), int32(m.Values[feed.Want]), m.Values[feed.CPU], m.Values[feed.Memory], m.Reason, m.LimitedBy}
	if h.cpu != h.cpu { // A yardstick's pods have no size.
		h.cpu, h.memory = 0, 0
	}
	if n := len(r.course); n > 0 {
		last := r.course[n-1]
		last.at = h.at
		if last == h {
			return
		}
	}
	r.course = append(r.course, h)
}

// as is the same run in a role.
func (r *Ran) as(part, role string) *Ran {
	out := *r
	out.Part, out.Role = part, role
	return &out
}
