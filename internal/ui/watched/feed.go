package watched

import (
	"slices"
	"sync"
	"time"

	"github.com/tidemark/tidemark/api/v1alpha1"
	"github.com/tidemark/tidemark/internal/ui/feed"
)

// How much is kept: so many moments of all objects together, and of each no fewer
// and no more than these.
const (
	mostMoments = 300_000
	fewest      = 30
	mostOfOne   = 20_000
)

// Feed is what is seen of a cluster.
type Feed struct {
	title string
	now   func() time.Time
	// most is how many moments are kept of all objects together.
	most int

	mu      sync.Mutex
	objects map[feed.Key]*object
	problem string
	changed chan struct{}
}

// New returns a feed that has seen nothing yet.
func New(title string) *Feed {
	return &Feed{title: title, now: time.Now, most: mostMoments, objects: map[feed.Key]*object{}}
}

// set takes objects as they are now, and forgets all others.
func (f *Feed) set(all []v1alpha1.WorkloadAutoscaler) {
	f.mu.Lock()
	defer f.mu.Unlock()
	there := make(map[feed.Key]bool, len(all))
	for i := range all {
		there[f.take(&all[i])] = true
	}
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
	o.trim(min(max(f.most/len(f.objects), fewest), mostOfOne))
	return key
}

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

// Lanes shows an object over a time.
func (f *Feed) Lanes(k feed.Key, w feed.Window) (feed.Lanes, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	o := f.objects[k]
	if o == nil {
		return feed.Lanes{}, feed.ErrUnknown
	}
	w.Now = f.now().UnixMilli()
	return o.history.Lanes(w), nil
}

// Decision is the last one until a moment that a status had.
func (f *Feed) Decision(k feed.Key, at time.Time) (feed.Decision, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	o := f.objects[k]
	if o == nil {
		return feed.Decision{}, feed.ErrUnknown
	}
	for _, s := range slices.Backward(o.seen) {
		if !at.IsZero() && s.at.After(at) {
			continue
		}
		view, err := s.view()
		return feed.Decision{
			Key: k, At: s.at.UnixMilli(), View: view, Headline: view.Headline(), Text: view.Text(),
			Sums: make([]string, len(view.Steps)), Unmoved: []string{}, Changes: []feed.Turn{}, Pods: []feed.Pod{},
			Missing: "A status does not keep what a decision looked at. 'tidemark record -n " + k.Namespace + " " + k.Name +
				"' looks as the controller does, and writes the document.",
		}, err
	}
	return feed.Decision{}, feed.ErrNoDecision
}

var _ feed.Feed = (*Feed)(nil)
