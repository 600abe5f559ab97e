package controller

import (
	"context"
	"fmt"
	"testing"
	"time"

	autoscalingv2 "k8s.io/api/autoscaling/v2"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	utilruntime "k8s.io/apimachinery/pkg/util/runtime"
	vpav1 "k8s.io/autoscaler/vertical-pod-autoscaler/pkg/apis/autoscaling.k8s.io/v1"
	"k8s.io/client-go/tools/events"
	clocktesting "k8s.io/utils/clock/testing"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/fake"
	"sigs.k8s.io/controller-runtime/pkg/client/interceptor"

	"github.com/tidemark/tidemark/api/v1alpha1"
	"github.com/tidemark/tidemark/internal/apply"
	"github.com/tidemark/tidemark/internal/controller/metrics"
	"github.com/tidemark/tidemark/internal/observe"
	"github.com/tidemark/tidemark/internal/permit"
	"github.com/tidemark/tidemark/internal/strict"
	"github.com/tidemark/tidemark/internal/targetref"
	"github.com/tidemark/tidemark/scale"
)

var noon = time.Date(2026, 1, 5, 12, 0, 0, 0, time.UTC)

// queuePolicy wants one pod for every 100 in the queue, whatever runs now.
const queuePolicy = `
replicas: {min: 1, max: 20}
metrics: [{type: External, external: {metric: {name: queue}, target: {averageValue: "100"}}}]
behavior: {scaleDown: {stabilizationWindowSeconds: 60}}
`

// world is a cluster with one workload, made small: its API server is
// controller-runtime's fake, its workload is a number.
type world struct {
	t       *testing.T
	client  client.Client
	clock   *clocktesting.FakePassiveClock
	admin   v1alpha1.AdminSettings
	dry     bool
	events  *events.FakeRecorder
	metrics *metrics.Process

	replicas int32
	queue    scale.Sample
	problems []string
	// recommended and unrecommended are what a named source answered.
	recommended   []scale.Recommendation
	unrecommended string
	waiting       []apply.Wait
	// pods and refused are what is seen of the pods; nobody lists them unless they
	// are set.
	pods    []scale.Pod
	refused *scale.Refusal
	// observeErr and applyErr are answered once set; onStatus is called before
	// each write of a status.
	observeErr, applyErr error
	onStatus             func() error
	// onApply is called before anything is changed.
	onApply      func()
	statusWrites int
	observed     int
	applied      []int32
}

// scheme has only the kinds that are needed: the fake API server goes through
// all of them on each write.
var scheme = func() *runtime.Scheme {
	out := runtime.NewScheme()
	utilruntime.Must(autoscalingv2.AddToScheme(out))
	utilruntime.Must(vpav1.AddToScheme(out))
	utilruntime.Must(v1alpha1.AddToScheme(out))
	return out
}()

func newWorld(t *testing.T, objects ...client.Object) *world {
	t.Helper()
	w := &world{
		t: t, clock: clocktesting.NewFakePassiveClock(noon), events: events.NewFakeRecorder(100), metrics: metrics.NewProcess(), replicas: 3,
		queue: scale.Sample{Series: []scale.Amount{300 * scale.Thousand}},
	}
	w.client = fake.NewClientBuilder().WithScheme(scheme).WithObjects(objects...).
		WithStatusSubresource(&v1alpha1.WorkloadAutoscaler{}).
		WithIndex(&v1alpha1.WorkloadAutoscaler{}, targetref.Field, targetref.IndexedBy).
		WithIndex(&autoscalingv2.HorizontalPodAutoscaler{}, targetref.Field, targetref.IndexedBy).
		WithInterceptorFuncs(interceptor.Funcs{SubResourceUpdate: func(ctx context.Context, c client.Client, sub string, obj client.Object,
			opts ...client.SubResourceUpdateOption) error {
			if w.onStatus != nil {
				if err := w.onStatus(); err != nil {
					return err
				}
			}
			err := c.SubResource(sub).Update(ctx, obj, opts...)
			if !apierrors.IsConflict(err) {
				w.statusWrites++
			}
			return err
		}}).Build()
	return w
}

// controller starts a controller that knows nothing but what the cluster says.
func (w *world) controller() *Reconciler {
	return New(Config{
		Client: w.client, Direct: w.client, Observer: w, Appliers: w, Clock: w.clock, Events: w.events, Metrics: w.metrics,
		Permits: &permit.Checker{Rules: permit.Rules{Admin: func() v1alpha1.AdminSettings { return w.admin }, DryRun: w.dry}, Cache: w.client, Clock: w.clock},
	})
}

// Observe answers as an observer does.
func (w *world) Observe(_ context.Context, req observe.Request) (observe.Result, error) {
	w.observed++
	if w.observeErr != nil {
		return observe.Result{}, w.observeErr
	}
	app := scale.Container{Name: "app", Requests: scale.Resources{}.With(scale.CPU, 500)}
	return observe.Result{
		Observation: scale.Observation{
			At: req.At, Target: scale.Target{SpecReplicas: w.replicas, StatusReplicas: w.replicas, Containers: []scale.Container{app},
				Refused: w.refused}, Pods: w.pods, Samples: []scale.Sample{w.queue}, Requested: req.Object.Spec.Replicas.Requested,
			Recommended: w.recommended, Unrecommended: w.unrecommended,
		},
		Selector: "app=web", Problems: w.problems,
	}, nil
}

// For and Apply act as an applier does.
func (w *world) For(*v1alpha1.WorkloadAutoscaler) apply.Applier { return w }

func (w *world) Apply(_ context.Context, _ targetref.Target, d scale.Decision) (apply.Outcome, error) {
	if w.onApply != nil {
		w.onApply()
	}
	if w.applyErr != nil {
		return apply.Outcome{}, w.applyErr
	}
	if d.Want.Replicas == w.replicas {
		return apply.Outcome{Waiting: w.waiting}, nil
	}
	change := apply.Change{Path: "spec.replicas", From: fmt.Sprint(w.replicas), To: fmt.Sprint(d.Want.Replicas)}
	w.replicas = d.Want.Replicas
	w.applied = append(w.applied, w.replicas)
	return apply.Outcome{Changes: []apply.Change{change}}, nil
}

// inQueue sets the metric.
func (w *world) inQueue(n int64) {
	w.queue = scale.Sample{Series: []scale.Amount{scale.Amount(n) * scale.Thousand}}
}

// round makes one round of the object web.
func (w *world) round(r *Reconciler) (ctrl.Result, error) {
	return r.Reconcile(context.Background(), ctrl.Request{NamespacedName: client.ObjectKey{Namespace: "shop", Name: "web"}})
}

// mustRound makes one round that must not fail.
func (w *world) mustRound(r *Reconciler) ctrl.Result {
	w.t.Helper()
	result, err := w.round(r)
	if err != nil {
		w.t.Fatalf("at %s: %v", w.clock.Now(), err)
	}
	return result
}

// after lets time go by.
func (w *world) after(d time.Duration) { w.clock.SetTime(w.clock.Now().Add(d)) }

// web returns the object as the cluster has it.
func (w *world) web() *v1alpha1.WorkloadAutoscaler {
	w.t.Helper()
	obj := &v1alpha1.WorkloadAutoscaler{}
	if err := w.client.Get(context.Background(), client.ObjectKey{Namespace: "shop", Name: "web"}, obj); err != nil {
		w.t.Fatal(err)
	}
	return obj
}

// heard returns the events since the last call.
func (w *world) heard() []string {
	var out []string
	for len(w.events.Events) > 0 {
		out = append(out, <-w.events.Events)
	}
	return out
}

// object returns an object that scales the Deployment web.
func object(t *testing.T, name, spec string) *v1alpha1.WorkloadAutoscaler {
	t.Helper()
	obj := &v1alpha1.WorkloadAutoscaler{ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: name, UID: types.UID("uid-of-" + name), Generation: 1}}
	if faults := strict.Unmarshal([]byte(spec), &obj.Spec); len(faults) > 0 {
		t.Fatal(faults)
	}
	obj.Spec.TargetRef = v1alpha1.TargetReference{APIVersion: "apps/v1", Kind: "Deployment", Name: "web"}
	return obj
}

// edit changes the spec as a user would.
func (w *world) edit(change func(*v1alpha1.WorkloadAutoscaler)) {
	w.t.Helper()
	obj := w.web()
	change(obj)
	obj.Generation++
	if err := w.client.Update(context.Background(), obj); err != nil {
		w.t.Fatal(err)
	}
}

// condition returns a condition as "Status Reason: message".
func condition(obj *v1alpha1.WorkloadAutoscaler, kind string) string {
	for _, c := range obj.Status.Conditions {
		if c.Type == kind {
			return fmt.Sprintf("%s %s: %s", c.Status, c.Reason, c.Message)
		}
	}
	return "missing"
}
