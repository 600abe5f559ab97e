package controller

import (
	"sigs.k8s.io/controller-runtime/pkg/client"

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
		if mixed := mix(object + uint64(i+1)*0x9e3779b97f4a7c15); mixed > largest {
			owner, largest = i, mixed
		}
	}
	return owner == s.Index
}

// mix spreads every bit of a number over all of them, as SplitMix64 does.
func mix(n uint64) uint64 {
	n = (n ^ n>>30) * 0xbf58476d1ce4e5b9
	n = (n ^ n>>27) * 0x94d049bb133111eb
	return n ^ n>>31
}
