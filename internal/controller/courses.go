package controller

import (
	"context"
	"fmt"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/tidemark/tidemark/api/v1alpha1"
	"github.com/tidemark/tidemark/engine"
	"github.com/tidemark/tidemark/engine/learn"
	"github.com/tidemark/tidemark/internal/course"
	"github.com/tidemark/tidemark/internal/observe"
	"github.com/tidemark/tidemark/internal/observe/snapshot"
	"github.com/tidemark/tidemark/internal/selftune"
	"github.com/tidemark/tidemark/scale"
)

const (
	// courseEvery is how often the course of an object is written, at most. Only
	// what came since is kept in memory.
	courseEvery = time.Hour
	// mostPending bounds that: more than two hours of a look each five seconds.
	mostPending = 2048
)

// tuned is what is kept of an object that tunes itself.
type tuned struct {
	policy engine.Policy
	facts  selftune.Facts
	// now is the setting in force, and found what the last comparison said.
	now   scale.Setting
	found *scale.Tuned
	// pending are the samples that no WorkloadCourse has yet, and seen the newest.
	pending []course.Sample
	seen    time.Time
	savedAt time.Time
}

// noteCourse keeps what a look says of the course of an object that tunes itself,
// and adds what was found last to the look. It must be called while k is locked.
func (k *kept) noteCourse(req observe.Request, past engine.Memory, obs *scale.Observation) {
	if req.Policy.Learn.Tune != learn.TuneNightly {
		k.tuned = nil
		return
	}
	if k.tuned == nil {
		// Courses are written at moments that are spread over the period.
		spread := time.Duration(hashOf(client.ObjectKeyFromObject(req.Object)) % uint64(courseEvery))
		k.tuned = &tuned{savedAt: req.At.Add(-spread)}
	}
	t := k.tuned
	t.policy, t.now = req.Policy, scale.Setting{}
	if past.Learned.Tuned != nil {
		t.now = past.Learned.Tuned.Setting
	}
	t.facts.Look(obs, k.learner)
	if s, isNew := selftune.Sample(k.learner, t.seen); isNew {
		t.seen = s.At
		if t.pending = append(t.pending, s); len(t.pending) > mostPending {
			t.pending = t.pending[1:]
		}
	}
	if t.found == nil {
		return
	}
	if obs.Learned == nil {
		obs.Learned = &scale.Learned{}
	}
	obs.Learned.Tuned = t.found
}

// saveCourse adds what was seen since to the WorkloadCourse of an object, and
// returns the whole of it. It is nil for an object that does not tune itself.
func (h *histories) saveCourse(ctx context.Context, key types.NamespacedName, k *kept) (whole *course.Course, err error) {
	defer snapshot.Caught(&err)
	k.mu.Lock()
	if k.tuned == nil {
		k.mu.Unlock()
		return nil, nil
	}
	pending, owner := k.tuned.pending, k.owner
	k.tuned.savedAt = h.Clock.Now()
	k.mu.Unlock()

	stored, whole, err := h.readCourse(ctx, key, owner)
	if err != nil || len(pending) == 0 {
		return whole, err
	}
	for _, s := range pending {
		whole.Observe(s)
	}
	before := client.MergeFromWithOptions(stored.DeepCopy(), client.MergeFromWithOptimisticLock{})
	stored.OwnerReferences = []metav1.OwnerReference{owner}
	stored.Course, stored.UpdatedAt = whole.Encode(), metav1.NewTime(h.Clock.Now()).Rfc3339Copy()
	if stored.ResourceVersion == "" {
		err = h.Client.Create(ctx, stored)
	} else {
		err = h.Client.Patch(ctx, stored, before)
	}
	h.Metrics.WroteHistory(err)
	if err != nil {
		return nil, fmt.Errorf("writing the WorkloadCourse %s: %w", key, err)
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	if t := k.tuned; t != nil {
		last := pending[len(pending)-1].At
		for len(t.pending) > 0 && !t.pending[0].At.After(last) {
			t.pending = t.pending[1:]
		}
	}
	return whole, nil
}

// readCourse reads the WorkloadCourse of an object. One that is not there, or cannot
// be understood, is begun anew; one that is another's is left alone.
func (h *histories) readCourse(ctx context.Context, key types.NamespacedName, owner metav1.OwnerReference) (*v1alpha1.WorkloadCourse, *course.Course, error) {
	stored := &v1alpha1.WorkloadCourse{}
	switch err := h.Direct.Get(ctx, key, stored); {
	case apierrors.IsNotFound(err):
		return &v1alpha1.WorkloadCourse{ObjectMeta: metav1.ObjectMeta{Namespace: key.Namespace, Name: key.Name}}, course.New(), nil
	case err != nil:
		return nil, nil, fmt.Errorf("reading the WorkloadCourse %s: %w", key, err)
	}
	if why := foreign(stored.OwnerReferences, owner); why != "" {
		return nil, nil, fmt.Errorf("the WorkloadCourse %s is not used, so nothing is tuned: %s; delete it", key, why)
	}
	whole, err := course.Decode(stored.Course)
	if err != nil || whole.Newest().After(h.Clock.Now().Add(wrongClock)) {
		whole = course.New()
	}
	return stored, whole, nil
}
