package upstream

import (
	"math/bits"
	"strings"
)

// Switch is a set of the differences that compatibility Tidemark makes on
// purpose. No switch at all is the HPA; Everything is Tidemark.
type Switch uint16

// The differences. There are no others: known_differences_test.go shows that.
const (
	// ExactShares: a utilization and an average per pod are fractions. The HPA
	// cuts them to whole percents and whole thousandths first.
	ExactShares Switch = 1 << iota
	// ExactRatios: ratios are compared and rounded exactly. The HPA's floats
	// put some values on the wrong side of a tolerance, or one pod too high.
	ExactRatios
	// SaturatedSums: sums and counts stop at the end of their range. The HPA's
	// wrap around, so that an enormous load looks like none.
	SaturatedSums
	// DirectionGuard: a value above the target never lowers the count, one
	// below never raises it. The HPA looks only where pods are missing.
	DirectionGuard
	// SucceededIgnored: a pod that has finished is not a pod without a sample.
	SucceededIgnored
	// StrangersIgnored: values of pods that are not the target's are left out.
	StrangersIgnored
	// MissingAtTarget: on the way down a pod without a sample is taken to be at
	// the target. The HPA takes it to use all of its request, if that is more.
	MissingAtTarget
	// RequestsUnknown: a pod whose request is unknown, or zero, is one whose
	// usage is unknown. It fails the HPA's whole metric, or counts for nothing.
	RequestsUnknown
	// SamplesRefused: a sample that is negative, stale or from the future is no
	// sample. The HPA counts it.
	SamplesRefused
	// BoundedBasis: a ratio is multiplied by the smaller of the ready and the
	// wanted count on the way up, by the larger on the way down, and deleted
	// pods are not ready. The HPA multiplies by the ready ones, so that pods
	// which overload has made unready bring the count down, and knows nothing
	// when there is no pod.
	BoundedBasis
	// SpecReplicas: a total is shared by the replicas that are wanted. The HPA
	// shares it by those that exist, which a rollout doubles.
	SpecReplicas
	// StartAssumed: a pod without a start time has started long ago. The HPA
	// does not believe its cpu usage.
	StartAssumed
	// ServingDecide: the direction of a cpu metric is that of the pods that
	// serve. One that lost readiness weighs in on the way up, and speaks where
	// no pod serves; one whose node no longer answers is not ready. The HPA
	// counts every pod that was ready once.
	ServingDecide
	// PartialHolds: where fewer than half of the pods that can have been
	// measured are, the count is kept. The HPA goes by any single one.
	PartialHolds

	// Everything is all of them.
	Everything Switch = 1<<iota - 1
)

var switchNames = [...]string{
	"ExactShares", "ExactRatios", "SaturatedSums", "DirectionGuard", "SucceededIgnored", "StrangersIgnored", "MissingAtTarget",
	"RequestsUnknown", "SamplesRefused", "BoundedBasis", "SpecReplicas", "StartAssumed", "ServingDecide", "PartialHolds",
}

// Has tells whether all of some switches are on.
func (s Switch) Has(other Switch) bool { return s&other == other }

// Each returns the switches one by one.
func (s Switch) Each() []Switch {
	var all []Switch
	for ; s != 0; s &= s - 1 {
		all = append(all, 1<<bits.TrailingZeros16(uint16(s)))
	}
	return all
}

func (s Switch) String() string {
	var names []string
	for _, one := range s.Each() {
		names = append(names, switchNames[bits.TrailingZeros16(uint16(one))])
	}
	return strings.Join(names, " + ")
}

// Needed returns switches that turn the HPA's answer to a case into ours,
// without one that could be left out. It is empty when the answers agree.
func Needed(c *Case) Switch {
	ours, needed := Model(c, Everything), Switch(0)
	if Model(c, 0) == ours {
		return 0
	}
	needed = Everything
	for _, one := range Everything.Each() {
		if Model(c, needed&^one) == ours {
			needed &^= one
		}
	}
	return needed
}
