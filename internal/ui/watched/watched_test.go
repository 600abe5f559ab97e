package watched

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	kruntime "k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/fake"
	"sigs.k8s.io/controller-runtime/pkg/client/interceptor"

	"github.com/tidemark/tidemark/api/v1alpha1"
	"github.com/tidemark/tidemark/internal/ui/feed"
)

var start = time.Date(2026, 1, 5, 10, 0, 0, 0, time.UTC)

// autoscaler is one whose status says that it went from a count to another.
func autoscaler(namespace, name string, at time.Duration, from, to int32) *v1alpha1.WorkloadAutoscaler {
	most := int32(9)
	size := func(n int32) v1alpha1.Size {
		return v1alpha1.Size{Replicas: n, Containers: map[string]map[string]string{"app": {"cpu": "500m", "memory": "1Gi"}}}
	}
	return &v1alpha1.WorkloadAutoscaler{
		ObjectMeta: metav1.ObjectMeta{Namespace: namespace, Name: name, Labels: map[string]string{"team": "a"}},
		Spec:       v1alpha1.WorkloadAutoscalerSpec{TargetRef: v1alpha1.TargetReference{Kind: "StatefulSet"}, Replicas: v1alpha1.ReplicaSpec{Max: &most}},
		Status: v1alpha1.WorkloadAutoscalerStatus{
			Replicas:   from,
			Conditions: []metav1.Condition{{Type: "ScalingLimited", Status: "True", Reason: "MaxReplicas", Message: "the maximum is 9"}},
			LastDecision: &v1alpha1.Decision{At: metav1.NewTime(start.Add(at)), From: size(from), Want: size(to), Proposed: size(to), Reason: "AboveTarget",
				LimitedBy: "MaxReplicas", Steps: []v1alpha1.Step{{Stage: "limit", Reason: "MaxReplicas", In: size(12), Out: size(to), Message: "the maximum is 9"}}},
		},
	}
}

// grown is a feed that has seen an object grow twice.
func grown() (*Feed, feed.Key) {
	f := New("test")
	f.now = func() time.Time { return start.Add(10 * time.Minute) }
	f.put(autoscaler("shop", "web", 0, 3, 6))
	f.put(autoscaler("shop", "web", 5*time.Minute, 6, 9))
	return f, feed.Key{Namespace: "shop", Name: "web"}
}

// TestRow: a row is what the status says.
func TestRow(t *testing.T) {
	f, key := grown()
	got := f.Fleet()[0]
	got.Demand, got.Capacity = "", "" // Nothing is known of them.
	want := feed.Row{
		Key: key, Kind: "StatefulSet", Labels: map[string]string{"team": "a"}, Mode: "Auto", Replicas: 6, Want: 9, Ready: -1, Min: 1, Max: 9,
		Size: "500m 1Gi", WantSize: "500m 1Gi", Reason: "AboveTarget", Limited: "MaxReplicas", Headline: "6 -> 9: AboveTarget, limited by MaxReplicas",
		Needs: []feed.Need{feed.NeedsLook, feed.AtMaximum}, Why: "the maximum is 9", Changes: 2, Starved: -1, Saving: -1.5,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

// TestStatus: a lane and a decision are what the status says, for as long as it
// says it.
func TestStatus(t *testing.T) {
	f, key := grown()
	lanes, err := f.Lanes(t.Context(), key, feed.Window{From: start.UnixMilli(), To: start.Add(10 * time.Minute).UnixMilli(), Columns: 10})
	if want := lanes.Lines["want"].Max; err != nil || want[0] != 6 || want[4] != 6 || want[5] != 9 || want[9] != 9 || len(lanes.Changes) != 2 {
		t.Errorf("%v %+v", err, lanes)
	}
	d, err := f.Decision(key, start.Add(2*time.Minute))
	if err != nil || d.Headline != "3 -> 6: AboveTarget, limited by MaxReplicas" || !strings.Contains(d.Text, "the maximum is 9") ||
		!strings.Contains(d.Missing, "tidemark record -n shop web") {
		t.Errorf("%v %+v", err, d)
	}
	if _, err := f.Decision(key, start.Add(-time.Minute)); !errors.Is(err, feed.ErrNoDecision) {
		t.Errorf("before anything was seen: %v", err)
	}
	f.remove(autoscaler("shop", "web", 0, 1, 1))
	if _, err := f.Lanes(t.Context(), key, feed.Window{}); !errors.Is(err, feed.ErrUnknown) {
		t.Errorf("after it is gone: %v", err)
	}
}

// TestNothingDecided: an object that nobody has looked at is there.
func TestNothingDecided(t *testing.T) {
	f := New("test")
	f.put(&v1alpha1.WorkloadAutoscaler{ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: "new"}})
	if row := f.Fleet()[0]; row.Headline != "nothing has been decided yet" || row.Reason != "" {
		t.Errorf("%+v", row)
	}
	if _, err := f.Decision(feed.Key{Namespace: "shop", Name: "new"}, time.Time{}); !errors.Is(err, feed.ErrNoDecision) {
		t.Errorf("%v", err)
	}
}

// TestFollow: what is there, what changes and what goes is seen; who loses the
// right to see it sees nothing of it any more.
func TestFollow(t *testing.T) {
	scheme := kruntime.NewScheme()
	if err := v1alpha1.AddToScheme(scheme); err != nil {
		t.Fatal(err)
	}
	var forbidden atomic.Bool
	denied := apierrors.NewForbidden(schema.GroupResource{Resource: "workloadautoscalers"}, "", nil)
	api := fake.NewClientBuilder().WithScheme(scheme).WithObjects(autoscaler("shop", "web", 0, 3, 6), autoscaler("bank", "db", 0, 1, 1)).
		WithInterceptorFuncs(interceptor.Funcs{List: func(ctx context.Context, c client.WithWatch, list client.ObjectList, o ...client.ListOption) error {
			if forbidden.Load() {
				return denied
			}
			return c.List(ctx, list, o...)
		}}).Build()
	f := New("test")
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan struct{})
	go func() {
		f.Follow(ctx, api, "shop")
		close(ended)
	}()
	f.until(t, func() bool { return len(f.Fleet()) == 1 && f.Fleet()[0].Name == "web" })
	// A watch of the fake client begins with what comes after it has begun.
	f.until(t, func() bool {
		_ = api.Create(t.Context(), autoscaler("shop", "api", 0, 2, 2))
		return len(f.Fleet()) == 2
	})
	if err := api.Delete(t.Context(), autoscaler("shop", "web", 0, 3, 6)); err != nil {
		t.Fatal(err)
	}
	f.until(t, func() bool { return len(f.Fleet()) == 1 && f.Fleet()[0].Name == "api" })
	stop()
	<-ended
	forbidden.Store(true)
	ctx, stop = context.WithCancel(t.Context())
	defer stop()
	go f.Follow(ctx, api, "shop")
	f.until(t, func() bool {
		return len(f.Fleet()) == 0 && strings.HasPrefix(f.About().Problem, "you may not see the objects")
	})
}

// until waits for something to come true.
func (f *Feed) until(t *testing.T, true func() bool) {
	t.Helper()
	for deadline := time.Now().Add(time.Minute); !true(); time.Sleep(10 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("%+v %+v", f.About(), f.Fleet())
		}
	}
}

// TestJudged: what is told, and whether what was seen is forgotten.
func TestJudged(t *testing.T) {
	what := schema.GroupResource{Resource: "workloadautoscalers"}
	for name, c := range map[string]struct {
		err       error
		namespace string
		problem   string
		forget    bool
	}{
		"forbidden":            {apierrors.NewForbidden(what, "", nil), "shop", "you may not see", true},
		"forbidden everywhere": {apierrors.NewForbidden(what, "", nil), "", "-n shows those of one", true},
		"unauthorized":         {apierrors.NewUnauthorized("expired"), "shop", "you may not see", true},
		"too old":              {apierrors.NewResourceExpired("old"), "shop", "", false},
		"away":                 {fmt.Errorf("connection refused"), "shop", "does not answer", false},
	} {
		t.Run(name, func(t *testing.T) {
			problem, forget := judged(c.err, c.namespace)
			if !strings.Contains(problem, c.problem) || forget != c.forget || problem == "" != (c.problem == "") {
				t.Errorf("%q %v", problem, forget)
			}
		})
	}
}

// TestTenThousand: as many objects, each seen again and again, and the program itself fit into less than
// 150 MiB. That is measured with fewer, of which each may keep as little.
func TestTenThousand(t *testing.T) {
	const objects = 200
	f := New("test")
	f.most = mostMoments * objects / 10_000
	before := heap()
	for i := range 150 {
		for n := range objects {
			f.put(autoscaler("shop", fmt.Sprintf("w-%d", n), time.Duration(i)*time.Minute, int32(i%7), int32(i%5)))
		}
	}
	each := (heap() - before) / objects
	if t.Logf("%d bytes for each object", each); each > 120<<20/10_000 {
		t.Errorf("%d bytes for each object are %d MiB for ten thousand", each, each*10_000>>20)
	}
	lanes, err := f.Lanes(t.Context(), feed.Key{Namespace: "shop", Name: "w-7"}, feed.Window{})
	if err != nil || lanes.Points < fewest || lanes.Points > 2*fewest {
		t.Errorf("%d points, %v", lanes.Points, err)
	}
}

// heap is what is in use.
func heap() int64 {
	var m runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}

// TestVersion: an object is another once its spec is, or once it is made anew, since the
// moment that one saw it; its status makes no other.
func TestVersion(t *testing.T) {
	f, at, key := looking()
	put := func(after time.Duration, uid string, generation int64) (string, time.Time) {
		*at = after
		wa := decidedAt(after)
		wa.UID, wa.Generation = types.UID(uid), generation
		f.put(wa)
		version, since, err := f.Version(key)
		if err != nil {
			t.Fatal(err)
		}
		return version, since
	}
	first, since := put(0, "a", 1)
	if again, then := put(time.Second, "a", 1); again != first || !since.IsZero() || !then.IsZero() {
		t.Errorf("%q since %v, %q since %v", first, since, again, then)
	}
	second, since := put(2*time.Second, "a", 2)
	third, then := put(3*time.Second, "b", 2)
	if second == first || third == second || !since.Equal(start.Add(2*time.Second)) || !then.Equal(start.Add(3*time.Second)) {
		t.Errorf("%q since %v, %q since %v", second, since, third, then)
	}
	f.fail("you may not", true)
	if _, _, err := f.Version(key); !errors.Is(err, feed.ErrUnknown) {
		t.Errorf("%v", err)
	}
}
