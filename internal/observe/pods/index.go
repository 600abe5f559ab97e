package pods

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/tidemark/tidemark/internal/observe/target"
	"github.com/tidemark/tidemark/internal/targetref"
)

// ownerField is the name of the index by controller.
const ownerField = "tidemark.controllerUID"

// daemonField is the name of the index of pods that a DaemonSet runs.
const daemonField = "tidemark.daemon"

// Targets reads a workload's identity and selector.
type Targets interface {
	Read(ctx context.Context, t targetref.Target) (target.Scale, error)
}

// Config is what an Index works with.
type Config struct {
	// Cache is backed by watches and has the indexes that Setup adds.
	Cache client.Reader
	// Indexer adds the index of labels, once it is needed.
	Indexer client.FieldIndexer
	Targets Targets
	// Live, when set, reads an owner that the cache does not know yet: its first
	// pods may be created before the watch tells of it.
	Live client.Reader
}

// Index finds pods by their owners. It may be used from many goroutines.
type Index struct {
	Config
	labels labelIndex
}

// NewIndex returns an index over a cache that Setup has prepared.
func NewIndex(c Config) *Index { return &Index{Config: c} }

// Setup adds the indexes by owner to a cache. It must be called before the
// cache starts.
func Setup(ctx context.Context, indexer client.FieldIndexer) error {
	for _, kind := range []client.Object{&corev1.Pod{}, replicaSet()} {
		if err := indexer.IndexField(ctx, kind, ownerField, ControllerUID); err != nil {
			return fmt.Errorf("indexing %T by owner: %w", kind, err)
		}
	}
	if err := indexer.IndexField(ctx, &corev1.Pod{}, daemonField, Daemon); err != nil {
		return fmt.Errorf("indexing pods that are daemons: %w", err)
	}
	return nil
}

// Daemon is the function behind the index of daemons: it knows those that have a node.
func Daemon(o client.Object) []string {
	pod, isPod := o.(*corev1.Pod)
	owner := metav1.GetControllerOfNoCopy(o)
	if !isPod || owner == nil || owner.Kind != "DaemonSet" || pod.Spec.NodeName == "" {
		return nil
	}
	return []string{"yes"}
}

// Daemons returns the pods of all DaemonSets that take room of a node. They are shared
// with the cache and must not be changed.
func (x *Index) Daemons(ctx context.Context) ([]*corev1.Pod, error) {
	var pods corev1.PodList
	if err := x.Cache.List(ctx, &pods, client.MatchingFields{daemonField: "yes"}, client.UnsafeDisableDeepCopy); err != nil {
		return nil, fmt.Errorf("finding the pods of DaemonSets: %w", err)
	}
	var out []*corev1.Pod
	for i := range pods.Items {
		if phase := pods.Items[i].Status.Phase; phase != corev1.PodSucceeded && phase != corev1.PodFailed {
			out = append(out, &pods.Items[i])
		}
	}
	return out, nil
}

// ControllerUID is the function behind the index by owner.
func ControllerUID(o client.Object) []string {
	if owner := metav1.GetControllerOfNoCopy(o); owner != nil {
		return []string{string(owner.UID)}
	}
	return nil
}

// replicaSet stands for the metadata of one.
func replicaSet() *metav1.PartialObjectMetadata {
	out := &metav1.PartialObjectMetadata{}
	out.SetGroupVersionKind(replicaSetKind)
	return out
}

// Of returns a workload's pods in the order of their names. They are shared
// with the cache and must not be changed.
func (x *Index) Of(ctx context.Context, t targetref.Target) ([]*corev1.Pod, error) {
	workload, err := x.Targets.Read(ctx, t)
	if err != nil {
		return nil, err
	}
	return x.OfScale(ctx, t, workload)
}

// OfScale is Of for a workload that has been read already.
func (x *Index) OfScale(ctx context.Context, t targetref.Target, workload target.Scale) ([]*corev1.Pod, error) {
	owners := []types.UID{workload.UID}
	var sets metav1.PartialObjectMetadataList
	sets.SetGroupVersionKind(replicaSetKind.GroupVersion().WithKind(replicaSetKind.Kind + "List"))
	if err := x.owned(ctx, t.Namespace, workload.UID, &sets); err != nil {
		return nil, fmt.Errorf("finding the ReplicaSets of %s %s/%s: %w", t.Kind, t.Namespace, t.Name, err)
	}
	for i := range sets.Items {
		owners = append(owners, sets.Items[i].UID)
	}
	var out []*corev1.Pod
	for _, owner := range owners {
		var pods corev1.PodList
		if err := x.owned(ctx, t.Namespace, owner, &pods); err != nil {
			return nil, fmt.Errorf("finding the pods of %s %s/%s: %w", t.Kind, t.Namespace, t.Name, err)
		}
		out = appendPointers(out, pods.Items)
	}
	if len(out) == 0 && !ownsItsPods(t) {
		found, err := x.selected(ctx, t.Namespace, workload.Selector)
		if err != nil {
			return nil, fmt.Errorf("finding the pods of %s %s/%s by its selector: %w", t.Kind, t.Namespace, t.Name, err)
		}
		out = found
	}
	slices.SortFunc(out, func(a, b *corev1.Pod) int { return cmp.Compare(a.Name, b.Name) })
	return out, nil
}

func (x *Index) owned(ctx context.Context, namespace string, owner types.UID, into client.ObjectList) error {
	return x.Cache.List(ctx, into, client.InNamespace(namespace), client.MatchingFields{ownerField: string(owner)}, client.UnsafeDisableDeepCopy)
}

func appendPointers(to []*corev1.Pod, pods []corev1.Pod) []*corev1.Pod {
	for i := range pods {
		to = append(to, &pods[i])
	}
	return to
}
