package route_test

import (
	"context"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	appsv1 "k8s.io/api/apps/v1"
	autoscalingv1 "k8s.io/api/autoscaling/v1"
	autoscalingv2 "k8s.io/api/autoscaling/v2"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/kubernetes/scheme"
	scalefake "k8s.io/client-go/scale/fake"
	clienttesting "k8s.io/client-go/testing"
	clocktesting "k8s.io/utils/clock/testing"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/fake"
	"sigs.k8s.io/controller-runtime/pkg/client/interceptor"
	"sigs.k8s.io/yaml"

	"github.com/tidemark/tidemark/api/v1alpha1"
	"github.com/tidemark/tidemark/internal/apply/route"
	"github.com/tidemark/tidemark/internal/permit"
	"github.com/tidemark/tidemark/internal/targetref"
	"github.com/tidemark/tidemark/scale"
)

var web = targetref.Target{APIVersion: "apps/v1", Kind: "Deployment", Namespace: "shop", Name: "web"}

// onePod is a workload's only pod.
type onePod struct{ pod *corev1.Pod }

func (o onePod) Of(context.Context, targetref.Target) ([]*corev1.Pod, error) {
	return []*corev1.Pod{o.pod}, nil
}

// ways is a router whose three ways to write are counted by name.
func ways(admin v1alpha1.AdminSettings, dryRun bool) (*route.Applier, func() []string) {
	var written []string
	scales := &scalefake.FakeScaleClient{}
	scales.AddReactor("get", "*", func(clienttesting.Action) (bool, runtime.Object, error) {
		return true, &autoscalingv1.Scale{Spec: autoscalingv1.ScaleSpec{Replicas: 3}}, nil
	})
	scales.AddReactor("update", "*", func(clienttesting.Action) (bool, runtime.Object, error) {
		written = append(written, "scale")
		return true, &autoscalingv1.Scale{}, nil
	})
	mapper := meta.NewDefaultRESTMapper([]schema.GroupVersion{appsv1.SchemeGroupVersion})
	mapper.Add(appsv1.SchemeGroupVersion.WithKind("Deployment"), meta.RESTScopeNamespace)
	pod := &corev1.Pod{
		ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: "web-0"},
		Spec: corev1.PodSpec{Containers: []corev1.Container{{
			Name:      "app",
			Resources: corev1.ResourceRequirements{Requests: corev1.ResourceList{corev1.ResourceCPU: resource.MustParse("500m")}},
		}}},
	}
	hpa := &autoscalingv2.HorizontalPodAutoscaler{ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: "web-hpa"}}
	api := interceptor.NewClient(fake.NewClientBuilder().WithScheme(scheme.Scheme).WithObjects(hpa).Build(), interceptor.Funcs{
		SubResourcePatch: func(_ context.Context, _ client.Client, sub string, _ client.Object, _ client.Patch, _ ...client.SubResourcePatchOption) error {
			written = append(written, sub)
			return nil
		},
		Patch: func(_ context.Context, _ client.WithWatch, obj client.Object, _ client.Patch, _ ...client.PatchOption) error {
			written = append(written, obj.GetName())
			return nil
		},
	})
	return route.New(route.Config{
		Scales: scales, Mapper: mapper, Client: api, Pods: onePod{pod}, Clock: clocktesting.NewFakePassiveClock(time.Unix(0, 0)),
		Rules: permit.Rules{Admin: func() v1alpha1.AdminSettings { return admin }, DryRun: dryRun}, NewPodsAreSized: true,
	}), func() []string { return slices.Clone(written) }
}

// everything is a decision that wants another count, another size and another
// HPA, so that what is written tells which way was taken.
var everything = scale.Decision{
	From:   scale.Size{Replicas: 3},
	Want:   scale.Size{Replicas: 5, Containers: []scale.Container{{Name: "app", Requests: scale.Resources{}.With(scale.CPU, 750)}}},
	Tuning: &scale.Tuning{Min: new(int32(2)), Max: new(int32(9))},
}

func TestFor(t *testing.T) {
	for name, tc := range map[string]struct {
		spec   string
		admin  v1alpha1.AdminSettings
		dryRun bool
		leaves bool
		want   []string
	}{
		"the scale subresource is the default":       {spec: `{}`, want: []string{"scale"}},
		"pods are resized where they are sized":      {spec: `{containers: [{name: app, cpu: {}}]}`, want: []string{"scale", "resize"}},
		"intervals size pods too":                    {spec: `{intervals: {}}`, want: []string{"scale", "resize"}},
		"headroom sizes pods too":                    {spec: `{metrics: [{type: Resource, resource: {name: cpu}}], learn: {headroom: {resize: {usual: "1"}}}}`, want: []string{"scale", "resize"}},
		"headroom by prices too":                     {spec: `{learn: {headroom: {}}}`, want: []string{"scale", "resize"}},
		"headroom in numbers alone does not":         {spec: `{learn: {headroom: {risk: "0.001"}}}`, want: []string{"scale"}},
		"nor does it where that is turned off":       {spec: `{learn: {headroom: {resize: {enabled: false}}}}`, want: []string{"scale"}},
		"Initial leaves running pods alone":          {spec: `{intervals: {}, vertical: {update: Initial}}`, want: []string{"scale"}},
		"the HPA is tuned under its own name":        {spec: `{actuator: HPA, hpaName: web-hpa}`, want: []string{"web-hpa"}},
		"beside an HPA pods may be sized":            {spec: `{actuator: HPA, hpaName: web-hpa, containers: [{name: app, cpu: {}}]}`, want: []string{"web-hpa", "resize"}},
		"an emergency acts":                          {spec: `{mode: Emergency}`, want: []string{"scale"}},
		"Recommend changes nothing, not even pods":   {spec: `{mode: Recommend, intervals: {}}`},
		"Off changes nothing, not even pods":         {spec: `{mode: "Off", intervals: {}}`},
		"an object that is being deleted is done":    {spec: `{intervals: {}}`, leaves: true},
		"a pause stops everything":                   {spec: `{intervals: {}}`, admin: v1alpha1.AdminSettings{Paused: true}},
		"an excluded namespace is left alone":        {spec: `{intervals: {}}`, admin: v1alpha1.AdminSettings{ExcludedNamespaces: []string{"shop"}}},
		"another excluded namespace is of no matter": {spec: `{}`, admin: v1alpha1.AdminSettings{ExcludedNamespaces: []string{"bank"}}, want: []string{"scale"}},
		"a dry run writes nothing":                   {spec: `{intervals: {}}`, dryRun: true},
	} {
		t.Run(name, func(t *testing.T) {
			obj := &v1alpha1.WorkloadAutoscaler{ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: "web"}}
			if err := yaml.UnmarshalStrict([]byte(tc.spec), &obj.Spec); err != nil {
				t.Fatal(err)
			}
			if tc.leaves {
				obj.DeletionTimestamp = &metav1.Time{Time: time.Unix(0, 0)}
			}
			router, written := ways(tc.admin, tc.dryRun)
			outcome, err := router.For(obj).Apply(t.Context(), web, everything)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tc.want, written()); diff != "" {
				t.Errorf("written (-want +got):\n%s", diff)
			}
			if named := len(outcome.Changes) > 0; named != (len(tc.want) > 0) {
				t.Errorf("the outcome names %v", outcome.Changes)
			}
		})
	}
}

// TestAPausedObject: the count that it is paused at is brought about, and nothing
// else: pods that differ stay as they are, and so does an HPA.
func TestAPausedObject(t *testing.T) {
	for name, tc := range map[string]struct {
		spec  string
		pause scale.Pause
		want  []string
	}{
		"at a count":           {`{intervals: {}}`, scale.Pause{Replicas: new(int32(5)), In: true, Out: true}, []string{"scale"}},
		"in one direction":     {`{intervals: {}}`, scale.Pause{In: true}, []string{"scale", "resize"}},
		"an HPA is not tuned":  {`{actuator: HPA, hpaName: web-hpa}`, scale.Pause{In: true, Out: true}, nil},
		"nor are pods beside":  {`{actuator: HPA, hpaName: web-hpa, containers: [{name: app, cpu: {}}]}`, scale.Pause{In: true, Out: true}, nil},
		"unless it goes on so": {`{actuator: HPA, hpaName: web-hpa}`, scale.Pause{Out: true}, []string{"web-hpa"}},
	} {
		t.Run(name, func(t *testing.T) {
			obj := &v1alpha1.WorkloadAutoscaler{ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: "web"}}
			if err := yaml.UnmarshalStrict([]byte(tc.spec), &obj.Spec); err != nil {
				t.Fatal(err)
			}
			router, written := ways(v1alpha1.AdminSettings{}, false)
			d := everything
			d.Pause = &tc.pause
			if _, err := router.For(obj).Apply(t.Context(), web, d); err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tc.want, written()); diff != "" {
				t.Errorf("written (-want +got):\n%s", diff)
			}
		})
	}
}

// TestPodsWaitWhereTheCountCannotChange: the count conflicts, so the whole
// decision is made anew.
func TestPodsWaitWhereTheCountCannotChange(t *testing.T) {
	router, written := ways(v1alpha1.AdminSettings{}, false)
	obj := &v1alpha1.WorkloadAutoscaler{Spec: v1alpha1.WorkloadAutoscalerSpec{Intervals: &v1alpha1.Intervals{}}}
	d := everything
	d.From.Replicas = 4
	if _, err := router.For(obj).Apply(t.Context(), web, d); err == nil || len(written()) > 0 {
		t.Errorf("error %v and written %v, want an error and nothing", err, written())
	}
}
