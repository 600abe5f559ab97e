package controller

import (
	"math/rand/v2"
	"time"

	"k8s.io/client-go/util/workqueue"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
)

// A failed round is repeated almost at once, because most failures are conflicts
// that end with a second look, and then ever later.
const (
	firstRetry = 50 * time.Millisecond
	lastRetry  = 2 * time.Minute
	// LongestRetry is the longest time until a failed round is repeated.
	LongestRetry = lastRetry + lastRetry/2
)

// backOff spaces the retries of each object, with some jitter: objects that
// failed together must not come back together.
type backOff struct {
	workqueue.TypedRateLimiter[reconcile.Request]
	// jitter returns a number from 0 up to n.
	jitter func(n time.Duration) time.Duration
}

func newBackOff() workqueue.TypedRateLimiter[reconcile.Request] {
	return &backOff{
		TypedRateLimiter: workqueue.NewTypedItemExponentialFailureRateLimiter[reconcile.Request](firstRetry, lastRetry),
		jitter:           rand.N[time.Duration],
	}
}

// When returns how long the object waits: the back-off, and up to half of it
// more.
func (b *backOff) When(req reconcile.Request) time.Duration {
	wait := b.TypedRateLimiter.When(req)
	return wait + b.jitter(wait/2+1)
}
