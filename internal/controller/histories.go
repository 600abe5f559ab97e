package controller

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/log"

	"github.com/tidemark/tidemark/api/v1alpha1"
	"github.com/tidemark/tidemark/engine"
	"github.com/tidemark/tidemark/internal/history"
	"github.com/tidemark/tidemark/internal/learner"
	"github.com/tidemark/tidemark/internal/observe"
	"github.com/tidemark/tidemark/scale"
)

// Backfiller teaches a new history what another system knows of the workload's
// past, and tells whether it knew anything. It is called once for a history that
// is new, and again after a while when it failed. It must not keep the learner.
type Backfiller interface {
	Backfill(ctx context.Context, req observe.Request, into *learner.Learner) (bool, error)
}

const (
	// saveEvery is how often a history is written, at most. A crash forgets
	// that much, of weeks.
	saveEvery = 10 * time.Minute
	// wrongClock is how far in the future a history may end. One that does
	// further was kept by a wrong clock and would learn nothing until then.
	wrongClock = time.Hour
)

// histories keeps what was learned of the objects that learn. A history lives
// here while the controller runs, and in a WorkloadHistory of the object's name.
type histories struct {
	Config
	mu  sync.Mutex
	all map[client.ObjectKey]*kept
}

// kept is the history of one object.
type kept struct {
	mu      sync.Mutex
	owner   metav1.OwnerReference
	learner *learner.Learner
	// written is what the WorkloadHistory holds, and version its version; nil
	// and empty when there is none that is ours.
	written []byte
	version string
	savedAt time.Time
	// adopts is set when the WorkloadHistory has no owner yet. handed is the last
	// handing over that was noticed, and refused why the WorkloadHistory that is
	// there is not used; empty when it is.
	adopts          bool
	handed, refused string
	// fillAt is when to fill the history from elsewhere; zero when that is done.
	fillAt time.Time
	// tuned is set for an object that tunes itself.
	tuned *tuned
}

func newHistories(c Config) *histories {
	return &histories{Config: c, all: map[client.ObjectKey]*kept{}}
}

// learn adds an observation to the object's history, and what the history knows
// of the moment to the observation. Past is the memory that will be decided
// with. It does nothing for an object that does not learn. It returns why a
// WorkloadHistory that is there is not used; an error means that it could not be
// read.
func (h *histories) learn(ctx context.Context, req observe.Request, past engine.Memory, obs *scale.Observation) (refused string, err error) {
	plan, learns := learner.PlanOf(req.Object.Spec, req.Policy)
	key := client.ObjectKeyFromObject(req.Object)
	if !learns {
		h.forget(key)
		return "", nil
	}
	k, err := h.open(ctx, req.Object, plan)
	if err != nil {
		return "", err
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	if err := k.follow(plan); err != nil {
		return "", fmt.Errorf("keeping the history under new settings: %w", err)
	}
	if handed := req.Object.Annotations[v1alpha1.HistoryHandedOver]; handed != k.handed {
		if err := h.join(ctx, key, k); err != nil {
			return "", err
		}
		k.handed = handed
	}
	h.fill(ctx, req, k)
	k.learner.Learn(obs, engine.TargetsInForce(req.Policy, *obs, past))
	k.noteCourse(req, past, obs)
	return k.refused, nil
}

// open returns the history of an object, and reads it when it is asked for the
// first time.
func (h *histories) open(ctx context.Context, obj *v1alpha1.WorkloadAutoscaler, plan learner.Plan) (*kept, error) {
	key := client.ObjectKeyFromObject(obj)
	if k := h.of(key); k != nil && k.owner.UID == obj.UID {
		return k, nil
	}
	k, err := h.load(ctx, obj, plan)
	if err != nil {
		return nil, err
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	h.all[key] = k
	return k, nil
}

func (h *histories) of(key client.ObjectKey) *kept {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.all[key]
}

func (h *histories) forget(key client.ObjectKey) {
	h.mu.Lock()
	defer h.mu.Unlock()
	delete(h.all, key)
}

// load reads the WorkloadHistory of an object. One that is not there, or is not
// accepted, is begun anew.
func (h *histories) load(ctx context.Context, obj *v1alpha1.WorkloadAutoscaler, plan learner.Plan) (*kept, error) {
	now, key := h.Clock.Now(), client.ObjectKeyFromObject(obj)
	learner, err := learner.New(plan)
	if err != nil {
		return nil, fmt.Errorf("beginning a history: %w", err)
	}
	k := &kept{owner: obj.OwnerReference(), learner: learner, fillAt: now, handed: obj.Annotations[v1alpha1.HistoryHandedOver]}
	// Histories are written at moments that are spread over the period.
	k.savedAt = now.Add(-time.Duration(hashOf(key) % uint64(saveEvery)))
	read, err := h.read(ctx, key, k)
	if err != nil {
		return nil, err
	}
	if read != nil {
		k.learner.History, k.fillAt = read, time.Time{}
	}
	return k, nil
}

// follow applies a plan that may have changed since the last round. What was
// learned under other settings is kept as far as it can be.
func (k *kept) follow(plan learner.Plan) error {
	before := k.learner.Plan.Settings
	k.learner.Plan = plan
	if len(plan.Settings.Differences(before)) == 0 {
		return nil
	}
	kept, err := history.Decode(k.learner.History.Encode(), plan.Settings)
	if err != nil {
		return err
	}
	k.learner.History = kept
	return nil
}

// fill asks the Backfiller, where there is one and the history is new. The
// workload is scaled without that knowledge as well, so a failure is only told.
func (h *histories) fill(ctx context.Context, req observe.Request, k *kept) {
	now := h.Clock.Now()
	if h.Backfiller == nil || k.fillAt.IsZero() || now.Before(k.fillAt) {
		return
	}
	k.fillAt = time.Time{}
	if _, err := h.Backfiller.Backfill(ctx, req, k.learner); err != nil {
		log.FromContext(ctx).Error(err, "The history could not be filled from the past, and is tried again", "after", saveEvery)
		k.fillAt = now.Add(saveEvery)
	}
}

// save writes the history of an object if it is time to and something changed. A
// failure is only counted and logged: the next attempt writes more.
func (h *histories) save(ctx context.Context, obj *v1alpha1.WorkloadAutoscaler) {
	key := client.ObjectKeyFromObject(obj)
	k := h.of(key)
	if k == nil || h.Clock.Since(k.lastSaved()) < saveEvery {
		return
	}
	if err := h.write(ctx, key, k); err != nil {
		log.FromContext(ctx).Error(err, "The history is not saved")
	}
}

func (k *kept) lastSaved() time.Time {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.savedAt
}

// write brings the WorkloadHistory to what was learned.
func (h *histories) write(ctx context.Context, key types.NamespacedName, k *kept) (err error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.savedAt = h.Clock.Now()
	text := k.learner.History.Encode()
	if bytes.Equal(text, k.written) && !k.adopts {
		return nil
	}
	defer func() { h.Metrics.WroteHistory(err) }()
	stored := &v1alpha1.WorkloadHistory{ObjectMeta: metav1.ObjectMeta{Namespace: key.Namespace, Name: key.Name, ResourceVersion: k.version}}
	if !k.adopts {
		stored.OwnerReferences = []metav1.OwnerReference{k.owner}
	}
	// A history that someone wrote meanwhile is not written over.
	before := client.MergeFromWithOptions(stored.DeepCopy(), client.MergeFromWithOptimisticLock{})
	stored.OwnerReferences = []metav1.OwnerReference{k.owner}
	stored.History, stored.UpdatedAt = text, metav1.NewTime(k.savedAt).Rfc3339Copy()
	if k.written == nil {
		err = h.Client.Create(ctx, stored)
	} else {
		err = h.Client.Patch(ctx, stored, before)
	}
	switch {
	case apierrors.IsNotFound(err):
		// Someone deleted it, so that the workload is learned anew.
		k.written, k.version = nil, ""
		k.learner.History, err = history.New(k.learner.Settings)
		return err
	case apierrors.IsConflict(err) || apierrors.IsAlreadyExists(err):
		if err = h.join(ctx, key, k); err == nil && k.refused != "" {
			err = errors.New(k.refused)
		}
		return err
	case err != nil:
		return fmt.Errorf("writing the WorkloadHistory %s: %w", key, err)
	}
	k.written, k.version, k.adopts, k.refused = text, stored.ResourceVersion, false, ""
	return nil
}
