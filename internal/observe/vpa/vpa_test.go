package vpa_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	vpav1 "k8s.io/autoscaler/vertical-pod-autoscaler/pkg/apis/autoscaling.k8s.io/v1"
	clocktesting "k8s.io/utils/clock/testing"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/fake"
	"sigs.k8s.io/controller-runtime/pkg/client/interceptor"

	"github.com/tidemark/tidemark/internal/observe/vpa"
	"github.com/tidemark/tidemark/policy"
	"github.com/tidemark/tidemark/scale"
)

// world is a cache with two VPA objects, and a count of the looks at it.
type world struct {
	reader *vpa.Reader
	clock  *clocktesting.FakePassiveClock
	err    error
	looks  int
}

func newWorld(t *testing.T) *world {
	t.Helper()
	s := runtime.NewScheme()
	if err := vpa.AddToScheme(s); err != nil {
		t.Fatal(err)
	}
	w := &world{clock: clocktesting.NewFakePassiveClock(time.Date(2026, 1, 5, 10, 0, 0, 0, time.UTC))}
	cache := fake.NewClientBuilder().WithScheme(s).WithObjects(
		&vpav1.VerticalPodAutoscaler{ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: "young"}},
		&vpav1.VerticalPodAutoscaler{ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: "web"}, Status: vpav1.VerticalPodAutoscalerStatus{
			Recommendation: &vpav1.RecommendedPodResources{ContainerRecommendations: []vpav1.RecommendedContainerResources{
				{ContainerName: "proxy", Target: corev1.ResourceList{corev1.ResourceCPU: resource.MustParse("25m")}},
				{ContainerName: "app", Target: corev1.ResourceList{corev1.ResourceCPU: resource.MustParse("587m"), corev1.ResourceMemory: resource.MustParse("262144k")},
					UpperBound: corev1.ResourceList{corev1.ResourceCPU: resource.MustParse("9")}},
			}},
		}},
	).WithInterceptorFuncs(interceptor.Funcs{Get: func(ctx context.Context, c client.WithWatch, key client.ObjectKey, o client.Object,
		opts ...client.GetOption) error {
		if w.looks++; w.err != nil {
			return w.err
		}
		return c.Get(ctx, key, o, opts...)
	}}).Build()
	w.reader = vpa.New(cache, w.clock)
	return w
}

func TestRecommendations(t *testing.T) {
	got, err := newWorld(t).reader.Recommendations(t.Context(), "shop", "web")
	if err != nil {
		t.Fatal(err)
	}
	want := []scale.Recommendation{
		{Container: "proxy", PerPod: scale.Resources{}.With(scale.CPU, 25)},
		{Container: "app", PerPod: scale.Resources{}.With(scale.CPU, 587).With(scale.Memory, 262_144_000_000)},
	}
	if diff := cmp.Diff(want, got, cmp.Comparer(func(a, b scale.Resources) bool { return a == b })); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestEachFailureSaysWhatToDo(t *testing.T) {
	resource := schema.GroupResource{Group: "autoscaling.k8s.io", Resource: "verticalpodautoscalers"}
	for name, tt := range map[string]struct {
		object string
		cause  error
		want   error
	}{
		"no such object":     {"other", nil, vpa.ErrNotFound},
		"no recommendation":  {"young", nil, vpa.ErrNothingYet},
		"no such kind":       {"web", &meta.NoKindMatchError{GroupKind: schema.GroupKind{Kind: "VerticalPodAutoscaler"}}, vpa.ErrNoKind},
		"no permission":      {"web", apierrors.NewForbidden(resource, "web", errors.New("rbac")), vpa.ErrNotSynced},
		"a watch that hangs": {"web", apierrors.NewTimeoutError("waiting", 0), vpa.ErrNotSynced},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			w.err = tt.cause
			if _, err := w.reader.Recommendations(t.Context(), "shop", tt.object); !errors.Is(err, tt.want) {
				t.Errorf("got %v, want %v", err, tt.want)
			}
		})
	}
}

// TestAWatchThatBeginsLateIsSeenWithinAPeriod: the API server was away when it was to
// begin.
func TestAWatchThatBeginsLateIsSeenWithinAPeriod(t *testing.T) {
	w := newWorld(t)
	w.err = apierrors.NewTimeoutError("waiting", 0)
	for range 40 {
		if _, err := w.reader.Recommendations(t.Context(), "shop", "web"); !errors.Is(err, vpa.ErrNotSynced) {
			t.Fatalf("got %v", err)
		}
		w.clock.SetTime(w.clock.Now().Add(policy.DefaultSyncPeriod))
	}
	w.err = nil
	if _, err := w.reader.Recommendations(t.Context(), "shop", "web"); err != nil {
		t.Errorf("at the first look after it has begun: %v", err)
	}
}

func TestAMissingKindIsLookedForOnceInAWhile(t *testing.T) {
	w := newWorld(t)
	w.err = &meta.NoKindMatchError{}
	for range 100 {
		if _, err := w.reader.Recommendations(t.Context(), "shop", "web"); !errors.Is(err, vpa.ErrNoKind) {
			t.Fatalf("got %v, want no such kind", err)
		}
	}
	if w.looks != 1 {
		t.Errorf("looked %d times within a moment, want once", w.looks)
	}
	w.err = nil
	w.clock.SetTime(w.clock.Now().Add(time.Minute))
	if _, err := w.reader.Recommendations(t.Context(), "shop", "web"); err != nil {
		t.Errorf("after the kind was installed: %v", err)
	}
}
