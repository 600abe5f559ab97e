package hpa

import (
	"cmp"
	"fmt"
	"strconv"

	autoscalingv2 "k8s.io/api/autoscaling/v2"

	"github.com/tidemark/tidemark/internal/apply"
	"github.com/tidemark/tidemark/scale"
)

// tuneBounds sets the minimum and the maximum, and returns what that changed.
func tuneBounds(spec *autoscalingv2.HorizontalPodAutoscalerSpec, t scale.Tuning) []apply.Change {
	var changes []apply.Change
	most := maximum(spec, t.Max)
	least := minimum(spec, t.Min, most.count)
	if from := minReplicas(spec); from != least.count {
		spec.MinReplicas = &least.count
		changes = append(changes, least.change("spec.minReplicas", from))
	}
	if from := spec.MaxReplicas; from != most.count {
		spec.MaxReplicas = most.count
		changes = append(changes, most.change("spec.maxReplicas", from))
	}
	return changes
}

// bound is a count to set and, where it is not the one that was asked for, the
// reason in words.
type bound struct {
	count  int32
	reason string
}

func (b bound) change(path string, from int32) apply.Change {
	return apply.Change{Path: path, From: strconv.Itoa(int(from)), To: strconv.Itoa(int(b.count)), Reason: b.reason}
}

// maximum is the maximum to set. Without an opinion the HPA's own stays.
func maximum(spec *autoscalingv2.HorizontalPodAutoscalerSpec, asked *int32) bound {
	switch {
	case asked != nil && *asked >= 1:
		return bound{count: *asked}
	case spec.MaxReplicas >= 1:
		return bound{count: spec.MaxReplicas}
	}
	return bound{1, "neither the HPA nor the tuning has a maximum, and there must be one"}
}

// minimum is the minimum to set below a maximum. One that is too large is
// lowered, never the maximum raised: the maximum may be what an administrator
// allows. One that is too small is raised, because pods too many cost less
// than pods too few. Without an opinion the HPA's own stays, as far as it can.
func minimum(spec *autoscalingv2.HorizontalPodAutoscalerSpec, asked *int32, most int32) bound {
	if asked == nil {
		if own := minReplicas(spec); own > most {
			return bound{most, fmt.Sprintf("its own minimum of %d is above the maximum", own)}
		}
		return bound{count: minReplicas(spec)}
	}
	switch least := *asked; {
	case least > most:
		return bound{most, fmt.Sprintf("a minimum of %d was asked for, which is above the maximum", least)}
	case least >= 1, least == 0 && maySleep(spec):
		return bound{count: least}
	case least == 0:
		return bound{1, "a minimum of 0 was asked for, which needs an HPA that has it already and an Object or External metric"}
	default:
		return bound{1, fmt.Sprintf("a minimum of %d was asked for, which is not a count", least)}
	}
}

// maySleep tells whether the API server accepts a minimum of 0. It does where
// an Object or External metric can wake the workload again, and where the
// feature gate HPAScaleToZero is on. The gate cannot be seen from here, but an
// HPA that has 0 may keep it in any case.
func maySleep(spec *autoscalingv2.HorizontalPodAutoscalerSpec) bool {
	if minReplicas(spec) != 0 {
		return false
	}
	for i := range spec.Metrics {
		switch spec.Metrics[i].Type {
		case autoscalingv2.ObjectMetricSourceType, autoscalingv2.ExternalMetricSourceType:
			return true
		}
	}
	return false
}

// minReplicas is the HPA's minimum. The API server reads an absent one as 1.
func minReplicas(spec *autoscalingv2.HorizontalPodAutoscalerSpec) int32 {
	return *cmp.Or(spec.MinReplicas, new(int32(1)))
}
