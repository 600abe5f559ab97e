package convert

import (
	autoscalingv1 "k8s.io/api/autoscaling/v1"

	"github.com/tidemark/tidemark/api/v1alpha1"
	"github.com/tidemark/tidemark/fault"
)

type hvpa struct {
	header
	Spec hvpaSpec `json:"spec"`
}

type hvpaSpec struct {
	TargetRef reference `json:"targetRef"`
	HPA       *struct {
		Deploy    *bool     `json:"deploy"`
		ScaleUp   hvpaRules `json:"scaleUp"`
		ScaleDown hvpaRules `json:"scaleDown"`
		Template  struct {
			Spec struct {
				MinReplicas *int32                     `json:"minReplicas"`
				MaxReplicas *int32                     `json:"maxReplicas"`
				Metrics     []autoscalingv1.MetricSpec `json:"metrics"`
			} `json:"spec"`
		} `json:"template"`
	} `json:"hpa"`
	VPA *struct {
		Deploy    *bool     `json:"deploy"`
		ScaleUp   hvpaRules `json:"scaleUp"`
		ScaleDown hvpaRules `json:"scaleDown"`
		Template  struct {
			Spec struct {
				ResourcePolicy vpaResourcePolicy `json:"resourcePolicy"`
			} `json:"spec"`
		} `json:"template"`
		LimitsRequestsGap hvpaShares `json:"limitsRequestsGapScaleParams"`
	} `json:"vpa"`
	MaintenanceTimeWindow *struct {
		Begin string `json:"begin"`
		End   string `json:"end"`
	} `json:"maintenanceTimeWindow"`

	// What follows is of HVPA-EP-0001.
	ScaleUp                 hvpaRules      `json:"scaleUp"`
	ScaleDown               hvpaRules      `json:"scaleDown"`
	ScalingIntervals        []hvpaInterval `json:"scalingIntervals"`
	ScalingIntervalsOverlap hvpaShares     `json:"scalingIntervalsOverlap"`
	BaseResourcesPerReplica hvpaShares     `json:"baseResourcesPerReplica"`
	LimitsRequestsGap       hvpaShares     `json:"limitsRequestsGapScaleParams"`
}

// fromHVPA converts an Hvpa: one of weights, as released, or one of intervals,
// as HVPA-EP-0001 proposes.
func fromHVPA(d *draft) fault.List {
	var in hvpa
	if faults := d.decode(&in); len(faults) > 0 {
		return faults
	}
	d.head(in.header)
	s := &in.Spec
	faults := d.target("spec.targetRef", s.TargetRef)
	d.leave("spec.replicas", "is written through the scale subresource, not asked for")
	d.leave("spec.hpa.selector", "there is no HPA to be found any more")
	d.leave("spec.vpa.selector", "there is no VPA to be found any more")
	d.leave("spec.hpa.template.metadata", "there is no HPA to be labeled any more")
	d.leave("spec.vpa.template.metadata", "there is no VPA to be labeled any more")
	d.hvpaWeights(s)
	d.hvpaHPA(s)
	d.hvpaVPA(s)
	d.hvpaIntervals(s)
	d.hvpaIdle(s)
	faults = append(faults, d.hvpaWindow(s)...)
	return append(faults, d.hvpaBehavior(s)...)
}

// hvpaWeights says what becomes of weights.
func (d *draft) hvpaWeights(s *hvpaSpec) {
	const why = "weights make the size depend on the way to it: "
	switch counts, sizes := s.HPA != nil && !s.off(s.HPA.Deploy), s.VPA != nil && !s.off(s.VPA.Deploy); {
	case counts && sizes:
		d.drop("spec.weightBasedScalingIntervals", why+"a resource with a metric is scaled by count here, and by size at replicas.max, where the "+
			"count cannot go further; say intervals to choose both together")
	case s.idle():
		d.leave("spec.weightBasedScalingIntervals", why+"neither the HPA nor the VPA has a say, so nothing is scaled here")
	case counts:
		d.leave("spec.weightBasedScalingIntervals", why+"the VPA has no say, so the count alone is scaled here")
	default:
		d.leave("spec.weightBasedScalingIntervals", why+"the HPA has no say, so the size alone is scaled here")
	}
}

// hvpaHPA carries the bounds and metrics of the HPA inside.
func (d *draft) hvpaHPA(s *hvpaSpec) {
	const from = fault.Path("spec.hpa")
	if s.HPA == nil {
		d.boundless(s)
		return
	}
	spec := &s.HPA.Template.Spec
	d.out.Spec.Replicas = v1alpha1.ReplicaSpec{Min: spec.MinReplicas, Max: spec.MaxReplicas}
	d.carry("spec.hpa.template.spec.minReplicas", "spec.replicas.min")
	d.carry("spec.hpa.template.spec.maxReplicas", "spec.replicas.max")
	if spec.MaxReplicas == nil {
		d.boundless(s)
	}
	if s.off(s.HPA.Deploy) {
		d.leave(from.Field("deploy"), "false: the HPA has no say, so its metrics are left out")
		for _, name := range []string{"template.spec.metrics", "scaleUp", "scaleDown"} {
			d.leave(from.Field(name), "deploy is false, as it is unless stated")
		}
		return
	}
	d.change(from.Field("deploy"), "spec.metrics", "true: the metrics are there, and have a say")
	for i := range spec.Metrics {
		d.flatMetric(fault.Path("spec.hpa.template.spec.metrics").Index(i), &spec.Metrics[i])
	}
}

// boundless gives an object without a maximum one, unless its intervals do.
func (d *draft) boundless(s *hvpaSpec) {
	if len(s.ScalingIntervals) > 0 {
		return
	}
	d.out.Spec.Replicas.Max = new(int32(roomForAny))
	d.assume("spec.replicas.max", "is %d, above any count in use: the original states none, and it is required here", roomForAny)
}

// hvpaVPA carries the policies of the containers.
func (d *draft) hvpaVPA(s *hvpaSpec) {
	const policies = "spec.vpa.template.spec.resourcePolicy.containerPolicies"
	switch {
	case s.VPA == nil:
		return
	case s.off(s.VPA.Deploy):
		if len(s.ScalingIntervals) > 0 {
			d.change("spec.vpa.deploy", "spec.vertical.source", "false: is None, so nobody recommends requests, and pods are sized by what the metrics ask for")
			d.hvpaSizing(v1alpha1.VerticalSourceNone)
		} else {
			d.leave("spec.vpa.deploy", "false: the VPA has no say, so no container is sized")
		}
		for _, name := range []string{"template.spec.resourcePolicy", "scaleUp", "scaleDown"} {
			d.leave(fault.Path("spec.vpa").Field(name), "deploy is false, as it is unless stated")
		}
		return
	}
	d.change("spec.vpa.deploy", "spec.containers", "true: the containers are there, and are sized")
	d.vpaContainers(policies, s.VPA.Template.Spec.ResourcePolicy.ContainerPolicies, d.scalingBesideMetrics(s))
	d.hvpaSizing("")
}

// hvpaSizing says who recommends, and how pods get their size. An Hvpa changes
// the template of the workload, so that all pods are replaced at once. To evict
// them would come closest, but waits until a pod has run for a while; a resize in
// place is as prompt, and restarts nothing it need not.
func (d *draft) hvpaSizing(source v1alpha1.VerticalSource) {
	d.out.Spec.Vertical = &v1alpha1.VerticalSpec{Source: source, Update: v1alpha1.VerticalUpdateInPlaceOrRecreate}
	d.assume("spec.vertical.update", "is InPlaceOrRecreate: an Hvpa changes the template of the workload, which replaces every pod; here "+
		"running pods are resized, and replaced where they cannot be")
}

// scalingBesideMetrics says how each resource is scaled: by size, except that
// without intervals one with a metric is scaled by count first, because an
// Hvpa sizes pods up only when its HPA is at the maximum.
func (d *draft) scalingBesideMetrics(s *hvpaSpec) func(string) v1alpha1.ResourceScaling {
	counted := map[string]bool{}
	for i := range d.out.Spec.Metrics {
		m := &d.out.Spec.Metrics[i]
		if m.Resource != nil {
			counted[m.Resource.Name] = true
		}
		if m.ContainerResource != nil {
			counted[m.ContainerResource.Name] = true
		}
	}
	return func(name string) v1alpha1.ResourceScaling {
		if counted[name] && len(s.ScalingIntervals) == 0 {
			return v1alpha1.ResourceScalingHorizontal
		}
		return v1alpha1.ResourceScalingVertical
	}
}

// hvpaIdle keeps an object from acting whose original does not.
func (d *draft) hvpaIdle(s *hvpaSpec) {
	if s.idle() {
		d.out.Spec.Mode = v1alpha1.ModeRecommend
		d.assume("spec.mode", "is Recommend, because neither the HPA nor the VPA is deployed, so the Hvpa changes nothing: set it to Auto when the object shall act")
		d.defaultAffects(AffectsAll)
	}
}

// idle tells whether neither of the two autoscalers inside has a say.
func (s *hvpaSpec) idle() bool {
	var counts, sizes *bool
	if s.HPA != nil {
		counts = s.HPA.Deploy
	}
	if s.VPA != nil {
		sizes = s.VPA.Deploy
	}
	return s.off(counts) && s.off(sizes)
}

// off tells whether one of the two autoscalers inside has no say. As released,
// it has one only where deploy is true; the proposal with intervals lets both
// have their say unless deploy is false.
func (s *hvpaSpec) off(deploy *bool) bool {
	if deploy == nil {
		return len(s.ScalingIntervals) == 0
	}
	return !*deploy
}
