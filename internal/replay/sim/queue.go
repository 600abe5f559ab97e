package sim

import (
	"math/bits"
	"time"

	"github.com/tidemark/tidemark/scale"
)

// queue is the work that waits for a free pod, in thousandths of a core times
// nanoseconds. Work is served in the order it arrives.
type queue struct {
	most, waiting uint64
}

// MaxQueue bounds a queue, in core-seconds: its sums have room for that.
const MaxQueue = 1_000_000 * scale.Thousand

func newQueue(coreSeconds scale.Amount) queue {
	return queue{most: uint64(min(max(coreSeconds, 0), MaxQueue)) * uint64(time.Second)}
}

// serves is how much work is done each second.
func (q *queue) serves(demand, capacity scale.Amount) scale.Amount {
	if q.waiting > 0 {
		return capacity
	}
	return min(demand, capacity)
}

// changes is how long it takes until the queue is empty or full, if it will be.
// It is rounded up to the nanosecond, so that it is then.
func (q *queue) changes(demand, capacity scale.Amount) (time.Duration, bool) {
	left, rate := q.waiting, uint64(0)
	switch {
	case demand < capacity:
		rate = uint64(capacity - demand)
	case demand > capacity:
		left, rate = q.most-q.waiting, uint64(demand-capacity)
	}
	if left == 0 || rate == 0 {
		return 0, false
	}
	return time.Duration((left + rate - 1) / rate), true
}

// passed is what happened to work in a time.
type passed struct {
	served, dropped Work
	// waited is the work that waited, summed over the nanoseconds.
	waited Work
}

// pass lets time pass, in which neither the demand nor the capacity changes,
// and in which the queue becomes empty or full at its end or not at all.
func (q *queue) pass(demand, capacity scale.Amount, d time.Duration) passed {
	if q.most == 0 {
		served := min(demand, capacity)
		return passed{served: Work{}.Plus(served, d), dropped: Work{}.Plus(demand-served, d)}
	}
	arrived := Work{Lo: q.waiting}.Plus(demand, d)
	served := Work{}.Plus(capacity, d)
	if arrived.less(served) {
		served = arrived
	}
	left := arrived.minus(served)
	var dropped Work
	if most := (Work{Lo: q.most}); most.less(left) {
		dropped, left = left.minus(most), most
	}
	before := q.waiting
	q.waiting = left.Lo
	// The queue grows or shrinks evenly: on average it is half of both ends.
	hi, lo := bits.Mul64(before/2+q.waiting/2+(before&1+q.waiting&1)/2, uint64(d))
	return passed{served: served, dropped: dropped, waited: Work{hi, lo}}
}
