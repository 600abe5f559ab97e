package controller

import (
	"cmp"
	"context"
	"regexp"
	"sync"
	"time"

	coordinationv1 "k8s.io/api/coordination/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/utils/clock"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/log"
	"sigs.k8s.io/controller-runtime/pkg/manager"

	"github.com/tidemark/tidemark/internal/shard"
)

const (
	// neighborsEvery is how often the leases are read while there are neighbors,
	// and in the first minute, in which one may show up whose clock is behind.
	neighborsEvery = time.Second
	neighborsAtAll = time.Minute
	// leaveFor is after how long an object of a neighbor is looked at again.
	leaveFor = 2 * time.Second
	// watchesLag is how long a neighbor that has gone still counts: the last that it
	// wrote has to arrive here first.
	watchesLag = 2 * time.Second
)

// Neighbors are the leaders of the same objects under another number of shards.
//
// While that number is changed, controllers of the old and of the new one run side
// by side, and each divides the objects in its own way. An object belongs to the one
// that has led longest. The others leave it alone until that one has given its lease
// back, which it does after its last round, or has lost it.
type Neighbors struct {
	// API reads past the cache: leases are read for a moment, and not worth a watch.
	API client.Reader
	// Namespace has the leases. Name is what their names begin with, Own is ours.
	Namespace, Name, Own string
	Shard                shard.Shard
	Clock                clock.Clock

	mu sync.Mutex
	// known is set once the leases were read. Before that, nothing is ours.
	known bool
	older []shard.Shard
	seen  map[string]*seenLease
}

var _ manager.LeaderElectionRunnable = (*Neighbors)(nil)

// seenLease is a lease of others. As in the election itself, its times are those of
// another clock, so that it counts as lost when it was not renewed for as long as it
// lasts by ours.
type seenLease struct {
	renewed, since time.Time
	// goneAt is when it was found to be free; zero while somebody has it.
	goneAt time.Time
}

// NeedLeaderElection is true: our own lease must be there when others are read, so
// that of two that begin at once each sees the other.
func (n *Neighbors) NeedLeaderElection() bool { return true }

// Start looks for neighbors until there are none.
func (n *Neighbors) Start(ctx context.Context) error {
	for began := n.Clock.Now(); ; {
		left := n.read(ctx)
		if !left && n.Clock.Since(began) > neighborsAtAll {
			return nil
		}
		select {
		case <-n.Clock.After(neighborsEvery):
		case <-ctx.Done():
			return nil
		}
	}
}

// Have tells whether an object is a neighbor's.
func (n *Neighbors) Have(key client.ObjectKey) bool {
	n.mu.Lock()
	defer n.mu.Unlock()
	if !n.known {
		return true
	}
	for _, s := range n.older {
		if owns(s, key) {
			return true
		}
	}
	return false
}

// await waits until the leases were read.
func (n *Neighbors) await(ctx context.Context) error {
	for {
		n.mu.Lock()
		known := n.known
		n.mu.Unlock()
		if known {
			return nil
		}
		select {
		case <-n.Clock.After(neighborsEvery / 10):
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// read reads the leases, and tells whether there are neighbors, or may be.
func (n *Neighbors) read(ctx context.Context) bool {
	var leases coordinationv1.LeaseList
	err := n.API.List(ctx, &leases, client.InNamespace(n.Namespace))
	n.mu.Lock()
	defer n.mu.Unlock()
	if apierrors.IsForbidden(err) {
		// A role of before: it worked without, and so it does now.
		log.FromContext(ctx).Error(err, "Other numbers of shards are not seen, so change theirs only while no controller runs")
		n.known, n.older = true, nil
		return false
	}
	if err != nil {
		log.FromContext(ctx).Error(err, "The leases of other shards are read again")
		return true
	}
	own := &coordinationv1.Lease{}
	for i := range leases.Items {
		if leases.Items[i].Name == n.Own {
			own = &leases.Items[i]
		}
	}
	before := len(n.older)
	n.older = nil
	for i := range leases.Items {
		if s, is := n.neighbor(&leases.Items[i]); is && n.counts(&leases.Items[i]) && leadsLonger(&leases.Items[i], own) {
			n.older = append(n.older, s)
		}
	}
	if !n.known && len(n.older) > 0 || len(n.older) < before {
		log.FromContext(ctx).Info("Objects are left to controllers with another number of shards", "controllers", len(n.older))
	}
	n.known = true
	return len(n.older) > 0
}

var shardOfLease = regexp.MustCompile(`^-([0-9]{1,4})-of-([0-9]{1,4})$`)

// neighbor returns the shard of a lease, if its objects may be ours as well: those
// of other shards of the same number never are.
func (n *Neighbors) neighbor(l *coordinationv1.Lease) (shard.Shard, bool) {
	if l.Name == n.Own || len(l.Name) < len(n.Name) || l.Name[:len(n.Name)] != n.Name {
		return shard.Shard{}, false
	}
	if l.Name == n.Name {
		return shard.Shard{}, true
	}
	parts := shardOfLease.FindStringSubmatch(l.Name[len(n.Name):])
	if parts == nil {
		return shard.Shard{}, false
	}
	s, err := shard.Parse(parts[1] + "/" + parts[2])
	return s, err == nil && (s.Of != n.Shard.Of || s.Of == 1)
}

// counts tells whether somebody has a lease, or had it a moment ago.
func (n *Neighbors) counts(l *coordinationv1.Lease) bool {
	now, renewed := n.Clock.Now(), time.Time{}
	if l.Spec.RenewTime != nil {
		renewed = l.Spec.RenewTime.Time
	}
	one := n.seen[l.Name]
	held := l.Spec.HolderIdentity != nil && *l.Spec.HolderIdentity != ""
	if one == nil {
		if !held {
			return false // it was given back before we came
		}
		if n.seen == nil {
			n.seen = map[string]*seenLease{}
		}
		one = &seenLease{}
		n.seen[l.Name] = one
	}
	if !one.renewed.Equal(renewed) || one.since.IsZero() {
		one.renewed, one.since = renewed, now
	}
	lasts := time.Duration(*cmp.Or(l.Spec.LeaseDurationSeconds, new(int32(15)))) * time.Second
	if held && now.Sub(one.since) < lasts {
		one.goneAt = time.Time{}
		return true
	}
	if one.goneAt.IsZero() {
		one.goneAt = now
	}
	return now.Sub(one.goneAt) < watchesLag
}

// leadsLonger tells whether the holder of a lease has had it for longer than that
// of another.
func leadsLonger(l, than *coordinationv1.Lease) bool {
	if l.Spec.AcquireTime == nil || than.Spec.AcquireTime == nil {
		return true
	}
	return cmp.Or(l.Spec.AcquireTime.Compare(than.Spec.AcquireTime.Time), cmp.Compare(l.Name, than.Name)) < 0
}
