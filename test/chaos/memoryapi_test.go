package chaos

import (
	"context"
	"encoding/json"
	"errors"
	"strconv"

	appsv1 "k8s.io/api/apps/v1"
	autoscalingv1 "k8s.io/api/autoscaling/v1"
	autoscalingv2 "k8s.io/api/autoscaling/v2"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	utilruntime "k8s.io/apimachinery/pkg/util/runtime"
	vpav1 "k8s.io/autoscaler/vertical-pod-autoscaler/pkg/apis/autoscaling.k8s.io/v1"
	scalefake "k8s.io/client-go/scale/fake"
	clienttesting "k8s.io/client-go/testing"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/fake"
	"sigs.k8s.io/controller-runtime/pkg/client/interceptor"

	"github.com/tidemark/tidemark/api/v1alpha1"
	"github.com/tidemark/tidemark/internal/apply"
	"github.com/tidemark/tidemark/internal/apply/scalesub"
	"github.com/tidemark/tidemark/internal/observe"
	"github.com/tidemark/tidemark/internal/targetref"
	"github.com/tidemark/tidemark/scale"
	"github.com/tidemark/tidemark/test/chaos/trail"
)

// memoryAPI is an API server, its workloads and their metrics, made small. It notes
// what is written, as etcd would have it.
type memoryAPI struct {
	*virtual
	client client.Client
	// who sends the requests.
	who      string
	revision int64
	epoch    int
	counts   map[string]*workloadCount
	spoiled  spoiled
	turn     int
	saved    func()
}

// workloadCount is a Deployment as far as it is scaled.
type workloadCount struct {
	replicas, version int32
	uid               string
}

// spoiled is what becomes of two of three writes: a conflict, a failure, or a success
// that nobody hears of.
type spoiled struct{ conflicts, fails, lost bool }

var deployments = schema.GroupResource{Group: "apps", Resource: "deployments"}

func newMemoryAPI(v *virtual) *memoryAPI {
	m := &memoryAPI{virtual: v, revision: 100, counts: map[string]*workloadCount{}}
	m.client = m.empty().Build()
	return m
}

func (m *memoryAPI) empty() *fake.ClientBuilder {
	scheme := runtime.NewScheme()
	for _, add := range []func(*runtime.Scheme) error{autoscalingv2.AddToScheme, vpav1.AddToScheme, v1alpha1.AddToScheme} {
		utilruntime.Must(add(scheme))
	}
	return fake.NewClientBuilder().WithScheme(scheme).WithStatusSubresource(&v1alpha1.WorkloadAutoscaler{}).
		WithIndex(&v1alpha1.WorkloadAutoscaler{}, targetref.Field, targetref.IndexedBy).
		WithIndex(&autoscalingv2.HorizontalPodAutoscaler{}, targetref.Field, targetref.IndexedBy).
		WithInterceptorFuncs(interceptor.Funcs{
			SubResourceUpdate: func(ctx context.Context, c client.Client, sub string, obj client.Object, opts ...client.SubResourceUpdateOption) error {
				return m.write("workloadautoscalers/status", obj, func() error { return c.SubResource(sub).Update(ctx, obj, opts...) })
			},
			Create: func(ctx context.Context, c client.WithWatch, obj client.Object, opts ...client.CreateOption) error {
				return m.write("workloadhistories", obj, func() error { return c.Create(ctx, obj, opts...) })
			},
			Patch: func(ctx context.Context, c client.WithWatch, obj client.Object, patch client.Patch, opts ...client.PatchOption) error {
				return m.write("workloadhistories", obj, func() error { return c.Patch(ctx, obj, patch, opts...) })
			},
		})
}

// write carries a write of a controller out, or not, and notes it.
func (m *memoryAPI) write(resource string, obj client.Object, do func() error) error {
	name := obj.GetNamespace() + "/" + obj.GetName()
	m.turn++
	spoil := m.turn%3 != 0
	request := &trail.Request{Who: m.who, Began: m.now, Method: "PUT", Resource: resource, Object: name}
	var err error
	switch {
	case spoil && m.spoiled.conflicts:
		request.Injected, err = true, apierrors.NewConflict(deployments, name, errors.New("injected"))
	case spoil && m.spoiled.fails:
		request.Injected, err = true, apierrors.NewInternalError(errors.New("injected"))
	default:
		err = do()
	}
	if err == nil {
		m.revision++
		request.Code, request.Version = 200, strconv.FormatInt(m.revision, 10)
	}
	if replicas, is := obj.(*autoscalingv1.Scale); is {
		request.Replicas = &replicas.Spec.Replicas
	}
	m.note(trail.Event{Request: request})
	if err == nil {
		m.stored(name, obj)
	}
	if err == nil && spoil && m.spoiled.lost {
		return errors.New("the connection is lost")
	}
	return err
}

// stored notes a version of an object.
func (m *memoryAPI) stored(name string, obj client.Object) {
	one := &trail.Stored{Epoch: m.epoch, Revision: m.revision, Object: name, UID: string(obj.GetUID())}
	switch obj := obj.(type) {
	case *v1alpha1.WorkloadAutoscaler:
		one.Kind = trail.WorkloadAutoscaler
	case *v1alpha1.WorkloadHistory:
		one.Kind = trail.WorkloadHistory
	case *autoscalingv1.Scale:
		one.Kind, one.Replicas, one.UID = trail.Deployment, new(obj.Spec.Replicas), m.counts[name].uid
	}
	one.Value, _ = json.Marshal(obj) // it can be written
	m.note(trail.Event{Stored: one})
}

// create makes an object and its workload.
func (m *memoryAPI) create(obj *v1alpha1.WorkloadAutoscaler) {
	name := obj.Namespace + "/" + obj.Name
	m.counts[name] = &workloadCount{replicas: settled, uid: string(obj.UID)}
	quiet := m.spoiled
	m.spoiled = spoiled{}
	defer func() { m.spoiled = quiet }()
	if err := m.client.Create(context.Background(), obj); err != nil {
		m.t.Fatal(err)
	}
	m.revision++
	m.stored(name, m.scaleOf(name))
}

func (m *memoryAPI) scaleOf(name string) *autoscalingv1.Scale {
	c := m.counts[name]
	return &autoscalingv1.Scale{ObjectMeta: metav1.ObjectMeta{Namespace: "chaos-0", Name: name[len("chaos-0/"):], ResourceVersion: strconv.Itoa(int(c.version))},
		Spec: autoscalingv1.ScaleSpec{Replicas: c.replicas}}
}

// byHand scales a workload as a user does.
func (m *memoryAPI) byHand(w *workload, to int32) {
	c := m.counts[w.String()]
	c.replicas, c.version = to, c.version+1
	m.note(trail.Event{Traffic: &trail.Traffic{What: "scaling by hand", Object: w.String(), Replicas: &to}})
	m.revision++
	m.stored(w.String(), m.scaleOf(w.String()))
}

// remove deletes an object with everything that belongs to it.
func (m *memoryAPI) remove(w *workload) {
	m.deleteHistory(w)
	meta := metav1.ObjectMeta{Namespace: w.namespace, Name: w.name}
	if err := m.client.Delete(context.Background(), &v1alpha1.WorkloadAutoscaler{ObjectMeta: meta}); err != nil {
		m.t.Fatal(err)
	}
	m.deleted(trail.WorkloadAutoscaler, w)
	m.deleted(trail.Deployment, w)
}

func (m *memoryAPI) deleteHistory(w *workload) {
	meta := metav1.ObjectMeta{Namespace: w.namespace, Name: w.name}
	if m.client.Delete(context.Background(), &v1alpha1.WorkloadHistory{ObjectMeta: meta}) == nil {
		m.deleted(trail.WorkloadHistory, w)
	}
}

func (m *memoryAPI) deleted(kind string, w *workload) {
	m.revision++
	m.note(trail.Event{Stored: &trail.Stored{Epoch: m.epoch, Revision: m.revision, Kind: kind, Object: w.String(), Deleted: true}})
}

// save keeps the present state, for restore.
func (m *memoryAPI) save() {
	var objects []client.Object
	var autoscalers v1alpha1.WorkloadAutoscalerList
	var histories v1alpha1.WorkloadHistoryList
	for _, list := range []client.ObjectList{&autoscalers, &histories} {
		if err := m.client.List(context.Background(), list); err != nil {
			m.t.Fatal(err)
		}
	}
	for i := range autoscalers.Items {
		objects = append(objects, &autoscalers.Items[i])
	}
	for i := range histories.Items {
		objects = append(objects, &histories.Items[i])
	}
	counts := map[string]workloadCount{}
	for name, c := range m.counts {
		counts[name] = *c
	}
	m.saved = func() {
		for name, c := range counts {
			*m.counts[name] = c
			m.stored(name, m.scaleOf(name))
		}
		for _, obj := range objects {
			m.stored(obj.GetNamespace()+"/"+obj.GetName(), obj)
		}
		m.client = m.empty().WithObjects(objects...).WithStatusSubresource(&v1alpha1.WorkloadAutoscaler{}).Build()
	}
}

// restore brings back what was saved.
func (m *memoryAPI) restore() {
	m.epoch++
	m.saved()
}

// Observe answers as an observer does.
func (m *memoryAPI) Observe(_ context.Context, req observe.Request) (observe.Result, error) {
	name := req.Object.Namespace + "/" + req.Object.Name
	sample := scale.Sample{At: req.At, Series: []scale.Amount{scale.Amount(m.loads[name]) * scale.Thousand}}
	if m.loads[name] < 0 {
		sample = scale.Sample{Problem: "no data"}
	}
	count := m.counts[name].replicas
	return observe.Result{Selector: "app=" + req.Object.Name, Observation: scale.Observation{
		At: req.At, Target: scale.Target{SpecReplicas: count, StatusReplicas: count}, Samples: []scale.Sample{sample},
	}}, nil
}

// For is the applier of counts that the controller has.
func (m *memoryAPI) For(*v1alpha1.WorkloadAutoscaler) apply.Applier {
	scales := &scalefake.FakeScaleClient{}
	scales.AddReactor("get", "deployments", func(action clienttesting.Action) (bool, runtime.Object, error) {
		return true, m.scaleOf(action.GetNamespace() + "/" + action.(clienttesting.GetAction).GetName()), nil
	})
	scales.AddReactor("update", "deployments", func(action clienttesting.Action) (bool, runtime.Object, error) {
		to := action.(clienttesting.UpdateAction).GetObject().(*autoscalingv1.Scale)
		return true, to, m.write("deployments/scale", to, func() error {
			c := m.counts[to.Namespace+"/"+to.Name]
			if to.ResourceVersion != strconv.Itoa(int(c.version)) {
				return apierrors.NewConflict(deployments, to.Name, errors.New("the object has been modified"))
			}
			c.replicas, c.version = to.Spec.Replicas, c.version+1
			return nil
		})
	})
	mapper := meta.NewDefaultRESTMapper([]schema.GroupVersion{appsv1.SchemeGroupVersion})
	mapper.Add(appsv1.SchemeGroupVersion.WithKind("Deployment"), meta.RESTScopeNamespace)
	return &scalesub.Applier{Scales: scales, Mapper: mapper}
}

// silentEvents drops events.
type silentEvents struct{}

// Eventf drops an event.
func (silentEvents) Eventf(runtime.Object, runtime.Object, string, string, string, string, ...any) {}
