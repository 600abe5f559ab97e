package convert

import (
	"slices"
	"strings"

	autoscalingv2 "k8s.io/api/autoscaling/v2"

	"github.com/tidemark/tidemark/api/v1alpha1"
	"github.com/tidemark/tidemark/fault"
)

type tortoise struct {
	header
	Spec tortoiseSpec `json:"spec"`
}

type tortoiseSpec struct {
	TargetRefs struct {
		ScaleTargetRef reference `json:"scaleTargetRef"`
		// DeploymentName is how v1alpha1 names its target.
		DeploymentName              string `json:"deploymentName"`
		HorizontalPodAutoscalerName string `json:"horizontalPodAutoscalerName"`
	} `json:"targetRefs"`
	UpdateMode     string `json:"updateMode"`
	ResourcePolicy []struct {
		ContainerName         string     `json:"containerName"`
		MinAllocatedResources quantities `json:"minAllocatedResources"`
		MaxAllocatedResources quantities `json:"maxAllocatedResources"`
		// AutoscalingPolicy is where v1alpha1 and v1beta1 say how a container is
		// scaled. v1beta2 still reads it, and v1beta3 has it no more.
		AutoscalingPolicy map[string]string `json:"autoscalingPolicy"`
	} `json:"resourcePolicy"`
	AutoscalingPolicy []struct {
		ContainerName string            `json:"containerName"`
		Policy        map[string]string `json:"policy"`
	} `json:"autoscalingPolicy"`
	MaxReplicas                     *int32                                         `json:"maxReplicas"`
	HorizontalPodAutoscalerBehavior *autoscalingv2.HorizontalPodAutoscalerBehavior `json:"horizontalPodAutoscalerBehavior"`
}

// Settings that a Tortoise's controller has unless its administrator says
// otherwise.
const (
	tortoiseTarget = 70
	tortoiseMin    = 3
	tortoiseMax    = 100
	tortoiseZone   = "Asia/Tokyo"
)

// fromTortoise converts a Tortoise of any version.
func fromTortoise(d *draft) fault.List {
	var in tortoise
	if faults := d.decode(&in); len(faults) > 0 {
		return faults
	}
	d.head(in.header)
	faults := d.tortoiseTarget(&in.Spec)
	faults = append(faults, d.tortoiseMode(in.Spec.UpdateMode)...)
	d.drop("spec.deletionPolicy", "has no counterpart: deleting this object never deletes a workload or an HPA")
	d.drop("spec.featureGates", "turns on features of the original's controller")
	d.tortoiseReplicas(&in.Spec)
	d.tortoiseLearning()
	d.carry("spec.horizontalPodAutoscalerBehavior", "spec.behavior")
	if d.out.Spec.Behavior = d.hpaBehavior("spec.horizontalPodAutoscalerBehavior", in.Spec.HorizontalPodAutoscalerBehavior); d.out.Spec.Behavior == nil {
		d.tortoiseBehavior()
	}
	d.tortoiseContainers(&in.Spec)
	d.out.Spec.Vertical = &v1alpha1.VerticalSpec{Update: v1alpha1.VerticalUpdateRecreate}
	d.assume("spec.vertical.update", "is Recreate: a Tortoise restarts the workload; the default here is InPlaceOrRecreate")
	if name := in.Spec.TargetRefs.HorizontalPodAutoscalerName; name != "" {
		d.tunesHPA(name, &in.Spec)
	}
	return faults
}

// tortoiseTarget carries the reference to the workload. v1alpha1 knows
// Deployments alone, and names them.
func (d *draft) tortoiseTarget(in *tortoiseSpec) fault.List {
	const from, named = "spec.targetRefs.scaleTargetRef", "spec.targetRefs.deploymentName"
	name := in.TargetRefs.DeploymentName
	if name == "" || in.TargetRefs.ScaleTargetRef != (reference{}) {
		d.leave(named, "scaleTargetRef names the workload")
		return d.target(from, in.TargetRefs.ScaleTargetRef)
	}
	faults := d.target(from, reference{APIVersion: usualVersion["Deployment"], Kind: "Deployment", Name: name})
	d.carry(named, "spec.targetRef.name")
	return faults
}

func (d *draft) tortoiseMode(mode string) fault.List {
	const from, to = "spec.updateMode", "spec.mode"
	switch mode {
	case "":
		d.out.Spec.Mode = v1alpha1.ModeRecommend
		d.assume(to, "is Recommend: a Tortoise is Off unless stated, and goes on recommending")
	case "Off":
		d.out.Spec.Mode = v1alpha1.ModeRecommend
		d.change(from, to, "is Recommend: a Tortoise that is Off goes on recommending")
	case "Auto", "Emergency":
		d.out.Spec.Mode = v1alpha1.Mode(mode)
		d.carry(from, to)
	default:
		return fault.List{{Path: from, Message: "must be Off, Auto or Emergency, got " + mode}}
	}
	return nil
}

func (d *draft) tortoiseReplicas(in *tortoiseSpec) {
	least, most := int32(tortoiseMin), int32(tortoiseMax)
	d.carry("spec.maxReplicas", "spec.replicas.max")
	if in.MaxReplicas != nil {
		most = *in.MaxReplicas
	} else {
		d.assume("spec.replicas.max", "is %d, the MaximumMaxReplicas of the controller unless its administrator says otherwise", most)
	}
	least = min(least, most)
	d.out.Spec.Replicas = v1alpha1.ReplicaSpec{Min: &least, Max: &most}
	d.assume("spec.replicas.min", "is %d, from the MinimumMinReplicas of the controller", least)
}

func (d *draft) tortoiseLearning() {
	d.out.Spec.Learn = &v1alpha1.Learn{TimeZone: tortoiseZone, Targets: new(true)}
	d.assume("spec.learn", "minimum, maximum and targets are learned; the past is the largest of four weeks, where a Tortoise lets it fade by 5 %% a week")
	d.assume("spec.learn.timeZone", "is %s, the TimeZone of the controller unless its administrator says otherwise", tortoiseZone)
}

func (d *draft) tortoiseBehavior() {
	up, down := d.behavior()
	up.Policies = []v1alpha1.ScalingPolicy{{Type: v1alpha1.PercentScalingPolicy, Value: 100, PeriodSeconds: 60}}
	down.Policies = []v1alpha1.ScalingPolicy{{Type: v1alpha1.PercentScalingPolicy, Value: 2, PeriodSeconds: 90}}
	d.assume("spec.behavior", "is at most 100 %% more in 60 seconds and 2 %% less in 90 seconds unless stated")
}

// tunesHPA keeps the attached HPA tuned, as a Tortoise does. Its metrics and its
// behavior are its own, and so are the bounds that the Tortoise does not state.
func (d *draft) tunesHPA(name string, in *tortoiseSpec) {
	d.out.Spec.Actuator, d.out.Spec.HPAName = v1alpha1.ActuatorHPA, name
	d.carry("spec.targetRefs.horizontalPodAutoscalerName", "spec.hpaName")
	d.out.Spec.Metrics, d.metricFrom = nil, nil
	d.out.Spec.Replicas = v1alpha1.ReplicaSpec{Max: in.MaxReplicas}
	d.out.Spec.Behavior = nil
	d.defaults = slices.DeleteFunc(d.defaults, func(f Field) bool {
		return strings.HasPrefix(f.To, "spec.metrics") || strings.HasPrefix(f.To, "spec.replicas.") || f.To == "spec.behavior"
	})
	const behavior = fault.Path("spec.horizontalPodAutoscalerBehavior")
	d.forget(behavior)
	d.drop(behavior, "the HPA %s keeps its own behavior: write it there", name)
	d.assume("spec.behavior", "is left out: the HPA moves the count, by its own behavior")
	d.assume("spec.metrics", "is left out: what is tuned is the HPA's own list, from its own targets")
	d.assume("spec.replicas", "has no bound that the Tortoise does not state: the HPA keeps its own until one is learned; MinimumMinReplicas "+
		"and MaximumMaxReplicas of the controller are minimumReplicas and maximumReplicas of the administrator here")
}
