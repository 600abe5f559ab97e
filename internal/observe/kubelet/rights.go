package kubelet

import (
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/go-logr/logr"
	"k8s.io/utils/clock"
)

const (
	// offFor is how long nobody is asked after a right was found missing.
	offFor = 5 * time.Minute
	// acceptedFor is for how long one kubelet that accepted the token shows that
	// another's refusal is that node's own affair. Kubelets remember what they
	// were told of a token for up to five minutes.
	acceptedFor = 10 * time.Minute
)

// errRefused is a kubelet that does not accept the token, or does not let it
// read.
var errRefused = errors.New("refused")

// refusal is a right that is missing, in words that say which.
type refusal struct{ grant string }

func (r refusal) Error() string {
	return fmt.Sprintf("kubelets are not asked, metrics-server is: %s, or turn freshMetrics off in the controller's configuration", r.grant)
}

// rights turn the source off where rights are missing, and on again when they
// were granted. Each change is logged once.
type rights struct {
	clock clock.PassiveClock
	log   logr.Logger

	mu       sync.Mutex
	why      error
	until    time.Time
	accepted time.Time
}

// missing returns whether it is time to try again, and what keeps the source off
// now. It is said until a kubelet has answered, so that it does not come and go.
func (r *rights) missing() (tryAgain bool, why error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return !r.clock.Now().Before(r.until), r.why
}

// refused notes a right of our own that is missing.
func (r *rights) refused(grant string) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.off(grant)
}

// refusedBy notes that a kubelet refused. One that is alone in that is another
// node that gives no answer.
func (r *rights) refusedBy(status string) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if !r.accepted.IsZero() && r.clock.Now().Sub(r.accepted) < acceptedFor {
		return fmt.Errorf("%w: %s", errRefused, status)
	}
	return r.off("grant the service account of freshMetrics get on nodes/metrics, and let kubelets authenticate by webhook")
}

func (r *rights) off(grant string) error {
	why := refusal{grant}
	if !errors.Is(r.why, why) {
		r.log.Error(why, "fresh metrics are off")
	}
	r.why, r.until = why, r.clock.Now().Add(offFor)
	return why
}

// granted notes that a kubelet answered.
func (r *rights) granted() {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.why != nil {
		r.log.Info("fresh metrics are on again")
	}
	r.why, r.accepted = nil, r.clock.Now()
}
