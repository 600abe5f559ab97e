package controller

import (
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/tidemark/tidemark/api/v1alpha1"
	"github.com/tidemark/tidemark/internal/seeded"
	"github.com/tidemark/tidemark/internal/shard"
)

// StripOthers is a transform of the cache that keeps of the objects of other shards
// what ours are compared with: their specs. Their statuses are most of them.
func StripOthers(part shard.Shard) func(any) (any, error) {
	return func(in any) (any, error) {
		obj, is := in.(*v1alpha1.WorkloadAutoscaler)
		if !is {
			return in, nil
		}
		obj.ManagedFields = nil
		if !owns(part, client.ObjectKeyFromObject(obj)) {
			obj.Status = v1alpha1.WorkloadAutoscalerStatus{Replicas: obj.Status.Replicas, Selector: obj.Status.Selector}
		}
		return obj, nil
	}
}

// owns tells whether an object belongs to a shard: of all shards, it is the one
// whose number and the object's name mix to the largest number. When a shard is
// added, only the objects that go to it move.
func owns(s shard.Shard, key client.ObjectKey) bool {
	if s.Of <= 1 {
		return true
	}
	owner, largest, object := 0, uint64(0), hashOf(key)
	for i := range s.Of {
		if mixed := seeded.Number(object, uint64(i+1)); mixed > largest {
			owner, largest = i, mixed
		}
	}
	return owner == s.Index
}
