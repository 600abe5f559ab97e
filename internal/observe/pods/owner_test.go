package pods_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	appsv1 "k8s.io/api/apps/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/fake"
	"sigs.k8s.io/controller-runtime/pkg/client/interceptor"

	"github.com/tidemark/tidemark/internal/observe/pods"
	"github.com/tidemark/tidemark/internal/observe/target"
	"github.com/tidemark/tidemark/internal/targetref"
)

func TestOwnerOf(t *testing.T) {
	for name, tt := range map[string]struct {
		owners []metav1.OwnerReference
		want   pods.Owner
		found  bool
	}{
		"a Deployment's pod":             {ownedBy("ReplicaSet", "web-1", "rs1"), pods.Owner{Target: targetref.Target{APIVersion: "apps/v1", Kind: "Deployment", Namespace: "shop", Name: "web"}, UID: "d1"}, true},
		"a Rollout's pod":                {ownedBy("ReplicaSet", "blue-1", "rs3"), pods.Owner{Target: targetref.Target{APIVersion: "example.com/v1", Kind: "Rollout", Namespace: "shop", Name: "blue"}, UID: "r1"}, true},
		"a pod of a ReplicaSet alone":    {ownedBy("ReplicaSet", "lone", "rs4"), pods.Owner{Target: targetref.Target{APIVersion: "apps/v1", Kind: "ReplicaSet", Namespace: "shop", Name: "lone"}, UID: "rs4"}, true},
		"a StatefulSet's pod":            {ownedBy("StatefulSet", "db", "s1"), pods.Owner{Target: targetref.Target{APIVersion: "apps/v1", Kind: "StatefulSet", Namespace: "shop", Name: "db"}, UID: "s1"}, true},
		"a pod that nobody controls":     {nil, pods.Owner{}, false},
		"a pod of another controller":    {ownedBy("Fleet", "f", "f1"), pods.Owner{Target: targetref.Target{APIVersion: "example.com/v1", Kind: "Fleet", Namespace: "shop", Name: "f"}, UID: "f1"}, true},
		"an owner that is no controller": {[]metav1.OwnerReference{{APIVersion: "apps/v1", Kind: "ReplicaSet", Name: "web-1", UID: "rs1"}}, pods.Owner{}, false},
	} {
		t.Run(name, func(t *testing.T) {
			got, found, err := newIndex(t, indexes{}, interceptor.Funcs{}).OwnerOf(t.Context(), aPod("", tt.owners, "web"))
			if err != nil || found != tt.found {
				t.Fatalf("got %t, %v; want %t", found, err, tt.found)
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestAReplicaSetTheWatchDoesNotKnowYetIsReadLive(t *testing.T) {
	live := newIndex(t, indexes{}, interceptor.Funcs{}).Cache
	scheme := runtime.NewScheme()
	if err := appsv1.AddToScheme(scheme); err != nil {
		t.Fatal(err)
	}
	late := pods.NewIndex(pods.Config{Cache: fake.NewClientBuilder().WithScheme(scheme).Build()})
	pod := aPod("", ownedBy("ReplicaSet", "web-1", "rs1"), "web")
	if _, _, err := late.OwnerOf(t.Context(), pod); err == nil {
		t.Error("no error without a way to read live")
	}
	late.Live = live
	got, found, err := late.OwnerOf(t.Context(), pod)
	if err != nil || !found || got.Name != "web" {
		t.Errorf("got %v, %t, %v; want the Deployment web", got, found, err)
	}
	reborn := aPod("", ownedBy("ReplicaSet", "web-1", "rs0"), "web")
	if _, _, err := late.OwnerOf(t.Context(), reborn); !errors.Is(err, pods.ErrNotThere) {
		t.Errorf("got %v for a ReplicaSet of the same name that is another", err)
	}
}

// TestAnOwnerThatIsMadeUp: whoever writes a pod writes its owner.
func TestAnOwnerThatIsMadeUp(t *testing.T) {
	long := strings.Repeat("a", 100_000)
	for name, owners := range map[string][]metav1.OwnerReference{
		"a ReplicaSet that never was":   ownedBy("ReplicaSet", "web-9", "rs9"),
		"one with another's name":       ownedBy("ReplicaSet", "web-1", "rs9"),
		"one without a UID":             ownedBy("ReplicaSet", "web-1", ""),
		"a name that nothing can have":  ownedBy("ReplicaSet", "../pods", "rs1"),
		"a name that is endless":        ownedBy("ReplicaSet", long, "rs1"),
		"a StatefulSet's name":          ownedBy("StatefulSet", "db", "s9"),
		"a StatefulSet without a UID":   ownedBy("StatefulSet", "db", ""),
		"a Deployment that was another": ownedBy("Deployment", "web", "d0"),
		"no UID where none is known":    ownedBy("Unknown", "u", ""),
		"a workload of another kind":    ownedBy("Fleet", "f", "f9"),
	} {
		t.Run(name, func(t *testing.T) {
			index := newIndex(t, indexes{}, interceptor.Funcs{})
			owner, found, err := index.OwnerOf(t.Context(), aPod("", owners, "web"))
			if err == nil && found {
				err = index.Confirm(t.Context(), owner)
			}
			if !errors.Is(err, pods.ErrNotThere) || len(err.Error()) > 1000 {
				t.Errorf("got %.1000v", err)
			}
		})
	}
}

// TestAnOwnerTheWatchDoesNotKnowYetIsReadLive: the first pods of a workload that is
// new, or that has the name of an earlier one, come before the watch tells of it.
func TestAnOwnerTheWatchDoesNotKnowYetIsReadLive(t *testing.T) {
	scheme := runtime.NewScheme()
	if err := appsv1.AddToScheme(scheme); err != nil {
		t.Fatal(err)
	}
	reborn := &appsv1.StatefulSet{ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: "db", UID: "s2"}}
	index := newIndex(t, indexes{}, interceptor.Funcs{})
	index.Live = fake.NewClientBuilder().WithScheme(scheme).WithObjects(reborn).Build()
	for uid, want := range map[types.UID]error{"s1": nil, "s2": nil, "s3": pods.ErrNotThere} {
		owner, _, err := index.OwnerOf(t.Context(), aPod("", ownedBy("StatefulSet", "db", uid), "db"))
		if err != nil {
			t.Fatal(err)
		}
		if err := index.Confirm(t.Context(), owner); !errors.Is(err, want) {
			t.Errorf("%s: got %v, want %v", uid, err, want)
		}
	}
}

// TestAnOutageIsNoProofThatAnOwnerIsGone: of a kind that may only be scaled, what is
// not answered now is not known.
func TestAnOutageIsNoProofThatAnOwnerIsGone(t *testing.T) {
	scaled := schema.GroupResource{Group: "example.com", Resource: "rollouts"}
	owner := pods.Owner{Target: targetref.Target{APIVersion: "example.com/v1", Kind: "Rollout", Namespace: "shop", Name: "blue"}, UID: "r1"}
	for name, tc := range map[string]struct {
		answered error
		gone     bool
	}{
		"away":      {apierrors.NewServiceUnavailable("overloaded"), false},
		"not there": {apierrors.NewNotFound(scaled, "blue"), true},
	} {
		t.Run(name, func(t *testing.T) {
			index := newIndex(t, indexes{}, interceptor.Funcs{})
			index.Targets = unanswered{tc.answered}
			index.Live = fake.NewClientBuilder().WithInterceptorFuncs(interceptor.Funcs{
				Get: func(context.Context, client.WithWatch, client.ObjectKey, client.Object, ...client.GetOption) error {
					return apierrors.NewForbidden(scaled, "blue", nil)
				}}).Build()
			if err := index.Confirm(t.Context(), owner); err == nil || errors.Is(err, pods.ErrNotThere) != tc.gone {
				t.Errorf("got %v", err)
			}
		})
	}
}

// unanswered are targets that cannot be read.
type unanswered struct{ err error }

func (u unanswered) Read(context.Context, targetref.Target) (target.Scale, error) {
	return target.Scale{}, fmt.Errorf("reading the scale: %w", u.err)
}
