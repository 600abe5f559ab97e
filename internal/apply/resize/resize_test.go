package resize

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/kubernetes/scheme"
	clocktesting "k8s.io/utils/clock/testing"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/fake"
	"sigs.k8s.io/controller-runtime/pkg/client/interceptor"

	"github.com/tidemark/tidemark/api/v1alpha1"
	"github.com/tidemark/tidemark/internal/apply"
	"github.com/tidemark/tidemark/internal/apply/applytest"
	"github.com/tidemark/tidemark/internal/apply/podsize"
	"github.com/tidemark/tidemark/internal/targetref"
	"github.com/tidemark/tidemark/scale"
)

var (
	web      = targetref.Target{APIVersion: "apps/v1", Kind: "Deployment", Namespace: "shop", Name: "web"}
	podKind  = schema.GroupResource{Resource: "pods"}
	sizesCPU = v1alpha1.WorkloadAutoscalerSpec{Containers: []v1alpha1.ContainerPolicy{{Name: "*", CPU: &v1alpha1.ResourcePolicy{}}}}
)

// cluster is an API server with pods, and the index of them. The index has the
// pods as they are, or those of lagging once that is set.
type cluster struct {
	client.Client
	t        *testing.T
	lagging  []*corev1.Pod
	mu       sync.Mutex
	requests []string
	answers  map[string]error
}

func newCluster(t *testing.T, pods ...*corev1.Pod) *cluster {
	builder := fake.NewClientBuilder().WithScheme(scheme.Scheme)
	for _, p := range pods {
		builder = builder.WithObjects(p.DeepCopy())
	}
	c := &cluster{t: t, answers: map[string]error{}}
	c.Client = interceptor.NewClient(builder.Build(), interceptor.Funcs{
		SubResourcePatch: func(ctx context.Context, api client.Client, sub string, obj client.Object, patch client.Patch, _ ...client.SubResourcePatchOption) error {
			data, err := patch.Data(obj)
			if err != nil {
				return err
			}
			if err := c.answer(sub, obj.GetName()); err != nil {
				return err
			}
			if err := c.sameVersion(obj, data); err != nil {
				return err
			}
			return api.Patch(ctx, obj, patch)
		},
		SubResourceCreate: func(ctx context.Context, api client.Client, sub string, obj, body client.Object, _ ...client.SubResourceCreateOption) error {
			if err := c.answer(sub, obj.GetName()); err != nil {
				return err
			}
			if *body.(*policyv1.Eviction).DeleteOptions.Preconditions.UID != c.pod(obj.GetName()).UID {
				return apierrors.NewConflict(podKind, obj.GetName(), errors.New("the uid differs"))
			}
			return api.Delete(ctx, obj)
		},
	})
	return c
}

func (c *cluster) answer(sub, name string) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.requests = append(c.requests, sub+" "+name)
	return c.answers[sub]
}

// sameVersion is the API server's check of a version in a patch.
func (c *cluster) sameVersion(obj client.Object, data []byte) error {
	var patch podPatch
	if err := json.Unmarshal(data, &patch); err != nil {
		return err
	}
	if patch.Metadata.ResourceVersion != c.pod(obj.GetName()).ResourceVersion {
		return apierrors.NewConflict(podKind, obj.GetName(), errors.New("the object has been modified"))
	}
	return nil
}

func (c *cluster) pod(name string) *corev1.Pod {
	var p corev1.Pod
	if err := c.Get(c.t.Context(), client.ObjectKey{Namespace: "shop", Name: name}, &p); err != nil {
		c.t.Fatal(err)
	}
	return &p
}

// Of is the ownership index: every pod is the workload's.
func (c *cluster) Of(ctx context.Context, _ targetref.Target) ([]*corev1.Pod, error) {
	if c.lagging != nil {
		return c.lagging, nil
	}
	var list corev1.PodList
	if err := c.List(ctx, &list); err != nil {
		return nil, err
	}
	var pods []*corev1.Pod
	for i := range list.Items {
		pods = append(pods, &list.Items[i])
	}
	return pods, nil
}

func (c *cluster) applier(update v1alpha1.VerticalUpdate) *Applier {
	return &Applier{
		Pods: c, Client: c, Clock: clocktesting.NewFakePassiveClock(now),
		Rules: podsize.RulesOf(&sizesCPU), Update: update, NewPodsAreSized: true,
	}
}

// sized is a decision that leaves the count and wants this much CPU.
func sized(replicas int32, cpu scale.Amount) scale.Decision {
	containers := []scale.Container{{Name: "app", Requests: scale.Resources{}.With(scale.CPU, cpu)}}
	return scale.Decision{From: scale.Size{Replicas: replicas}, Want: scale.Size{Replicas: replicas, Containers: containers}}
}

// budget is what the API server answers for a pod that its budget protects.
func budget() error {
	err := apierrors.NewTooManyRequests("Cannot evict pod as it would violate the pod's disruption budget.", 0)
	err.ErrStatus.Details.Causes = []metav1.StatusCause{{
		Type: policyv1.DisruptionBudgetCause, Message: "the disruption budget web needs 2 healthy pods and has 2 currently",
	}}
	return err
}

func TestContract(t *testing.T) {
	applytest.Run(t, func(t *testing.T) applytest.World {
		c := newCluster(t, runningPod("web-0", old))
		return applytest.World{
			Applier: c.applier(inPlace), Target: web, Decision: sized(1, 750), AtRest: sized(1, 500),
			Objects: func() []any { return []any{c.pod("web-0")} },
			Writes:  func() int { return len(c.requests) },
			// The pod was replaced by one of the same name.
			Interfere: func() {
				c.lagging = []*corev1.Pod{runningPod("web-0", old, func(p *corev1.Pod) { p.ResourceVersion = "1" })}
			},
			Fields: []string{"spec.containers[0].resources.requests.cpu"},
		}
	})
}

// TestAllPodsGrowInOneRound: who grows needs it now.
func TestAllPodsGrowInOneRound(t *testing.T) {
	c := newCluster(t, many(25)...)
	outcome, err := c.applier(orAgain).Apply(t.Context(), web, sized(25, 750))
	if err != nil || len(outcome.Changes) != 25 || len(c.requests) != 25 {
		t.Errorf("%d changes by %d requests, error %v; want 25 of each", len(outcome.Changes), len(c.requests), err)
	}
}

func TestRoundsEndWithAllPodsSized(t *testing.T) {
	c := newCluster(t, many(25)...)
	rounds := 0
	for ; ; rounds++ {
		outcome, err := c.applier(orAgain).Apply(t.Context(), web, sized(25, 250))
		if err != nil {
			t.Fatal(err)
		}
		if len(outcome.Changes) == 0 {
			break
		}
		if len(outcome.Changes) > 2 {
			t.Fatalf("%d of 25 pods moved at once", len(outcome.Changes))
		}
	}
	if rounds != 13 || len(c.requests) != 25 {
		t.Errorf("%d rounds and %d requests, want 13 rounds of two pods and one request for each pod", rounds, len(c.requests))
	}
}

func TestARestartAndAnEvictionAreNamed(t *testing.T) {
	c := newCluster(t, runningPod("a", big, infeasible), runningPod("b", big))
	outcome, err := c.applier(orAgain).Apply(t.Context(), web, sized(2, 750))
	if err != nil {
		t.Fatal(err)
	}
	want := []apply.Change{{Path: "pods[a]", From: "running", To: "evicted", Reason: "its node can never give it this size"}}
	if diff := cmp.Diff(want, outcome.Changes); diff != "" {
		t.Errorf("outcome (-want +got):\n%s", diff)
	}
	c = newCluster(t, runningPod("a", old, restartsOn(corev1.ResourceCPU)))
	outcome, err = c.applier(orAgain).Apply(t.Context(), web, sized(1, 750))
	if err != nil {
		t.Fatal(err)
	}
	want = []apply.Change{{
		Path: "pods[a].spec.containers[app].resources.requests.cpu", From: "500m", To: "750m", Reason: "restarts a container, as its resizePolicy says",
	}}
	if diff := cmp.Diff(want, outcome.Changes); diff != "" {
		t.Errorf("outcome (-want +got):\n%s", diff)
	}
}

func TestAnswers(t *testing.T) {
	noSubresource := apierrors.NewGenericServerResponse(http.StatusNotFound, "patch", podKind, "a", "404 page not found", 0, true)
	for name, tc := range map[string]struct {
		pod          *corev1.Pod
		update       v1alpha1.VerticalUpdate
		sub          string
		answer       error
		wantRequests []string
		wantWaiting  string
		wantFailure  error
	}{
		"a budget says not now": {
			runningPod("a", big, infeasible), orAgain, "eviction", budget(),
			[]string{"eviction a"}, "a PodDisruptionBudget does not let it go now: the disruption budget web needs 2 healthy pods and has 2 currently", nil,
		},
		"the API server is too busy to evict": {
			runningPod("a", big, infeasible), orAgain, "eviction", apierrors.NewTooManyRequests("too many requests, please try again later", 1),
			[]string{"eviction a"}, "", apply.Unavailable,
		},
		"a pod that is gone needs no size": {runningPod("a", old), orAgain, "resize", apierrors.NewNotFound(podKind, "a"), []string{"resize a"}, "", nil},
		"nor an eviction":                  {runningPod("a", big, infeasible), orAgain, "eviction", apierrors.NewNotFound(podKind, "a"), []string{"eviction a"}, "", nil},
		"a refused resize is an eviction instead": {
			runningPod("a", old), orAgain, "resize", apierrors.NewBadRequest("pod is on Windows"), []string{"resize a", "eviction a"}, "", nil,
		},
		"but not for InPlace": {
			runningPod("a", old), inPlace, "resize", apierrors.NewBadRequest("pod is on Windows"), []string{"resize a"}, "refuses to resize it: pod is on Windows", nil,
		},
		"nor for a young pod": {
			runningPod("a", old, isYoung), orAgain, "resize", apierrors.NewBadRequest("pod is on Windows"), []string{"resize a"}, "refuses to resize it", nil,
		},
		"an API server that knows no resize": {runningPod("a", old), inPlace, "resize", noSubresource, []string{"resize a"}, "it has no pods/resize", nil},
		"resizing is forbidden":              {runningPod("a", old), orAgain, "resize", apierrors.NewForbidden(podKind, "a", errors.New("no")), []string{"resize a"}, "", apply.Forbidden},
		"evicting is forbidden":              {runningPod("a", big, infeasible), orAgain, "eviction", apierrors.NewForbidden(podKind, "a", errors.New("no")), []string{"eviction a"}, "", apply.Forbidden},
		"the API server fails":               {runningPod("a", old), orAgain, "resize", apierrors.NewInternalError(errors.New("etcd")), []string{"resize a"}, "", apply.Unavailable},
	} {
		t.Run(name, func(t *testing.T) {
			c := newCluster(t, tc.pod)
			c.answers[tc.sub] = tc.answer
			outcome, err := c.applier(tc.update).Apply(t.Context(), web, sized(1, 750))
			if !errors.Is(err, tc.wantFailure) {
				t.Errorf("got error %v, want %v", err, tc.wantFailure)
			}
			if diff := cmp.Diff(tc.wantRequests, c.requests); diff != "" {
				t.Errorf("requests (-want +got):\n%s", diff)
			}
			if got := fmt.Sprint(outcome.Waiting); !strings.Contains(got, tc.wantWaiting) || (len(outcome.Waiting) == 0) != (tc.wantWaiting == "") {
				t.Errorf("waiting says %q, want %q", got, tc.wantWaiting)
			}
		})
	}
}

func TestWaitingPodsAreOneSentence(t *testing.T) {
	var pods []*corev1.Pod
	for _, name := range []string{"a", "b", "c", "d", "e"} {
		pods = append(pods, runningPod(name, big, infeasible))
	}
	outcome, err := newCluster(t, pods...).applier(inPlace).Apply(t.Context(), web, sized(5, 750))
	want := []apply.Wait{{Who: "pod a, b, c and 2 more", Pods: []string{"a", "b", "c", "d", "e"},
		Why: "its node can never give it this size; vertical.update InPlace does not replace pods"}}
	if diff := cmp.Diff(want, outcome.Waiting); diff != "" || err != nil {
		t.Errorf("waiting (-want +got):\n%s, error %v", diff, err)
	}
}

// TestAQuotaIsWaitedFor: all pods that it keeps from growing are named with the
// same words, nothing is evicted for it, and it is no failure of the controller.
func TestAQuotaIsWaitedFor(t *testing.T) {
	const said = "exceeded quota: few, requested: requests.cpu=250m, used: requests.cpu=2, limited: requests.cpu=2"
	for words, reason := range map[string]scale.Reason{said: scale.Quota, "maximum cpu usage per Container is 600m, but request is 750m": scale.LimitRange} {
		var pods []*corev1.Pod
		var names []string
		for i := range 40 {
			names = append(names, fmt.Sprintf("pod-%02d", i))
			pods = append(pods, runningPod(names[i], old))
		}
		c := newCluster(t, pods...)
		c.answers["resize"] = apierrors.NewForbidden(podKind, "a", errors.New(words))
		outcome, err := c.applier(orAgain).Apply(t.Context(), web, sized(40, 750))
		if err != nil || len(outcome.Changes) > 0 || len(outcome.Waiting) != 1 {
			t.Fatalf("changes %v, waits %v, error %v", outcome.Changes, outcome.Waiting, err)
		}
		wait := outcome.Waiting[0]
		if diff := cmp.Diff(names, wait.Pods); diff != "" || wait.Reason != reason || !strings.HasPrefix(wait.Why, words+": ") {
			t.Errorf("%s %q, pods (-want +got):\n%s", wait.Reason, wait.Why, diff)
		}
		if diff := cmp.Diff(sized(40, 750).Want.Containers, outcome.Sizes, cmp.AllowUnexported(scale.Resources{})); diff != "" {
			t.Errorf("sizes (-want +got):\n%s", diff)
		}
	}
}

func TestThePatchHoldsNothingElse(t *testing.T) {
	p := runningPod("a", old, func(p *corev1.Pod) {
		p.ResourceVersion = "7"
		p.Spec.Containers = append(p.Spec.Containers, corev1.Container{Name: "proxy"})
		p.Spec.Containers[0].Resources.Limits = corev1.ResourceList{corev1.ResourceMemory: resource.MustParse("1Gi")}
	})
	got, err := patchOf(change{pod: p, fitted: podsize.Fit(p, wantBig)})
	want := `{"metadata":{"resourceVersion":"7"},"spec":{"containers":[{"name":"app","resources":{"requests":{"cpu":"750m"},"limits":{"memory":"1Gi"}}}]}}`
	if diff := cmp.Diff(want, string(got)); diff != "" || err != nil {
		t.Errorf("patch (-want +got):\n%s, error %v", diff, err)
	}
}

// TestNoPodGoesWhileOthersAreToCome: the count was raised a moment ago.
func TestNoPodGoesWhileOthersAreToCome(t *testing.T) {
	c := newCluster(t, runningPod("a", old))
	d := sized(1, 750)
	d.Want.Replicas = 2
	outcome, err := c.applier(recreate).Apply(t.Context(), web, d)
	if err != nil || len(c.requests) > 0 || !strings.Contains(fmt.Sprint(outcome.Waiting), "not all pods of the workload are ready") {
		t.Errorf("requests %v, waiting %v, error %v; want none but a wait", c.requests, outcome.Waiting, err)
	}
}
