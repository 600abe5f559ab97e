package snapshot

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"time"
)

// How long a look goes on without answers.
const (
	// longestPatience is for a source that answered last time, and shortPatience
	// for one that did not: a source that is back is fast, and one that is not must
	// not make every look late.
	longestPatience = 2 * time.Second
	shortPatience   = 300 * time.Millisecond
)

// Look is one look at one object that never waits for a source. It may take
// several passes: one that ends with UnderWay is followed by another, once Wake
// was called or the time is over. Passes of one look do not overlap.
type Look struct {
	// Began is when the first pass began.
	Began time.Time
	// Period is the object's: a look is over long before the next is due.
	Period time.Duration
	// Wake is called when everything has come that a pass has left under way. It
	// must not block.
	Wake func()

	mu sync.Mutex
	// waited are the answers that this look has been waiting for: it takes them,
	// however long they took. True are those that it still waits for, which are
	// so many. The first of them that it gives up is given up at until.
	waited map[*answer]bool
	under  int
	until  time.Time
	parked bool
	aged   []string
}

type lookKey struct{}

// During returns a context for one pass of a look: questions that are asked with
// it return at once.
func During(ctx context.Context, l *Look) context.Context {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.until, l.parked, l.aged = time.Time{}, false, nil
	return context.WithValue(ctx, lookKey{}, l)
}

// lookOf returns the look whose pass this is; nil where the caller waits.
func lookOf(ctx context.Context) *Look {
	l, _ := ctx.Value(lookKey{}).(*Look)
	return l
}

// Waits tells whether a pass has left something under way so far. What would
// only be asked for want of that is not asked then.
func Waits(ctx context.Context) bool {
	l := lookOf(ctx)
	if l == nil {
		return false
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	return !l.until.IsZero()
}

// Park ends a pass. The error is UnderWay where another has to follow, at the
// latest after the time it says.
func (l *Look) Park(now time.Time) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.until.IsZero() {
		return nil
	}
	if l.under == 0 {
		// All has come meanwhile.
		return &UnderWay{}
	}
	l.parked = true
	return &UnderWay{Wait: max(l.until.Sub(now), time.Millisecond)}
}

// Aged says in words which old answers the last pass has used, and how old they
// are.
func (l *Look) Aged() []string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return slices.Clone(l.aged)
}

// patience is how long the look waits for a question, and after an outage.
func (l *Look) patience(outage bool) time.Duration {
	if outage {
		return min(shortPatience, l.Period/2)
	}
	return min(longestPatience, l.Period/2)
}

// waitFor leaves an answer under way, if the look has the patience. The store's
// lock is held, so that the answer does not come meanwhile.
func (l *Look) waitFor(a *answer, outage bool, now time.Time) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	until := l.Began.Add(l.patience(outage))
	if !now.Before(until) {
		l.drop(a)
		return false
	}
	if l.until.IsZero() || until.Before(l.until) {
		l.until = until
	}
	if _, known := l.waited[a]; !known {
		if l.waited == nil {
			l.waited = map[*answer]bool{}
		}
		l.waited[a] = true
		l.under++
		a.looks = append(a.looks, l)
	}
	return true
}

// drop waits for an answer no longer.
func (l *Look) drop(a *answer) {
	if l.waited[a] {
		l.waited[a] = false
		l.under--
	}
}

func (l *Look) waitedFor(a *answer) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	_, known := l.waited[a]
	return known
}

// usesOld notes that an old answer is used.
func (l *Look) usesOld(k Key, since, age time.Duration) {
	l.mu.Lock()
	defer l.mu.Unlock()
	note := fmt.Sprintf("%s has not answered for %s: its answer of %s ago is used", k.Source, since.Round(time.Millisecond), age.Round(time.Millisecond))
	if !slices.Contains(l.aged, note) {
		l.aged = append(l.aged, note)
	}
}

// come tells the look that an answer it waits for is there.
func (l *Look) come(a *answer) {
	l.mu.Lock()
	l.drop(a)
	wake := l.parked && l.under == 0
	l.mu.Unlock()
	if wake && l.Wake != nil {
		l.Wake()
	}
}
