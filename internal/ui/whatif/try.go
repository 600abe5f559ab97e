package whatif

import (
	"context"
	"errors"
	"reflect"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/tidemark/tidemark/internal/replay"
	"github.com/tidemark/tidemark/internal/ui/decided"
	"github.com/tidemark/tidemark/internal/ui/feed"
)

// told is a line of an answer: one of its fields.
type told struct {
	Checked     *Checked     `json:"checked,omitempty"`
	Ran         *Ran         `json:"ran,omitempty"`
	Differences *Differences `json:"differences,omitempty"`
	Point       *Point       `json:"point,omitempty"`
	Tuned       *Tuned       `json:"tuned,omitempty"`
}

// Object is the object of a workload, to be edited.
func (b *Bench) Object(ctx context.Context, k feed.Key) (feed.Object, error) {
	s, err := b.Subject(ctx, k)
	if err != nil {
		return feed.Object{}, err
	}
	return s.object(), nil
}

// Try replays an edited object beside the present one and the best HPA. Looking for that
// takes a while, so until it is known a usual one stands in its place.
func (b *Bench) Try(ctx context.Context, e feed.Edit, tell func(any) error) error {
	p, err := b.prepare(ctx, e)
	if err != nil {
		return err
	}
	edited, said := read(e.YAML, p.parts[len(p.parts)-1].replay)
	if err := tell(told{Checked: &said}); err != nil {
		return err
	}
	for _, part := range p.parts {
		if err := part.try(ctx, p.Policy, edited, said.Valid, e.Alone, tell); err != nil {
			return err
		}
		if e.Alone || part.known(&part.hpa) != nil {
			continue
		}
		usual, err := part.usualHPA(ctx)
		if err != nil {
			return err
		}
		if err := tell(told{Ran: usual.as(part.name, "usual")}); err != nil {
			return err
		}
	}
	if e.Alone {
		return nil
	}
	for _, part := range p.parts {
		best, err := b.bestHPA(ctx, part)
		if err != nil {
			return err
		}
		if err := tell(told{Ran: best.as(part.name, "hpa")}); err != nil {
			return err
		}
	}
	return nil
}

// try replays both objects over a part. What cannot be replayed is left out.
func (p *part) try(ctx context.Context, present, edited replay.Policy, valid, alone bool, tell func(any) error) error {
	var before, after *Ran
	same := valid && present.Spec() != nil && reflect.DeepEqual(present.Spec(), edited.Spec())
	both, ctx := errgroup.WithContext(ctx)
	both.Go(func() (err error) { before, err = p.presently(ctx, present); return err })
	if valid && !same {
		both.Go(func() (err error) { after, err = run(ctx, p.replay, edited); return err })
	}
	if err := both.Wait(); err != nil {
		return err
	}
	if same {
		after = before
	}
	if after != nil {
		if err := tell(told{Ran: after.as(p.name, "edited")}); err != nil {
			return err
		}
	}
	if !alone {
		if err := tell(told{Ran: before.as(p.name, "present")}); err != nil {
			return err
		}
	}
	if after == nil {
		return nil
	}
	found := differ(p.name, before.course, after.course, p.until.UnixMilli())
	return tell(told{Differences: &found})
}

// Why is the decision of an edited object at a moment, as the replay of the part
// came to it that the moment is in.
func (b *Bench) Why(ctx context.Context, e feed.Edit, at int64) (feed.Decision, error) {
	p, err := b.prepare(ctx, e)
	if err != nil {
		return feed.Decision{}, err
	}
	edited, said := read(e.YAML, p.parts[0].replay)
	if !said.Valid {
		return feed.Decision{}, errors.New(said.Findings[len(said.Findings)-1].Message)
	}
	moment := time.UnixMilli(at).UTC()
	for _, part := range p.parts {
		if start, _ := part.replay.Span(); moment.Before(start) {
			continue
		}
		call, _, err := part.replay.Call(ctx, edited, moment)
		if err != nil {
			return feed.Decision{}, err
		}
		return decided.Of(e.Key, call), nil
	}
	return feed.Decision{}, feed.ErrNoDecision
}
