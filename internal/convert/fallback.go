package convert

import (
	"bytes"
	"cmp"
	"encoding/json"
	"slices"

	"github.com/tidemark/tidemark/api/v1alpha1"
	"github.com/tidemark/tidemark/fault"
)

// proposedFallback is the fallback of an external metric that KEP-5679 proposes
// for HPAs. No release has it, so that the types of Kubernetes do not either.
type proposedFallback struct {
	FailureDurationSeconds *int32 `json:"failureDurationSeconds"`
	Replicas               *int32 `json:"replicas"`
}

// proposedAfter is for how long a metric has to fail unless that is stated.
const proposedAfter = 180

// proposedFallbacks carries the fallbacks of an HPA's external metrics. There the
// metric stands for the count, up and down.
func (d *draft) proposedFallbacks() {
	spec, _ := d.tree["spec"].(map[string]any)
	metrics, _ := spec["metrics"].([]any)
	for i := range metrics {
		metric, _ := metrics[i].(map[string]any)
		external, _ := metric["external"].(map[string]any)
		text, there := external["fallback"]
		if !there {
			continue
		}
		from := fault.Path("spec.metrics").Index(i)
		at, f := slices.Index(d.metricFrom, from), readFallback(text)
		if at < 0 || d.out.Spec.Metrics[at].External == nil || f == nil {
			d.drop(from.Field("external.fallback"), "needs replicas and failureDurationSeconds alone, and a metric of type External")
			d.affects(from.Field("external.fallback"), AffectsMissing)
			continue
		}
		d.carry(from.Field("external.fallback"), fault.Path("spec.metrics").Index(at).Field("onMissing"))
		d.out.Spec.Metrics[at].OnMissing = &v1alpha1.OnMissing{
			Replicas: f.Replicas, AfterSeconds: cmp.Or(f.FailureDurationSeconds, new(int32(proposedAfter))), Behavior: v1alpha1.FallbackStatic,
		}
	}
}

// readFallback returns nil for what is not as the KEP has it.
func readFallback(tree any) *proposedFallback {
	text, err := json.Marshal(tree)
	if err != nil {
		return nil
	}
	out, decoder := &proposedFallback{}, json.NewDecoder(bytes.NewReader(text))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(out); err != nil || out.Replicas == nil {
		return nil
	}
	return out
}

// kedaFallback is what KEDA falls back to when it cannot measure.
type kedaFallback struct {
	FailureThreshold int32  `json:"failureThreshold"`
	Replicas         int32  `json:"replicas"`
	Behavior         string `json:"behavior"`
}

// hpaPeriod is how often an HPA asks KEDA, in seconds. KEDA counts the times in a
// row that it could not answer.
const hpaPeriod = 15

var kedaFallbacks = map[string]v1alpha1.FallbackBehavior{
	"": v1alpha1.FallbackStatic, "static": v1alpha1.FallbackStatic, "currentReplicas": v1alpha1.FallbackCurrent,
	"currentReplicasIfHigher": v1alpha1.FallbackCurrentIfHigher, "currentReplicasIfLower": v1alpha1.FallbackCurrentIfLower,
}

// kedaFallback carries the fallback to the metrics that KEDA measured and that are
// measured here now.
func (d *draft) kedaFallback(in *kedaFallback) {
	const from fault.Path = "spec.fallback"
	if in == nil {
		return
	}
	behavior, known := kedaFallbacks[in.Behavior]
	if !known || in.FailureThreshold < 0 || in.FailureThreshold > 7*24*3600/hpaPeriod || in.Replicas < 0 {
		d.drop(from, "is not one that KEDA could follow")
		return
	}
	carried := false
	for i := range d.out.Spec.Metrics {
		m := &d.out.Spec.Metrics[i]
		if m.External == nil || m.External.Target == nil && m.External.Watermarks == nil {
			continue
		}
		m.OnMissing = &v1alpha1.OnMissing{Replicas: new(in.Replicas), AfterSeconds: new(in.FailureThreshold * hpaPeriod), Behavior: behavior}
		carried = true
	}
	if carried {
		d.change(from, "spec.metrics", "is onMissing of the metrics that KEDA measured: failureThreshold counts the times that an HPA "+
			"asks, every %d seconds", hpaPeriod)
		d.affects(from, AffectsMissing)
	}
}
