package controller

import (
	"maps"

	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/tidemark/tidemark/api/v1alpha1"
	"github.com/tidemark/tidemark/internal/shard"
)

// Strip is a transform of the cache. Of the objects of other shards it keeps what ours
// are compared with: their specs. Their statuses are most of them.
func Strip(part shard.Shard) func(any) (any, error) {
	return func(in any) (any, error) {
		obj, is := in.(*v1alpha1.WorkloadAutoscaler)
		if !is {
			return in, nil
		}
		obj.ManagedFields = nil
		if !owns(part, client.ObjectKeyFromObject(obj)) {
			obj.Status = v1alpha1.WorkloadAutoscalerStatus{Replicas: obj.Status.Replicas, Selector: obj.Status.Selector}
		}
		if d := obj.Status.LastDecision; d != nil {
			shareSizes(d)
		}
		return obj, nil
	}
}

// shareSizes lets the sizes of a decision that are the same share their maps. Each
// is half a kilobyte, every step has two, and at rest all of them are the same. What is in
// a cache is never changed.
func shareSizes(d *v1alpha1.Decision) {
	var seen distinct
	sizes := []*v1alpha1.Size{&d.From, &d.Want, &d.Proposed}
	for i := range d.Steps {
		sizes = append(sizes, &d.Steps[i].In, &d.Steps[i].Out)
	}
	for _, size := range sizes {
		size.Containers, size.Limits = seen.first(size.Containers), seen.first(size.Limits)
	}
}

// distinct are amounts by container and resource, each once.
type distinct []map[string]map[string]string

// first returns the first that was the same.
func (d *distinct) first(of map[string]map[string]string) map[string]map[string]string {
	if len(of) == 0 {
		return of
	}
	for _, other := range *d {
		if maps.EqualFunc(of, other, maps.Equal[map[string]string, map[string]string]) {
			return other
		}
	}
	*d = append(*d, of)
	return of
}
