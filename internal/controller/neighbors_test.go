package controller

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	coordinationv1 "k8s.io/api/coordination/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	clocktesting "k8s.io/utils/clock/testing"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/fake"
	"sigs.k8s.io/controller-runtime/pkg/client/interceptor"

	"github.com/tidemark/tidemark/internal/shard"
)

// street is a namespace with leases.
type street struct {
	t      *testing.T
	clock  *clocktesting.FakeClock
	api    client.Client
	failed error
}

func newStreet(t *testing.T) *street {
	t.Helper()
	scheme := runtime.NewScheme()
	if err := coordinationv1.AddToScheme(scheme); err != nil {
		t.Fatal(err)
	}
	s := &street{t: t, clock: clocktesting.NewFakeClock(time.Date(2026, 1, 5, 10, 0, 0, 0, time.UTC))}
	s.api = fake.NewClientBuilder().WithScheme(scheme).WithInterceptorFuncs(interceptor.Funcs{
		List: func(ctx context.Context, c client.WithWatch, list client.ObjectList, o ...client.ListOption) error {
			if s.failed != nil {
				return s.failed
			}
			return c.List(ctx, list, o...)
		},
	}).Build()
	return s
}

// takes lets a controller have a lease since so long ago, and renew it now.
func (s *street) takes(name, holder string, ago time.Duration) {
	s.t.Helper()
	now, seconds := metav1.NewMicroTime(s.clock.Now()), int32(13)
	since := metav1.NewMicroTime(s.clock.Now().Add(-ago))
	lease := &coordinationv1.Lease{ObjectMeta: metav1.ObjectMeta{Namespace: "tidemark-system", Name: name},
		Spec: coordinationv1.LeaseSpec{HolderIdentity: &holder, AcquireTime: &since, RenewTime: &now, LeaseDurationSeconds: &seconds}}
	if err := client.IgnoreNotFound(s.api.Delete(s.t.Context(), lease.DeepCopy())); err != nil {
		s.t.Fatal(err)
	}
	if err := s.api.Create(s.t.Context(), lease); err != nil {
		s.t.Fatal(err)
	}
}

// resident is a controller that has its lease.
func (s *street) resident(of shard.Shard) *Neighbors {
	own := "tidemark"
	if of.Of > 0 {
		own = fmt.Sprintf("tidemark-%d-of-%d", of.Index, of.Of)
	}
	s.takes(own, "us", 0)
	return &Neighbors{API: s.api, Namespace: "tidemark-system", Name: "tidemark", Own: own, Shard: of, Clock: s.clock}
}

// left counts the objects of a shard, of a hundred in all, that a neighbor has.
func left(n *Neighbors) (have, of int) {
	for i := range 100 {
		key := client.ObjectKey{Namespace: "shop", Name: fmt.Sprint("web-", i)}
		if !owns(n.Shard, key) {
			continue
		}
		if of++; n.Have(key) {
			have++
		}
	}
	return have, of
}

// TestNeighbors: an object belongs to the controller that has led longest.
func TestNeighbors(t *testing.T) {
	for name, tt := range map[string]struct {
		us     shard.Shard
		lease  string
		holder string
		ago    time.Duration
		// all and none say whether all or none of our objects are left to them.
		all, none bool
	}{
		"the whole, from before":             {shard.Shard{Index: 1, Of: 3}, "tidemark", "them", time.Hour, true, false},
		"one of two, from before":            {shard.Shard{Index: 2, Of: 3}, "tidemark-0-of-2", "them", time.Hour, false, false},
		"the whole by another name":          {shard.Shard{}, "tidemark-0-of-1", "them", time.Hour, true, false},
		"another shard of the same number":   {shard.Shard{Index: 1, Of: 3}, "tidemark-0-of-3", "them", time.Hour, false, true},
		"one that came later":                {shard.Shard{Index: 1, Of: 3}, "tidemark", "them", -time.Second, false, true},
		"one that has given its lease back":  {shard.Shard{Index: 1, Of: 3}, "tidemark", "", time.Hour, false, true},
		"a lease of something else":          {shard.Shard{Index: 1, Of: 3}, "tidemarker", "them", time.Hour, false, true},
		"a shard that cannot be":             {shard.Shard{Index: 1, Of: 3}, "tidemark-7-of-2", "them", time.Hour, false, true},
		"at the same moment, the first name": {shard.Shard{Index: 1, Of: 3}, "tidemark", "them", 0, true, false},
	} {
		t.Run(name, func(t *testing.T) {
			s := newStreet(t)
			n := s.resident(tt.us)
			s.takes(tt.lease, tt.holder, tt.ago)
			if have, of := left(n); have != of {
				t.Errorf("before the leases were read, %d of %d are left to others", have, of)
			}
			more := n.read(t.Context())
			have, of := left(n)
			if (have == of) != tt.all || (have == 0) != tt.none || more == tt.none {
				t.Errorf("%d of %d are left to them, and more may come: %t", have, of, more)
			}
		})
	}
}

// TestNeighborsGo: their objects are ours once they gave their lease back, or did
// not renew it for as long as it lasts, and what they wrote last has arrived.
func TestNeighborsGo(t *testing.T) {
	for name, tt := range map[string]struct {
		renews, gives bool
		after         time.Duration
		ours          bool
	}{
		"it works":              {renews: true, after: time.Hour},
		"it has just gone":      {gives: true, after: time.Second},
		"it has gone":           {gives: true, after: 3 * time.Second, ours: true},
		"it does not renew":     {after: 12 * time.Second},
		"it has just died":      {after: 13 * time.Second},
		"it has died":           {after: 16 * time.Second, ours: true},
		"it went, and is back":  {gives: true, renews: true, after: 10 * time.Second},
		"its clock is far away": {renews: true, after: time.Minute},
	} {
		t.Run(name, func(t *testing.T) {
			s := newStreet(t)
			n := s.resident(shard.Shard{Index: 1, Of: 3})
			s.takes("tidemark", "them", time.Hour)
			n.read(t.Context())
			if tt.gives {
				s.takes("tidemark", "", time.Hour)
			}
			for end := s.clock.Now().Add(tt.after); s.clock.Now().Before(end); {
				n.read(t.Context())
				s.clock.Step(time.Second)
				if tt.renews {
					s.takes("tidemark", "them", 2*time.Hour)
				}
			}
			more := n.read(t.Context())
			if have, of := left(n); have != map[bool]int{true: 0, false: of}[tt.ours] || more == tt.ours {
				t.Errorf("%d of %d are left to them, and more may come: %t", have, of, more)
			}
		})
	}
}

// TestLeasesThatCannotBeRead: while the API server does not answer nothing is
// begun; where the role does not allow it, all is as without neighbors.
func TestLeasesThatCannotBeRead(t *testing.T) {
	s := newStreet(t)
	n := s.resident(shard.Shard{Index: 1, Of: 3})
	s.failed = errors.New("no answer")
	if more := n.read(t.Context()); !more {
		t.Error("it is not tried again")
	}
	if have, of := left(n); have != of {
		t.Errorf("%d of %d are left to others", have, of)
	}
	s.failed = apierrors.NewForbidden(schema.GroupResource{Resource: "leases"}, "", nil)
	if more := n.read(t.Context()); more {
		t.Error("it is tried again")
	}
	if have, _ := left(n); have != 0 {
		t.Errorf("%d are left to others", have)
	}
}
