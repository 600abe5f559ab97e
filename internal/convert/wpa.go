package convert

import (
	"maps"
	"math"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/tidemark/tidemark/api/v1alpha1"
	"github.com/tidemark/tidemark/fault"
)

type wpa struct {
	header
	Spec wpaSpec `json:"spec"`
}

type wpaSpec struct {
	ScaleTargetRef                      reference          `json:"scaleTargetRef"`
	MinReplicas                         *int32             `json:"minReplicas"`
	MaxReplicas                         int32              `json:"maxReplicas"`
	Metrics                             []wpaMetric        `json:"metrics"`
	Algorithm                           string             `json:"algorithm"`
	Tolerance                           *resource.Quantity `json:"tolerance"`
	ScaleUpLimitFactor                  *resource.Quantity `json:"scaleUpLimitFactor"`
	ScaleDownLimitFactor                *resource.Quantity `json:"scaleDownLimitFactor"`
	UpscaleForbiddenWindowSeconds       int32              `json:"upscaleForbiddenWindowSeconds"`
	DownscaleForbiddenWindowSeconds     int32              `json:"downscaleForbiddenWindowSeconds"`
	UpscaleDelayAboveWatermarkSeconds   int32              `json:"upscaleDelayAboveWatermarkSeconds"`
	DownscaleDelayBelowWatermarkSeconds int32              `json:"downscaleDelayBelowWatermarkSeconds"`
	ReplicaScalingAbsoluteModulo        *int32             `json:"replicaScalingAbsoluteModulo"`
	ConvergeTowardsWatermark            string             `json:"convergeTowardsWatermark"`
	TolerateZero                        bool               `json:"tolerateZero"`
	DryRun                              bool               `json:"dryRun"`
}

type wpaMetric struct {
	Type     string     `json:"type"`
	External *wpaSource `json:"external"`
	Resource *wpaSource `json:"resource"`
}

// wpaSource is an External metric, which has a metricName, or a Resource
// metric, which has a name.
type wpaSource struct {
	MetricName     string                `json:"metricName"`
	Name           string                `json:"name"`
	MetricSelector *metav1.LabelSelector `json:"metricSelector"`
	HighWatermark  *resource.Quantity    `json:"highWatermark"`
	LowWatermark   *resource.Quantity    `json:"lowWatermark"`
}

// fromWPA converts a WatermarkPodAutoscaler.
func fromWPA(d *draft) fault.List {
	var in wpa
	if faults := d.decode(&in); len(faults) > 0 {
		return faults
	}
	d.head(in.header)
	faults := d.target("spec.scaleTargetRef", in.Spec.ScaleTargetRef)
	d.bounds("spec", in.Spec.MinReplicas, in.Spec.MaxReplicas)
	d.out.Spec.Replicas.Step = in.Spec.ReplicaScalingAbsoluteModulo
	d.change("spec.replicaScalingAbsoluteModulo", "spec.replicas.step",
		"every count is a multiple here; a WPA rounds first and caps the step then, and so ends between multiples")
	d.affects("spec.replicaScalingAbsoluteModulo", AffectsAll)
	for i := range in.Spec.Metrics {
		d.wpaMetric(fault.Path("spec.metrics").Index(i), in.Spec.Algorithm, &in.Spec.Metrics[i])
	}
	d.wpaAlgorithm(in.Spec.Algorithm)
	faults = append(faults, d.wpaVelocity(&in.Spec)...)
	d.wpaConverge(in.Spec.ConvergeTowardsWatermark)
	d.wpaSwitches(&in)
	if len(d.out.Spec.Metrics) == 0 {
		d.standStill()
	}
	return faults
}

// wpaMetric carries one metric with its watermarks.
func (d *draft) wpaMetric(from fault.Path, algorithm string, in *wpaMetric) {
	to := d.nextMetric()
	average := algorithm == "average"
	switch {
	case in.Type == "External" && in.External != nil:
		marks := d.watermarks(from.Field("external"), in.External)
		if marks.Type = v1alpha1.ValueTarget; average {
			marks.Type = v1alpha1.AverageValueTarget
		}
		d.carry(from, to)
		d.carry(from.Field("external"), to.Field("external"))
		d.addMetric(from, v1alpha1.MetricSpec{Type: v1alpha1.ExternalMetricType, External: &v1alpha1.ExternalMetric{
			Metric: v1alpha1.MetricIdentifier{Name: in.External.MetricName, Selector: in.External.MetricSelector}, Watermarks: marks,
		}})
	case in.Type == "Resource" && in.Resource != nil && average:
		marks := d.watermarks(from.Field("resource"), in.Resource)
		marks.Type = v1alpha1.AverageValueTarget
		d.carry(from, to)
		d.carry(from.Field("resource"), to.Field("resource"))
		d.leave(from.Field("resource.metricSelector"), "the pods of the target are found through the target itself")
		d.addMetric(from, v1alpha1.MetricSpec{Type: v1alpha1.ResourceMetricType, Resource: &v1alpha1.ResourceMetric{Name: in.Resource.Name, Watermarks: marks}})
	case in.Type == "Resource" && in.Resource != nil:
		d.drop(from, "compares the usage of all pods together with the marks, so that the same load asks for other counts the more pods there "+
			"are: use algorithm average, and marks for one pod")
		d.affects(from, AffectsAll)
	default:
		d.drop(from, "must be of type External or Resource, and have the field of that name")
	}
}

// watermarks carries the marks. A WPA fills in a missing one from the other.
func (d *draft) watermarks(from fault.Path, in *wpaSource) *v1alpha1.Watermarks {
	out := &v1alpha1.Watermarks{Low: in.LowWatermark, High: in.HighWatermark}
	if (in.LowWatermark == nil) != (in.HighWatermark == nil) || (in.LowWatermark != nil && in.LowWatermark.Cmp(*in.HighWatermark) == 0) {
		for _, name := range []string{"lowWatermark", "highWatermark"} {
			d.change(from.Field(name), d.nextMetric(), "stands for both marks; with a single mark the count is rounded up in both directions, as an "+
				"HPA does, where a WPA rounds down on the way down")
			d.affects(from.Field(name), AffectsScaleDown)
		}
	}
	return out
}

// wpaAlgorithm carries the algorithm as the type of the marks. A WPA counts
// ready pods alone, and so do we only where that cannot amplify a change.
func (d *draft) wpaAlgorithm(algorithm string) {
	const from, ready = "spec.algorithm", "on the way down the value stands for all pods, where a WPA multiplies it by those that are ready"
	switch algorithm {
	case "":
		d.assume("spec.metrics", "the algorithm is absolute unless stated: marks are of type Value; %s", ready)
		d.defaultAffects(AffectsUnready)
		return
	case "absolute":
		d.change(from, "spec.metrics", "is the type of the marks: Value; %s", ready)
	case "average":
		d.change(from, "spec.metrics", "is the type of the marks: AverageValue; the average of an External metric is over all pods, where a WPA "+
			"leaves out those that are not ready")
	default:
		d.change(from, "spec.metrics", "%q is not an algorithm, and a WPA takes it for absolute: marks are of type Value; %s", algorithm, ready)
	}
	d.affects(from, AffectsUnready)
}

// wpaVelocity carries tolerance, velocity and windows, with a WPA's defaults.
func (d *draft) wpaVelocity(in *wpaSpec) fault.List {
	up, down := d.behavior()
	tenth := resource.MustParse("0.1")
	up.Tolerance = in.Tolerance
	switch {
	case in.Tolerance == nil:
		up.Tolerance = &tenth
		d.assume("spec.behavior", "tolerance is 0.1 in both directions unless stated")
	case in.Tolerance.IsZero():
		up.Tolerance = &tenth
		d.change("spec.tolerance", "spec.behavior", "is 0.1 in both directions: a WPA takes 0 for not set")
	default:
		d.carry("spec.tolerance", "spec.behavior")
	}
	down.Tolerance = up.Tolerance
	var faults fault.List
	up.LimitPercent = d.percent("spec.scaleUpLimitFactor", "spec.behavior.scaleUp.limitPercent", in.ScaleUpLimitFactor, 50, &faults)
	down.LimitPercent = d.percent("spec.scaleDownLimitFactor", "spec.behavior.scaleDown.limitPercent", in.ScaleDownLimitFactor, 20, &faults)
	up.ForbiddenWindowSeconds = d.window("spec.upscaleForbiddenWindowSeconds", "spec.behavior.scaleUp.forbiddenWindowSeconds",
		in.UpscaleForbiddenWindowSeconds, 60)
	down.ForbiddenWindowSeconds = d.window("spec.downscaleForbiddenWindowSeconds", "spec.behavior.scaleDown.forbiddenWindowSeconds",
		in.DownscaleForbiddenWindowSeconds, 300)
	d.delay("spec.upscaleDelayAboveWatermarkSeconds", "spec.behavior.scaleUp.delaySeconds", in.UpscaleDelayAboveWatermarkSeconds, &up.DelaySeconds)
	d.delay("spec.downscaleDelayBelowWatermarkSeconds", "spec.behavior.scaleDown.delaySeconds", in.DownscaleDelayBelowWatermarkSeconds, &down.DelaySeconds)
	down.StabilizationWindowSeconds = new(int32(0))
	d.assume("spec.behavior.scaleDown.stabilizationWindowSeconds", "is 0: a WPA remembers no desired counts, where the default here is 300")
	return faults
}

// percent carries a factor, which a WPA reads as a percentage.
func (d *draft) percent(from, to fault.Path, in *resource.Quantity, otherwise int32, faults *fault.List) *int32 {
	if in == nil {
		d.assume(to, "is %d unless stated", otherwise)
		return &otherwise
	}
	thousandths := in.MilliValue()
	if thousandths < 0 || thousandths/1000 > math.MaxInt32 {
		faults.Add(from, "must be a percentage, got %s", in.String())
		return nil
	}
	whole := int32(thousandths / 1000)
	d.carry(from, to)
	if thousandths%1000 != 0 {
		d.change(from, to, "is rounded down to %d, because percentages are whole here", whole)
	}
	if whole == 0 && thousandths > 0 {
		whole = 1
		d.change(from, to, "is 1, the smallest percentage that does not forbid the direction")
	}
	if thousandths%1000 != 0 && strings.Contains(string(to), "scaleUp") {
		d.affects(from, AffectsScaleUp)
	} else if thousandths%1000 != 0 {
		d.affects(from, AffectsScaleDown)
	}
	return &whole
}

// window carries a forbidden window. A WPA takes 0 for not set.
func (d *draft) window(from, to fault.Path, in, otherwise int32) *int32 {
	if in != 0 {
		d.carry(from, to)
		return &in
	}
	d.change(from, to, "is %d: a WPA takes 0 for not set", otherwise)
	d.assume(to, "is %d unless stated", otherwise)
	return &otherwise
}

func (d *draft) delay(from, to fault.Path, in int32, into **int32) {
	d.carry(from, to)
	if in != 0 {
		*into = &in
	}
}

// wpaConverge carries the mark to creep to, if there is a band to creep in. A
// WPA creeps to a single mark too, through what the tolerance would leave alone.
func (d *draft) wpaConverge(to string) {
	const from, still = "spec.convergeTowardsWatermark",
		"the count stays while a metric with a single mark is within its tolerance, where a WPA creeps on to the mark"
	converge := map[string]v1alpha1.Converge{"highwatermark": v1alpha1.ConvergeHighWatermark, "lowwatermark": v1alpha1.ConvergeLowWatermark}[to]
	direction := map[v1alpha1.Converge]Effect{v1alpha1.ConvergeHighWatermark: AffectsScaleDown, v1alpha1.ConvergeLowWatermark: AffectsScaleUp}[converge]
	bands := 0
	for i := range d.out.Spec.Metrics {
		if hasBand(&d.out.Spec.Metrics[i]) {
			bands++
		}
	}
	switch {
	case converge == "":
		d.leave(from, "%q is neither highwatermark nor lowwatermark, and a WPA ignores it", to)
	case bands == 0:
		d.drop(from, "needs a metric with two different marks to creep between: %s", still)
		d.affects(from, direction)
	default:
		d.out.Spec.Behavior.Converge = converge
		d.change(from, "spec.behavior.converge", "how far it may creep is counted with all pods, where a WPA leaves out those that are not ready")
		d.affects(from, AffectsUnready)
		if bands < len(d.out.Spec.Metrics) {
			d.assume("spec.behavior.converge", "%s", still)
			d.defaultAffects(direction)
		}
	}
}

func hasBand(m *v1alpha1.MetricSpec) bool {
	var w *v1alpha1.Watermarks
	switch {
	case m.External != nil:
		w = m.External.Watermarks
	case m.Resource != nil:
		w = m.Resource.Watermarks
	}
	return w != nil && w.Low != nil && w.High != nil && w.Low.Cmp(*w.High) != 0
}

// wpaSwitches carries the rest, or says why it stays behind.
func (d *draft) wpaSwitches(in *wpa) {
	d.change("spec.dryRun", "spec.mode", "is mode Recommend when true")
	if in.Spec.DryRun {
		d.out.Spec.Mode = v1alpha1.ModeRecommend
	}
	if in.Spec.TolerateZero {
		d.leave("spec.tolerateZero", "is always so here: 0 is a value like any other")
	} else {
		d.drop("spec.tolerateZero", "cannot be switched off: 0 is a value like any other here, and a series without data is missing instead")
		d.assume("", "a WPA ignores a metric whose value is 0 unless tolerateZero is set; here 0 is a value like any other")
		d.defaultAffects(AffectsZero)
	}
	d.drop("spec.recommender", "is not called from here: let whoever recommends write the scale subresource of this object, which is spec.replicas.requested")
	d.drop("spec.minAvailableReplicaPercentage", "has no counterpart: pods that are not ready are accounted for in each metric")
	d.drop("spec.readinessDelaySeconds", "has no exact counterpart: behavior.cpuInitializationSeconds and behavior.initialReadinessSeconds say "+
		"when a new pod's usage is trusted")
	d.assume("", "a WPA skips a decision when any of its metrics fails; here that forbids scaling down only, and onMissing says otherwise for each metric")
	d.defaultAffects(AffectsMissing)
	for _, key := range slices.Sorted(maps.Keys(in.Metadata.Annotations)) {
		if strings.HasPrefix(key, "wpa.datadoghq.com/") {
			d.understood(key)
			d.leave(annotation(key), "speaks to the controller of the WPA")
		}
	}
}
