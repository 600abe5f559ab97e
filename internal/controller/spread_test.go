package controller

import (
	"fmt"
	"testing"
	"time"

	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	"github.com/tidemark/tidemark/internal/shard"
)

// TestSpread: objects that were all seen at once come back all over the period,
// some together in each second, and each then keeps its moment.
func TestSpread(t *testing.T) {
	const objects, parts = 3000, 15
	var perSecond [parts]int
	for i := range objects {
		key := client.ObjectKey{Namespace: "shop", Name: fmt.Sprintf("web-%d", i)}
		first := untilSlot(key, noon, period)
		if first < period/2 || first > period*3/2 {
			t.Fatalf("%s waits %s at first", key, first)
		}
		then := noon.Add(first)
		if second := untilSlot(key, then, period); second != period {
			t.Fatalf("%s waits %s then", key, second)
		}
		// A round that began a little late comes back at its moment.
		if late := untilSlot(key, then.Add(time.Second), period); late != period-time.Second {
			t.Fatalf("%s waits %s after a second's delay", key, late)
		}
		if then.Truncate(slotWidth) != then {
			t.Fatalf("%s is due at %s, alone", key, then)
		}
		perSecond[then.UnixNano()%int64(period)/int64(time.Second)]++
	}
	for second, n := range perSecond {
		if n < objects/parts/2 || n > objects/parts*2 {
			t.Errorf("%d of %d objects come in second %d", n, objects, second)
		}
	}
}

// TestWindowsAreKeptExactly: a wait that ends before the period is not spread.
func TestWindowsAreKeptExactly(t *testing.T) {
	w := newWorld(t)
	if got := w.controller().spread(object(t, "web", queuePolicy), 4*time.Second); got != 4*time.Second {
		t.Errorf("got %s", got)
	}
}

// TestShards: every object has exactly one owner, the shares are about equal, and
// one shard more takes objects only for itself.
func TestShards(t *testing.T) {
	const objects = 3000
	owner := func(key client.ObjectKey, of int) int {
		found := -1
		for i := range of {
			if owns(shard.Shard{Index: i, Of: of}, key) {
				if found >= 0 {
					t.Fatalf("%s has the owners %d and %d of %d", key, found, i, of)
				}
				found = i
			}
		}
		return found
	}
	var share [3]int
	for i := range objects {
		key := client.ObjectKey{Namespace: "shop", Name: fmt.Sprintf("web-%d", i)}
		three, four := owner(key, 3), owner(key, 4)
		if three < 0 || four < 0 || !owns(shard.Shard{}, key) {
			t.Fatalf("%s has no owner", key)
		}
		if four != three && four != 3 {
			t.Errorf("%s moves from %d to %d", key, three, four)
		}
		share[three]++
	}
	for i, n := range share {
		if n < objects/3*9/10 || n > objects/3*11/10 {
			t.Errorf("shard %d has %d of %d", i, n, objects)
		}
	}
}

// TestBackOff: ever longer, with some jitter, and never more than the period.
func TestBackOff(t *testing.T) {
	b := newBackOff(func(reconcile.Request) time.Duration { return 15 * time.Second })
	b.jitter = func(n time.Duration) time.Duration { return n - 1 }
	req := reconcile.Request{NamespacedName: keyOf("web")}
	if first := b.When(req); first != firstRetry*3/2 {
		t.Errorf("the first retry is after %s", first)
	}
	var last time.Duration
	for range 30 {
		last = b.When(req)
	}
	left := true
	b.unfinished = func(reconcile.Request) bool { return left }
	if b.Forget(req); b.When(req) != last {
		t.Error("a look that was left counts as one that went well")
	}
	left = false
	if b.Forget(req); b.When(req) != firstRetry*3/2 {
		t.Error("after one that went well it is not forgotten that others failed")
	}
	if last != 15*time.Second {
		t.Errorf("the last retry is after %s", last)
	}
}
