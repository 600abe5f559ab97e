package convert

import (
	"encoding/json"

	autoscalingv2 "k8s.io/api/autoscaling/v2"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/tidemark/tidemark/api/v1alpha1"
	"github.com/tidemark/tidemark/fault"
	"github.com/tidemark/tidemark/internal/strict"
	"github.com/tidemark/tidemark/policy"
)

type ours struct {
	header
	Spec any `json:"spec"`
}

// toHPA turns a WorkloadAutoscaler back into an HPA, as far as one can say the
// same.
func toHPA(d *draft) fault.List {
	var in ours
	if faults := d.decode(&in); len(faults) > 0 {
		return faults
	}
	spec, faults := ownSpec(in.Spec)
	if len(faults) > 0 {
		return faults.Under("spec")
	}
	d.head(in.header)
	if text, there := in.Metadata.Annotations[v1alpha1.PausedAnnotation]; there {
		d.backPause(text)
	}
	d.back = &autoscalingv2.HorizontalPodAutoscaler{
		TypeMeta:   metav1.TypeMeta{APIVersion: "autoscaling/v2", Kind: "HorizontalPodAutoscaler"},
		ObjectMeta: metav1.ObjectMeta{Name: d.out.Name, Namespace: d.out.Namespace, Labels: d.out.Labels, Annotations: d.out.Annotations},
	}
	d.change("apiVersion", "apiVersion", "is now %s", d.back.APIVersion)
	d.change("kind", "kind", "is now %s", d.back.Kind)
	out := &d.back.Spec
	t := spec.TargetRef
	out.ScaleTargetRef = autoscalingv2.CrossVersionObjectReference{APIVersion: t.APIVersion, Kind: t.Kind, Name: t.Name}
	d.carry("spec.targetRef", "spec.scaleTargetRef")
	if faults := d.backMetrics(out, &spec); len(faults) > 0 {
		return faults
	}
	out.Behavior = d.backBehavior(spec.Behavior)
	d.backRest(&spec)
	return d.backBounds(out, spec.Replicas)
}

// backPause says that the annotation that pauses is lost: on an HPA it would be a word
// that nobody reads.
func (d *draft) backPause(text string) {
	from := annotation(v1alpha1.PausedAnnotation)
	d.understood(v1alpha1.PausedAnnotation)
	if text == "false" {
		d.leave(from, "has the object go on, and an HPA always does")
		return
	}
	d.drop(from, "an HPA cannot be paused")
	d.affects(from, AffectsAll)
}

// ownSpec reads a spec of ours, where a field that is not known is a fault.
func ownSpec(in any) (v1alpha1.WorkloadAutoscalerSpec, fault.List) {
	var spec v1alpha1.WorkloadAutoscalerSpec
	text, err := json.Marshal(in)
	if err != nil {
		return spec, fault.Of(err)
	}
	if faults := withoutLines(strict.Unmarshal(text, &spec)); len(faults) > 0 {
		return spec, faults
	}
	_, err = policy.Compile(spec, v1alpha1.AdminSettings{})
	return spec, fault.Of(err)
}

func (d *draft) backBounds(out *autoscalingv2.HorizontalPodAutoscalerSpec, in v1alpha1.ReplicaSpec) fault.List {
	out.MinReplicas = in.Min
	d.carry("spec.replicas.min", "spec.minReplicas")
	d.carry("spec.replicas.max", "spec.maxReplicas")
	d.drop("spec.replicas.step", "an HPA has no step")
	d.affects("spec.replicas.step", AffectsAll)
	d.drop("spec.replicas.idle", "an HPA has no count below its minimum")
	d.affects("spec.replicas.idle", AffectsAll)
	d.drop("spec.replicas.requested", "an HPA takes no counts from others")
	d.affects("spec.replicas.requested", AffectsAll)
	if in.Max == nil {
		return fault.List{{Path: "spec.replicas.max", Message: "is required by an HPA: state the largest number of pods"}}
	}
	out.MaxReplicas = *in.Max
	return nil
}

// backRest says what an HPA has no words for.
func (d *draft) backRest(in *v1alpha1.WorkloadAutoscalerSpec) {
	switch in.Mode {
	case "", v1alpha1.ModeAuto:
		d.leave("spec.mode", "an HPA always acts")
	default:
		d.drop("spec.mode", "an HPA always acts: it would scale where this object does not")
		d.affects("spec.mode", AffectsAll)
	}
	if in.Compatibility == v1alpha1.CompatibilityHPA {
		d.carry("spec.compatibility", "")
	} else {
		d.drop("spec.compatibility", "an HPA has its own rules only")
		d.assume("", "an HPA decides by its own rules: every improvement over them is gone")
		d.defaultAffects(AffectsAll)
	}
	for _, name := range []fault.Path{"containers", "vertical", "intervals"} {
		d.drop("spec."+name, "an HPA does not size pods")
		d.affects("spec."+name, AffectsAll)
	}
	d.drop("spec.combine", "an HPA takes the largest count")
	d.affects("spec.combine", AffectsAll)
	d.drop("spec.formula", "an HPA computes nothing from several metrics")
	d.affects("spec.formula", AffectsAll)
	d.drop("spec.learn", "an HPA does not learn")
	d.affects("spec.learn", AffectsAll)
	d.drop("spec.maintenanceWindows", "an HPA knows no windows")
	d.affects("spec.maintenanceWindows", AffectsAll)
	d.drop("spec.pause", "an HPA cannot be paused")
	d.affects("spec.pause", AffectsAll)
	d.drop("spec.schedules", "an HPA knows no schedules")
	d.affects("spec.schedules", AffectsAll)
	d.leave("spec.actuator", "the HPA acts itself")
	d.leave("spec.hpaName", "the HPA acts itself")
}

// backBehavior carries what autoscaling/v2 has of a behavior.
func (d *draft) backBehavior(in *v1alpha1.Behavior) *autoscalingv2.HorizontalPodAutoscalerBehavior {
	if in == nil {
		return nil
	}
	d.carry("spec.behavior", "spec.behavior")
	for _, name := range []string{"converge", "syncPeriodSeconds", "cpuInitializationSeconds", "initialReadinessSeconds", "staleAfterSeconds",
		"emergencyAfterSeconds"} {
		d.drop(fault.Path("spec.behavior").Field(name), "an HPA has no such setting of its own")
		d.affects(fault.Path("spec.behavior").Field(name), AffectsAll)
	}
	return &autoscalingv2.HorizontalPodAutoscalerBehavior{
		ScaleUp: d.backRules("spec.behavior.scaleUp", in.ScaleUp), ScaleDown: d.backRules("spec.behavior.scaleDown", in.ScaleDown),
	}
}

func (d *draft) backRules(at fault.Path, in *v1alpha1.ScalingRules) *autoscalingv2.HPAScalingRules {
	if in == nil {
		return nil
	}
	d.carry(at, at)
	for _, name := range []string{"limitPercent", "forbiddenWindowSeconds", "delaySeconds", "toZeroDelaySeconds", "update", "minChange"} {
		d.drop(at.Field(name), "autoscaling/v2 has no such rule")
		d.affects(at.Field(name), AffectsAll)
	}
	out := &autoscalingv2.HPAScalingRules{StabilizationWindowSeconds: in.StabilizationWindowSeconds, Tolerance: in.Tolerance}
	if in.SelectPolicy != "" {
		out.SelectPolicy = new(autoscalingv2.ScalingPolicySelect(in.SelectPolicy))
	}
	if in.Update == v1alpha1.UpdateOff || (in.LimitPercent != nil && *in.LimitPercent == 0) {
		out.SelectPolicy = new(autoscalingv2.DisabledPolicySelect)
		for _, name := range []string{"update", "limitPercent"} {
			d.change(at.Field(name), at.Field("selectPolicy"), "the direction is forbidden, which is selectPolicy Disabled")
		}
	}
	for _, p := range in.Policies {
		out.Policies = append(out.Policies, autoscalingv2.HPAScalingPolicy{Type: autoscalingv2.HPAScalingPolicyType(p.Type), Value: p.Value,
			PeriodSeconds: p.PeriodSeconds})
	}
	return out
}
