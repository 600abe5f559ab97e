//go:build e2e

package e2e

import (
	"errors"
	"fmt"
	"net"
	"net/url"
	"testing"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"

	"github.com/tidemark/tidemark/internal/controller"
	"github.com/tidemark/tidemark/observe/snapshot"
)

// patience is how long a test waits for something that has to come. It is more
// than the longest that the controller may wait by itself, twice: a source that
// failed is left alone for a while, a round that failed is repeated ever later,
// and the round after it may fail again. What comes early ends the wait early,
// so nothing but a failure takes that long, however busy the machine is.
const patience = 2 * (controller.LongestRetry + snapshot.LongestPause)

// fatal is an error that waiting does not cure.
type fatal struct{ error }

// poll asks again and again until there is no error any more.
func poll(timeout time.Duration, check func() error) error {
	deadline := time.Now().Add(timeout)
	for {
		err := check()
		var stop fatal
		switch {
		case err == nil:
			return nil
		case errors.As(err, &stop):
			return stop.error
		case time.Now().After(deadline):
			return fmt.Errorf("not within %s: %w", timeout, err)
		}
		time.Sleep(250 * time.Millisecond)
	}
}

// eventually fails the test if check still has an error when the time is over.
func eventually(t *testing.T, timeout time.Duration, check func() error) {
	t.Helper()
	if err := poll(timeout, check); err != nil {
		t.Fatal(err)
	}
}

// always fails the test as soon as check has an error within the time. A slow
// machine may miss something in that time, and never fails by it: an API server
// that is too busy to answer says nothing about what is checked.
func always(t *testing.T, during time.Duration, check func() error) {
	t.Helper()
	for deadline := time.Now().Add(during); time.Now().Before(deadline); time.Sleep(250 * time.Millisecond) {
		if err := check(); err != nil && !unanswered(err) {
			t.Fatal(err)
		}
	}
}

// unanswered tells whether the API server gave no answer.
func unanswered(err error) bool {
	var broken *url.Error
	return errors.As(err, &broken) || apierrors.IsTimeout(err) || apierrors.IsServerTimeout(err) || apierrors.IsTooManyRequests(err) ||
		apierrors.IsInternalError(err) || apierrors.IsServiceUnavailable(err)
}

// freePorts returns ports that nobody listens at now.
func freePorts(n int) ([]int, error) {
	var ports []int
	for range n {
		listener, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			return nil, err
		}
		defer listener.Close()
		ports = append(ports, listener.Addr().(*net.TCPAddr).Port)
	}
	return ports, nil
}
