package convert

import (
	"slices"

	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/tidemark/tidemark/api/v1alpha1"
	"github.com/tidemark/tidemark/fault"
)

type vpa struct {
	header
	Spec struct {
		TargetRef      reference         `json:"targetRef"`
		UpdatePolicy   vpaUpdatePolicy   `json:"updatePolicy"`
		ResourcePolicy vpaResourcePolicy `json:"resourcePolicy"`
		StartupBoost   *vpaBoost         `json:"startupBoost"`
	} `json:"spec"`
}

type vpaResourcePolicy struct {
	ContainerPolicies []vpaContainer `json:"containerPolicies"`
}

type vpaContainer struct {
	ContainerName       string     `json:"containerName"`
	Mode                string     `json:"mode"`
	MinAllowed          quantities `json:"minAllowed"`
	MaxAllowed          quantities `json:"maxAllowed"`
	ControlledResources *[]string  `json:"controlledResources"`
	ControlledValues    string     `json:"controlledValues"`
	StartupBoost        *vpaBoost  `json:"startupBoost"`

	OOMBumpUpRatio *resource.Quantity `json:"oomBumpUpRatio"`
	OOMMinBumpUp   *resource.Quantity `json:"oomMinBumpUp"`
}

// quantities are amounts by the name of their resource.
type quantities map[string]resource.Quantity

// roomForAny is the maximum of an object that only sizes pods. Nothing there
// asks for a count, so it only has to be above any count in use.
const roomForAny = 10_000

// fromVPA converts a VerticalPodAutoscaler.
func fromVPA(d *draft) fault.List {
	var in vpa
	if faults := d.decode(&in); len(faults) > 0 {
		return faults
	}
	d.head(in.header)
	faults := d.target("spec.targetRef", in.Spec.TargetRef)
	d.out.Spec.Replicas.Max = new(int32(roomForAny))
	d.assume("spec.replicas.max", "is %d, above any count in use: a VPA leaves the count alone, and nothing asks for one here either", roomForAny)
	faults = append(faults, d.vpaUpdate(in.Spec.UpdatePolicy.UpdateMode)...)
	d.vpaDisruption(&in.Spec.UpdatePolicy)
	d.drop("spec.recommenders", "the built-in recommender is used; to keep another one, keep the VPA with updateMode \"Off\" and say vertical: "+
		"{source: VPA, vpaName: %s}", in.Metadata.Name)
	d.vpaContainers("spec.resourcePolicy.containerPolicies", in.Spec.ResourcePolicy.ContainerPolicies, vertically)
	d.vpaBoosts(in.Spec.StartupBoost, in.Spec.ResourcePolicy.ContainerPolicies)
	d.assume("", "the smallest request of a VPA is 25m and 250Mi for a pod, shared by its containers; here it is 50m and 50Mi for a container "+
		"unless containers state a minimum")
	return faults
}

// fromVPAv1beta1 converts a VerticalPodAutoscaler of v1beta1, which names pods by
// their labels. One that has a targetRef as well says what is needed.
func fromVPAv1beta1(d *draft) fault.List {
	spec, _ := d.tree["spec"].(map[string]any)
	if spec["targetRef"] == nil {
		return fault.List{{Path: "spec.selector", Message: "names pods by their labels, as v1beta1 does, and not the workload: write spec.targetRef instead, " +
			"as autoscaling.k8s.io/v1 has it"}}
	}
	faults := fromVPA(d)
	d.leave("spec.selector", "targetRef names the workload")
	return faults
}

// vpaUpdate carries how requests reach the pods.
func (d *draft) vpaUpdate(mode string) fault.List {
	const from, to = "spec.updatePolicy.updateMode", "spec.vertical.update"
	vertical := &v1alpha1.VerticalSpec{Update: v1alpha1.VerticalUpdateRecreate}
	d.out.Spec.Vertical = vertical
	d.carry(from, to)
	switch mode {
	case "":
		d.assume(to, "is Recreate unless stated, where the default here is InPlaceOrRecreate")
	case "Auto":
		d.change(from, to, "means Recreate in a VPA")
	case "Off":
		d.out.Spec.Mode, d.out.Spec.Vertical = v1alpha1.ModeRecommend, nil
		d.change(from, "spec.mode", "is mode Recommend: decide and change nothing")
	case "Recreate", "Initial", "InPlace", "InPlaceOrRecreate":
		vertical.Update = v1alpha1.VerticalUpdate(mode)
	default:
		return fault.List{{Path: from, Message: "must be Off, Initial, Recreate, InPlace, InPlaceOrRecreate or Auto, got " + mode}}
	}
	return nil
}

// vertically says that every resource is had by larger pods.
func vertically(string) v1alpha1.ResourceScaling { return v1alpha1.ResourceScalingVertical }

// vpaContainers carries the policies of containers. A VPA sizes containers
// that have no policy too, so there is always an entry for the rest.
func (d *draft) vpaContainers(from fault.Path, in []vpaContainer, scaling func(resource string) v1alpha1.ResourceScaling) {
	rest := false
	for i := range in {
		rest = rest || in[i].ContainerName == "*"
		d.vpaContainer(from.Index(i), &in[i], scaling)
	}
	if rest {
		return
	}
	d.assume(fault.Path("spec.containers").Index(len(d.out.Spec.Containers)), "stands for the containers without a policy, which a VPA sizes too")
	d.out.Spec.Containers = append(d.out.Spec.Containers, v1alpha1.ContainerPolicy{
		Name: "*", CPU: &v1alpha1.ResourcePolicy{Scaling: scaling("cpu")}, Memory: &v1alpha1.ResourcePolicy{Scaling: scaling("memory")},
	})
}

func (d *draft) vpaContainer(from fault.Path, in *vpaContainer, scaling func(string) v1alpha1.ResourceScaling) {
	to := fault.Path("spec.containers").Index(len(d.out.Spec.Containers))
	d.carry(from, to)
	out := v1alpha1.ContainerPolicy{Name: in.ContainerName, ControlledValues: v1alpha1.ControlledValues(in.ControlledValues)}
	for _, name := range []string{"cpu", "memory"} {
		p := &v1alpha1.ResourcePolicy{Scaling: scaling(name), Min: amountOf(in.MinAllowed, name), Max: amountOf(in.MaxAllowed, name)}
		if in.Mode == "Off" || (in.ControlledResources != nil && !slices.Contains(*in.ControlledResources, name)) {
			p = &v1alpha1.ResourcePolicy{Scaling: v1alpha1.ResourceScalingOff}
			d.leave(from.Field("minAllowed").Field(name), "the resource is not scaled")
			d.leave(from.Field("maxAllowed").Field(name), "the resource is not scaled")
		}
		if name == "cpu" {
			out.CPU = p
		} else {
			out.Memory = p
		}
	}
	d.change(from.Field("mode"), to, "is the scaling of each resource: \"Off\" where the mode is Off, and otherwise %s and %s", scaling("cpu"), scaling("memory"))
	d.change(from.Field("controlledResources"), to, "is the scaling of each resource: \"Off\" where a resource is not listed")
	d.onlyCPUAndMemory(from.Field("minAllowed"), in.MinAllowed)
	d.onlyCPUAndMemory(from.Field("maxAllowed"), in.MaxAllowed)
	d.vpaOutOfMemory(from, to, in, &out)
	for _, name := range []string{"memoryAggregationIntervalSeconds", "memoryAggregationIntervalCount"} {
		d.drop(from.Field(name), "has no counterpart: memory is remembered as the peak of each day, and vertical.estimator says which of them count")
	}
	out.Boost = d.vpaBoost(from.Field("startupBoost"), to.Field("boost"), in.StartupBoost)
	d.out.Spec.Containers = append(d.out.Spec.Containers, out)
}

// amountOf returns an amount, nil where there is none. Zero sets no bound.
func amountOf(in quantities, name string) *resource.Quantity {
	if q, ok := in[name]; ok && !q.IsZero() {
		return &q
	}
	return nil
}

// onlyCPUAndMemory reports amounts of other resources.
func (d *draft) onlyCPUAndMemory(from fault.Path, in quantities) {
	for name := range in {
		if name != "cpu" && name != "memory" {
			d.drop(child(from, name), "only cpu and memory are measured, so nothing else can be scaled")
		}
	}
}
