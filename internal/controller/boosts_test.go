package controller

import (
	"context"
	"errors"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	clocktesting "k8s.io/utils/clock/testing"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/fake"

	"github.com/tidemark/tidemark/api/v1alpha1"
	"github.com/tidemark/tidemark/internal/apply"
	"github.com/tidemark/tidemark/internal/permit"
)

// boostedUntil is a world in which every pod is boosted until a moment.
type boostedUntil struct {
	ends  time.Time
	taken int
	err   error
}

func (b *boostedUntil) Of(*corev1.Pod) (string, time.Time, bool) { return "web", b.ends, b.taken == 0 }

func (b *boostedUntil) TakeBack(context.Context, *corev1.Pod) ([]apply.Change, error) {
	if b.err == nil {
		b.taken++
	}
	return nil, b.err
}

// TestBoostsAreTakenBack: once they are over, by a controller that has just started and
// whatever became of the object, but by none that is to change nothing. Those that are
// left are counted.
func TestBoostsAreTakenBack(t *testing.T) {
	now := time.Date(2026, 1, 5, 12, 0, 0, 0, time.UTC)
	paused, excluded := v1alpha1.AdminSettings{Paused: true}, v1alpha1.AdminSettings{ExcludedNamespaces: []string{"shop"}}
	for name, tc := range map[string]struct {
		ended  time.Duration
		admin  v1alpha1.AdminSettings
		dry    bool
		phase  corev1.PodPhase
		fails  bool
		taken  bool
		again  time.Duration
		counts [2]int
	}{
		"it is not over":          {ended: -20 * time.Second, again: 20 * time.Second, counts: [2]int{1, 0}},
		"it is over":              {taken: true, counts: [2]int{1, 0}},
		"it has been for long":    {ended: time.Hour, taken: true, counts: [2]int{0, 1}},
		"all scaling is paused":   {ended: time.Hour, admin: paused, again: lookAgain, counts: [2]int{0, 1}},
		"a namespace is excluded": {ended: time.Hour, admin: excluded, again: lookAgain, counts: [2]int{0, 1}},
		"the controller runs dry": {ended: time.Hour, dry: true, again: lookAgain, counts: [2]int{0, 1}},
		"the pod has ended":       {ended: time.Hour, phase: corev1.PodSucceeded},
		"it cannot be taken back": {ended: time.Hour, fails: true, counts: [2]int{0, 1}},
	} {
		t.Run(name, func(t *testing.T) {
			pod := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: "web-1"}, Status: corev1.PodStatus{Phase: tc.phase}}
			boosts := &boostedUntil{ends: now.Add(-tc.ended)}
			if tc.fails {
				boosts.err = errors.New("forbidden")
			}
			clock := clocktesting.NewFakePassiveClock(now)
			rules := permit.Rules{Admin: func() v1alpha1.AdminSettings { return tc.admin }, DryRun: tc.dry}
			u := &unbooster{Config: Config{
				Client: fake.NewClientBuilder().WithObjects(pod).Build(), Clock: clock, Boosts: boosts, Permits: &permit.Checker{Rules: rules, Clock: clock},
			}}
			request := ctrl.Request{NamespacedName: client.ObjectKeyFromObject(pod)}
			result, err := u.Reconcile(t.Context(), request)
			if (boosts.taken > 0) != tc.taken || result.RequeueAfter != tc.again || (err != nil) != tc.fails {
				t.Errorf("taken back %v, again in %s, error %v", boosts.taken > 0, result.RequeueAfter, err)
			}
			if starting, overdue := u.counts(); [2]int{starting, overdue} != tc.counts {
				t.Errorf("%d start with it and %d have it too long, want %v", starting, overdue, tc.counts)
			}
			if !tc.taken {
				return
			}
			if _, err := u.Reconcile(t.Context(), request); err != nil || boosts.taken != 1 || u.knows(request.NamespacedName) {
				t.Errorf("a second look: error %v, taken back %d times, known %v", err, boosts.taken, u.knows(request.NamespacedName))
			}
		})
	}
}
