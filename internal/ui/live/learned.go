package live

import (
	"context"
	"fmt"

	"github.com/tidemark/tidemark/internal/history"
	"github.com/tidemark/tidemark/internal/learner"
	"github.com/tidemark/tidemark/internal/ui/feed"
	"github.com/tidemark/tidemark/internal/ui/learned"
)

// Learned is what is known of an object: the hours as the controller has learned them,
// where that can be read, and the rest as a replay over the demand that is known comes
// to it.
func (l *Live) Learned(ctx context.Context, k feed.Key) (feed.Learned, error) {
	call, err := l.call(k)
	if err != nil {
		return feed.Learned{}, err
	}
	stored, unread := l.stored(ctx, k, learner.SettingsOf(call.Spec))
	s, err := l.subject(ctx, k)
	switch {
	case ctx.Err() != nil:
		return feed.Learned{}, context.Cause(ctx)
	case err != nil && stored == nil:
		return feed.Learned{}, err
	case err != nil:
		out := learned.Known(call.Spec, stored.Slots, l.now())
		out.Note = "The hours are those of the object's WorkloadHistory. Nothing else is known: " + err.Error()
		return out, nil
	}
	out, err := learned.Of(ctx, s.Policy, s.Replay, s.Until)
	if err != nil {
		return out, err
	}
	if stored == nil {
		out.Note = "This is what a replay of the object over the demand that is known learns." + unread
		return out, nil
	}
	learned.Week(&out, call.Spec, stored.Slots, l.now())
	out.Note = "The hours are those of the object's WorkloadHistory; the rest is what a replay over the demand that is known comes to."
	return out, nil
}

// stored is what the controller has learned; nil where that cannot be read, and then
// why.
func (l *Live) stored(ctx context.Context, k feed.Key, settings history.Settings) (found *history.History, unread string) {
	if l.Stored == nil {
		return nil, ""
	}
	text, err := l.Stored(ctx, k)
	if err == nil && len(text) > 0 {
		found, err = history.Decode(text, settings)
	}
	if err != nil {
		return nil, fmt.Sprintf(" The object's WorkloadHistory could not be read: %v.", err)
	}
	return found, ""
}
