package operator

import (
	"fmt"
	"net/http"
	"sync"
	"time"

	"github.com/go-logr/logr"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/healthz"
)

// unhealthyAgain is how often the log says that a health check fails, at most.
const unhealthyAgain = time.Minute

// addHealth adds what the kubelet asks for. Alive is an error when a look hangs.
func addHealth(mgr ctrl.Manager, alive healthz.Checker) error {
	said := &saying{check: alive, log: mgr.GetLogger(), every: unhealthyAgain}
	for name, check := range map[string]healthz.Checker{"ping": healthz.Ping, "looks": said.Check} {
		if err := mgr.AddHealthzCheck(name, check); err != nil {
			return fmt.Errorf("adding the health check: %w", err)
		}
	}
	if err := mgr.AddReadyzCheck("caches", synced(mgr)); err != nil {
		return fmt.Errorf("adding the readiness check: %w", err)
	}
	return nil
}

// saying is a check that logs why it fails: the kubelet asks for /healthz, which does
// not tell, and the process is restarted before anybody could ask for more.
type saying struct {
	check healthz.Checker
	log   logr.Logger
	every time.Duration

	mu   sync.Mutex
	last time.Time
}

// Check checks, and logs a failure now and then.
func (s *saying) Check(r *http.Request) error {
	err := s.check(r)
	if err == nil {
		return nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if now := time.Now(); s.last.IsZero() || now.Sub(s.last) >= s.every {
		s.last = now
		s.log.Error(err, "Not healthy any more, and to be restarted by the kubelet")
	}
	return err
}
