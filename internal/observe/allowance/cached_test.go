package allowance

import (
	"context"
	"errors"
	"testing"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	toolscache "k8s.io/client-go/tools/cache"
	"sigs.k8s.io/controller-runtime/pkg/cache/informertest"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllertest"
)

// stored is a cache that has a quota, a LimitRange and a pod.
type stored struct{ *informertest.FakeInformers }

func (stored) List(_ context.Context, list client.ObjectList, _ ...client.ListOption) error {
	switch l := list.(type) {
	case *corev1.ResourceQuotaList:
		l.Items = make([]corev1.ResourceQuota, 1)
	case *corev1.LimitRangeList:
		l.Items = make([]corev1.LimitRange, 1)
	case *corev1.PodList:
		l.Items = make([]corev1.Pod, 1)
	}
	return nil
}

// TestNothingIsKnownBeforeTheWatchesHaveCome: neither before they begin, nor while one of
// them has nothing yet, as one without a right never has. An empty answer would be taken
// for a namespace that allows everything.
func TestNothingIsKnownBeforeTheWatchesHaveCome(t *testing.T) {
	ranges, quotas := controllertest.NewFakeInformer(), controllertest.NewFakeInformer()
	c := NewCached(stored{&informertest.FakeInformers{InformersByGVK: map[schema.GroupVersionKind]toolscache.SharedIndexInformer{
		corev1.SchemeGroupVersion.WithKind("LimitRange"): ranges, corev1.SchemeGroupVersion.WithKind("ResourceQuota"): quotas,
	}}})
	unknown := func(when string) {
		t.Helper()
		if got, err := c.Of(t.Context(), "shop"); !errors.Is(err, ErrUnknown) {
			t.Errorf("%s: got %+v, error %v", when, got, err)
		}
	}
	unknown("before they begin")
	if err := c.Watch(t.Context()); err != nil {
		t.Fatal(err)
	}
	for _, watch := range []*controllertest.FakeInformer{ranges, quotas} {
		unknown("before all have come")
		watch.Synced()
	}
	if got, err := c.Of(t.Context(), "shop"); err != nil || len(got.Quotas) != 1 || len(got.LimitRanges) != 1 || len(got.Pods) != 1 {
		t.Errorf("got %+v, error %v", got, err)
	}
}

// TestWatchesThatCannotBeHadAreAnError names what was to be watched.
func TestWatchesThatCannotBeHadAreAnError(t *testing.T) {
	why := errors.New("no such kind")
	if err := NewCached(&informertest.FakeInformers{Error: why}).Watch(t.Context()); !errors.Is(err, why) {
		t.Errorf("got %v", err)
	}
}
