package controller

import (
	"context"
	"sync"
	"time"

	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/log"

	"github.com/tidemark/tidemark/api/v1alpha1"
)

const (
	// prefetchPage is how many histories are listed at once. Each has up to 64 KiB.
	prefetchPage = 100
	// prefetchKept is for how long a listed history that nobody has asked for is
	// kept. By then every object has had its first round.
	prefetchKept = time.Minute
)

// prefetched are the histories that were listed when the controller began. Of
// thousands of objects each has its first round then, and to read them one by one
// would take minutes at the rate that a client may ask with.
type prefetched struct {
	mu  sync.Mutex
	all map[client.ObjectKey]*v1alpha1.WorkloadHistory
}

// take returns a history, once. What was written since is noticed as any conflict is.
func (p *prefetched) take(key client.ObjectKey) *v1alpha1.WorkloadHistory {
	p.mu.Lock()
	defer p.mu.Unlock()
	one := p.all[key]
	delete(p.all, key)
	return one
}

func (p *prefetched) put(page []v1alpha1.WorkloadHistory, wanted func(client.ObjectKey) bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.all == nil {
		p.all = map[client.ObjectKey]*v1alpha1.WorkloadHistory{}
	}
	for i := range page {
		if key := client.ObjectKeyFromObject(&page[i]); wanted(key) {
			p.all[key] = page[i].DeepCopy() // a pointer into the page would keep all of it
		}
	}
}

func (p *prefetched) drop() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.all = nil
}

// prefetch lists the histories, until all are there or it fails: then each is read
// when it is needed, as before. Nobody waits for it.
func (h *histories) prefetch(ctx context.Context) {
	defer time.AfterFunc(prefetchKept, h.early.drop)
	if h.Neighbors != nil && h.Neighbors.await(ctx) != nil {
		return
	}
	// A neighbor still learns of its objects.
	wanted := func(key client.ObjectKey) bool {
		return owns(h.Shard, key) && h.of(key) == nil && (h.Neighbors == nil || !h.Neighbors.Have(key))
	}
	for next := ""; ; {
		var page v1alpha1.WorkloadHistoryList
		if err := h.Direct.List(ctx, &page, client.Limit(prefetchPage), client.Continue(next)); err != nil {
			log.FromContext(ctx).Info("Histories are read one by one", "error", err.Error())
			return
		}
		h.early.put(page.Items, wanted)
		if next = page.Continue; next == "" {
			return
		}
	}
}
