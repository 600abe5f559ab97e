package race

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/go-logr/logr"
	autoscalingv1 "k8s.io/api/autoscaling/v1"
	autoscalingv2 "k8s.io/api/autoscaling/v2"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/meta/testrestmapper"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes/fake"
	"k8s.io/client-go/kubernetes/scheme"
	scalefake "k8s.io/client-go/scale/fake"
	core "k8s.io/client-go/testing"
	"k8s.io/client-go/tools/cache"
	"k8s.io/klog/v2"
	"k8s.io/kubernetes/pkg/controller/podautoscaler"
	"k8s.io/kubernetes/pkg/controller/podautoscaler/metrics"

	"github.com/tidemark/tidemark/internal/replay/sim"
	"github.com/tidemark/tidemark/scale"
)

// Upstream's own defaults, as kube-controller-manager passes them.
const (
	syncPeriod             = 15 * time.Second
	downscaleStabilization = 5 * time.Minute
	defaultTolerance       = 0.1
	cpuInitialization      = 5 * time.Minute
	initialReadiness       = 30 * time.Second
)

// mapper knows Deployments. Building it takes longer than a bubble runs.
var mapper = testrestmapper.TestOnlyStaticRESTMapper(scheme.Scheme)

// upstream is the upstream HPA controller, scaling one plant. It lives in a
// synctest bubble: while a decision is waited for, the controller's clock runs
// on to its next sync.
type upstream struct {
	t      *testing.T
	client *fake.Clientset
	pods   cache.Indexer
	// ahead is how far the plant's clock is ahead of the bubble's.
	ahead time.Duration
	// seen is what the plant shows now, shown what the controller knows of it.
	obs   scale.Observation
	shown map[string]*corev1.Pod
	// syncs is how often the controller has looked since it was last asked.
	syncs int
	want  int32
}

var _ sim.Controller = (*upstream)(nil)

// runUpstream runs a plant under the upstream controller, in a bubble.
func runUpstream(t *testing.T, s sim.Settings, percent int32) (score sim.Score) {
	synctest.Test(t, func(t *testing.T) {
		u := &upstream{t: t, shown: map[string]*corev1.Pod{}, ahead: s.Demand.Start().Sub(time.Now().Add(syncPeriod))}
		stop := u.start(hpa(percent))
		score = sim.Run(s, u, nil)
		stop()
	})
	return score
}

// hpa is what `kubectl autoscale --cpu=60%` makes.
func hpa(percent int32) *autoscalingv2.HorizontalPodAutoscaler {
	least := int32(1)
	return &autoscalingv2.HorizontalPodAutoscaler{
		ObjectMeta: metav1.ObjectMeta{Namespace: "race", Name: "hpa"},
		Spec: autoscalingv2.HorizontalPodAutoscalerSpec{
			ScaleTargetRef: autoscalingv2.CrossVersionObjectReference{APIVersion: "apps/v1", Kind: "Deployment", Name: "target"},
			MinReplicas:    &least, MaxReplicas: sim.MaxPods,
			Metrics: []autoscalingv2.MetricSpec{{
				Type: autoscalingv2.ResourceMetricSourceType,
				Resource: &autoscalingv2.ResourceMetricSource{Name: corev1.ResourceCPU, Target: autoscalingv2.MetricTarget{
					Type: autoscalingv2.UtilizationMetricType, AverageUtilization: &percent,
				}},
			}},
		},
	}
}

// start starts the controller and returns how to stop it.
func (u *upstream) start(hpa *autoscalingv2.HorizontalPodAutoscaler) (stop func()) {
	ctx, cancel := context.WithCancel(klog.NewContext(context.Background(), logr.Discard()))
	// NewClientset would keep managed fields too, which nobody looks at here.
	u.client = fake.NewSimpleClientset(hpa)
	u.client.PrependReactor("*", "events", func(core.Action) (bool, runtime.Object, error) { return true, &corev1.Event{}, nil })
	factory := informers.NewSharedInformerFactory(u.client, syncPeriod)
	pods := factory.Core().V1().Pods()
	u.pods = pods.Informer().GetIndexer()
	controller := podautoscaler.NewHorizontalController(ctx,
		u.client.CoreV1(), u.scales(), u.client.AutoscalingV2(), mapper, u,
		factory.Autoscaling().V2().HorizontalPodAutoscalers(), pods,
		syncPeriod, downscaleStabilization, defaultTolerance, cpuInitialization, initialReadiness)
	factory.Start(ctx.Done())
	factory.WaitForCacheSync(ctx.Done())
	done := make(chan struct{})
	go func() {
		defer close(done)
		controller.Run(ctx, 1)
	}()
	return func() {
		cancel()
		<-done
		factory.Shutdown()
	}
}

// scales answers for the target's scale subresource.
func (u *upstream) scales() *scalefake.FakeScaleClient {
	scales := &scalefake.FakeScaleClient{}
	scales.AddReactor("get", "*", func(core.Action) (bool, runtime.Object, error) {
		u.syncs++
		return true, &autoscalingv1.Scale{
			ObjectMeta: metav1.ObjectMeta{Namespace: "race", Name: "target"},
			Spec:       autoscalingv1.ScaleSpec{Replicas: u.obs.Target.SpecReplicas},
			Status:     autoscalingv1.ScaleStatus{Replicas: u.obs.Target.StatusReplicas, Selector: "app=target"},
		}, nil
	})
	scales.AddReactor("update", "*", func(action core.Action) (bool, runtime.Object, error) {
		written := action.(core.UpdateAction).GetObject().(*autoscalingv1.Scale)
		u.want = written.Spec.Replicas
		return true, written, nil
	})
	return scales
}

// Decide shows the plant to the controller, lets its clock run to the plant's
// moment, and returns what it has written.
func (u *upstream) Decide(p *sim.Plant) scale.Decision {
	u.obs = p.Observe(nil)
	u.show()
	u.syncs, u.want = 0, u.obs.Target.SpecReplicas
	u.client.ClearActions()
	time.Sleep(time.Until(u.obs.At.Add(-u.ahead)))
	synctest.Wait()
	if u.syncs != 1 {
		u.t.Fatalf("at %s the controller looked %d times in one period", u.obs.At, u.syncs)
	}
	from := p.Size()
	return scale.Decision{From: from, Want: from.WithReplicas(u.want)}
}

// show tells the controller of every pod that has come, changed or gone. The
// pods go into the cache of its informer: a watch would only take time.
func (u *upstream) show() {
	there := make(map[string]bool, len(u.obs.Pods))
	for i := range u.obs.Pods {
		pod := &u.obs.Pods[i]
		there[pod.Name] = true
		if shown := u.shown[pod.Name]; shown == nil || ready(shown) != (pod.Ready == scale.Ready) {
			u.shown[pod.Name] = u.theirPod(pod)
			u.must(u.pods.Update(u.shown[pod.Name]))
		}
	}
	for name, pod := range u.shown {
		if !there[name] {
			delete(u.shown, name)
			u.must(u.pods.Delete(pod))
		}
	}
}

func (u *upstream) must(err error) {
	if err != nil {
		u.t.Fatalf("telling the controller of pods: %v", err)
	}
}

func ready(pod *corev1.Pod) bool { return pod.Status.Conditions[0].Status == corev1.ConditionTrue }

// theirPod is a pod as the API server shows it.
func (u *upstream) theirPod(pod *scale.Pod) *corev1.Pod {
	status, started := corev1.ConditionFalse, metav1.NewTime(pod.StartedAt.Add(-u.ahead))
	if pod.Ready == scale.Ready {
		status = corev1.ConditionTrue
	}
	request, _ := pod.Containers[0].Requests.Get(scale.CPU)
	return &corev1.Pod{
		ObjectMeta: metav1.ObjectMeta{Namespace: "race", Name: pod.Name, Labels: map[string]string{"app": "target"}},
		Spec: corev1.PodSpec{Containers: []corev1.Container{{
			Name:      pod.Containers[0].Name,
			Resources: corev1.ResourceRequirements{Requests: corev1.ResourceList{corev1.ResourceCPU: *resource.NewMilliQuantity(int64(request), resource.DecimalSI)}},
		}}},
		Status: corev1.PodStatus{
			Phase: corev1.PodRunning, StartTime: &started,
			Conditions: []corev1.PodCondition{{
				Type: corev1.PodReady, Status: status, LastTransitionTime: metav1.NewTime(pod.ReadyChangedAt.Add(-u.ahead)),
			}},
		},
	}
}

var _ metrics.MetricsClient = (*upstream)(nil)

// GetResourceMetric answers as upstream's own client does: pods without usage
// are not listed, and an empty list is an error.
func (u *upstream) GetResourceMetric(context.Context, corev1.ResourceName, string, labels.Selector, string) (metrics.PodMetricsInfo, time.Time, error) {
	info, at := make(metrics.PodMetricsInfo, len(u.obs.Pods)), time.Time{}
	for i := range u.obs.Pods {
		pod := &u.obs.Pods[i]
		if used, known := pod.Containers[0].Usage.Get(scale.CPU); known {
			at = pod.UsageAt.Add(-u.ahead)
			info[pod.Name] = metrics.PodMetric{Timestamp: at, Window: pod.UsageWindow, Value: int64(used)}
		}
	}
	if len(info) == 0 {
		return nil, at, errNothing
	}
	return info, at, nil
}

func (u *upstream) GetRawMetric(string, string, labels.Selector, labels.Selector) (metrics.PodMetricsInfo, time.Time, error) {
	return nil, time.Time{}, errNothing
}

func (u *upstream) GetObjectMetric(string, string, *autoscalingv2.CrossVersionObjectReference, labels.Selector) (int64, time.Time, error) {
	return 0, time.Time{}, errNothing
}

func (u *upstream) GetExternalMetric(string, string, labels.Selector) ([]int64, time.Time, error) {
	return nil, time.Time{}, errNothing
}
