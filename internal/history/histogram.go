package history

import (
	"math"
	"time"

	vpav1 "k8s.io/autoscaler/vertical-pod-autoscaler/pkg/apis/autoscaling.k8s.io/v1"
	"k8s.io/autoscaler/vertical-pod-autoscaler/pkg/recommender/util"

	"github.com/tidemark/tidemark/scale"
)

// This is the only file with floats: the VPA's histograms speak them. What
// leaves it is a scale.Amount.

// HalfLife is how long a sample of usage takes to lose half of its weight, as
// in the VPA.
const HalfLife = 24 * time.Hour

// bucketGrowth and emptyBucket are the VPA's: buckets grow by 5 %, and one
// that weighs less than a thousandth of the lightest sample is empty.
const (
	bucketGrowth = 1.05
	emptyBucket  = 0.001 * 0.1
)

// shape is a resource's histogram in the VPA: its buckets, and the weight of
// one sample.
type shape struct {
	buckets util.HistogramOptions
	weight  float64
}

// shapes are made once: histograms can be merged only when they share them.
var shapes = [len(scale.EveryResource)]shape{
	scale.CPU:    {buckets: exponential(1000, 0.01), weight: 0.1},
	scale.Memory: {buckets: exponential(1e12, 1e7), weight: 1},
}

func exponential(most, first float64) util.HistogramOptions {
	options, err := util.NewExponentialHistogramOptions(most, first, bucketGrowth, emptyBucket)
	if err != nil {
		panic(err) // The arguments are constants.
	}
	return options
}

// distribution is a decaying histogram of one resource's usage.
type distribution struct {
	shape     *shape
	histogram util.Histogram
}

func newDistribution(r scale.Resource) distribution {
	return distribution{shape: &shapes[r], histogram: util.NewDecayingHistogram(shapes[r].buckets, HalfLife)}
}

func (d distribution) add(at time.Time, a scale.Amount) {
	d.histogram.AddSample(units(a), d.shape.weight, at)
}

func (d distribution) remove(at time.Time, a scale.Amount) {
	d.histogram.SubtractSample(units(a), d.shape.weight, at)
}

// percentile returns the end of the bucket in which the share lies, which
// over-reads by up to 5 %.
func (d distribution) percentile(parts int64) (scale.Amount, bool) {
	if d.histogram.IsEmpty() {
		return 0, false
	}
	return amountOf(d.histogram.Percentile(float64(min(max(parts, 0), scale.Parts)) / scale.Parts))
}

// units returns an amount in whole units: cores or bytes.
func units(a scale.Amount) float64 { return float64(a) / float64(scale.Thousand) }

// amountOf is the one way from a float to an amount: to the nearest
// thousandth, and only what is in range.
func amountOf(value float64) (scale.Amount, bool) {
	thousandths := math.Round(value * float64(scale.Thousand))
	// The comparison is false for NaN, and MaxInt64 rounds up to 2^63.
	if !(thousandths >= 0 && thousandths < math.MaxInt64) {
		return 0, false
	}
	return scale.Amount(thousandths), true
}

// saved is a histogram in the VPA's checkpoint form: weights relative to the
// heaviest bucket, which has 10 000. Weights too small for that are left out.
type saved struct {
	// total is the bit pattern of the total weight.
	total uint64
	// reference is the moment weights are relative to, in Unix seconds.
	reference int64
	weights   []bucketWeight
}

type bucketWeight struct {
	bucket int
	weight uint32
}

// save returns the checkpoint form. Loading a checkpoint may drop buckets at
// the ends that have become too light, so a saved one is loaded and saved once
// more: what is written is what will be read.
func (d distribution) save() saved {
	if d.histogram.IsEmpty() {
		return saved{}
	}
	settled := distribution{shape: d.shape, histogram: util.NewDecayingHistogram(d.shape.buckets, HalfLife)}
	first, err := d.histogram.SaveToChekpoint()
	if err == nil {
		err = settled.histogram.LoadFromCheckpoint(first)
	}
	if err != nil || settled.histogram.IsEmpty() {
		return saved{}
	}
	second, err := settled.histogram.SaveToChekpoint()
	if err != nil {
		return saved{}
	}
	out := saved{total: math.Float64bits(second.TotalWeight), reference: second.ReferenceTimestamp.Unix()}
	for bucket := range d.shape.buckets.NumBuckets() {
		if weight := second.BucketWeights[bucket]; weight > 0 {
			out.weights = append(out.weights, bucketWeight{bucket, weight})
		}
	}
	return out
}

// load fills an empty distribution from its checkpoint form. It tells whether
// that can have come from save.
func (d distribution) load(s saved) bool {
	if len(s.weights) == 0 {
		return s.total == 0 && s.reference == 0
	}
	total := math.Float64frombits(s.total)
	if !(total > 0 && total < maxTotalWeight) || s.reference < earliest-daySeconds || s.reference > latest+daySeconds {
		return false
	}
	checkpoint := &vpav1.HistogramCheckpoint{TotalWeight: total, BucketWeights: make(map[int]uint32, len(s.weights))}
	checkpoint.ReferenceTimestamp.Time = time.Unix(s.reference, 0).UTC()
	for _, w := range s.weights {
		if w.bucket >= d.shape.buckets.NumBuckets() || w.weight == 0 || w.weight > util.MaxCheckpointWeight {
			return false
		}
		checkpoint.BucketWeights[w.bucket] = w.weight
	}
	return d.histogram.LoadFromCheckpoint(checkpoint) == nil
}

// maxTotalWeight is above any weight that samples can add up to: the VPA
// rescales at 2^100 times one sample.
const maxTotalWeight = 1 << 200
