package controller

import (
	"fmt"
	"hash/fnv"
	"time"

	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/tidemark/tidemark/api/v1alpha1"
	"github.com/tidemark/tidemark/policy"
)

// slotWidth is how far apart the moments within a period are. Objects that share
// one are looked at in a row, which costs a fraction of waking up for each.
const slotWidth = time.Second

// spread returns how long an object waits until its next round. Every object
// has its moment within its sync period, made from its name: thousands of
// objects that were all seen when the controller started are spread evenly over
// the period from their second round on, and stay so. The first wait lies
// between half a period and one and a half; after that it is the period. A wait
// that is shorter than the period, because a window ends, is kept as it is.
func (r *Reconciler) spread(obj *v1alpha1.WorkloadAutoscaler, wait time.Duration) time.Duration {
	period := r.period(obj)
	if wait < period {
		return max(wait, time.Millisecond)
	}
	return untilSlot(client.ObjectKeyFromObject(obj), r.Clock.Now(), period)
}

// untilSlot is the time until the object's next moment that is at least half a
// period away.
func untilSlot(key client.ObjectKey, now time.Time, period time.Duration) time.Duration {
	phase := time.Duration(hashOf(key)%uint64(max(period/slotWidth, 1))) * slotWidth
	earliest := now.Add(period / 2)
	passed := time.Duration(earliest.UnixNano()%int64(period)) - phase
	if passed > 0 {
		passed -= period
	}
	return period/2 - passed
}

// period is how often an object is looked at: as its spec says, and not more often
// than the administrator lets it.
func (r *Reconciler) period(obj *v1alpha1.WorkloadAutoscaler) time.Duration {
	return max(syncPeriod(obj), r.Permits.MinimumSyncPeriod())
}

// tooShort says that the administrator does not allow an object's period.
func tooShort(obj *v1alpha1.WorkloadAutoscaler, period time.Duration) []string {
	if asked := syncPeriod(obj); asked < period {
		return []string{fmt.Sprintf("behavior.syncPeriodSeconds is %d, and the administrator allows no less than %d "+
			"(admin.minimumSyncPeriodSeconds): the workload is looked at every %s", int(asked.Seconds()), int(period.Seconds()), period)}
	}
	return nil
}

// syncPeriod is the period of an object whose spec was not compiled yet.
func syncPeriod(obj *v1alpha1.WorkloadAutoscaler) time.Duration {
	if b := obj.Spec.Behavior; b != nil && b.SyncPeriodSeconds != nil && *b.SyncPeriodSeconds > 0 {
		return time.Duration(*b.SyncPeriodSeconds) * time.Second
	}
	return policy.DefaultSyncPeriod
}

// hashOf gives an object a number that is the same in every process.
func hashOf(key client.ObjectKey) uint64 {
	h := fnv.New64a()
	// Writing to a hash never fails.
	_, _ = h.Write([]byte(key.Namespace + "/" + key.Name))
	return h.Sum64()
}
