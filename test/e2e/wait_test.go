//go:build e2e

package e2e

import (
	"errors"
	"net/url"
	"testing"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"

	"github.com/tidemark/tidemark/test/live"
)

// patience is how long a test waits for something that has to come.
const patience = live.Patience

// eventually fails the test if check still has an error when the time is over.
func eventually(t *testing.T, timeout time.Duration, check func() error) {
	t.Helper()
	if err := live.Poll(timeout, check); err != nil {
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
