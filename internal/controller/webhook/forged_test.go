package webhook

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/go-logr/logr/funcr"
	admissionv1 "k8s.io/api/admission/v1"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/tools/events"
	clocktesting "k8s.io/utils/clock/testing"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/fake"
	"sigs.k8s.io/controller-runtime/pkg/log"
	"sigs.k8s.io/controller-runtime/pkg/webhook/admission"

	"github.com/tidemark/tidemark/api/v1alpha1"
	"github.com/tidemark/tidemark/internal/observe/allowance"
	"github.com/tidemark/tidemark/internal/observe/pods"
	"github.com/tidemark/tidemark/internal/observe/target"
)

// attacked is a webhook that finds owners in a cluster, as it does in a real one, and
// what it tells objects. Both only read: there is nothing else that it could change.
func attacked(t *testing.T, objects ...client.Object) (*Sizer, chan string) {
	t.Helper()
	scheme := runtime.NewScheme()
	if err := appsv1.AddToScheme(scheme); err != nil {
		t.Fatal(err)
	}
	meta := func(name string, owner types.UID) metav1.ObjectMeta {
		out := metav1.ObjectMeta{Namespace: "shop", Name: name, UID: types.UID("uid of " + name)}
		if owner != "" {
			out.OwnerReferences = []metav1.OwnerReference{{APIVersion: "apps/v1", Kind: "Deployment", Name: "web", UID: owner, Controller: new(true)}}
		}
		return out
	}
	cluster := fake.NewClientBuilder().WithScheme(scheme).WithObjects(
		&appsv1.Deployment{ObjectMeta: meta("web", "")},
		&appsv1.ReplicaSet{ObjectMeta: meta("web-1", "uid of web")},
		&appsv1.ReplicaSet{ObjectMeta: meta("web-0", "uid of an earlier web")},
		&appsv1.StatefulSet{ObjectMeta: meta("db", "")},
	).Build()
	s, recorder := sizer(t, objects...), events.NewFakeRecorder(1000)
	s.Events = recorder
	s.Owners = pods.NewIndex(pods.Config{Cache: cluster, Live: cluster, Targets: target.New(target.Config{Cache: cluster})})
	return s, recorder.Events
}

// forged is a review that nobody but its sender made, about a pod of an owner.
func forged(ctx context.Context, s *Sizer, kind, name string, uid types.UID) admission.Response {
	owner := fmt.Sprintf(`{"apiVersion":"apps/v1","kind":%q,"name":%q,"uid":%q,"controller":true}`, kind, name, uid)
	pod := fmt.Sprintf(`{"metadata":{"ownerReferences":[%s]},"spec":{"containers":[{"name":"app","resources":{"requests":{"cpu":"500m"}}}]}}`, owner)
	return s.Handle(ctx, admission.Request{AdmissionRequest: admissionv1.AdmissionRequest{
		Namespace: "shop", Object: runtime.RawExtension{Raw: []byte(pod)},
	}})
}

func sizesDB(obj *v1alpha1.WorkloadAutoscaler) {
	obj.Spec.TargetRef = v1alpha1.TargetReference{APIVersion: "apps/v1", Kind: "StatefulSet", Name: "db"}
}

// TestAForgedReviewLearnsAndChangesNothing: names of workloads are guessed easily, and
// their UIDs are not. Whoever does not know the UID hears the same of a workload that
// is sized, of one that is not, and of one that is not there; no event is written, and
// nothing stands in the log.
func TestAForgedReviewLearnsAndChangesNothing(t *testing.T) {
	tight := parsed[corev1.LimitRange](t, `{metadata: {name: tight}, spec: {limits: [{type: Container, max: {cpu: 100m}}]}}`)
	for name, tc := range map[string]struct {
		kind, owner string
		uid         types.UID
	}{
		"a ReplicaSet by its name":        {"ReplicaSet", "web-1", "guessed"},
		"a ReplicaSet without a UID":      {"ReplicaSet", "web-1", ""},
		"one that is not there":           {"ReplicaSet", "web-9", "guessed"},
		"one of an earlier Deployment":    {"ReplicaSet", "web-0", "uid of web-0"},
		"a name that nothing can have":    {"ReplicaSet", "../../nodes", "guessed"},
		"a Deployment by its name":        {"Deployment", "web", "guessed"},
		"a StatefulSet by its name":       {"StatefulSet", "db", "guessed"},
		"a StatefulSet without a UID":     {"StatefulSet", "db", ""},
		"a StatefulSet that is not there": {"StatefulSet", "other", "guessed"},
	} {
		t.Run(name, func(t *testing.T) {
			for what, objects := range map[string][]client.Object{
				"sized": {object("web"), object("db", sizesDB)}, "silent": {object("web", undecided), object("db", sizesDB, undecided)}, "not sized": nil,
			} {
				s, told := attacked(t, objects...)
				s.Allowances = allows{Allowance: allowance.Allowance{LimitRanges: []corev1.LimitRange{tight}}}
				var logged []string
				ctx := log.IntoContext(t.Context(), funcr.New(func(_, args string) { logged = append(logged, args) }, funcr.Options{}))
				response := forged(ctx, s, tc.kind, tc.owner, tc.uid)
				if !response.Allowed || len(response.Patches) > 0 || response.Result.Message != nobody {
					t.Errorf("%s: it learns %q and %v", what, response.Result.Message, response.Patches)
				}
				if len(told) > 0 || len(logged) > 0 {
					t.Errorf("%s: it leaves %d events, and %v in the log", what, len(told), logged)
				}
			}
		})
	}
}

// TestWhoKnowsAWorkloadLearnsItsSize: the UID of a ReplicaSet stands in its pods, and
// whoever may read those may know what they get. The object is told why they do not
// get it, as it is for true ones, and not for each review.
func TestWhoKnowsAWorkloadLearnsItsSize(t *testing.T) {
	for kind, name := range map[string]string{"ReplicaSet": "web-1", "StatefulSet": "db"} {
		s, told := attacked(t, object("web"), object("db", sizesDB))
		if response := forged(t.Context(), s, kind, name, types.UID("uid of "+name)); len(response.Patches) == 0 || len(told) > 0 {
			t.Errorf("%s %s: it learns %q, and %d events are left", kind, name, response.Result.Message, len(told))
		}
	}
}

// TestEventsOfReviewsAreFew: each is a request to the API server, and whoever reaches
// the port can send reviews by the thousand.
func TestEventsOfReviewsAreFew(t *testing.T) {
	s, told := attacked(t, object("web"))
	s.Allowances = allows{err: errors.New(strings.Repeat("unknown ", 1000))}
	clock := clocktesting.NewFakePassiveClock(now)
	s.Clock = clock
	flood := func() {
		for range 500 {
			forged(t.Context(), s, "ReplicaSet", "web-1", "uid of web-1")
		}
	}
	flood()
	if len(told) != 1 {
		t.Errorf("500 reviews left %d events", len(told))
	}
	if event := <-told; len(event) > 1024 {
		t.Errorf("an event of %d characters, which no API server takes", len(event))
	}
	clock.SetTime(now.Add(toldAgain))
	flood()
	if len(told) != 1 {
		t.Errorf("later %d events were left", len(told))
	}
}

// TestWhatWasToldIsBounded: it is forgotten where there is no room for more.
func TestWhatWasToldIsBounded(t *testing.T) {
	var all told
	about := func(n int) telling { return telling{object: types.UID(fmt.Sprint(n)), action: "Size"} }
	for n := range toldMost {
		if !all.now(about(n), now) {
			t.Fatalf("number %d is not told", n)
		}
	}
	if all.now(about(toldMost), now) || len(all.last) != toldMost {
		t.Errorf("%d are remembered", len(all.last))
	}
	if !all.now(about(toldMost), now.Add(toldAgain)) || len(all.last) != 1 {
		t.Errorf("later %d are remembered", len(all.last))
	}
}
