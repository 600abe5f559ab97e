package lead

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"

	coordinationv1 "k8s.io/api/coordination/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/events"
	"k8s.io/client-go/tools/leaderelection/resourcelock"
	"k8s.io/client-go/tools/record"
	"sigs.k8s.io/controller-runtime/pkg/leaderelection"
	"sigs.k8s.io/controller-runtime/pkg/recorder"
)

const (
	// LeaseDuration is how long others wait after a renewal before they take over: a
	// successor works within 20 s of the death of the one before.
	LeaseDuration = 11 * time.Second
	// RenewDeadline is how long a leader may write without another renewal. What is
	// left until LeaseDuration is for requests on their way.
	RenewDeadline = 8 * time.Second
	// RetryPeriod is how often the Lease is renewed.
	RetryPeriod = 1500 * time.Millisecond
)

// ErrUncertain means that a request was not sent, because another controller may
// lead by now.
var ErrUncertain = errors.New("not sent: another controller may lead by now")

// Term is the time for which this process certainly leads. It is the lock of the
// leader election, and watches its own renewals.
type Term struct {
	resourcelock.Interface
	// now reads both clocks.
	now func() instant
	// Events, where it is not nil, is told who leads.
	Events events.EventRecorder

	mu sync.Mutex
	// renewed is when the last renewal that succeeded was begun; nil while somebody
	// else leads, or nobody does.
	renewed *instant
}

// instant is a moment by both clocks: the one that can be set, and the one that
// cannot, but stands still with a machine that is suspended.
type instant struct {
	wall    time.Time
	running time.Duration
}

// since is how long ago an instant was by the clock that says more.
func (i instant) since(before instant) time.Duration {
	return max(i.wall.Sub(before.wall), i.running-before.running)
}

// clocks returns what reads both.
func clocks() func() instant {
	started := time.Now()
	return func() instant {
		now := time.Now()
		return instant{now.Round(0), now.Sub(started)}
	}
}

// New returns a term that has not begun. Namespace and name are the Lease's; an
// empty namespace is the process's own.
func New(api *rest.Config, namespace, name string) (*Term, error) {
	lock, err := leaderelection.NewResourceLock(api, silent{}, leaderelection.Options{
		LeaderElection: true, LeaderElectionNamespace: namespace, LeaderElectionID: name, RenewDeadline: RenewDeadline,
	})
	if err != nil {
		return nil, fmt.Errorf("setting up leader election: %w", err)
	}
	return &Term{Interface: lock, now: clocks()}, nil
}

// Create takes a Lease that nobody had.
func (t *Term) Create(ctx context.Context, record resourcelock.LeaderElectionRecord) error {
	return t.renew(record, func() error { return t.Interface.Create(ctx, record) })
}

// Update renews the Lease, takes it over, or gives it back.
func (t *Term) Update(ctx context.Context, record resourcelock.LeaderElectionRecord) error {
	return t.renew(record, func() error { return t.Interface.Update(ctx, record) })
}

// renew notes a renewal. It counts from before it was sent: others count from when
// they see it, which is later.
func (t *Term) renew(record resourcelock.LeaderElectionRecord, send func() error) error {
	ours := record.HolderIdentity == t.Identity()
	if !ours {
		t.note(nil) // given back: from here on others may have it
	}
	began := t.now()
	err := send()
	if err == nil && ours {
		t.note(&began)
	}
	return err
}

func (t *Term) note(renewed *instant) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.renewed = renewed
}

// Certain is an error once another controller may lead.
func (t *Term) Certain() error {
	t.mu.Lock()
	renewed := t.renewed
	t.mu.Unlock()
	if renewed == nil {
		return fmt.Errorf("%w: the lease %s is not held", ErrUncertain, t.Describe())
	}
	if age := t.now().since(*renewed); age >= RenewDeadline {
		return fmt.Errorf("%w: the lease %s was last renewed %s ago", ErrUncertain, t.Describe(), age.Round(time.Millisecond))
	}
	return nil
}

// RecordEvent tells who leads.
func (t *Term) RecordEvent(what string) {
	if t.Events == nil {
		return
	}
	lease := &coordinationv1.Lease{TypeMeta: metav1.TypeMeta{APIVersion: "coordination.k8s.io/v1", Kind: "Lease"}}
	lease.Namespace, lease.Name, _ = strings.Cut(t.Describe(), "/")
	t.Events.Eventf(lease, nil, "Normal", "LeaderElection", "LeaderElection", "%s %s", t.Identity(), what)
}

// silent provides no recorder of events: the term tells them itself.
type silent struct{}

// GetEventRecorderFor returns none.
func (silent) GetEventRecorderFor(string) record.EventRecorder { return nil }

// GetEventRecorder returns none.
func (silent) GetEventRecorder(string) recorder.EventRecorder { return nil }
