package upstream

import (
	"context"
	"errors"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/go-logr/logr"
	autoscalingv1 "k8s.io/api/autoscaling/v1"
	autoscalingv2 "k8s.io/api/autoscaling/v2"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/meta/testrestmapper"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes/fake"
	"k8s.io/client-go/kubernetes/scheme"
	scalefake "k8s.io/client-go/scale/fake"
	core "k8s.io/client-go/testing"
	"k8s.io/klog/v2"
	"k8s.io/kubernetes/pkg/controller/podautoscaler"
	"k8s.io/kubernetes/pkg/controller/podautoscaler/metrics"
)

// mapper knows Deployments. Building it takes longer than a bubble runs.
var mapper = testrestmapper.TestOnlyStaticRESTMapper(scheme.Scheme)

// theirController is upstream's controller with the workloads it scales, each
// in a namespace of its own. It lives in a synctest bubble: while the test
// sleeps, the controller's clock runs on to its next sync.
type theirController struct {
	client    *fake.Clientset
	workloads map[string]*scaledWorkload
	// handover orders what the test writes before what the controller reads:
	// the clock that wakes the controller does not.
	handover sync.Mutex
}

// scaledWorkload is a workload and what the controller did to it last.
type scaledWorkload struct {
	*Workload
	// syncs is how often the controller has looked since it was last asked.
	syncs   int
	written *int32
	// shown are the pods as the controller has been told of them.
	shown map[string]*corev1.Pod
}

// startController starts a controller that ends with the test.
func startController(t *testing.T, workloads []*Workload) *theirController {
	ctx, cancel := context.WithCancel(klog.NewContext(context.Background(), logr.Discard()))
	c := &theirController{workloads: map[string]*scaledWorkload{}}
	var objects []runtime.Object
	for _, w := range workloads {
		c.workloads[w.HPA.Namespace] = &scaledWorkload{Workload: w, shown: map[string]*corev1.Pod{}}
		objects = append(objects, w.HPA)
	}
	// NewClientset would keep managed fields too: nobody here looks at them, and
	// the test would take fifty times as long.
	c.client = fake.NewSimpleClientset(objects...)
	c.client.PrependReactor("*", "events", func(core.Action) (bool, runtime.Object, error) { return true, &corev1.Event{}, nil })
	factory := informers.NewSharedInformerFactory(c.client, syncPeriod)
	controller := podautoscaler.NewHorizontalController(ctx,
		c.client.CoreV1(), c.scales(), c.client.AutoscalingV2(), mapper, fleetClient{c},
		factory.Autoscaling().V2().HorizontalPodAutoscalers(), factory.Core().V1().Pods(),
		syncPeriod, downscaleStabilization, defaultTolerance, cpuInitialization, initialReadiness)
	factory.Start(ctx.Done())
	factory.WaitForCacheSync(ctx.Done())
	done := make(chan struct{})
	go func() {
		defer close(done)
		controller.Run(ctx, 1)
	}()
	t.Cleanup(func() {
		cancel()
		<-done
		factory.Shutdown()
	})
	return c
}

// scales answers for the scale subresource of every target.
func (c *theirController) scales() *scalefake.FakeScaleClient {
	scales := &scalefake.FakeScaleClient{}
	scales.AddReactor("get", "*", func(action core.Action) (bool, runtime.Object, error) {
		c.handover.Lock()
		defer c.handover.Unlock()
		w := c.workloads[action.GetNamespace()]
		w.syncs++
		if !w.At.Equal(time.Now()) {
			return true, nil, errors.New("the controller looks at another moment than the one prepared")
		}
		return true, &autoscalingv1.Scale{
			ObjectMeta: metav1.ObjectMeta{Namespace: action.GetNamespace(), Name: w.HPA.Spec.ScaleTargetRef.Name},
			Spec:       autoscalingv1.ScaleSpec{Replicas: w.SpecReplicas},
			Status:     autoscalingv1.ScaleStatus{Replicas: w.StatusReplicas, Selector: "app=target"},
		}, nil
	})
	scales.AddReactor("update", "*", func(action core.Action) (bool, runtime.Object, error) {
		scale := action.(core.UpdateAction).GetObject().(*autoscalingv1.Scale)
		c.workloads[action.GetNamespace()].written = &scale.Spec.Replicas
		return true, scale, nil
	})
	return scales
}

// edit tells the controller of an HPA whose spec has changed.
func (c *theirController) edit(t *testing.T, w *scaledWorkload) {
	hpas := autoscalingv2.SchemeGroupVersion.WithResource("horizontalpodautoscalers")
	stored, err := c.client.Tracker().Get(hpas, w.HPA.Namespace, w.HPA.Name)
	if err != nil {
		t.Fatalf("reading the HPA: %v", err)
	}
	hpa := stored.(*autoscalingv2.HorizontalPodAutoscaler).DeepCopy()
	hpa.Spec = *w.HPA.Spec.DeepCopy()
	if err := c.client.Tracker().Update(hpas, hpa, hpa.Namespace); err != nil {
		t.Fatalf("changing the HPA: %v", err)
	}
}

// show tells the controller of every pod that has changed.
func (c *theirController) show(t *testing.T, w *scaledWorkload) {
	pods, tracker := corev1.SchemeGroupVersion.WithResource("pods"), c.client.Tracker()
	var err error
	for _, pod := range w.Pods {
		switch shown := w.shown[pod.Name]; shown {
		case pod:
			continue
		case nil:
			err = errors.Join(err, tracker.Create(pods, pod, pod.Namespace))
		default:
			err = errors.Join(err, tracker.Update(pods, pod, pod.Namespace))
		}
		w.shown[pod.Name] = pod
	}
	for name, pod := range w.shown {
		if !slices.Contains(w.Pods, pod) {
			delete(w.shown, name)
			err = errors.Join(err, tracker.Delete(pods, pod.Namespace, name))
		}
	}
	if err != nil {
		t.Fatalf("telling the controller of pods: %v", err)
	}
}

// sync lets the controller look once at every workload, at the given moment,
// and notes what it has written.
func (c *theirController) sync(t *testing.T, at time.Time) {
	c.handover.Lock()
	for _, w := range c.workloads {
		if w.Edited {
			c.edit(t, w)
		}
		c.show(t, w)
		w.syncs, w.written = 0, nil
		synctest.Wait() // A watch of the fake client holds a hundred events.
	}
	c.client.ClearActions()
	c.handover.Unlock()
	time.Sleep(time.Until(at))
	synctest.Wait()
	for namespace, w := range c.workloads {
		if w.syncs != 1 {
			t.Fatalf("%s was looked at %d times in one period", namespace, w.syncs)
		}
	}
}

// fleetClient hands each question to the workload it is about.
type fleetClient struct{ *theirController }

var _ metrics.MetricsClient = fleetClient{}

func (c fleetClient) of(namespace string) metricsClient {
	w := c.workloads[namespace]
	return metricsClient{&w.World, w.HPA.Spec.Metrics}
}

func (c fleetClient) GetResourceMetric(ctx context.Context, resource corev1.ResourceName, namespace string, pods labels.Selector,
	container string) (metrics.PodMetricsInfo, time.Time, error) {
	return c.of(namespace).GetResourceMetric(ctx, resource, namespace, pods, container)
}

func (c fleetClient) GetRawMetric(name, namespace string, pods, metric labels.Selector) (metrics.PodMetricsInfo, time.Time, error) {
	return c.of(namespace).GetRawMetric(name, namespace, pods, metric)
}

func (c fleetClient) GetObjectMetric(name, namespace string, object *autoscalingv2.CrossVersionObjectReference, metric labels.Selector) (int64,
	time.Time, error) {
	return c.of(namespace).GetObjectMetric(name, namespace, object, metric)
}

func (c fleetClient) GetExternalMetric(name, namespace string, metric labels.Selector) ([]int64, time.Time, error) {
	return c.of(namespace).GetExternalMetric(name, namespace, metric)
}
