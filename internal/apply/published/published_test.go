package published_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	vpav1 "k8s.io/autoscaler/vertical-pod-autoscaler/pkg/apis/autoscaling.k8s.io/v1"
	clocktesting "k8s.io/utils/clock/testing"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/fake"
	"sigs.k8s.io/controller-runtime/pkg/client/interceptor"

	"github.com/tidemark/tidemark/api/v1alpha1"
	"github.com/tidemark/tidemark/internal/apply/podsize"
	"github.com/tidemark/tidemark/internal/apply/published"
	"github.com/tidemark/tidemark/internal/targetref"
	"github.com/tidemark/tidemark/scale"
)

var (
	now    = time.Date(2026, 1, 5, 12, 0, 0, 0, time.UTC)
	target = targetref.Target{APIVersion: "apps/v1", Kind: "Deployment", Namespace: "shop", Name: "web"}
)

// object sizes the cpu of app.
func object() *v1alpha1.WorkloadAutoscaler {
	return &v1alpha1.WorkloadAutoscaler{
		ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: "web", UID: "1"},
		Spec:       v1alpha1.WorkloadAutoscalerSpec{Containers: []v1alpha1.ContainerPolicy{{Name: "app", CPU: &v1alpha1.ResourcePolicy{}}}},
		Status:     v1alpha1.WorkloadAutoscalerStatus{PublishedVPA: "tidemark-web"},
	}
}

func decided(cpu scale.Amount) scale.Decision {
	sizes := scale.Resources{}.With(scale.CPU, cpu).With(scale.Memory, 1<<30*scale.Thousand)
	return scale.Decision{Want: scale.Size{Replicas: 2, Containers: []scale.Container{{Name: "app", Requests: sizes}, {Name: "log", Requests: sizes}}}}
}

// world is an API server that counts what is written, and may fail to.
type world struct {
	client.Client
	writes []string
	fails  error
}

func newWorld(t *testing.T, objects ...client.Object) *world {
	t.Helper()
	scheme := runtime.NewScheme()
	if err := errors.Join(vpav1.AddToScheme(scheme), v1alpha1.AddToScheme(scheme)); err != nil {
		t.Fatal(err)
	}
	w := &world{}
	note := func(what string, do func() error) error {
		if w.fails != nil {
			return w.fails
		}
		w.writes = append(w.writes, what)
		return do()
	}
	w.Client = interceptor.NewClient(
		fake.NewClientBuilder().WithScheme(scheme).WithStatusSubresource(&vpav1.VerticalPodAutoscaler{}).WithObjects(objects...).Build(),
		interceptor.Funcs{
			Create: func(ctx context.Context, c client.WithWatch, o client.Object, opts ...client.CreateOption) error {
				return note("create", func() error { return c.Create(ctx, o, opts...) })
			},
			Patch: func(ctx context.Context, c client.WithWatch, o client.Object, p client.Patch, opts ...client.PatchOption) error {
				return note("patch", func() error { return c.Patch(ctx, o, p, opts...) })
			},
			SubResourcePatch: func(ctx context.Context, c client.Client, sub string, o client.Object, p client.Patch, opts ...client.SubResourcePatchOption) error {
				return note(sub, func() error { return c.SubResource(sub).Patch(ctx, o, p, opts...) })
			},
			Delete: func(ctx context.Context, c client.WithWatch, o client.Object, opts ...client.DeleteOption) error {
				return note("delete", func() error { return c.Delete(ctx, o, opts...) })
			},
		})
	return w
}

// show applies a decision, and returns what was written for it and what was waited for.
func (w *world) show(t *testing.T, d scale.Decision) (writes []string, waits string) {
	t.Helper()
	w.writes = nil
	obj := object()
	a := &published.Applier{Client: w.Client, Object: obj, Rules: podsize.RulesOf(&obj.Spec), Clock: clocktesting.NewFakePassiveClock(now)}
	out, err := a.Apply(t.Context(), target, d)
	if err != nil || len(out.Changes) > 0 {
		t.Fatalf("changes %v, error %v", out.Changes, err)
	}
	for _, wait := range out.Waiting {
		waits += wait.String()
	}
	if shown := out.Published != nil && *out.Published == "tidemark-web"; shown != (waits == "") {
		t.Errorf("published %v, waiting %q", out.Published, waits)
	}
	return w.writes, waits
}

func (w *world) vpa(t *testing.T) *vpav1.VerticalPodAutoscaler {
	t.Helper()
	found := &vpav1.VerticalPodAutoscaler{}
	if err := w.Get(t.Context(), client.ObjectKey{Namespace: "shop", Name: "tidemark-web"}, found); err != nil {
		t.Fatal(err)
	}
	return found
}

// TestTheDecidedSizeIsShown, of what the object sizes, by one that changes nothing. What
// is there already is not written again, and what others changed is set right.
func TestTheDecidedSizeIsShown(t *testing.T) {
	w := newWorld(t)
	if writes, _ := w.show(t, decided(500)); !cmp.Equal(writes, []string{"create", "status"}) {
		t.Errorf("at first %v are written", writes)
	}
	vpa := w.vpa(t)
	if *vpa.Spec.UpdatePolicy.UpdateMode != vpav1.UpdateModeOff || vpa.Spec.Recommenders[0].Name != "tidemark" ||
		vpa.Spec.TargetRef.Name != "web" || !metav1.IsControlledBy(vpa, object()) {
		t.Errorf("it is %+v", vpa)
	}
	shown := vpa.Status.Recommendation.ContainerRecommendations
	if len(shown) != 1 || shown[0].ContainerName != "app" || len(shown[0].Target) != 1 ||
		shown[0].Target.Cpu().String() != "500m" || shown[0].UpperBound.Cpu().String() != "500m" {
		t.Errorf("it shows %+v", shown)
	}
	if writes, _ := w.show(t, decided(500)); writes != nil {
		t.Errorf("at rest %v are written", writes)
	}
	if writes, _ := w.show(t, decided(750)); !cmp.Equal(writes, []string{"status"}) ||
		w.vpa(t).Status.Recommendation.ContainerRecommendations[0].Target.Cpu().String() != "750m" {
		t.Errorf("another size: %v are written", writes)
	}
	edited := w.vpa(t)
	edited.Spec.UpdatePolicy = nil
	if err := w.Update(t.Context(), edited); err != nil {
		t.Fatal(err)
	}
	if writes, _ := w.show(t, decided(750)); !cmp.Equal(writes, []string{"patch"}) || *w.vpa(t).Spec.UpdatePolicy.UpdateMode != vpav1.UpdateModeOff {
		t.Errorf("somebody lets it act: %v are written", writes)
	}
}

// TestWhatCannotBeShownIsTold, and keeps nobody from scaling.
func TestWhatCannotBeShownIsTold(t *testing.T) {
	theirs := &vpav1.VerticalPodAutoscaler{ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: "tidemark-web"}}
	kind := schema.GroupKind{Group: "autoscaling.k8s.io", Kind: "VerticalPodAutoscaler"}
	for name, tc := range map[string]struct {
		objects []client.Object
		fails   error
		want    string
	}{
		"somebody else's":   {objects: []client.Object{theirs}, want: "is not ours: rename it"},
		"no such kind":      {fails: &meta.NoKindMatchError{GroupKind: kind}, want: "install the VPA's CustomResourceDefinitions"},
		"no right":          {fails: apierrors.NewForbidden(schema.GroupResource{Resource: "verticalpodautoscalers"}, "", nil), want: "turn nodeAutoscalers.publishVPA on"},
		"an API server off": {fails: errors.New("no answer"), want: "no answer"},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t, tc.objects...)
			w.fails = tc.fails
			if writes, waits := w.show(t, decided(500)); len(writes) > 0 || !strings.Contains(waits, tc.want) {
				t.Errorf("%v are written, and it is told %q, want %q", writes, waits, tc.want)
			}
		})
	}
}

// TestWithdrawal deletes what is ours, and nothing else.
func TestWithdrawal(t *testing.T) {
	w := newWorld(t)
	w.show(t, decided(500))
	for _, want := range [][]string{{"delete"}, nil} {
		w.writes = nil
		out, err := (&published.Withdrawal{Client: w.Client, Object: object()}).Apply(t.Context(), target, scale.Decision{})
		if err != nil || out.Published == nil || *out.Published != "" || !cmp.Equal(w.writes, want) {
			t.Errorf("error %v, %+v, written %v, want %v", err, out, w.writes, want)
		}
	}
	theirs := newWorld(t, &vpav1.VerticalPodAutoscaler{ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: "tidemark-web"}})
	withdrawal := published.Withdrawal{Client: theirs.Client, Object: object()}
	if _, err := withdrawal.Apply(t.Context(), target, scale.Decision{}); err != nil || len(theirs.writes) > 0 {
		t.Errorf("error %v, written %v of somebody else's", err, theirs.writes)
	}
}
