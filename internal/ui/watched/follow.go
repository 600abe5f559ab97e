package watched

import (
	"context"
	"errors"
	"fmt"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/watch"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/tidemark/tidemark/api/v1alpha1"
	"github.com/tidemark/tidemark/internal/ui/feed"
)

// The pauses before another try: they double.
const (
	shortest = time.Second
	longest  = 30 * time.Second
	// page is how many objects are listed at once, and lasts how long a watch does.
	page  = 250
	lasts = time.Minute
)

// Follow lists the objects of a namespace, or of all where it is empty, and watches
// them until the context ends. Whatever goes wrong is told, and tried again.
func (f *Feed) Follow(ctx context.Context, api client.WithWatch, namespace string) {
	for pause := shortest; ctx.Err() == nil; pause = min(2*pause, longest) {
		began := f.now()
		err := f.once(ctx, api, namespace)
		if ctx.Err() != nil {
			return
		}
		if err != nil {
			problem, forget := judged(err, namespace)
			f.fail(problem, forget)
		}
		if f.now().Sub(began) > longest {
			pause = shortest
		}
		select {
		case <-ctx.Done():
		case <-time.After(pause):
		}
	}
}

// once lists, and watches until the watch ends.
func (f *Feed) once(ctx context.Context, api client.WithWatch, namespace string) error {
	there, listed := map[feed.Key]bool{}, ""
	for next := ""; ; {
		part := &v1alpha1.WorkloadAutoscalerList{}
		if err := api.List(ctx, part, client.InNamespace(namespace), client.Limit(page), client.Continue(next)); err != nil {
			return err
		}
		listed = part.ResourceVersion
		f.part(part.Items, there)
		if next = part.Continue; next == "" {
			break
		}
	}
	f.only(there)
	for version := listed; ctx.Err() == nil; {
		began := f.now()
		next, err := f.watch(ctx, api, namespace, version)
		if err != nil {
			return err
		}
		if f.now().Sub(began) < shortest {
			// It ended at once, so what was listed may be too old to go on from.
			return nil
		}
		version = next
	}
	return nil
}

// watch takes changes from a version on, until the watch ends, and returns how far
// it came. The API server asks only once, when a watch begins, whether one may see
// the objects: so it does not last long.
func (f *Feed) watch(ctx context.Context, api client.WithWatch, namespace, version string) (string, error) {
	seconds := int64(lasts / time.Second)
	watcher, err := api.Watch(ctx, &v1alpha1.WorkloadAutoscalerList{}, client.InNamespace(namespace),
		&client.ListOptions{Raw: &metav1.ListOptions{ResourceVersion: version, AllowWatchBookmarks: true, TimeoutSeconds: &seconds}})
	if err != nil {
		return version, err
	}
	defer watcher.Stop()
	for {
		select {
		case <-ctx.Done():
			return version, nil
		case e, open := <-watcher.ResultChan():
			if !open {
				return version, nil
			}
			if e.Type == watch.Error {
				return version, apierrors.FromObject(e.Object)
			}
			if obj, ok := e.Object.(*v1alpha1.WorkloadAutoscaler); ok {
				version = obj.ResourceVersion
				f.event(e.Type, obj)
			}
		}
	}
}

// event takes a change of an object.
func (f *Feed) event(kind watch.EventType, obj *v1alpha1.WorkloadAutoscaler) {
	switch kind {
	case watch.Added, watch.Modified:
		f.put(obj)
	case watch.Deleted:
		f.remove(obj)
	}
}

// judged says what went wrong, and whether the caller may not see the objects any
// more.
func judged(err error, namespace string) (problem string, forget bool) {
	switch {
	case apierrors.IsForbidden(err) && namespace == "":
		return fmt.Sprintf("you may not list the objects of all namespaces; -n shows those of one: %v", err), true
	case apierrors.IsForbidden(err), apierrors.IsUnauthorized(err):
		return fmt.Sprintf("you may not see the objects: %v", err), true
	case meta.IsNoMatchError(err) || errors.As(err, new(*meta.NoKindMatchError)):
		return "the cluster has no WorkloadAutoscalers: docs/install.md says how they are installed", true
	case apierrors.IsResourceExpired(err) || apierrors.IsGone(err):
		return "", false
	}
	return fmt.Sprintf("the cluster does not answer, and is asked again: %v", err), false
}
