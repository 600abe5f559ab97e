package controller

import (
	"context"
	"crypto/sha256"
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
	"github.com/tidemark/tidemark/explain"
	"github.com/tidemark/tidemark/internal/fair"
	"github.com/tidemark/tidemark/internal/history"
	"github.com/tidemark/tidemark/internal/learner"
	"github.com/tidemark/tidemark/internal/observe"
	"github.com/tidemark/tidemark/scale"
)

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
	fills *fair.Pool
	early prefetched
	mu    sync.Mutex
	all   map[client.ObjectKey]*kept
}

// digest tells whether a history has changed since it was written: there are many,
// and they are long.
type digest [sha256.Size]byte

func digestOf(text []byte) *digest {
	sum := digest(sha256.Sum256(text))
	return &sum
}

// kept is the history of one object.
type kept struct {
	mu      sync.Mutex
	owner   metav1.OwnerReference
	learner *learner.Learner
	// written is the sum of what the WorkloadHistory holds, and version its version;
	// nil and empty when there is none that is ours.
	written *digest
	version string
	savedAt time.Time
	// adopts is set when the WorkloadHistory has no owner yet. handed is the last
	// handing over that was noticed, and refused why the WorkloadHistory that is
	// there is not used; empty when it is.
	adopts          bool
	handed, refused string
	// unsaved is why it could not be written at last; empty when it could.
	unsaved string
	// filled is set once the past is known, as far as anybody knows it, and filling
	// is how it is read until then.
	filled  bool
	filling *filling
	// tuned is set for an object that tunes itself.
	tuned *tuned
}

func newHistories(c Config) *histories {
	return &histories{Config: c, fills: newFillPool(), all: map[client.ObjectKey]*kept{}}
}

// learn adds an observation to the object's history, and what the history knows
// of the moment to the observation. Past is the memory that will be decided
// with. It does nothing for an object that does not learn. An error means that a
// WorkloadHistory that is there could not be read.
func (h *histories) learn(ctx context.Context, req observe.Request, past engine.Memory, obs *scale.Observation) (learned, error) {
	plan, learns := learner.PlanOf(req.Object.Spec, req.Policy)
	key := client.ObjectKeyFromObject(req.Object)
	if !learns {
		h.forget(key)
		return learned{}, nil
	}
	k, err := h.open(ctx, req.Object, plan)
	if err != nil {
		return learned{}, err
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	if err := k.follow(plan); err != nil {
		return learned{}, fmt.Errorf("keeping the history under new settings: %w", err)
	}
	if handed := req.Object.Annotations[v1alpha1.HistoryHandedOver]; handed != k.handed {
		if err := h.join(ctx, key, k); err != nil {
			return learned{}, err
		}
		k.handed = handed
	}
	filling, err := h.fill(ctx, req, k)
	if err != nil {
		return learned{}, err
	}
	k.learner.Learn(obs, engine.TargetsInForce(req.Policy, *obs, past))
	k.noteCourse(req, past, obs)
	return learned{explain.NotKept(k.refused, k.unsaved), filling}, nil
}

// learned is what there is to say of a history.
type learned struct {
	// notKept is why a WorkloadHistory that is there is not used, or is not written.
	notKept *explain.Condition
	// filling is how far the past was read, where it is or was.
	filling *explain.Condition
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
	k := &kept{owner: obj.OwnerReference(), learner: learner, handed: obj.Annotations[v1alpha1.HistoryHandedOver]}
	// Histories are written at moments that are spread over the period.
	k.savedAt = now.Add(-time.Duration(hashOf(key) % uint64(saveEvery)))
	var read *history.History
	if early := h.early.take(key); early != nil {
		read = h.accept(key, k, early)
	} else if read, err = h.read(ctx, key, k); err != nil {
		return nil, err
	}
	if read != nil {
		k.learner.History, k.filled = read, !unfilled(obj)
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
	k.filling = nil // it learns under the old settings
	return nil
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
	k.unsaved = ""
	sum := digestOf(text)
	if k.written != nil && *k.written == *sum && !k.adopts {
		return nil
	}
	defer func() {
		h.Metrics.WroteHistory(err)
		if err != nil {
			k.unsaved = err.Error()
		}
	}()
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
	case apierrors.IsNotFound(err) && k.written != nil:
		// What was learned is still known here. It is made again, with the next
		// attempt if it cannot be now.
		k.written, k.version, k.adopts = nil, "", false
		stored.ResourceVersion, stored.UID = "", ""
		if err = h.Client.Create(ctx, stored); err != nil {
			return fmt.Errorf("writing the WorkloadHistory %s again: %w", key, err)
		}
	case apierrors.IsConflict(err) || apierrors.IsAlreadyExists(err):
		if err = h.join(ctx, key, k); err == nil && k.refused != "" {
			err = errors.New(k.refused)
		}
		return err
	case err != nil:
		return fmt.Errorf("writing the WorkloadHistory %s: %w", key, err)
	}
	k.written, k.version, k.adopts, k.refused = sum, stored.ResourceVersion, false, ""
	return nil
}
