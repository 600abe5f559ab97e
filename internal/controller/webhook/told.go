package webhook

import (
	"sync"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/tidemark/tidemark/api/v1alpha1"
	"github.com/tidemark/tidemark/internal/record"
	"github.com/tidemark/tidemark/scale"
)

const (
	// toldAgain is how soon an object is told the same once more. Who asks is not
	// known for certain, and each event is a request.
	toldAgain = 5 * time.Minute
	// noteLength is less than an event has room for, in bytes: words name what a pod
	// has, and a pod may have any names.
	noteLength = 1000
	// toldMost is how much is remembered at once.
	toldMost = 10_000
)

// told remembers what objects were told, and when.
type told struct {
	mu   sync.Mutex
	last map[telling]time.Time
}

// telling is one thing that an object is told.
type telling struct {
	object types.UID
	action string
	reason scale.Reason
}

// tell writes an event of an object: why its new pods get less than was decided.
func (s *Sizer) tell(obj *v1alpha1.WorkloadAutoscaler, why *Refusal, action, what string) {
	if s.told.now(telling{obj.UID, action, why.Reason}, s.Clock.Now()) {
		s.Events.Eventf(obj, nil, corev1.EventTypeWarning, string(why.Reason), action, "%s", record.ShortTo(what+": "+why.Words, noteLength))
	}
}

// now tells whether it is time to say it, and takes it as said.
func (t *told) now(one telling, at time.Time) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	if before, said := t.last[one]; said && at.Sub(before) < toldAgain {
		return false
	}
	if len(t.last) >= toldMost {
		for other, before := range t.last {
			if at.Sub(before) >= toldAgain {
				delete(t.last, other)
			}
		}
		if len(t.last) >= toldMost {
			return false
		}
	}
	if t.last == nil {
		t.last = map[telling]time.Time{}
	}
	t.last[one] = at
	return true
}
