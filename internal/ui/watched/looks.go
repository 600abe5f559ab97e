package watched

import (
	"context"
	"fmt"
	"time"

	"k8s.io/client-go/rest"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/tidemark/tidemark/api/v1alpha1"
	"github.com/tidemark/tidemark/engine"
	"github.com/tidemark/tidemark/internal/onlook"
	"github.com/tidemark/tidemark/internal/record"
	"github.com/tidemark/tidemark/internal/ui/feed"
	"github.com/tidemark/tidemark/scale"
)

// How often objects are looked at: those that someone has open as often as the
// controller does by default, all others in turn, each no more than once a minute.
// However many there are, no more looks are made than the last say, at once and one
// after another.
const (
	closely   = 15 * time.Second
	inTurn    = time.Minute
	refused   = 5 * time.Minute
	openFor   = 5 * time.Minute
	relearn   = 10 * time.Minute
	atOnce    = 3
	breath    = 300 * time.Millisecond
	lookLimit = 20 * time.Second
	// tellEvery is how often looks alone are told.
	tellEvery = 2 * time.Second
)

// Looker looks at an object as the controller does. What was learned about it is
// read where known is not nil.
type Looker interface {
	Look(ctx context.Context, key feed.Key, known *onlook.Known) (record.Call, error)
}

// NewLooker returns a looker with the rights of a configuration.
func NewLooker(config *rest.Config) (Looker, error) {
	by, api, err := onlook.Unwatched(config)
	if err != nil {
		return nil, err
	}
	return &looker{by, api}, nil
}

type looker struct {
	*onlook.Onlooker
	api client.Reader
}

// Look reads the object, and looks.
func (l *looker) Look(ctx context.Context, key feed.Key, known *onlook.Known) (record.Call, error) {
	var obj v1alpha1.WorkloadAutoscaler
	if err := l.api.Get(ctx, client.ObjectKey{Namespace: key.Namespace, Name: key.Name}, &obj); err != nil {
		return record.Call{}, fmt.Errorf("reading the WorkloadAutoscaler: %w", err)
	}
	return l.Onlooker.Look(ctx, &obj, known, time.Now().UTC())
}

// Look looks at the objects, one after another, until the context ends.
func (f *Feed) Look(ctx context.Context, by Looker) {
	done := make(chan struct{})
	for range atOnce {
		go func() {
			defer func() { done <- struct{}{} }()
			for ctx.Err() == nil {
				f.lookOnce(ctx, by)
				select {
				case <-ctx.Done():
				case <-time.After(breath):
				}
			}
		}()
	}
	for range atOnce {
		<-done
	}
}

// lookOnce looks at the object whose turn it is, if it is any object's.
func (f *Feed) lookOnce(ctx context.Context, by Looker) {
	key, known, ok := f.next()
	if !ok {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, lookLimit)
	defer cancel()
	call, err := by.Look(ctx, key, known)
	f.looked(key, call, err)
}

// next chooses the object whose turn it is: of those that are open the one that is
// due longest, and otherwise of all.
func (f *Feed) next() (feed.Key, *onlook.Known, bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	now := f.now()
	var chosen feed.Key
	var best *object
	first, longest := false, time.Duration(-1)
	for key, o := range f.objects {
		open, late := o.open(now), now.Sub(o.due(now))
		if o.looking || late < 0 || open == first && late <= longest || first && !open {
			continue
		}
		chosen, best, first, longest = key, o, open, late
	}
	if best == nil {
		return feed.Key{}, nil, false
	}
	best.looking, best.looks, best.news = true, now, false
	if !first {
		best.known = nil
	} else if best.known == nil || now.Sub(best.learned) > relearn {
		best.known, best.learned = &onlook.Known{}, now
	}
	return chosen, best.known, true
}

// partly tells whether a look at an object did not read what was learned, although that
// counts.
func (f *Feed) partly(key feed.Key, call *record.Call) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	o := f.objects[key]
	return o == nil || o.partly(call)
}

// looked takes what a look saw. What takes a while is done while others can go on.
func (f *Feed) looked(key feed.Key, call record.Call, err error) {
	var d scale.Decision
	var document []byte
	if err == nil {
		d, _ = engine.Decide(call.Policy, call.Observation, call.Memory)
		if !f.partly(key, &call) {
			document = compressed(&call)
		}
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	o := f.objects[key]
	if o == nil {
		return
	}
	now := f.now()
	o.looking = false
	if o.unseen = ""; err != nil {
		o.unseen, o.retry = err.Error(), now.Add(refused)
		return
	}
	o.saw(&call, &d, now)
	if document != nil {
		o.keep(keptOf(call.Observation.At, &d, document), f.bytes/len(f.objects))
	}
	o.trim(f.share())
	if now.Sub(f.told) >= tellEvery {
		f.told = now
		f.tell()
	}
}
