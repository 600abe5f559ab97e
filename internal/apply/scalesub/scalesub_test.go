package scalesub_test

import (
	"context"
	"errors"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	appsv1 "k8s.io/api/apps/v1"
	autoscalingv1 "k8s.io/api/autoscaling/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	scalefake "k8s.io/client-go/scale/fake"
	clienttesting "k8s.io/client-go/testing"

	"github.com/tidemark/tidemark/internal/apply"
	"github.com/tidemark/tidemark/internal/apply/applytest"
	"github.com/tidemark/tidemark/internal/apply/scalesub"
	"github.com/tidemark/tidemark/internal/targetref"
	"github.com/tidemark/tidemark/scale"
)

var (
	web         = targetref.Target{APIVersion: "apps/v1", Kind: "Deployment", Namespace: "shop", Name: "web"}
	deployments = schema.GroupResource{Group: "apps", Resource: "deployments"}
)

// workload is a scale subresource that keeps its count and its version, as the
// API server does.
type workload struct {
	live   autoscalingv1.Scale
	verbs  []string
	answer map[string]error
}

func newWorkload(replicas int32) *workload {
	return &workload{
		live: autoscalingv1.Scale{
			ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: "web", ResourceVersion: "1"},
			Spec:       autoscalingv1.ScaleSpec{Replicas: replicas},
		},
		answer: map[string]error{},
	}
}

func (w *workload) applier() *scalesub.Applier {
	client := &scalefake.FakeScaleClient{}
	client.AddReactor("*", "deployments", func(action clienttesting.Action) (bool, runtime.Object, error) {
		w.verbs = append(w.verbs, action.GetVerb())
		if err := w.answer[action.GetVerb()]; err != nil {
			return true, nil, err
		}
		if update, ok := action.(clienttesting.UpdateAction); ok {
			return true, w.live.DeepCopy(), w.update(update.GetObject().(*autoscalingv1.Scale))
		}
		return true, w.live.DeepCopy(), nil
	})
	mapper := meta.NewDefaultRESTMapper([]schema.GroupVersion{appsv1.SchemeGroupVersion})
	mapper.Add(appsv1.SchemeGroupVersion.WithKind("Deployment"), meta.RESTScopeNamespace)
	return &scalesub.Applier{Scales: client, Mapper: mapper}
}

func (w *workload) update(to *autoscalingv1.Scale) error {
	if to.ResourceVersion != w.live.ResourceVersion {
		return apierrors.NewConflict(deployments, "web", errors.New("the object has been modified"))
	}
	w.set(to.Spec.Replicas)
	return nil
}

func (w *workload) set(replicas int32) {
	version, _ := strconv.Atoi(w.live.ResourceVersion)
	w.live.Spec.Replicas, w.live.ResourceVersion = replicas, strconv.Itoa(version+1)
}

func (w *workload) writes() int {
	return strings.Count(strings.Join(w.verbs, " "), "update")
}

func decision(from, want int32) scale.Decision {
	return scale.Decision{From: scale.Size{Replicas: from}, Want: scale.Size{Replicas: want}, Proposed: scale.Size{Replicas: want}}
}

func TestContract(t *testing.T) {
	applytest.Run(t, func(*testing.T) applytest.World {
		w := newWorkload(3)
		return applytest.World{
			Applier: w.applier(), Target: web, Decision: decision(3, 5), AtRest: decision(3, 3),
			Objects: func() []any { return []any{w.live} }, Writes: w.writes, Interfere: func() { w.set(4) },
			Fields: []string{"spec.replicas"},
		}
	})
}

func TestRequests(t *testing.T) {
	for name, tc := range map[string]struct {
		live      int32
		decision  scale.Decision
		wantVerbs []string
		wantLive  int32
	}{
		"a change is one read and one write":     {3, decision(3, 5), []string{"get", "update"}, 5},
		"at rest there is no request":            {3, decision(3, 3), nil, 3},
		"someone did the same: nothing to write": {5, decision(3, 5), []string{"get"}, 5},
		"down to zero":                           {3, decision(3, 0), []string{"get", "update"}, 0},
		"up from zero":                           {0, decision(0, 1), []string{"get", "update"}, 1},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorkload(tc.live)
			if _, err := w.applier().Apply(t.Context(), web, tc.decision); err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tc.wantVerbs, w.verbs); diff != "" {
				t.Errorf("requests (-want +got):\n%s", diff)
			}
			if w.live.Spec.Replicas != tc.wantLive {
				t.Errorf("the live count is %d, want %d", w.live.Spec.Replicas, tc.wantLive)
			}
		})
	}
}

func TestFailures(t *testing.T) {
	for name, tc := range map[string]struct {
		target      targetref.Target
		verb        string
		answer      error
		wantFailure error
		wantWords   string
	}{
		"someone writes between read and write": {web, "update", apierrors.NewConflict(deployments, "web", errors.New("modified")), apply.Conflict, "next decision"},
		"reading is forbidden":                  {web, "get", apierrors.NewForbidden(deployments, "web", errors.New("no")), apply.Forbidden, `allow the controller to get and update deployments/scale in API group "apps"`},
		"the target is gone":                    {web, "get", apierrors.NewNotFound(deployments, "web"), apply.NotFound, "check the name"},
		"the kind is unknown":                   {targetref.Target{APIVersion: "example.com/v1", Kind: "Rollout", Namespace: "shop", Name: "web"}, "", nil, apply.NotFound, "install the kind"},
		"the API server refuses":                {web, "update", apierrors.NewBadRequest("too large"), apply.Refused, "too large"},
		"the API server is overloaded":          {web, "get", apierrors.NewTooManyRequests("later", 1), apply.Unavailable, "tried again"},
		"the call is canceled on its way":       {web, "get", context.Canceled, context.Canceled, "scaling Deployment shop/web from 3 to 5"},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorkload(3)
			w.answer[tc.verb] = tc.answer
			outcome, err := w.applier().Apply(t.Context(), tc.target, decision(3, 5))
			if !errors.Is(err, tc.wantFailure) || !strings.Contains(err.Error(), tc.wantWords) {
				t.Errorf("got error %q, want a %v that says %q", err, tc.wantFailure, tc.wantWords)
			}
			if len(outcome.Changes) > 0 || w.live.Spec.Replicas != 3 {
				t.Errorf("changes %v and %d live replicas beside an error", outcome.Changes, w.live.Spec.Replicas)
			}
		})
	}
}
