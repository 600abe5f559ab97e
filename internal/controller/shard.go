package controller

import (
	"fmt"
	"regexp"
	"strconv"

	"sigs.k8s.io/controller-runtime/pkg/client"
)

// Shard is the part of the objects that one controller looks after. The zero
// value is all of them.
type Shard struct {
	// Index is from 0 to Of-1.
	Index, Of int
}

var shardForm = regexp.MustCompile(`^([0-9]{1,4})/([0-9]{1,4})$`)

// ParseShard reads i/n, such as 0/3. As with kube-state-metrics, the first shard
// is number 0.
func ParseShard(text string) (Shard, error) {
	parts := shardForm.FindStringSubmatch(text)
	if parts == nil {
		return Shard{}, fmt.Errorf("must be i/n, such as 0/3 for the first of three, got %.32q", text)
	}
	// Four digits always fit.
	index, _ := strconv.Atoi(parts[1])
	of, _ := strconv.Atoi(parts[2])
	if of < 1 || index >= of {
		return Shard{}, fmt.Errorf("must count from 0: of %d shards the last is %d/%d, got %s", of, max(of-1, 0), of, text)
	}
	return Shard{Index: index, Of: of}, nil
}

// Owns tells whether an object belongs to the shard: of all shards, it is the
// one whose number and the object's name mix to the largest number. When a shard
// is added, only the objects that go to it move.
func (s Shard) Owns(key client.ObjectKey) bool {
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

// String writes the shard as it is read.
func (s Shard) String() string { return fmt.Sprintf("%d/%d", s.Index, max(s.Of, 1)) }
