package pods

import (
	"context"
	"errors"
	"fmt"
	"sync"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// Direct reads for an Index that has no watches: it asks the API server for the
// pods of one workload at a time, by their labels, and compares the owners itself.
// Who looks at thousands of workloads, and seldom at each, keeps no pod of them.
// Each look begins with Looking.
type Direct struct{ client.Reader }

// errNoLook is for what cannot be asked of the API server without its index.
var errNoLook = errors.New("without watches only the pods of one workload are listed")

// pageOfPods is how many pods are listed at once.
const pageOfPods = 500

// lookKey is where a context has its look.
type lookKey struct{}

// lists are what one look has listed.
type lists struct {
	mu       sync.Mutex
	selector labels.Selector
	pods     *corev1.PodList
	sets     *metav1.PartialObjectMetadataList
}

// Looking begins a look at a workload whose pods a selector chooses, in the form of
// a query; what the workload itself says counts more.
func Looking(ctx context.Context, selector string) context.Context {
	look := &lists{}
	if parsed, err := labels.Parse(selector); err == nil && !parsed.Empty() {
		look.selector = parsed
	}
	return context.WithValue(ctx, lookKey{}, look)
}

// Get reads an object, and notes how a workload finds its pods.
func (d Direct) Get(ctx context.Context, key client.ObjectKey, obj client.Object, _ ...client.GetOption) error {
	if err := d.Reader.Get(ctx, key, obj); err != nil {
		return err
	}
	look, _ := ctx.Value(lookKey{}).(*lists)
	if look == nil {
		return nil
	}
	var chosen *metav1.LabelSelector
	switch o := obj.(type) {
	case *appsv1.Deployment:
		chosen = o.Spec.Selector
	case *appsv1.StatefulSet:
		chosen = o.Spec.Selector
	case *appsv1.ReplicaSet:
		chosen = o.Spec.Selector
	}
	if parsed, err := metav1.LabelSelectorAsSelector(chosen); chosen != nil && err == nil {
		look.mu.Lock()
		defer look.mu.Unlock()
		look.selector = parsed
	}
	return nil
}

// List lists what an index would.
func (d Direct) List(ctx context.Context, list client.ObjectList, opts ...client.ListOption) error {
	var asked client.ListOptions
	asked.ApplyOptions(opts)
	if asked.FieldSelector == nil || asked.FieldSelector.Empty() {
		return d.Reader.List(ctx, list, opts...)
	}
	if _, byLabel := asked.FieldSelector.RequiresExactMatch(labelField); byLabel {
		return d.Reader.List(ctx, list, client.InNamespace(asked.Namespace), client.MatchingLabelsSelector{Selector: asked.LabelSelector})
	}
	owner, byOwner := asked.FieldSelector.RequiresExactMatch(ownerField)
	look, _ := ctx.Value(lookKey{}).(*lists)
	if !byOwner || look == nil {
		return errNoLook
	}
	look.mu.Lock()
	defer look.mu.Unlock()
	if look.selector == nil {
		return fmt.Errorf("%w, and this one does not say which they are", errNoLook)
	}
	switch into := list.(type) {
	case *corev1.PodList:
		return d.pods(ctx, look, asked.Namespace, owner, into)
	case *metav1.PartialObjectMetadataList:
		return d.sets(ctx, look, asked.Namespace, owner, into)
	}
	return fmt.Errorf("%w: got %T", errNoLook, list)
}

// pods adds the pods of an owner. They are listed once for a look.
func (d Direct) pods(ctx context.Context, look *lists, namespace, owner string, into *corev1.PodList) error {
	if look.pods == nil {
		all := &corev1.PodList{}
		for next := ""; ; {
			page := &corev1.PodList{}
			if err := d.Reader.List(ctx, page, client.InNamespace(namespace), client.MatchingLabelsSelector{Selector: look.selector},
				client.Limit(pageOfPods), client.Continue(next)); err != nil {
				return err
			}
			all.Items = append(all.Items, page.Items...)
			if next = page.Continue; next == "" {
				break
			}
		}
		look.pods = all
	}
	for i := range look.pods.Items {
		if o := metav1.GetControllerOfNoCopy(&look.pods.Items[i]); o != nil && string(o.UID) == owner {
			into.Items = append(into.Items, look.pods.Items[i])
		}
	}
	return nil
}

// sets adds the ReplicaSets of an owner; they have the labels of their pods.
func (d Direct) sets(ctx context.Context, look *lists, namespace, owner string, into *metav1.PartialObjectMetadataList) error {
	if look.sets == nil {
		all := &metav1.PartialObjectMetadataList{}
		all.SetGroupVersionKind(into.GroupVersionKind())
		if err := d.Reader.List(ctx, all, client.InNamespace(namespace), client.MatchingLabelsSelector{Selector: look.selector}); err != nil {
			return err
		}
		look.sets = all
	}
	for i := range look.sets.Items {
		if o := metav1.GetControllerOfNoCopy(&look.sets.Items[i]); o != nil && string(o.UID) == owner {
			into.Items = append(into.Items, look.sets.Items[i])
		}
	}
	return nil
}
