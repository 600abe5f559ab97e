package fair

import (
	"sync"

	"k8s.io/client-go/util/workqueue"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
)

// Queue is the queue of a controller, fair between namespaces. What is ready is
// handed out to the namespaces in turn, and a namespace has at most so many
// workers at once that one is left for the others: its writes may take long, for
// example because of a webhook of its own.
type Queue struct {
	workqueue.TypedRateLimitingInterface[reconcile.Request]
	most int

	mu   sync.Mutex
	busy map[string]int
	// held are ready, and their namespaces have all the workers they may have.
	held map[string][]reconcile.Request
}

// NewQueue returns the queue for a number of workers, in the form that a
// controller's options want.
func NewQueue(workers int) func(string, workqueue.TypedRateLimiter[reconcile.Request]) workqueue.TypedRateLimitingInterface[reconcile.Request] {
	return func(name string, limiter workqueue.TypedRateLimiter[reconcile.Request]) workqueue.TypedRateLimitingInterface[reconcile.Request] {
		inner := workqueue.NewTypedWithConfig(workqueue.TypedQueueConfig[reconcile.Request]{Name: name, Queue: &turns{}})
		delayed := workqueue.NewTypedDelayingQueueWithConfig(workqueue.TypedDelayingQueueConfig[reconcile.Request]{Name: name, Queue: inner})
		return &Queue{
			TypedRateLimitingInterface: workqueue.NewTypedRateLimitingQueueWithConfig(limiter,
				workqueue.TypedRateLimitingQueueConfig[reconcile.Request]{Name: name, DelayingQueue: delayed}),
			most: max(workers-max(workers/4, 1), 1), busy: map[string]int{}, held: map[string][]reconcile.Request{},
		}
	}
}

// Get returns what is to be looked at next, when there is something.
func (q *Queue) Get() (reconcile.Request, bool) {
	for {
		req, shutdown := q.TypedRateLimitingInterface.Get()
		if shutdown || q.admit(req) {
			return req, shutdown
		}
		// It is not lost: Done of another in its namespace adds it again.
		q.TypedRateLimitingInterface.Done(req)
	}
}

// admit gives a request a worker, or holds it.
func (q *Queue) admit(req reconcile.Request) bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.busy[req.Namespace] >= q.most {
		q.held[req.Namespace] = append(q.held[req.Namespace], req)
		return false
	}
	q.busy[req.Namespace]++
	return true
}

// Done gives the worker back.
func (q *Queue) Done(req reconcile.Request) {
	q.TypedRateLimitingInterface.Done(req)
	if next, ok := q.release(req.Namespace); ok {
		q.Add(next)
	}
}

func (q *Queue) release(namespace string) (next reconcile.Request, ok bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.busy[namespace]--; q.busy[namespace] == 0 {
		delete(q.busy, namespace)
	}
	waiting := q.held[namespace]
	if len(waiting) == 0 {
		return next, false
	}
	next = waiting[0]
	if q.held[namespace] = waiting[1:]; len(waiting) == 1 {
		delete(q.held, namespace)
	}
	return next, true
}

// turns is what is ready, by namespace. The work queue of client-go asks it for
// the next, under its own lock, and adds nothing twice.
type turns struct {
	ready map[string][]reconcile.Request
	order []string
	count int
}

var _ workqueue.Queue[reconcile.Request] = (*turns)(nil)

// Touch changes nothing: who asks again keeps their place.
func (t *turns) Touch(reconcile.Request) {}

// Push adds a request behind those of its namespace.
func (t *turns) Push(req reconcile.Request) {
	if t.ready == nil {
		t.ready = map[string][]reconcile.Request{}
	}
	if len(t.ready[req.Namespace]) == 0 {
		t.order = append(t.order, req.Namespace)
	}
	t.ready[req.Namespace] = append(t.ready[req.Namespace], req)
	t.count++
}

// Len is how many requests are ready.
func (t *turns) Len() int { return t.count }

// Pop returns the first request of the namespace whose turn it is.
func (t *turns) Pop() reconcile.Request {
	namespace := t.order[0]
	t.order = t.order[1:]
	waiting := t.ready[namespace]
	req := waiting[0]
	t.count--
	if len(waiting) == 1 {
		delete(t.ready, namespace)
		return req
	}
	t.ready[namespace] = waiting[1:]
	t.order = append(t.order, namespace)
	return req
}
