package controller

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"time"

	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/log"

	"github.com/tidemark/tidemark/internal/course"
	"github.com/tidemark/tidemark/internal/observe/snapshot"
	"github.com/tidemark/tidemark/internal/selftune"
	"github.com/tidemark/tidemark/scale"
)

// Tuning says when settings are compared, and by what.
type Tuning struct {
	// Compare replays settings on a workload's past; nil tunes nothing.
	Compare func(selftune.Trial) (*scale.Tuned, error)
	// At is the time of day, in UTC.
	At time.Duration
	// Percent is how much of a core may be used.
	Percent int
}

// tuner keeps courses, and compares settings at night: one object after the other,
// outside of every round, and with pauses.
type tuner struct {
	*histories
	next time.Time
}

// lookEvery is how often the tuner looks whether something is due.
const lookEvery = 10 * time.Second

// Start works until the context ends, and then writes the courses. It belongs to
// the leader: nobody else sees a workload.
func (t *tuner) Start(ctx context.Context) error {
	t.next = selftune.Next(t.Clock.Now(), t.Tuning.At)
	ticks := time.NewTicker(lookEvery)
	defer ticks.Stop()
	for {
		select {
		case <-ctx.Done():
			ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), flushTime)
			defer cancel()
			t.saveCourses(ctx, 0)
			return nil
		case <-ticks.C:
			t.look(ctx)
		}
	}
}

// NeedLeaderElection ties Start to the leader.
func (t *tuner) NeedLeaderElection() bool { return true }

// look does what is due.
func (t *tuner) look(ctx context.Context) {
	t.saveCourses(ctx, courseEvery)
	if now := t.Clock.Now(); !now.Before(t.next) {
		t.next = selftune.Next(now, t.Tuning.At)
		t.night(ctx)
	}
}

// objects are those that tune themselves, in an order that is the same each night.
func (t *tuner) objects() []client.ObjectKey {
	t.mu.Lock()
	all := slices.Collect(maps.Keys(t.all))
	t.mu.Unlock()
	slices.SortFunc(all, func(a, b client.ObjectKey) int {
		return cmp.Or(cmp.Compare(hashOf(a), hashOf(b)), cmp.Compare(a.String(), b.String()))
	})
	return slices.DeleteFunc(all, func(key client.ObjectKey) bool {
		k := t.of(key)
		return k == nil || !k.tunes()
	})
}

func (k *kept) tunes() bool {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.tuned != nil
}

// saveCourses writes the courses that were not written for so long.
func (t *tuner) saveCourses(ctx context.Context, every time.Duration) {
	for _, key := range t.objects() {
		k := t.of(key)
		if k == nil || !k.courseDue(t.Clock.Now(), every) {
			continue
		}
		if _, err := t.saveCourse(ctx, key, k); err != nil {
			log.FromContext(ctx).Error(err, "The course is not saved, and is tried again", "namespace", key.Namespace, "name", key.Name)
		}
	}
}

func (k *kept) courseDue(now time.Time, every time.Duration) bool {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.tuned != nil && len(k.tuned.pending) > 0 && now.Sub(k.tuned.savedAt) >= every
}

// night compares settings for one object after the other.
func (t *tuner) night(ctx context.Context) {
	for _, key := range t.objects() {
		if ctx.Err() != nil {
			return
		}
		t.saveCourses(ctx, courseEvery) // A night may last for hours.
		if err := t.tune(ctx, key); err != nil {
			log.FromContext(ctx).Error(err, "The settings are not compared until the next night", "namespace", key.Namespace, "name", key.Name)
		}
	}
}

// tune compares settings for one object. What is found counts from its next round
// on. A past that is too short says nothing. A panic is this object's failure: nobody
// above would catch it, and each leader after this one would meet it too.
func (t *tuner) tune(ctx context.Context, key types.NamespacedName) (err error) {
	defer snapshot.Caught(&err)
	k := t.of(key)
	if k == nil {
		return nil
	}
	whole, err := t.saveCourse(ctx, key, k)
	if whole == nil || err != nil {
		return err
	}
	at := t.Clock.Now()
	record, known := whole.Record(at)
	if !known {
		return nil
	}
	trial, tunes := k.trial(record, at)
	if !tunes {
		return nil
	}
	trial.Pause = pauses(ctx, t.Tuning.Percent)
	found, err := t.Tuning.Compare(trial)
	if err != nil {
		return err
	}
	log.FromContext(ctx).Info("Compared settings", "namespace", key.Namespace, "name", key.Name, "chosen", found.Setting.String(), "before", found.Before.String())
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.tuned != nil {
		k.tuned.found = found
	}
	return nil
}

// trial is what settings are compared on, for an object that still tunes itself.
func (k *kept) trial(record course.Record, at time.Time) (selftune.Trial, bool) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.tuned == nil {
		return selftune.Trial{}, false
	}
	return selftune.Trial{
		Policy: k.tuned.policy, Plan: k.learner.Plan, Facts: k.tuned.facts, Record: record, Now: k.tuned.now, At: at.UTC().Truncate(time.Second),
	}, true
}

// worksFor is how long a comparison works before it pauses.
const worksFor = 5 * time.Millisecond

// pauses keeps a computation to a share of a core, in percent.
func pauses(ctx context.Context, percent int) func() error {
	began := time.Now()
	return func() error {
		busy := time.Since(began)
		if busy < worksFor {
			return nil
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(busy * time.Duration(100-percent) / time.Duration(percent)):
		}
		began = time.Now()
		return nil
	}
}
