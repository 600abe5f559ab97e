package hpatuner_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	autoscalingv2 "k8s.io/api/autoscaling/v2"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/kubernetes/scheme"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/fake"
	"sigs.k8s.io/controller-runtime/pkg/client/interceptor"
	"sigs.k8s.io/yaml"

	"github.com/tidemark/tidemark/internal/apply"
	"github.com/tidemark/tidemark/internal/apply/applytest"
	"github.com/tidemark/tidemark/internal/apply/hpa"
	"github.com/tidemark/tidemark/internal/apply/hpatuner"
	"github.com/tidemark/tidemark/internal/targetref"
	"github.com/tidemark/tidemark/scale"
)

const manifest = `
metadata: {namespace: shop, name: web, annotations: {owner: shop-team}}
spec:
  scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: web}
  minReplicas: 2
  maxReplicas: 10
  metrics:
  - type: ContainerResource
    containerResource: {name: cpu, container: app, target: {type: Utilization, averageUtilization: 70}}
  - type: Resource
    resource: {name: memory, target: {type: Utilization, averageUtilization: 80}}
`

var web = targetref.Target{APIVersion: "autoscaling/v2", Kind: "HorizontalPodAutoscaler", Namespace: "shop", Name: "web"}

func tuned(t scale.Tuning) scale.Decision { return scale.Decision{Tuning: &t} }

// cluster is an API server with one HPA, and a cache of it that lags once
// stale is set.
type cluster struct {
	client.Client
	t       *testing.T
	patches []string
	answer  error
	stale   *autoscalingv2.HorizontalPodAutoscaler
}

func newCluster(t *testing.T) *cluster {
	var hpa autoscalingv2.HorizontalPodAutoscaler
	if err := yaml.UnmarshalStrict([]byte(manifest), &hpa); err != nil {
		t.Fatal(err)
	}
	c := &cluster{t: t}
	c.Client = interceptor.NewClient(fake.NewClientBuilder().WithScheme(scheme.Scheme).WithObjects(&hpa).Build(), interceptor.Funcs{
		Get: func(ctx context.Context, api client.WithWatch, key client.ObjectKey, into client.Object, opts ...client.GetOption) error {
			if c.stale != nil {
				c.stale.DeepCopyInto(into.(*autoscalingv2.HorizontalPodAutoscaler))
				return nil
			}
			return api.Get(ctx, key, into, opts...)
		},
		Patch: func(ctx context.Context, api client.WithWatch, obj client.Object, patch client.Patch, opts ...client.PatchOption) error {
			data, err := patch.Data(obj)
			if err != nil {
				return err
			}
			c.patches = append(c.patches, string(data))
			if c.answer != nil {
				return c.answer
			}
			return api.Patch(ctx, obj, patch, opts...)
		},
	})
	return c
}

func (c *cluster) hpa() *autoscalingv2.HorizontalPodAutoscaler {
	var hpa autoscalingv2.HorizontalPodAutoscaler
	if err := c.Get(c.t.Context(), client.ObjectKey{Namespace: "shop", Name: "web"}, &hpa); err != nil {
		c.t.Fatal(err)
	}
	return &hpa
}

// interfere lets someone else raise the maximum while the cache still has the
// HPA from before.
func (c *cluster) interfere() {
	before := c.hpa()
	after := before.DeepCopy()
	after.Spec.MaxReplicas = 12
	if err := c.Update(c.t.Context(), after); err != nil {
		c.t.Fatal(err)
	}
	c.stale = before
}

func TestContract(t *testing.T) {
	applytest.Run(t, func(t *testing.T) applytest.World {
		c := newCluster(t)
		return applytest.World{
			Applier: &hpatuner.Applier{Client: c}, Target: web,
			Decision: tuned(scale.Tuning{Min: new(int32(4)), Max: new(int32(16)), Targets: []scale.LearnedTarget{{Container: "app", Resource: scale.CPU, Percent: 65}}}),
			AtRest:   tuned(scale.Tuning{Min: new(int32(2)), Max: new(int32(10))}),
			Objects:  func() []any { return []any{c.hpa()} },
			Writes:   func() int { return len(c.patches) }, Interfere: c.interfere,
			Fields: []string{"spec.minReplicas", "spec.maxReplicas", "spec.metrics[0].containerResource.target.averageUtilization",
				"metadata.annotations.autoscaling.tidemark.dev/found"},
		}
	})
}

// TestTheNoteFollowsItsOwner: who sets a number to what is wanted anyway, or to
// one that nobody wants to tune any more, is noted at once. It stays theirs, even
// where it becomes what was set here before.
func TestTheNoteFollowsItsOwner(t *testing.T) {
	c := newCluster(t)
	a := &hpatuner.Applier{Client: c, By: "shop"}
	apply := func(tuning scale.Tuning) {
		t.Helper()
		if _, err := a.Apply(t.Context(), web, tuned(tuning)); err != nil {
			t.Fatal(err)
		}
	}
	byHand := func(most int32) {
		t.Helper()
		object := c.hpa()
		object.Spec.MaxReplicas = most
		if err := c.Update(t.Context(), object); err != nil {
			t.Fatal(err)
		}
	}
	apply(scale.Tuning{Max: new(int32(16))})
	byHand(20)
	apply(scale.Tuning{})
	if by, noted := hpa.TunedBy(c.hpa()); noted {
		t.Errorf("it is noted as tuned by %s, and nothing in it is", by)
	}
	byHand(16)
	apply(scale.Tuning{})
	if got := c.hpa().Spec.MaxReplicas; got != 16 {
		t.Errorf("the maximum that its owner set to 16 became %d", got)
	}
	writes := len(c.patches)
	apply(scale.Tuning{})
	if len(c.patches) != writes {
		t.Errorf("writes again: %s", c.patches[writes:])
	}
}

func TestThePatchHoldsTheChangedFieldsAndTheVersion(t *testing.T) {
	c := newCluster(t)
	outcome, err := (&hpatuner.Applier{Client: c, By: "shop"}).Apply(t.Context(), web, tuned(scale.Tuning{Min: new(int32(4))}))
	if err != nil {
		t.Fatal(err)
	}
	want := []string{`{"metadata":{"annotations":{"autoscaling.tidemark.dev/found":"{\"by\":\"shop\",\"fields\":{\"minReplicas\":{\"found\":\"2\",\"set\":\"4\"}}}"},"resourceVersion":"999"},"spec":{"minReplicas":4}}`}
	if diff := cmp.Diff(want, c.patches); diff != "" {
		t.Errorf("patches (-want +got):\n%s", diff)
	}
	wantChanges := []apply.Change{{Path: "spec.minReplicas", From: "2", To: "4"}}
	if diff := cmp.Diff(wantChanges, outcome.Changes); diff != "" {
		t.Errorf("changes (-want +got):\n%s", diff)
	}
}

func TestATargetWithoutAMetricIsSaid(t *testing.T) {
	c := newCluster(t)
	outcome, err := (&hpatuner.Applier{Client: c}).Apply(t.Context(), web,
		tuned(scale.Tuning{Min: new(int32(2)), Targets: []scale.LearnedTarget{{Container: "proxy", Resource: scale.Memory, Percent: 65}}}))
	if err != nil || len(c.patches) > 0 {
		t.Errorf("error %v and patches %q, want neither", err, c.patches)
	}
	if got := fmt.Sprint(outcome.Waiting); !strings.Contains(got, "no metric for the memory of container proxy") {
		t.Errorf("waiting says %q", got)
	}
}

func TestFailures(t *testing.T) {
	hpas := schema.GroupResource{Group: "autoscaling", Resource: "horizontalpodautoscalers"}
	missing := web
	missing.Name = "gone"
	for name, tc := range map[string]struct {
		target      targetref.Target
		answer      error
		wantFailure apply.Failure
		wantWords   string
	}{
		"the HPA is gone":        {missing, nil, apply.NotFound, "check the name"},
		"patching is forbidden":  {web, apierrors.NewForbidden(hpas, "web", errors.New("no")), apply.Forbidden, "allow the controller to patch horizontalpodautoscalers"},
		"the API server refuses": {web, apierrors.NewBadRequest("no"), apply.Refused, "tuning HorizontalPodAutoscaler shop/web"},
	} {
		t.Run(name, func(t *testing.T) {
			c := newCluster(t)
			c.answer = tc.answer
			_, err := (&hpatuner.Applier{Client: c}).Apply(t.Context(), tc.target, tuned(scale.Tuning{Min: new(int32(4))}))
			if !errors.Is(err, tc.wantFailure) || !strings.Contains(err.Error(), tc.wantWords) {
				t.Errorf("got error %q, want a %v that says %q", err, tc.wantFailure, tc.wantWords)
			}
		})
	}
}

// TestGiveBack: what was found is there again, and our note of it is gone. What
// someone changed meanwhile stays.
func TestGiveBack(t *testing.T) {
	c := newCluster(t)
	before := c.hpa()
	a := &hpatuner.Applier{Client: c, By: "shop"}
	d := tuned(scale.Tuning{Min: new(int32(4)), Max: new(int32(16)), Targets: []scale.LearnedTarget{{Container: "app", Resource: scale.CPU, Percent: 65}}})
	if _, err := a.Apply(t.Context(), web, d); err != nil {
		t.Fatal(err)
	}
	changed := c.hpa()
	r := &hpatuner.Returner{Client: c}
	if by, tuned := r.TunedBy(changed); !tuned || by != "shop" {
		t.Errorf("tuned by %q, %v", by, tuned)
	}
	changed.Spec.MaxReplicas = 40
	if err := c.Update(t.Context(), changed); err != nil {
		t.Fatal(err)
	}
	changes, err := r.GiveBack(t.Context(), c.hpa())
	if err != nil || len(changes) != 2 {
		t.Fatalf("changes %+v, error %v", changes, err)
	}
	after := c.hpa()
	if by, tuned := r.TunedBy(after); tuned {
		t.Errorf("still tuned by %q", by)
	}
	before.Spec.MaxReplicas, before.ResourceVersion = 40, after.ResourceVersion
	if diff := cmp.Diff(before, after); diff != "" {
		t.Errorf("(-before +after):\n%s", diff)
	}
}
