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
	Subject func(feed.Key) (Subject, error)

	mu sync.Mutex
	// prepared are the workloads that were looked at last, the last one first.
	prepared []*prepared
	// searching is held by whoever looks for the best HPA, which takes all cores.
	searching sync.Mutex
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

	mu                  sync.Mutex
	present, usual, hpa *Ran
}

// prepare cuts the demand of a workload into the parts to replay.
func (b *Bench) prepare(e feed.Edit) (*prepared, error) {
	s, err := b.Subject(e.Key)
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
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.present != nil {
		return p.present, nil
	}
	ran, err := run(ctx, p.replay, present)
	if err == nil {
		p.present = ran
	}
	return ran, err
}

// usualHPA is how an HPA with a usual target did.
func (p *part) usualHPA(ctx context.Context) (*Ran, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.usual != nil {
		return p.usual, nil
	}
	policy, err := replay.FromSpec(fmt.Sprintf("hpa:%d", begins), replay.HPA(begins))
	if err != nil {
		return nil, err
	}
	ran, err := run(ctx, p.replay, policy)
	if err == nil {
		p.usual = ran
	}
	return ran, err
}

// bestHPA is how the HPA that is best in hindsight did. Looking for it is begun only
// while somebody waits, and then goes on to its end, because others will ask again.
func (b *Bench) bestHPA(ctx context.Context, p *part) (*Ran, error) {
	found := make(chan error, 1)
	go func() {
		b.searching.Lock()
		defer b.searching.Unlock()
		if p.known() != nil || ctx.Err() != nil {
			found <- ctx.Err()
			return
		}
		_, policy, err := p.replay.BestHPA()
		if err != nil {
			found <- err
			return
		}
		ran, err := run(context.WithoutCancel(ctx), p.replay, policy)
		if err == nil {
			p.mu.Lock()
			p.hpa = ran
			p.mu.Unlock()
		}
		found <- err
	}()
	select {
	case err := <-found:
		return p.known(), err
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
}

// known is how the best HPA did, once that is known.
func (p *part) known() *Ran {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.hpa
}
