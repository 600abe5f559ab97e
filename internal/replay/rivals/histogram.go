package rivals

import "math"

// Autopilot keeps usage in histograms of about 400 buckets. Their bounds are not
// published; these grow by 2.5 percent from a hundredth of a core to 190 cores.
const (
	buckets     = 400
	firstBucket = 0.01
	growth      = 1.025
)

// bound is the upper bound of a bucket.
func bound(k int) float64 { return firstBucket * math.Pow(growth, float64(k)) }

// bounds are the upper bounds of all buckets.
var bounds = func() (out [buckets]float64) {
	for k := range out {
		out[k] = bound(k)
	}
	return out
}()

// bucketOf is the bucket of a usage: the first whose bound is not below it.
func bucketOf(cores float64) int {
	if cores <= firstBucket {
		return 0
	}
	k := int(math.Ceil(math.Log(cores/firstBucket)/math.Log(growth) - 1e-9))
	return min(max(k, 0), buckets-1)
}

// histogram is how often, or how much, usage was in each bucket.
type histogram [buckets]float64

// decay forgets a part of everything.
func (h *histogram) decay(keep float64) {
	for k := range h {
		h[k] *= keep
	}
}

func (h *histogram) add(other *histogram) {
	for k := range h {
		h[k] += other[k]
	}
}

func (h *histogram) total() float64 {
	sum := 0.0
	for _, w := range h {
		sum += w
	}
	return sum
}

// percentile is the least bound below which a share of the load was: a sample
// counts as much as it used.
func (h *histogram) percentile(share float64) float64 {
	load := 0.0
	for k, w := range h {
		load += w * bounds[k]
	}
	sum := 0.0
	for k, w := range h {
		if sum += w * bounds[k]; w > 0 && sum >= share*load-1e-12 {
			return bounds[k]
		}
	}
	return 0
}

// mean is the mean usage.
func (h *histogram) mean() float64 {
	load, n := 0.0, h.total()
	if n <= 0 {
		return 0
	}
	for k, w := range h {
		load += w * bounds[k]
	}
	return load / n
}

// max is the bound of the largest usage.
func (h *histogram) max() float64 {
	for k := buckets - 1; k >= 0; k-- {
		if h[k] > 0 {
			return bounds[k]
		}
	}
	return 0
}
