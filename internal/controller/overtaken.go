package controller

import (
	"encoding/json"
	"hash/fnv"
	"slices"
	"sync"

	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/tidemark/tidemark/api/v1alpha1"
)

// statuses knows which statuses this process has written or begun a round with.
//
// Only one controller writes them, but an old leader that was paused, or cut off,
// and comes back does not know yet that it is not the one any more. What it
// remembers is older than what is there. So a status that is not known here was
// written by someone else: it is never written over by what was decided before,
// and the object is begun with it as after a restart.
type statuses struct {
	mu  sync.Mutex
	all map[client.ObjectKey]*known
}

// known are the last statuses of an object, by their sums: whole ones would take
// much memory. The cache may be some writes behind.
type known struct {
	uid     types.UID
	version string
	sums    []uint64
}

const knownStatuses = 6

// foreign tells whether someone else wrote the status of an object. Of one that
// is seen for the first time nobody can tell.
func (s *statuses) foreign(obj *v1alpha1.WorkloadAutoscaler) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	k := s.all[client.ObjectKeyFromObject(obj)]
	if k == nil || k.uid != obj.UID || k.version == obj.ResourceVersion {
		return false
	}
	return !slices.Contains(k.sums, sumOf(&obj.Status))
}

// note makes the status of an object known.
func (s *statuses) note(obj *v1alpha1.WorkloadAutoscaler) {
	s.mu.Lock()
	defer s.mu.Unlock()
	key := client.ObjectKeyFromObject(obj)
	k := s.all[key]
	if k == nil || k.uid != obj.UID {
		k = &known{uid: obj.UID}
		if s.all == nil {
			s.all = map[client.ObjectKey]*known{}
		}
		s.all[key] = k
	}
	if k.version == obj.ResourceVersion {
		return
	}
	k.version = obj.ResourceVersion
	if sum := sumOf(&obj.Status); !slices.Contains(k.sums, sum) {
		k.sums = append(k.sums[max(0, len(k.sums)-knownStatuses+1):], sum)
	}
}

func (s *statuses) forget(key client.ObjectKey) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.all, key)
}

func sumOf(status *v1alpha1.WorkloadAutoscalerStatus) uint64 {
	sum := fnv.New64a()
	_ = json.NewEncoder(sum).Encode(status) // what was read can be written
	return sum.Sum64()
}

// begin makes an object whose status someone else wrote one that is seen for the
// first time. What was learned stays: it only grows.
func (r *Reconciler) begin(obj *v1alpha1.WorkloadAutoscaler) {
	if r.statuses.foreign(obj) {
		r.lastRuns.forget(client.ObjectKeyFromObject(obj))
	}
	r.statuses.note(obj)
}
