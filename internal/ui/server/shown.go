package server

import (
	"context"
	"errors"
	"net/http"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/tidemark/tidemark/internal/ui/feed"
)

// errNothing is the answer for a caller who may see nothing of what there is.
var errNothing = errors.New("you may not list WorkloadAutoscalers in any namespace that has some: ask for the role tidemark-view, or view, in yours")

// shown is what a caller may see of a feed: a namespace is seen as a whole, or
// nothing of it. Every answer is made of this, and of nothing else.
type shown struct {
	feed   feed.Feed
	caller Caller
	ctx    context.Context
	// changes tells whether anything can be changed.
	changes bool
}

// callerKey is where a request has its caller.
type callerKey struct{}

// asking is who asks, and with which token.
type asking struct {
	caller Caller
	token  string
}

func askerOf(r *http.Request) asking {
	// Nothing gets here without one.
	a, _ := r.Context().Value(callerKey{}).(asking)
	return a
}

// shown is the feed as the caller of a request may see it.
func (s *server) shown(r *http.Request) *shown {
	return &shown{s.options.Feed, askerOf(r).caller, r.Context(), s.options.Changer != nil}
}

// About says what the feed is.
func (s *shown) About() feed.About {
	out := s.feed.About()
	out.Changes = s.changes
	return out
}

// Changed is closed once there is something new.
func (s *shown) Changed() <-chan struct{} { return s.feed.Changed() }

// rows are those of namespaces that the caller may see. Where there are objects, but
// none for the caller, the error says so.
func (s *shown) rows(all []*rowText) ([]*rowText, error) {
	may, err := s.may(namespacesOf(all, func(row *rowText) string { return row.Namespace }))
	if err != nil {
		return nil, err
	}
	out := make([]*rowText, 0, len(all))
	for _, row := range all {
		if may[row.Namespace] {
			out = append(out, row)
		}
	}
	if len(all) > 0 && len(out) == 0 {
		return nil, errNothing
	}
	if len(out) == len(all) {
		// Who sees all shares the list with the others who do.
		return all, nil
	}
	return out, nil
}

// questions is how many are asked at once about one caller: who may see some of a
// thousand namespaces is not to wait for one answer after another.
const questions = 16

// may tells which namespaces the caller may see.
func (s *shown) may(namespaces []string) (map[string]bool, error) {
	sees := make([]bool, len(namespaces))
	all, ctx := errgroup.WithContext(s.ctx)
	all.SetLimit(questions)
	for i, namespace := range namespaces {
		all.Go(func() (err error) {
			sees[i], err = s.caller.Sees(ctx, namespace)
			return err
		})
	}
	if err := all.Wait(); err != nil {
		return nil, err
	}
	out := make(map[string]bool, len(namespaces))
	for i, namespace := range namespaces {
		out[namespace] = sees[i]
	}
	return out, nil
}

// namespacesOf are the namespaces of rows that are sorted by their keys.
func namespacesOf[R any](rows []R, of func(R) string) (out []string) {
	for _, row := range rows {
		if namespace := of(row); len(out) == 0 || out[len(out)-1] != namespace {
			out = append(out, namespace)
		}
	}
	return out
}

// homed is a caller who belongs to a namespace.
type homed interface{ Home() string }

// namespaces are those that the caller may see objects of, and the caller's own.
func (s *shown) namespaces() (out []string, err error) {
	may, err := s.may(namespacesOf(s.feed.Fleet(), func(row feed.Row) string { return row.Namespace }))
	if err != nil {
		return nil, err
	}
	for namespace, sees := range may {
		if sees {
			out = append(out, namespace)
		}
	}
	if h, ok := s.caller.(homed); ok && h.Home() != "" {
		out = append(out, h.Home())
	}
	return out, nil
}

// sees refuses what the caller may not see as if it were not there.
func (s *shown) sees(k feed.Key) error {
	switch sees, err := s.caller.Sees(s.ctx, k.Namespace); {
	case err != nil:
		return err
	case !sees:
		return feed.ErrUnknown
	}
	return nil
}

// Lanes shows an object over a time, with its pods if the caller may see those.
func (s *shown) Lanes(k feed.Key, w feed.Window) (feed.Lanes, error) {
	if err := s.sees(k); err != nil {
		return feed.Lanes{}, err
	}
	out, err := s.feed.Lanes(s.ctx, k, w)
	if err != nil || len(out.Pods) == 0 && len(out.Marks) == 0 {
		return out, err
	}
	pods, err := s.caller.SeesPods(s.ctx, k.Namespace)
	if !pods {
		out.Pods = nil
		for i := range out.Marks {
			if out.Marks[i].Kind == feed.OutOfMemory {
				out.Marks[i].Words = "a pod ran out of memory"
			}
		}
	}
	return out, err
}

// Decision is the last one until a moment, without what names pods if the caller may
// not see those.
func (s *shown) Decision(k feed.Key, at time.Time) (feed.Decision, error) {
	if err := s.sees(k); err != nil {
		return feed.Decision{}, err
	}
	out, err := s.feed.Decision(k, at)
	if err != nil || len(out.Pods) == 0 && out.Document == "" {
		return out, err
	}
	pods, err := s.caller.SeesPods(s.ctx, k.Namespace)
	if !pods {
		out.Pods, out.Document, out.Script = []feed.Pod{}, "", ""
		out.Missing = "You may not list the pods of this namespace, so what the decision saw of them is left out."
	}
	return out, err
}
