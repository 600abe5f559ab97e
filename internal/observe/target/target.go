package target

import (
	"cmp"
	"context"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/dynamic"
	scaleclient "k8s.io/client-go/scale"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/tidemark/tidemark/api/v1alpha1"
	"github.com/tidemark/tidemark/internal/apply"
	"github.com/tidemark/tidemark/internal/observe/podview"
	"github.com/tidemark/tidemark/internal/observe/snapshot"
	"github.com/tidemark/tidemark/internal/targetref"
	"github.com/tidemark/tidemark/scale"
)

// Source is the name under which requests of this package are counted.
const Source = "scale"

// Scale is what a workload says about its size.
type Scale struct {
	UID            types.UID
	SpecReplicas   int32
	StatusReplicas int32
	// Selector selects the workload's pods, in the form of a query. It is empty
	// when the workload does not say.
	Selector string
	// Containers are the template's; nil when they could not be read.
	Containers []scale.Container
	// Refused is why the workload cannot create its pods, where it says so.
	Refused *scale.Refusal
}

// Config is what a Reader reads with.
type Config struct {
	// Cache is backed by watches.
	Cache client.Reader
	// Mapper finds the resource of a kind.
	Mapper meta.RESTMapper
	// Scales and Objects read the kinds that are not watched.
	Scales  scaleclient.ScalesGetter
	Objects dynamic.Interface
	Answers *snapshot.Store
}

// How long answers of kinds that are not watched are shared. A scale is needed
// several times within one look at a workload and must be fresh at the next,
// which may be a second later. Templates are only looked at without pods.
const (
	scaleAge    = time.Second
	templateAge = 5 * time.Minute
	// cacheWait is how long a watch may take to begin before it is taken for
	// one that never will.
	cacheWait = 5 * time.Second
)

// Reader reads targets. It may be used for different targets at once.
type Reader struct{ Config }

// New returns a reader.
func New(c Config) *Reader { return &Reader{c} }

// Read returns a target's own view of its size.
func (r *Reader) Read(ctx context.Context, t targetref.Target) (Scale, error) {
	gv, err := schema.ParseGroupVersion(t.APIVersion)
	if err != nil {
		return Scale{}, failed(t, ErrNoKind, err)
	}
	kind := gv.WithKind(t.Kind)
	read, watched := watchedKinds[kind]
	if !watched {
		return r.readScale(ctx, t, kind)
	}
	ctx, cancel := context.WithTimeout(ctx, cacheWait)
	defer cancel()
	out, err := read(ctx, r.Cache, client.ObjectKey{Namespace: t.Namespace, Name: t.Name})
	switch {
	case err == nil:
		return out, nil
	case unsynced(err):
		return Scale{}, failed(t, ErrNotSynced, err)
	}
	return Scale{}, classify(t, err)
}

type readFunc func(context.Context, client.Reader, client.ObjectKey) (Scale, error)

var watchedKinds = map[schema.GroupVersionKind]readFunc{
	appsv1.SchemeGroupVersion.WithKind("Deployment"):  readDeployment,
	appsv1.SchemeGroupVersion.WithKind("StatefulSet"): readStatefulSet,
	appsv1.SchemeGroupVersion.WithKind("ReplicaSet"):  readReplicaSet,
	v1alpha1.GroupVersion.WithKind(v1alpha1.Kind):     readAutoscaler,
}

// readOnly spares a copy of what is only read.
func readOnly() *client.GetOptions {
	return &client.GetOptions{UnsafeDisableDeepCopy: new(true)}
}

func readDeployment(ctx context.Context, c client.Reader, key client.ObjectKey) (Scale, error) {
	var d appsv1.Deployment
	if err := c.Get(ctx, key, &d, readOnly()); err != nil {
		return Scale{}, err
	}
	out, err := scaleOf(d.UID, d.Spec.Replicas, d.Status.Replicas, d.Spec.Selector, &d.Spec.Template)
	for _, c := range d.Status.Conditions {
		if c.Type == appsv1.DeploymentReplicaFailure && c.Status == corev1.ConditionTrue {
			out.noteRefused(c.Message, c.LastTransitionTime.Time)
		}
	}
	return out, err
}

func readStatefulSet(ctx context.Context, c client.Reader, key client.ObjectKey) (Scale, error) {
	var s appsv1.StatefulSet
	if err := c.Get(ctx, key, &s, readOnly()); err != nil {
		return Scale{}, err
	}
	return scaleOf(s.UID, s.Spec.Replicas, s.Status.Replicas, s.Spec.Selector, &s.Spec.Template)
}

func readReplicaSet(ctx context.Context, c client.Reader, key client.ObjectKey) (Scale, error) {
	var s appsv1.ReplicaSet
	if err := c.Get(ctx, key, &s, readOnly()); err != nil {
		return Scale{}, err
	}
	out, err := scaleOf(s.UID, s.Spec.Replicas, s.Status.Replicas, s.Spec.Selector, &s.Spec.Template)
	for _, c := range s.Status.Conditions {
		if c.Type == appsv1.ReplicaSetReplicaFailure && c.Status == corev1.ConditionTrue {
			out.noteRefused(c.Message, c.LastTransitionTime.Time)
		}
	}
	return out, err
}

// scaleOf is what a workload of apps/v1 says. The API server's own default of
// replicas is one.
func scaleOf(uid types.UID, want *int32, has int32, selector *metav1.LabelSelector, template *corev1.PodTemplateSpec) (Scale, error) {
	out := Scale{UID: uid, SpecReplicas: *cmp.Or(want, new(int32(1))), StatusReplicas: has, Containers: podview.Containers(&template.Spec)}
	query, err := metav1.LabelSelectorAsSelector(selector)
	if err != nil {
		return out, err
	}
	out.Selector = query.String()
	return out, nil
}

// noteRefused notes what the API server said of pods that it did not take.
func (s *Scale) noteRefused(words string, since time.Time) {
	reason, said := apply.NamespaceRefusal(words)
	s.Refused = &scale.Refusal{Reason: reason, Words: said, Since: since}
}

// readAutoscaler reads one of our own objects through which another one
// scales. Its count is what it was asked for.
func readAutoscaler(ctx context.Context, c client.Reader, key client.ObjectKey) (Scale, error) {
	var a v1alpha1.WorkloadAutoscaler
	if err := c.Get(ctx, key, &a, readOnly()); err != nil {
		return Scale{}, err
	}
	wanted := *cmp.Or(a.Spec.Replicas.Requested, &a.Status.Replicas)
	return Scale{UID: a.UID, SpecReplicas: wanted, StatusReplicas: a.Status.Replicas, Selector: a.Status.Selector}, nil
}
