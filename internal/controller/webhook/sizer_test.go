package webhook

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"time"

	jsonpatch "gopkg.in/evanphx/json-patch.v4"

	"github.com/google/go-cmp/cmp"
	admissionv1 "k8s.io/api/admission/v1"
	autoscalingv1 "k8s.io/api/autoscaling/v1"
	autoscalingv2 "k8s.io/api/autoscaling/v2"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	vpav1 "k8s.io/autoscaler/vertical-pod-autoscaler/pkg/apis/autoscaling.k8s.io/v1"
	"k8s.io/client-go/tools/events"
	clocktesting "k8s.io/utils/clock/testing"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/fake"
	"sigs.k8s.io/controller-runtime/pkg/webhook/admission"
	"sigs.k8s.io/yaml"

	"github.com/tidemark/tidemark/api/v1alpha1"
	"github.com/tidemark/tidemark/internal/observe/pods"
	"github.com/tidemark/tidemark/internal/permit"
	"github.com/tidemark/tidemark/internal/targetref"
)

var now = time.Date(2026, 1, 5, 12, 0, 0, 0, time.UTC)

// ownedBy answers for every pod.
type ownedBy struct {
	owned bool
	err   error
}

func (o ownedBy) OwnerOf(_ context.Context, pod *corev1.Pod) (pods.Owner, bool, error) {
	return pods.Owner{Target: targetref.Target{APIVersion: "apps/v1", Kind: "Deployment", Namespace: pod.Namespace, Name: "web"}}, o.owned, o.err
}

func (o ownedBy) Confirm(context.Context, pods.Owner) error { return nil }

// object is one that sizes CPU of container app and was decided about an hour
// ago, changed by options.
func object(name string, options ...func(*v1alpha1.WorkloadAutoscaler)) *v1alpha1.WorkloadAutoscaler {
	obj := &v1alpha1.WorkloadAutoscaler{
		ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: name},
		Spec: v1alpha1.WorkloadAutoscalerSpec{
			TargetRef:  v1alpha1.TargetReference{APIVersion: "apps/v1", Kind: "Deployment", Name: "web"},
			Containers: []v1alpha1.ContainerPolicy{{Name: "app", CPU: &v1alpha1.ResourcePolicy{}}},
		},
		Status: v1alpha1.WorkloadAutoscalerStatus{LastDecision: &v1alpha1.Decision{
			At: metav1.NewTime(now.Add(-time.Hour)),
			Want: v1alpha1.Size{
				Containers: map[string]map[string]string{"app": {"cpu": "750m", "memory": "2Gi"}},
				Limits:     map[string]map[string]string{"app": {"cpu": "1500m"}},
			},
		}},
	}
	for _, option := range options {
		option(obj)
	}
	return obj
}

func mode(m v1alpha1.Mode) func(*v1alpha1.WorkloadAutoscaler) {
	return func(obj *v1alpha1.WorkloadAutoscaler) { obj.Spec.Mode = m }
}

func decidedBefore(age time.Duration) func(*v1alpha1.WorkloadAutoscaler) {
	return func(obj *v1alpha1.WorkloadAutoscaler) { obj.Status.LastDecision.At = metav1.NewTime(now.Add(-age)) }
}

func undecided(obj *v1alpha1.WorkloadAutoscaler) { obj.Status.LastDecision = nil }

func want(cpu string) func(*v1alpha1.WorkloadAutoscaler) {
	return func(obj *v1alpha1.WorkloadAutoscaler) {
		obj.Status.LastDecision.Want = v1alpha1.Size{Containers: map[string]map[string]string{"app": {"cpu": cpu}}}
	}
}

func leaving(obj *v1alpha1.WorkloadAutoscaler) {
	obj.DeletionTimestamp, obj.Finalizers = &metav1.Time{Time: now}, []string{"example.com/slow"}
}

var (
	hpa = &autoscalingv2.HorizontalPodAutoscaler{
		ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: "old"},
		Spec: autoscalingv2.HorizontalPodAutoscalerSpec{ScaleTargetRef: autoscalingv2.CrossVersionObjectReference{APIVersion: "apps/v1",
			Kind: "Deployment", Name: "web"}},
	}
	vpa = &vpav1.VerticalPodAutoscaler{
		ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: "sizes"},
		Spec:       vpav1.VerticalPodAutoscalerSpec{TargetRef: &autoscalingv1.CrossVersionObjectReference{APIVersion: "apps/v1", Kind: "Deployment", Name: "web"}},
	}
)

func elsewhere(obj *v1alpha1.WorkloadAutoscaler) { obj.Spec.TargetRef.Name = "other" }

// sizer is a webhook that knows these objects.
func sizer(t *testing.T, objects ...client.Object) *Sizer {
	t.Helper()
	scheme := runtime.NewScheme()
	if err := errors.Join(v1alpha1.AddToScheme(scheme), autoscalingv2.AddToScheme(scheme), vpav1.AddToScheme(scheme)); err != nil {
		t.Fatal(err)
	}
	cache := fake.NewClientBuilder().WithScheme(scheme).WithObjects(objects...).
		WithIndex(&v1alpha1.WorkloadAutoscaler{}, targetref.Field, targetref.IndexedBy).
		WithIndex(&autoscalingv2.HorizontalPodAutoscaler{}, targetref.Field, targetref.IndexedBy).Build()
	clock := clocktesting.NewFakePassiveClock(now)
	return &Sizer{
		Objects: cache, Owners: ownedBy{owned: true}, Clock: clock,
		Allowances: allows{}, Events: events.NewFakeRecorder(10),
		Permits: &permit.Checker{Rules: permit.Rules{Admin: func() v1alpha1.AdminSettings { return v1alpha1.AdminSettings{} }}, Cache: cache, Clock: clock},
	}
}

// review asks about a pod and returns it as it would be created.
func review(t *testing.T, s *Sizer, pod string) (string, admission.Response) {
	t.Helper()
	raw, err := yaml.YAMLToJSON([]byte(pod))
	if err != nil {
		t.Fatal(err)
	}
	response := s.Handle(t.Context(), admission.Request{AdmissionRequest: admissionv1.AdmissionRequest{
		Namespace: "shop", Operation: admissionv1.Create, Object: runtime.RawExtension{Raw: raw},
	}})
	if !response.Allowed {
		t.Fatalf("the pod was refused: %+v", response)
	}
	text, err := json.Marshal(response.Patches)
	if err != nil {
		t.Fatal(err)
	}
	patch, err := jsonpatch.DecodePatch(text)
	if err != nil {
		t.Fatal(err)
	}
	patched, err := patch.Apply(raw)
	if err != nil {
		t.Fatalf("the patch does not apply: %v", err)
	}
	back, err := yaml.JSONToYAML(patched)
	if err != nil {
		t.Fatal(err)
	}
	return string(back), response
}

// plain is a new pod with a field that no Kubernetes has yet.
const plain = `metadata:
  generateName: web-
spec:
  containers:
  - fromTheFuture: true
    name: app
    resources:
      requests:
        cpu: 500m
        memory: 1Gi
  - name: proxy
    resources: {}
`

func TestANewPodGetsTheDecidedSize(t *testing.T) {
	for name, tc := range map[string]struct{ pod, want string }{
		"requests and limits, but only of what is sized": {plain, `metadata:
  annotations:
    tidemark.dev/sized-by: 'web: app requests.cpu=750m, app limits.cpu=1500m'
  generateName: web-
spec:
  containers:
  - fromTheFuture: true
    name: app
    resources:
      limits:
        cpu: 1500m
      requests:
        cpu: 750m
        memory: 1Gi
  - name: proxy
    resources: {}
`},
		"beside other annotations": {`metadata:
  annotations:
    a: b
spec:
  containers:
  - name: app
`, `metadata:
  annotations:
    a: b
    tidemark.dev/sized-by: 'web: app requests.cpu=750m, app limits.cpu=1500m'
spec:
  containers:
  - name: app
    resources:
      limits:
        cpu: 1500m
      requests:
        cpu: 750m
`},
	} {
		t.Run(name, func(t *testing.T) {
			got, _ := review(t, sizer(t, object("web")), tc.pod)
			if diff := cmp.Diff(tc.want, got); diff != "" {
				t.Errorf("the pod (-want +got):\n%s", diff)
			}
		})
	}
}

// TestOneThatOnlyRecommendsIsNotInTheWay: the controller lets the other act, so
// the webhook has to, or new pods would be resized at once.
func TestOneThatOnlyRecommendsIsNotInTheWay(t *testing.T) {
	for _, other := range []client.Object{object("a", mode(v1alpha1.ModeRecommend)), object("z", mode(v1alpha1.ModeOff)), object("a", leaving)} {
		if _, response := review(t, sizer(t, object("web"), other), plain); len(response.Patches) == 0 {
			t.Errorf("beside %s the pod passes as it is: %s", other.GetName(), response.Result.Message)
		}
	}
}

// TestANewPodGetsItsHeadroom: the cpu of the container that is measured, and its
// limit, are set, and nothing else, although more stands in the decision.
func TestANewPodGetsItsHeadroom(t *testing.T) {
	headroom := func(obj *v1alpha1.WorkloadAutoscaler) {
		obj.Spec.Containers = nil
		obj.Spec.Metrics = []v1alpha1.MetricSpec{{Type: "ContainerResource", ContainerResource: &v1alpha1.ContainerResourceMetric{Name: "cpu", Container: "app"}}}
		obj.Spec.Learn = &v1alpha1.Learn{Headroom: &v1alpha1.Headroom{Resize: &v1alpha1.HeadroomResize{}}}
		obj.Status.LastDecision.Want.Containers["proxy"] = map[string]string{"cpu": "2"}
	}
	got, response := review(t, sizer(t, object("web", headroom)), plain)
	if len(response.Patches) != 2 || !strings.Contains(got, "'web: app requests.cpu=750m, app limits.cpu=1500m'") {
		t.Errorf("patches %v make\n%s", response.Patches, got)
	}
}

func TestAPodPassesAsItIs(t *testing.T) {
	paused := v1alpha1.AdminSettings{Paused: true}
	excluded := v1alpha1.AdminSettings{ExcludedNamespaces: []string{"shop"}}
	for name, tc := range map[string]struct {
		objects []client.Object
		change  func(*Sizer)
		pod     string
		want    string
	}{
		"nobody sizes it":            {pod: plain, want: "no WorkloadAutoscaler sizes it"},
		"another workload is sized":  {objects: []client.Object{object("web", elsewhere)}, pod: plain, want: "no WorkloadAutoscaler sizes it"},
		"two objects claim it":       {objects: []client.Object{object("web"), object("too")}, pod: plain, want: "scales Deployment web as well, so neither does"},
		"an HPA scales it as well":   {objects: []client.Object{object("web"), hpa}, pod: plain, want: "the HPA old scales Deployment web as well"},
		"a VPA sizes it as well":     {objects: []client.Object{object("web"), vpa}, pod: plain, want: "the VPA sizes sizes the pods of Deployment web as well"},
		"it is being deleted":        {objects: []client.Object{object("web", leaving)}, pod: plain, want: "is being deleted"},
		"mode Recommend":             {objects: []client.Object{object("web", mode(v1alpha1.ModeRecommend))}, pod: plain, want: "mode Recommend changes nothing"},
		"mode Off":                   {objects: []client.Object{object("web", mode(v1alpha1.ModeOff))}, pod: plain, want: "mode Off changes nothing"},
		"nothing was decided":        {objects: []client.Object{object("web", undecided)}, pod: plain, want: "nothing was decided yet"},
		"the decision is stale":      {objects: []client.Object{object("web", decidedBefore(13*time.Hour))}, pod: plain, want: "older than 12h"},
		"the decision has no moment": {objects: []client.Object{object("web", func(obj *v1alpha1.WorkloadAutoscaler) { obj.Status.LastDecision.At = metav1.Time{} })}, pod: plain, want: "older than 12h"},
		"the decision is no number":  {objects: []client.Object{object("web", want("NaN"))}, pod: plain, want: "has the decided size"},
		"the decision is negative":   {objects: []client.Object{object("web", want("-1"))}, pod: plain, want: "has the decided size"},
		"it has the size already":    {objects: []client.Object{object("web", want("0.5"))}, pod: plain, want: "has the decided size"},
		"everything is paused":       {objects: []client.Object{object("web")}, change: func(s *Sizer) { s.Permits.Admin = func() v1alpha1.AdminSettings { return paused } }, pod: plain, want: "paused all scaling"},
		"its namespace is excluded":  {objects: []client.Object{object("web")}, change: func(s *Sizer) { s.Permits.Admin = func() v1alpha1.AdminSettings { return excluded } }, pod: plain, want: "excluded the namespace shop"},
		"a dry run":                  {objects: []client.Object{object("web")}, change: func(s *Sizer) { s.Permits.DryRun = true }, pod: plain, want: "runs dry"},
		"it belongs to nobody":       {objects: []client.Object{object("web")}, change: func(s *Sizer) { s.Owners = ownedBy{} }, pod: plain, want: "belongs to no workload"},
		"its owner cannot be found":  {objects: []client.Object{object("web")}, change: func(s *Sizer) { s.Owners = ownedBy{err: errors.New("no cache")} }, pod: plain, want: "cannot be found"},
		"it cannot be read":          {objects: []client.Object{object("web")}, pod: `[]`, want: "cannot be read"},
	} {
		t.Run(name, func(t *testing.T) {
			s := sizer(t, tc.objects...)
			if tc.change != nil {
				tc.change(s)
			}
			raw, err := yaml.YAMLToJSON([]byte(tc.pod))
			if err != nil {
				t.Fatal(err)
			}
			response := s.Handle(t.Context(), admission.Request{AdmissionRequest: admissionv1.AdmissionRequest{Namespace: "shop",
				Object: runtime.RawExtension{Raw: raw}}})
			if !response.Allowed || len(response.Patches) > 0 || !strings.Contains(response.Result.Message, tc.want) {
				t.Errorf("allowed %v, patches %v, saying %q; want it to pass as it is, saying %q", response.Allowed, response.Patches, response.Result.Message, tc.want)
			}
		})
	}
}
