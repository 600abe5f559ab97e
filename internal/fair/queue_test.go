package fair

import (
	"fmt"
	"slices"
	"testing"

	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/util/workqueue"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
)

func request(namespace string, i int) reconcile.Request {
	return reconcile.Request{NamespacedName: types.NamespacedName{Namespace: namespace, Name: fmt.Sprint(i)}}
}

func newQueue(t *testing.T, workers int) workqueue.TypedRateLimitingInterface[reconcile.Request] {
	t.Helper()
	q := NewQueue(workers)("", workqueue.DefaultTypedControllerRateLimiter[reconcile.Request]())
	t.Cleanup(q.ShutDown)
	return q
}

// TestNamespacesTakeTurns: one with many objects does not keep another waiting
// until all of them are done.
func TestNamespacesTakeTurns(t *testing.T) {
	q := newQueue(t, 1)
	for i := range 100 {
		q.Add(request("bank", i))
	}
	q.Add(request("shop", 0))
	q.Add(request("shop", 1))
	var order []string
	for range 5 {
		req, _ := q.Get()
		order = append(order, req.String())
		q.Done(req)
	}
	if want := []string{"bank/0", "shop/0", "bank/1", "shop/1", "bank/2"}; !slices.Equal(order, want) {
		t.Errorf("got %v, want %v", order, want)
	}
}

// TestOneNamespaceNeverHasEveryWorker: with eight workers it has six, however much
// there is to do, and nothing is lost or done twice for it.
func TestOneNamespaceNeverHasEveryWorker(t *testing.T) {
	q := newQueue(t, 8)
	for i := range 20 {
		q.Add(request("bank", i))
	}
	var busy []reconcile.Request
	done := map[string]int{}
	for range 6 {
		req, _ := q.Get()
		busy = append(busy, req)
	}
	q.Add(request("shop", 0))
	if req, _ := q.Get(); req.Namespace != "shop" {
		t.Fatalf("the seventh worker got %s", req)
	}
	for len(busy) > 0 {
		req := busy[0]
		busy = busy[1:]
		done[req.String()]++
		q.Done(req)
		if len(done)+len(busy) < 20 {
			next, _ := q.Get()
			busy = append(busy, next)
		}
	}
	if len(done) != 20 {
		t.Errorf("%d objects of 20 were looked at", len(done))
	}
	for name, times := range done {
		if times != 1 {
			t.Errorf("%s was looked at %d times", name, times)
		}
	}
}

// TestWhatIsAddedWhileItIsHeld is looked at, and once.
func TestWhatIsAddedWhileItIsHeld(t *testing.T) {
	q := newQueue(t, 1)
	q.Add(request("bank", 0))
	first, _ := q.Get()
	q.Add(request("bank", 1))
	q.Add(request("shop", 0))
	other, _ := q.Get() // bank/1 is held on the way
	if other.Namespace != "shop" {
		t.Fatalf("got %s", other)
	}
	q.Add(request("bank", 1))
	q.Done(first)
	again, _ := q.Get()
	q.Done(again)
	q.Done(other)
	if again != request("bank", 1) {
		t.Errorf("got %s", again)
	}
	if left := q.Len(); left > 1 {
		t.Errorf("%d are left in the queue, want at most the repeated one", left)
	}
}
