package controller

import (
	"math/rand/v2"
	"time"

	"k8s.io/client-go/util/workqueue"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	"github.com/tidemark/tidemark/policy"
)

// A failed round is repeated almost at once, because most failures are conflicts
// that end with a second look, and then ever later, up to the object's period:
// what is back after a long time must not wait for longer than that.
const (
	firstRetry = 50 * time.Millisecond
	// LongestRetry is the longest time until a failed round of an object with the
	// default period is repeated.
	LongestRetry = policy.DefaultSyncPeriod
)

// backOff spaces the retries of each object, with some jitter: objects that
// failed together must not come back together.
type backOff struct {
	workqueue.TypedRateLimiter[reconcile.Request]
	// period is the sync period of an object, and unfinished whether its look is not
	// over yet; nil where there are no looks.
	period     func(reconcile.Request) time.Duration
	unfinished func(reconcile.Request) bool
	// jitter returns a number from 0 up to n.
	jitter func(n time.Duration) time.Duration
}

func newBackOff(period func(reconcile.Request) time.Duration) *backOff {
	return &backOff{
		TypedRateLimiter: workqueue.NewTypedItemExponentialFailureRateLimiter[reconcile.Request](firstRetry, time.Hour),
		period:           period,
		jitter:           rand.N[time.Duration],
	}
}

// Forget forgets how often an object has failed. The controller calls it after each
// pass that did not fail, also where the look was only left: that is no success.
func (b *backOff) Forget(req reconcile.Request) {
	if b.unfinished == nil || !b.unfinished(req) {
		b.TypedRateLimiter.Forget(req)
	}
}

// When returns how long the object waits: the back-off, and up to half of it
// more, but never more than its period.
func (b *backOff) When(req reconcile.Request) time.Duration {
	return b.spaced(b.TypedRateLimiter.When(req), b.period(req))
}

func (b *backOff) spaced(wait, period time.Duration) time.Duration {
	wait = min(wait, period*2/3)
	return wait + b.jitter(wait/2+1)
}

// retryAfter is how long what failed so often waits until it is tried again.
func retryAfter(failures int, period time.Duration) time.Duration {
	wait := min(firstRetry<<min(failures, 20), period*2/3)
	return wait + rand.N(wait/2+1)
}
