package whatif

import (
	"context"
	"fmt"
	"reflect"
	"slices"
	"sync"
	"time"

	"github.com/tidemark/tidemark/internal/replay"
	"github.com/tidemark/tidemark/internal/ui/feed"
)

// Bench is where workloads are replayed under other policies. What does not depend on
// an edit is worked out once.
type Bench struct {
	// Subject finds a workload.
	Subject func(context.Context, feed.Key) (Subject, error)

	mu sync.Mutex
	// prepared are the workloads that were looked at last, the last one first.
	prepared []*prepared
	// searching is whose turn it is to look for the best HPA, which takes all cores.
	searching turn
}

// The parts of the demand that are replayed, and how many workloads are kept ready.
const (
	week     = 7 * 24 * time.Hour
	weeks    = 4 * week
	keptMost = 3
)

// prepared is a workload with the parts of its demand.
type prepared struct {
	Subject
	parts []*part
}

// part is a part of the demand, and how the present object and the best HPA did.
type part struct {
	name   string
	replay *replay.Replay
	until  time.Time

	// presenting and usually are whose turn it is to replay the present object, and the
	// usual HPA.
	presenting, usually turn

	mu                  sync.Mutex
	present, usual, hpa *Ran
}

// turn is had by one after another, and by nobody who does not wait any longer.
type turn struct {
	once sync.Once
	free chan struct{}
}

// take waits for the turn, which ends with the function that is returned.
func (t *turn) take(ctx context.Context) (end func(), err error) {
	t.once.Do(func() { t.free = make(chan struct{}, 1) })
	select {
	case t.free <- struct{}{}:
		return func() { <-t.free }, nil
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
}

// prepare cuts the demand of a workload into the parts to replay.
func (b *Bench) prepare(ctx context.Context, e feed.Edit) (*prepared, error) {
	s, err := b.Subject(ctx, e.Key)
	if err != nil {
		return nil, err
	}
	if until := time.UnixMilli(e.Until).UTC(); e.Until > 0 && until.Before(s.Until) {
		s.Until = until
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	for i, p := range b.prepared {
		if p.Key == s.Key && p.Until.Equal(s.Until) && p.Replay == s.Replay && reflect.DeepEqual(p.Policy.Spec(), s.Policy.Spec()) {
			b.prepared = slices.Insert(slices.Delete(b.prepared, i, i+1), 0, p)
			return p, nil
		}
	}
	p := &prepared{Subject: s}
	start, _ := s.Replay.Span()
	for _, c := range []struct {
		name   string
		length time.Duration
	}{{"week", week}, {"weeks", weeks}} {
		if c.name == "weeks" && !start.Before(s.Until.Add(-week)) {
			break // There is no more than the week.
		}
		r, err := s.Replay.Between(s.Until.Add(-c.length), s.Until)
		if err != nil {
			return nil, err
		}
		p.parts = append(p.parts, &part{name: c.name, replay: r, until: s.Until})
	}
	b.prepared = append([]*prepared{p}, b.prepared[:min(len(b.prepared), keptMost-1)]...)
	return p, nil
}

// presently is how the present object did.
func (p *part) presently(ctx context.Context, present replay.Policy) (*Ran, error) {
	return p.once(ctx, &p.presenting, &p.present, func() (*Ran, error) { return run(ctx, p.replay, present) })
}

// usualHPA is how an HPA with a usual target did.
func (p *part) usualHPA(ctx context.Context) (*Ran, error) {
	return p.once(ctx, &p.usually, &p.usual, func() (*Ran, error) {
		policy, err := replay.FromSpec(fmt.Sprintf("hpa:%d", begins), replay.HPA(begins))
		if err != nil {
			return nil, err
		}
		return run(ctx, p.replay, policy)
	})
}

// bestHPA is how the HPA that is best in hindsight did. It is looked for only while
// somebody waits; whoever asks next goes on from there.
func (b *Bench) bestHPA(ctx context.Context, p *part) (*Ran, error) {
	return p.once(ctx, &b.searching, &p.hpa, func() (*Ran, error) {
		_, policy, err := p.replay.BestHPA(ctx)
		if err != nil {
			return nil, err
		}
		return run(ctx, p.replay, policy)
	})
}

// once is what is known, or what is found in a turn.
func (p *part) once(ctx context.Context, whose *turn, known **Ran, find func() (*Ran, error)) (*Ran, error) {
	if ran := p.known(known); ran != nil {
		return ran, nil
	}
	end, err := whose.take(ctx)
	if err != nil {
		return nil, err
	}
	defer end()
	if ran := p.known(known); ran != nil {
		return ran, nil
	}
	ran, err := find()
	if err != nil {
		return nil, err
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	*known = ran
	return ran, nil
}

func (p *part) known(of **Ran) *Ran {
	p.mu.Lock()
	defer p.mu.Unlock()
	return *of
}
