package resize

import (
	"net/http"
	"testing"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	clocktesting "k8s.io/utils/clock/testing"
)

// TestAnAPIServerWithoutResizeIsLeftAlone: one that has no pods/resize is not asked
// for each pod at each look, all pods say so nevertheless, and some minutes later
// it is asked again, because it may have been upgraded.
func TestAnAPIServerWithoutResizeIsLeftAlone(t *testing.T) {
	for name, answer := range map[string]error{
		"as a page": apierrors.NewGenericServerResponse(http.StatusNotFound, "patch", podKind, "a", "404 page not found", 0, true),
		"as Kubernetes 1.33 says it": &apierrors.StatusError{ErrStatus: metav1.Status{Status: metav1.StatusFailure, Code: http.StatusNotFound,
			Reason: metav1.StatusReasonNotFound, Message: "the server could not find the requested resource", Details: &metav1.StatusDetails{}}},
	} {
		t.Run(name, func(t *testing.T) { leftAlone(t, answer) })
	}
}

// TestAPodThatIsGoneIsNotAnAbsence: that one pod cannot be found says nothing of
// others.
func TestAPodThatIsGoneIsNotAnAbsence(t *testing.T) {
	if err := apierrors.NewNotFound(podKind, "web-1"); lacksResize(err) {
		t.Errorf("taken for an API server without pods/resize: %v", err)
	}
}

func leftAlone(t *testing.T, answer error) {
	t.Helper()
	c := newCluster(t, many(40)...)
	c.answers["resize"] = answer
	clock := clocktesting.NewFakePassiveClock(now)
	a := c.applier(inPlace)
	a.Clock, a.Absence = clock, &Absence{}
	look := func() (requests, waiting int) {
		before := len(c.requests)
		outcome, err := a.Apply(t.Context(), web, sized(40, 750))
		if err != nil {
			t.Fatal(err)
		}
		for _, wait := range outcome.Waiting {
			if wait.Why != noResize {
				t.Errorf("the pods wait because %q", wait.Why)
			}
			waiting += len(wait.Pods)
		}
		return len(c.requests) - before, waiting
	}
	if requests, waiting := look(); requests < 1 || requests > patchesAtOnce || waiting != 40 {
		t.Errorf("at first %d requests, at most %d were to be made at once; %d pods wait", requests, patchesAtOnce, waiting)
	}
	clock.SetTime(now.Add(askAgainAfter - time.Second))
	if requests, waiting := look(); requests != 0 || waiting != 40 {
		t.Errorf("then %d requests; %d pods wait", requests, waiting)
	}
	clock.SetTime(now.Add(askAgainAfter))
	delete(c.answers, "resize")
	if requests, waiting := look(); requests != 40 || waiting != 0 {
		t.Errorf("after an upgrade %d requests; %d pods wait", requests, waiting)
	}
}
