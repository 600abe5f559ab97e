package replay

import (
	"context"
	"fmt"
	"strings"
	"sync"

	"github.com/tidemark/tidemark/api/v1alpha1"
	"github.com/tidemark/tidemark/internal/replay/progress"
	"github.com/tidemark/tidemark/internal/replay/sim"
)

// The HPAs among which the best is looked for in hindsight: every target from
// one to the other, with each time that it may hold before it scales down.
const (
	leastTarget, mostTarget, targetStep = 40, 150, 5

	targets = (mostTarget-leastTarget)/targetStep + 1
)

const usualWindow = 300

// downWindows are in seconds. The usual one comes first, so that another has to be
// better to be chosen.
var downWindows = [...]int32{usualWindow, 120, 60}

// usualOnly and everyWindow are those that H and H2 choose from.
var usualOnly, everyWindow = downWindows[:1], downWindows[:]

// hindsight are the scores of all those HPAs, by window and target. Each is
// replayed once, whatever is measured against it, and however often one begins.
type hindsight [len(downWindows)]struct {
	mu     sync.Mutex
	known  [targets]bool
	scores [targets]sim.Score
}

// BestHPA is the HPA that would have cost least.
type BestHPA struct {
	// Target is in percent; a total over several demands has none. Where the
	// window was chosen in hindsight as well, it stands beside it.
	Target            int32 `json:"target,omitempty"`
	DownWindowSeconds int32 `json:"downWindowSeconds,omitempty"`
	// T is what it costs by the measure.
	T               float64 `json:"t"`
	UnservedPercent float64 `json:"unservedPercent"`
	// AtEnd is set where the best target is the least or the largest that was
	// tried: one beyond it may be better.
	AtEnd bool `json:"atEnd,omitempty"`
}

// String is what it costs, and which it is.
func (b BestHPA) String() string {
	var which []string
	if b.Target > 0 {
		which = append(which, fmt.Sprintf("%d%%", b.Target))
	}
	if b.DownWindowSeconds > 0 {
		which = append(which, fmt.Sprintf("%ds", b.DownWindowSeconds))
	}
	if b.AtEnd {
		which = append(which, "an end")
	}
	if len(which) == 0 {
		return fmt.Sprintf("%.1f", b.T)
	}
	return fmt.Sprintf("%.1f (%s)", b.T, strings.Join(which, ", "))
}

// hpaOf is an HPA with a window of its own.
func hpaOf(target, window int32) (Policy, error) {
	spec := HPA(target)
	if window != usualWindow {
		spec.Behavior = &v1alpha1.Behavior{ScaleDown: &v1alpha1.ScalingRules{StabilizationWindowSeconds: &window}}
	}
	return FromSpec("", spec)
}

// hpas are the scores of the HPAs of a window, one for each target, unless the context
// ends first: then those that are known by then stay known.
func (r *Replay) hpas(ctx context.Context, window int, bar *progress.Bar) ([targets]sim.Score, error) {
	h := &r.hindsight[window]
	h.mu.Lock()
	defer h.mu.Unlock()
	err := Each(targets, func(i int) error {
		if h.known[i] {
			return nil
		}
		p, err := hpaOf(leastTarget+int32(i)*targetStep, downWindows[window])
		if err != nil {
			return err
		}
		s, c, err := r.start(p)
		if err != nil {
			return err
		}
		score := sim.Run(s, c, while(ctx))
		if err := ctx.Err(); err != nil {
			return err
		}
		h.scores[i], h.known[i] = score, true
		bar.Add(score.Decisions)
		return nil
	})
	return h.scores, err
}

// between is how many decisions are made before one looks whether anybody waits.
const between = 64

// while lets a replay go on for as long as a context does. It is nil for one that never
// ends.
func while(ctx context.Context) func(sim.Moment) bool {
	if ctx.Done() == nil {
		return nil
	}
	n := 0
	return func(sim.Moment) bool {
		n++
		return n%between != 1 || ctx.Err() == nil
	}
}

// best is the cheapest HPA among those of some windows, and what it costs. Of
// those that cost the same it is the first that is not at an end.
func (r *Replay) best(ctx context.Context, windows []int32, bar *progress.Bar) (BestHPA, cost, error) {
	var out BestHPA
	least := cost{}
	for w, window := range windows {
		scores, err := r.hpas(ctx, w, bar)
		if err != nil {
			return out, least, err
		}
		for i, s := range scores {
			end := i == 0 || i == targets-1
			total := r.plant.Prices.total(s)
			if least.Int != nil {
				if order := total.Cmp(least.Int); order > 0 || order == 0 && (end || !out.AtEnd) {
					continue
				}
			}
			least = total
			out = BestHPA{
				Target: leastTarget + int32(i)*targetStep, DownWindowSeconds: window, T: total.hours(),
				UnservedPercent: ScoreOf(s).UnservedPercent, AtEnd: end,
			}
		}
	}
	return out, least, nil
}
