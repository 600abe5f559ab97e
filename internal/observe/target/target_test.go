package target_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	appsv1 "k8s.io/api/apps/v1"
	autoscalingv1 "k8s.io/api/autoscaling/v1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	dynamicfake "k8s.io/client-go/dynamic/fake"
	scalefake "k8s.io/client-go/scale/fake"
	clienttesting "k8s.io/client-go/testing"
	clocktesting "k8s.io/utils/clock/testing"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/fake"
	"sigs.k8s.io/controller-runtime/pkg/client/interceptor"

	"github.com/tidemark/tidemark/api/v1alpha1"
	"github.com/tidemark/tidemark/internal/observe/snapshot"
	"github.com/tidemark/tidemark/internal/observe/target"
	"github.com/tidemark/tidemark/internal/targetref"
	"github.com/tidemark/tidemark/scale"
)

var equalResources = cmp.Comparer(func(a, b scale.Resources) bool { return a == b })

func scheme(t *testing.T) *runtime.Scheme {
	t.Helper()
	s := runtime.NewScheme()
	for _, add := range []func(*runtime.Scheme) error{appsv1.AddToScheme, corev1.AddToScheme, v1alpha1.AddToScheme} {
		if err := add(s); err != nil {
			t.Fatal(err)
		}
	}
	return s
}

func podSpec(cpu string) corev1.PodSpec {
	return corev1.PodSpec{Containers: []corev1.Container{{
		Name: "app", Resources: corev1.ResourceRequirements{Requests: corev1.ResourceList{corev1.ResourceCPU: resource.MustParse(cpu)}},
	}}}
}

func sized(cpu scale.Amount) []scale.Container {
	return []scale.Container{{Name: "app", Requests: scale.Resources{}.With(scale.CPU, cpu)}}
}

func TestWatchedKindsComeFromTheCache(t *testing.T) {
	about := metav1.ObjectMeta{Namespace: "shop", Name: "web", UID: "u1"}
	selector := &metav1.LabelSelector{MatchLabels: map[string]string{"app": "web"}}
	template := corev1.PodTemplateSpec{Spec: podSpec("500m")}
	want := target.Scale{UID: "u1", SpecReplicas: 3, StatusReplicas: 2, Selector: "app=web", Containers: sized(500)}
	ours := target.Scale{UID: "u1", SpecReplicas: 3, StatusReplicas: 2, Selector: "app=web"}
	unasked := ours
	unasked.SpecReplicas = 2
	ofOne := want
	ofOne.SpecReplicas = 1
	began := metav1.NewTime(time.Date(2026, 1, 5, 10, 0, 0, 0, time.UTC))
	full := want
	full.Refused = &scale.Refusal{
		Reason: scale.Quota, Since: began.Time,
		Words: "exceeded quota: few, requested: pods=1, used: pods=2, limited: pods=2: raise the quota, or lower what the autoscaler may ask for",
	}
	const refusal = `pods "web-x" is forbidden: exceeded quota: few, requested: pods=1, used: pods=2, limited: pods=2`
	failedDeployment := appsv1.DeploymentStatus{Replicas: 2, Conditions: []appsv1.DeploymentCondition{
		{Type: appsv1.DeploymentReplicaFailure, Status: corev1.ConditionTrue, Message: refusal, LastTransitionTime: began},
	}}
	failedReplicaSet := appsv1.ReplicaSetStatus{Replicas: 2, Conditions: []appsv1.ReplicaSetCondition{
		{Type: appsv1.ReplicaSetReplicaFailure, Status: corev1.ConditionTrue, Message: refusal, LastTransitionTime: began},
	}}
	for name, tt := range map[string]struct {
		apiVersion, kind string
		object           client.Object
		want             target.Scale
	}{
		"Deployment": {"apps/v1", "Deployment", &appsv1.Deployment{ObjectMeta: about,
			Spec: appsv1.DeploymentSpec{Replicas: new(int32(3)), Selector: selector, Template: template}, Status: appsv1.DeploymentStatus{Replicas: 2}}, want},
		"StatefulSet": {"apps/v1", "StatefulSet", &appsv1.StatefulSet{ObjectMeta: about,
			Spec: appsv1.StatefulSetSpec{Replicas: new(int32(3)), Selector: selector, Template: template}, Status: appsv1.StatefulSetStatus{Replicas: 2}}, want},
		"ReplicaSet": {"apps/v1", "ReplicaSet", &appsv1.ReplicaSet{ObjectMeta: about,
			Spec: appsv1.ReplicaSetSpec{Replicas: new(int32(3)), Selector: selector, Template: template}, Status: appsv1.ReplicaSetStatus{Replicas: 2}}, want},
		"a Deployment without a quota for its pods": {"apps/v1", "Deployment", &appsv1.Deployment{ObjectMeta: about,
			Spec: appsv1.DeploymentSpec{Replicas: new(int32(3)), Selector: selector, Template: template}, Status: failedDeployment}, full},
		"a ReplicaSet without one": {"apps/v1", "ReplicaSet", &appsv1.ReplicaSet{ObjectMeta: about,
			Spec: appsv1.ReplicaSetSpec{Replicas: new(int32(3)), Selector: selector, Template: template}, Status: failedReplicaSet}, full},
		"no replicas are one": {"apps/v1", "Deployment", &appsv1.Deployment{ObjectMeta: about,
			Spec: appsv1.DeploymentSpec{Selector: selector, Template: template}, Status: appsv1.DeploymentStatus{Replicas: 2}}, ofOne},
		"one of ours": {"autoscaling.tidemark.dev/v1alpha1", "WorkloadAutoscaler", &v1alpha1.WorkloadAutoscaler{ObjectMeta: about,
			Spec:   v1alpha1.WorkloadAutoscalerSpec{Replicas: v1alpha1.ReplicaSpec{Requested: new(int32(3))}},
			Status: v1alpha1.WorkloadAutoscalerStatus{Replicas: 2, Selector: "app=web"}}, ours},
		"one of ours that nobody asked": {"autoscaling.tidemark.dev/v1alpha1", "WorkloadAutoscaler", &v1alpha1.WorkloadAutoscaler{ObjectMeta: about,
			Status: v1alpha1.WorkloadAutoscalerStatus{Replicas: 2, Selector: "app=web"}}, unasked},
	} {
		t.Run(name, func(t *testing.T) {
			r := target.New(target.Config{Cache: fake.NewClientBuilder().WithScheme(scheme(t)).WithObjects(tt.object).Build()})
			got, err := r.Read(t.Context(), targetref.Target{APIVersion: tt.apiVersion, Kind: tt.kind, Namespace: "shop", Name: "web"})
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.want, got, equalResources); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestEachFailureSaysWhatToDo(t *testing.T) {
	deployments := schema.GroupResource{Group: "apps", Resource: "deployments"}
	web := targetref.Target{APIVersion: "apps/v1", Kind: "Deployment", Namespace: "shop", Name: "web"}
	odd := web
	odd.APIVersion = "a/b/c"
	for name, tt := range map[string]struct {
		target targetref.Target
		cause  error
		want   error
	}{
		"it is missing":        {web, apierrors.NewNotFound(deployments, "web"), target.ErrNotFound},
		"it is forbidden":      {web, apierrors.NewForbidden(deployments, "web", errors.New("rbac")), target.ErrForbidden},
		"its kind is missing":  {web, &meta.NoKindMatchError{GroupKind: schema.GroupKind{Group: "apps", Kind: "Deployment"}}, target.ErrNoKind},
		"its watch is missing": {web, apierrors.NewTimeoutError("waiting for the informer", 0), target.ErrNotSynced},
		"its version is odd":   {odd, nil, target.ErrNoKind},
	} {
		t.Run(name, func(t *testing.T) {
			cache := fake.NewClientBuilder().WithScheme(scheme(t)).WithInterceptorFuncs(interceptor.Funcs{
				Get: func(context.Context, client.WithWatch, client.ObjectKey, client.Object, ...client.GetOption) error {
					return tt.cause
				},
			}).Build()
			_, err := target.New(target.Config{Cache: cache}).Read(t.Context(), tt.target)
			if !errors.Is(err, tt.want) || (tt.cause != nil && !errors.Is(err, tt.cause)) {
				t.Errorf("got %v, want it to be %v, because of %v", err, tt.want, tt.cause)
			}
		})
	}
}

var rollouts = schema.GroupVersionResource{Group: "argoproj.io", Version: "v1alpha1", Resource: "rollouts"}

// unwatched is a cluster with one Rollout, and a count of the requests it got.
type unwatched struct {
	reader  *target.Reader
	clock   *clocktesting.FakePassiveClock
	scales  *scalefake.FakeScaleClient
	objects *dynamicfake.FakeDynamicClient
}

func newUnwatched(t *testing.T, object map[string]any) *unwatched {
	t.Helper()
	mapper := meta.NewDefaultRESTMapper(nil)
	mapper.Add(rollouts.GroupVersion().WithKind("Rollout"), meta.RESTScopeNamespace)
	u := &unwatched{clock: clocktesting.NewFakePassiveClock(time.Date(2026, 1, 5, 10, 0, 0, 0, time.UTC)), scales: &scalefake.FakeScaleClient{}}
	u.scales.AddReactor("get", "*", func(clienttesting.Action) (bool, runtime.Object, error) {
		return true, &autoscalingv1.Scale{
			ObjectMeta: metav1.ObjectMeta{UID: "u9"}, Spec: autoscalingv1.ScaleSpec{Replicas: 4},
			Status: autoscalingv1.ScaleStatus{Replicas: 5, Selector: "app=web"},
		}, nil
	})
	u.objects = dynamicfake.NewSimpleDynamicClient(runtime.NewScheme(), &unstructured.Unstructured{Object: object})
	u.reader = target.New(target.Config{Mapper: mapper, Scales: u.scales, Objects: u.objects, Answers: snapshot.New(snapshot.Config{Clock: u.clock})})
	return u
}

var rollout = targetref.Target{APIVersion: "argoproj.io/v1alpha1", Kind: "Rollout", Namespace: "shop", Name: "web"}

func TestOtherKindsAreReadThroughTheirScale(t *testing.T) {
	u := newUnwatched(t, map[string]any{
		"apiVersion": "argoproj.io/v1alpha1", "kind": "Rollout", "metadata": map[string]any{"namespace": "shop", "name": "web"},
		"spec": map[string]any{"template": map[string]any{"spec": map[string]any{"containers": []any{
			map[string]any{"name": "app", "resources": map[string]any{"requests": map[string]any{"cpu": "250m"}}},
		}}}},
	})
	want := target.Scale{UID: "u9", SpecReplicas: 4, StatusReplicas: 5, Selector: "app=web", Containers: sized(250)}
	for range 3 {
		got, err := u.reader.Read(t.Context(), rollout)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, got, equalResources); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
	}
	if n := len(u.scales.Actions()); n != 1 {
		t.Errorf("%d requests for the scale within a moment, want one", n)
	}
	u.clock.SetTime(u.clock.Now().Add(15 * time.Second))
	if _, err := u.reader.Read(t.Context(), rollout); err != nil {
		t.Fatal(err)
	}
	if n := len(u.scales.Actions()); n != 2 {
		t.Errorf("%d requests for the scale after a period, want two", n)
	}
	if n := len(u.objects.Actions()); n != 1 {
		t.Errorf("%d requests for the template, want one", n)
	}
}

func TestATemplateThatCannotBeReadIsNoTemplate(t *testing.T) {
	for name, object := range map[string]map[string]any{
		"none":     {"spec": map[string]any{}},
		"its own":  {"spec": map[string]any{"template": "web-2"}},
		"not pods": {"spec": map[string]any{"template": map[string]any{"spec": map[string]any{"containers": "many"}}}},
	} {
		t.Run(name, func(t *testing.T) {
			object["apiVersion"], object["kind"], object["metadata"] = "argoproj.io/v1alpha1", "Rollout", map[string]any{"namespace": "shop", "name": "web"}
			got, err := newUnwatched(t, object).reader.Read(t.Context(), rollout)
			if err != nil || got.Containers != nil || got.SpecReplicas != 4 {
				t.Errorf("got %+v, %v; want the scale alone", got, err)
			}
		})
	}
}

func TestAKindNobodyKnows(t *testing.T) {
	u := newUnwatched(t, map[string]any{"apiVersion": "v1", "kind": "ConfigMap", "metadata": map[string]any{"namespace": "shop", "name": "x"}})
	other := rollout
	other.Kind = "Parade"
	if _, err := u.reader.Read(t.Context(), other); !errors.Is(err, target.ErrNoKind) {
		t.Errorf("got %v, want no such kind", err)
	}
}
