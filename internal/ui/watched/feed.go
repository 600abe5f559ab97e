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
	// Prices, where they are set, make money of what is wasted and saved.
	Prices feed.Prices

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
		o = &object{history: &feed.History{Held: true}, prices: &f.Prices}
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

// pastLimit is how long the past is waited for: no longer than a person waits for a page
// that can do without.
const pastLimit = 10 * time.Second

// Lanes shows an object over a time. Who does has it open.
func (f *Feed) Lanes(ctx context.Context, k feed.Key, w feed.Window) (feed.Lanes, error) {
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
	history, problem := f.since(ctx, k, history, w)
	lanes := history.Lanes(w)
	lanes.Pods, lanes.Problem = pods, problem
	return lanes, nil
}

// since is a history with its past, where the window goes back further.
func (f *Feed) since(ctx context.Context, k feed.Key, h *feed.History, w feed.Window) (with *feed.History, problem string) {
	from, first := time.UnixMilli(w.From), h.First()
	if first.IsZero() {
		first = f.now()
	}
	if f.Past == nil || w.To <= w.From || !from.Before(first) {
		return h, ""
	}
	ctx, cancel := context.WithTimeout(ctx, pastLimit)
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
	v := &s.view
	out := feed.Decision{Unmoved: []string{}, Changes: []feed.Turn{}, Pods: []feed.Pod{}, Missing: s.missing}
	sums := make([]string, len(v.Steps))
	if s.look != nil {
		// What would change it takes a while, and nobody waits for it meanwhile.
		out = decided.Of(k, s.look.call)
		sums = alike(v, &out)
		out.Seen, out.Rewound = s.look.at.UnixMilli(), s.look.rewound
	}
	// What was decided, and why, is what the status says; a look leads to the same, and
	// is another.
	out.Key, out.At, out.View, out.Headline, out.Text, out.Sums = k, s.at.UnixMilli(), *v, v.Headline(), v.Text(), sums
	if !s.next.IsZero() {
		out.Next = s.next.UnixMilli()
	}
	return out, nil
}

// alike are the sums of a look for the steps of a status that it has as well.
func alike(v *explain.View, look *feed.Decision) []string {
	out := make([]string, len(v.Steps))
	for i := range v.Steps {
		s := &v.Steps[i]
		for j := range look.View.Steps {
			o := &look.View.Steps[j]
			if s.Stage == o.Stage && s.Reason == o.Reason && s.In.Replicas == o.In.Replicas && s.Out.Replicas == o.Out.Replicas && look.Sums[j] != "" {
				out[i], look.Sums[j] = look.Sums[j], ""
				break
			}
		}
	}
	return out
}

// said is a decision that a status had and when the next one had another, and the look
// that leads to it, where there is one; otherwise missing says why not.
type said struct {
	at, next time.Time
	view     explain.View
	look     *look
	missing  string
}

// look is what was seen, and when; where it is rewound, that was taken back to the moment
// of a decision.
type look struct {
	at      time.Time
	call    record.Call
	rewound bool
}

// status finds the last decision until a moment that a status had. What a look saw is
// read again while others can go on.
func (f *Feed) status(k feed.Key, at time.Time) (out said, err error) {
	var last seen
	var calls looks
	if last, calls, out, err = f.last(k, at); err != nil {
		return said{}, err
	}
	if out.view, err = last.view(); err != nil {
		return said{}, err
	}
	out.look = calls.callOf(&out.view, out.at, out.next, at)
	return out, nil
}

// last is the last decision until a moment, with all looks.
func (f *Feed) last(k feed.Key, at time.Time) (seen, looks, said, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	o := f.objects[k]
	if o == nil {
		return seen{}, nil, said{}, feed.ErrUnknown
	}
	o.asked = f.now()
	next := time.Time{}
	for _, s := range slices.Backward(o.seen) {
		if at.IsZero() || !s.at.After(at) {
			return s, slices.Clone(o.calls), said{at: s.at, next: next, missing: o.why(k)}, nil
		}
		next = s.at
	}
	return seen{}, nil, said{}, feed.ErrNoDecision
}

// Version tells an object from what it was before.
func (f *Feed) Version(k feed.Key) (version string, since time.Time, err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	o := f.objects[k]
	if o == nil {
		return "", time.Time{}, feed.ErrUnknown
	}
	return o.version, o.became, nil
}

var (
	_ feed.Feed      = (*Feed)(nil)
	_ feed.Versioned = (*Feed)(nil)
)
