package watched

import (
	"context"
	"slices"
	"sync"
	"time"

	"github.com/tidemark/tidemark/api/v1alpha1"
	"github.com/tidemark/tidemark/explain"
	"github.com/tidemark/tidemark/internal/record"
	"github.com/tidemark/tidemark/internal/ui/decided"
	"github.com/tidemark/tidemark/internal/ui/feed"
)

// How much is kept: so many moments of all objects together, and of each no fewer
// and no more than these.
const (
	mostMoments = 300_000
	fewest      = 30
	mostOfOne   = 20_000
	// mostBytes is how much is kept of what looks saw, of all objects together.
	mostBytes = 24 << 20
)

// Feed is what is seen of a cluster.
type Feed struct {
	title string
	now   func() time.Time
	// most is how many moments are kept of all objects together, and bytes how much
	// of what looks saw.
	most, bytes int
	// Past, where it is set, knows what was before.
	Past Past

	mu      sync.Mutex
	objects map[feed.Key]*object
	problem string
	changed chan struct{}
	// told is when what looks saw was last told.
	told time.Time
}

// New returns a feed that has seen nothing yet.
func New(title string) *Feed {
	return &Feed{title: title, now: time.Now, most: mostMoments, bytes: mostBytes, objects: map[feed.Key]*object{}}
}

// part takes some of the objects as they are now, and notes that they are there.
func (f *Feed) part(some []v1alpha1.WorkloadAutoscaler, there map[feed.Key]bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for i := range some {
		there[f.take(&some[i])] = true
	}
	f.tell()
}

// only forgets all objects but those that are there.
func (f *Feed) only(there map[feed.Key]bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for key := range f.objects {
		if !there[key] {
			delete(f.objects, key)
		}
	}
	f.problem = ""
	f.tell()
}

// put takes one object as it is now.
func (f *Feed) put(wa *v1alpha1.WorkloadAutoscaler) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.take(wa)
	f.tell()
}

func (f *Feed) take(wa *v1alpha1.WorkloadAutoscaler) feed.Key {
	key := feed.Key{Namespace: wa.Namespace, Name: wa.Name}
	o := f.objects[key]
	if o == nil {
		o = &object{history: &feed.History{Held: true}}
		f.objects[key] = o
	}
	o.take(wa, f.now())
	o.trim(f.share())
	return key
}

// share is how many moments are kept of each object.
func (f *Feed) share() int { return min(max(f.most/len(f.objects), fewest), mostOfOne) }

// remove forgets an object.
func (f *Feed) remove(wa *v1alpha1.WorkloadAutoscaler) {
	f.mu.Lock()
	defer f.mu.Unlock()
	delete(f.objects, feed.Key{Namespace: wa.Namespace, Name: wa.Name})
	f.tell()
}

// fail notes why nothing is seen. Who may not see it any more sees nothing of what
// there was either.
func (f *Feed) fail(problem string, forget bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.problem = problem
	if forget {
		clear(f.objects)
	}
	f.tell()
}

func (f *Feed) tell() {
	if f.changed != nil {
		close(f.changed)
		f.changed = nil
	}
}

// About says which cluster it is, and whether it can be seen.
func (f *Feed) About() feed.About {
	f.mu.Lock()
	defer f.mu.Unlock()
	return feed.About{Source: "cluster", Title: f.title, Now: f.now().UnixMilli(), Problem: f.problem}
}

// Changed is closed once there is something new.
func (f *Feed) Changed() <-chan struct{} {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.changed == nil {
		f.changed = make(chan struct{})
	}
	return f.changed
}

// Fleet lists the objects.
func (f *Feed) Fleet() []feed.Row {
	f.mu.Lock()
	defer f.mu.Unlock()
	out := make([]feed.Row, 0, len(f.objects))
	for _, o := range f.objects {
		out = append(out, o.row)
	}
	slices.SortFunc(out, func(a, b feed.Row) int { return a.Key.Compare(b.Key) })
	return out
}

// Past is what others know of a workload from before it was looked at.
type Past interface {
	Before(ctx context.Context, k feed.Key, from, until time.Time) (*feed.History, error)
}

// pastLimit is how long the past is waited for.
const pastLimit = 30 * time.Second

// Lanes shows an object over a time. Who does has it open.
func (f *Feed) Lanes(k feed.Key, w feed.Window) (feed.Lanes, error) {
	f.mu.Lock()
	o := f.objects[k]
	if o == nil {
		f.mu.Unlock()
		return feed.Lanes{}, feed.ErrUnknown
	}
	o.asked = f.now()
	history, pods := o.history, o.pods
	w.Now = o.asked.UnixMilli()
	f.mu.Unlock()
	history, problem := f.since(k, history, w)
	lanes := history.Lanes(w)
	lanes.Pods, lanes.Problem = pods, problem
	return lanes, nil
}

// since is a history with its past, where the window goes back further.
func (f *Feed) since(k feed.Key, h *feed.History, w feed.Window) (with *feed.History, problem string) {
	from, first := time.UnixMilli(w.From), h.First()
	if first.IsZero() {
		first = f.now()
	}
	if f.Past == nil || w.To <= w.From || !from.Before(first) {
		return h, ""
	}
	ctx, cancel := context.WithTimeout(context.Background(), pastLimit)
	defer cancel()
	past, err := f.Past.Before(ctx, k, from, first)
	if err != nil {
		return h, "What Prometheus knows is not shown: " + err.Error()
	}
	return feed.Join(past, h), ""
}

// Decision is the last one until a moment that a status had.
func (f *Feed) Decision(k feed.Key, at time.Time) (feed.Decision, error) {
	s, err := f.status(k, at)
	if err != nil {
		return feed.Decision{}, err
	}
	if s.known {
		// What would change it takes a while, and nobody waits for it meanwhile.
		return decided.Of(k, s.call), nil
	}
	v := &s.view
	return feed.Decision{
		Key: k, At: s.at.UnixMilli(), View: *v, Headline: v.Headline(), Text: v.Text(),
		Sums: make([]string, len(v.Steps)), Unmoved: []string{}, Changes: []feed.Turn{}, Pods: []feed.Pod{}, Missing: s.missing,
	}, nil
}

// said is a decision that a status had, and the call that leads to it, where one is
// known; otherwise missing says why not.
type said struct {
	at      time.Time
	view    explain.View
	call    record.Call
	known   bool
	missing string
}

func (f *Feed) status(k feed.Key, at time.Time) (out said, err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	o := f.objects[k]
	if o == nil {
		return said{}, feed.ErrUnknown
	}
	o.asked = f.now()
	next := time.Time{}
	for _, s := range slices.Backward(o.seen) {
		if !at.IsZero() && s.at.After(at) {
			next = s.at
			continue
		}
		out.at = s.at
		if out.view, err = s.view(); err != nil {
			return said{}, err
		}
		out.call, out.known = o.callOf(&out.view, s.at, next, at)
		out.missing = o.why(k)
		return out, nil
	}
	return said{}, feed.ErrNoDecision
}

var _ feed.Feed = (*Feed)(nil)
