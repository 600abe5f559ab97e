package capacity

import (
	"math"

	"github.com/tidemark/tidemark/scale"
)

// Pods are the pods of a workload as they are.
type Pods struct {
	// Size is the size found: how many there should be, and how big each is.
	Size *scale.Size
	// There is how many of them exist. A quota counts these, and the others are still
	// to be created.
	There int32
	// Requests and Limits are what those that exist have yet to be given of that size:
	// they were decided to have it, so nobody else may count on the room for it.
	Requests, Limits scale.Resources
}

// owed is the room that is spoken for.
func (p *Pods) owed(k kind, res scale.Resource) scale.Amount {
	amount, _ := p.Requests.Get(res)
	if k == limits {
		amount, _ = p.Limits.Get(res)
	}
	return amount
}

// Bound is the largest count that there is room for.
type Bound struct {
	Count int32
	// By is what has no more room: pods, cpu or memory.
	By string
}

// Most returns the largest count of pods of a size that the quotas have room for, if
// something bounds it. It is never below the count there is.
func Most(c *scale.Capacity, p Pods, to *scale.Size) (Bound, bool) {
	most, bounded := Bound{Count: math.MaxInt32}, false
	lower := func(more scale.Amount, by string) {
		if count := saturated(int64(p.There) + int64(min(more, math.MaxInt32))); !bounded || count < most.Count {
			most, bounded = Bound{Count: count, By: by}, true
		}
	}
	if c.Quota.Pods != nil {
		lower(scale.Amount(max(*c.Quota.Pods, 0)), "pods")
	}
	for _, res := range scale.EveryResource {
		for _, k := range kinds {
			room, known := k.room(&c.Quota).Get(res)
			each := k.sum(to.Containers, res)
			if !known || each <= 0 {
				continue
			}
			// Pods that are there grow first: they cannot be had smaller.
			grown := max(each.Add(-k.sum(p.Size.Containers, res)), 0).Times(int64(p.There))
			lower(max(max(room, 0).Add(-grown).Add(-p.owed(k, res)), 0)/each, k.name(res))
		}
	}
	most.Count = max(most.Count, p.Size.Replicas)
	return most, bounded
}

func saturated(n int64) int32 { return int32(min(n, math.MaxInt32)) }

// kind is one of the two amounts that a container has of a resource. It is a number and
// not a pair of functions: what such a function is given moves to the heap.
type kind uint8

const (
	requests kind = iota
	limits
)

var kinds = [...]kind{requests, limits}

func (k kind) room(q *scale.QuotaRoom) scale.Resources {
	if k == limits {
		return q.Limits
	}
	return q.Requests
}

func (k kind) of(c *scale.Container) scale.Resources {
	if k == limits {
		return c.Limits
	}
	return c.Requests
}

// name tells limits from requests, which need no word.
func (k kind) name(res scale.Resource) string {
	if k == limits {
		return res.String() + " limit"
	}
	return res.String()
}

// sum is what a whole pod has. Amounts that nobody can have count as none.
func (k kind) sum(containers []scale.Container, res scale.Resource) scale.Amount {
	sum := scale.Amount(0)
	for i := range containers {
		sum = sum.Add(k.get(&containers[i], res))
	}
	return sum
}

func (k kind) get(c *scale.Container, res scale.Resource) scale.Amount {
	amount, _ := k.of(c).Get(res)
	return max(amount, 0)
}
