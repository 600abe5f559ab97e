package controller

import (
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/tidemark/tidemark/internal/seeded"
	"github.com/tidemark/tidemark/internal/shard"
)

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
