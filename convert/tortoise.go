package convert

import (
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
		ScaleTargetRef              reference `json:"scaleTargetRef"`
		HorizontalPodAutoscalerName string    `json:"horizontalPodAutoscalerName"`
	} `json:"targetRefs"`
	UpdateMode     string `json:"updateMode"`
	ResourcePolicy []struct {
		ContainerName         string     `json:"containerName"`
		MinAllocatedResources quantities `json:"minAllocatedResources"`
		MaxAllocatedResources quantities `json:"maxAllocatedResources"`
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

// fromTortoise converts a Tortoise.
func fromTortoise(d *draft) fault.List {
	var in tortoise
	if faults := d.decode(&in); len(faults) > 0 {
		return faults
	}
	d.head(in.header)
	faults := d.target("spec.targetRefs.scaleTargetRef", in.Spec.TargetRefs.ScaleTargetRef)
	faults = append(faults, d.tortoiseMode(in.Spec.UpdateMode)...)
	d.drop("spec.deletionPolicy", "has no counterpart: deleting this object never deletes a workload or an HPA")
	d.tortoiseReplicas(&in.Spec)
	d.tortoiseLearning()
	d.carry("spec.horizontalPodAutoscalerBehavior", "spec.behavior")
	if d.out.Spec.Behavior = d.hpaBehavior("spec.horizontalPodAutoscalerBehavior", in.Spec.HorizontalPodAutoscalerBehavior); d.out.Spec.Behavior == nil {
		d.tortoiseBehavior()
	}
	if name := in.Spec.TargetRefs.HorizontalPodAutoscalerName; name != "" {
		d.tunesHPA(name)
		return faults
	}
	d.tortoiseContainers(&in.Spec)
	d.out.Spec.Vertical = &v1alpha1.VerticalSpec{Update: v1alpha1.VerticalUpdateRecreate}
	d.assume("spec.vertical.update", "is Recreate: a Tortoise restarts the workload; the default here is InPlaceOrRecreate")
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
	yes := true
	d.out.Spec.Learn = &v1alpha1.Learn{TimeZone: tortoiseZone, Targets: &yes}
	d.assume("spec.learn", "minimum, maximum and targets are learned; the past is the largest of four weeks, where a Tortoise lets it fade by 5 %% a week")
	d.assume("spec.learn.timeZone", "is %s, the TimeZone of the controller unless its administrator says otherwise", tortoiseZone)
}

func (d *draft) tortoiseBehavior() {
	up, down := d.behavior()
	up.Policies = []v1alpha1.ScalingPolicy{{Type: v1alpha1.PercentScalingPolicy, Value: 100, PeriodSeconds: 60}}
	down.Policies = []v1alpha1.ScalingPolicy{{Type: v1alpha1.PercentScalingPolicy, Value: 2, PeriodSeconds: 90}}
	d.assume("spec.behavior", "is at most 100 %% more in 60 seconds and 2 %% less in 90 seconds unless stated")
}

// tunesHPA keeps the attached HPA tuned, as a Tortoise does. One object cannot
// size pods as well, because the HPA's targets would move under it.
func (d *draft) tunesHPA(name string) {
	const why = "an object that keeps an HPA tuned does not size pods: leave hpaName out to have this object do both"
	d.out.Spec.Actuator, d.out.Spec.HPAName = v1alpha1.ActuatorHPA, name
	d.carry("spec.targetRefs.horizontalPodAutoscalerName", "spec.hpaName")
	d.drop("spec.resourcePolicy", why)
	d.drop("spec.autoscalingPolicy", why)
}

// tortoiseContainers carries how each container is scaled, and states the
// metrics that a Tortoise would give its own HPA.
func (d *draft) tortoiseContainers(in *tortoiseSpec) {
	if len(in.AutoscalingPolicy) == 0 {
		d.container("*", v1alpha1.ResourceScalingHorizontal, v1alpha1.ResourceScalingVertical)
		d.assume("spec.containers[0]", "cpu is scaled by count and memory by size in every container unless stated")
		d.metric("spec.autoscalingPolicy", utilization("cpu", new(int32(tortoiseTarget))))
		d.assume("spec.metrics[0]", "starts at %d %%; a Tortoise has a metric for each container, whose names are not known here: replace it by ContainerResource metrics", tortoiseTarget)
	}
	for i, p := range in.AutoscalingPolicy {
		from := fault.Path("spec.autoscalingPolicy").Index(i)
		d.carry(from, fault.Path("spec.containers").Index(len(d.out.Spec.Containers)))
		scaling := map[string]v1alpha1.ResourceScaling{"cpu": v1alpha1.ResourceScalingOff, "memory": v1alpha1.ResourceScalingOff}
		for name, how := range p.Policy {
			at := child(from.Field("policy"), name)
			if _, ok := scaling[name]; !ok {
				d.drop(at, "only cpu and memory are measured, so nothing else can be scaled")
				continue
			}
			scaling[name] = v1alpha1.ResourceScaling(how)
		}
		d.container(p.ContainerName, scaling["cpu"], scaling["memory"])
		for _, name := range []string{"cpu", "memory"} {
			if scaling[name] == v1alpha1.ResourceScalingHorizontal {
				d.containerMetric(from.Field("policy").Field(name), name, p.ContainerName)
			}
		}
	}
	d.tortoiseSizes(in)
}

func (d *draft) container(name string, cpu, memory v1alpha1.ResourceScaling) *v1alpha1.ContainerPolicy {
	d.out.Spec.Containers = append(d.out.Spec.Containers, v1alpha1.ContainerPolicy{
		Name: name, CPU: &v1alpha1.ResourcePolicy{Scaling: cpu}, Memory: &v1alpha1.ResourcePolicy{Scaling: memory},
	})
	return &d.out.Spec.Containers[len(d.out.Spec.Containers)-1]
}

func (d *draft) containerMetric(from fault.Path, name, container string) {
	to := d.nextMetric()
	d.addMetric(from, v1alpha1.MetricSpec{Type: v1alpha1.ContainerResourceMetricType, ContainerResource: &v1alpha1.ContainerResourceMetric{
		Name: name, Container: container,
		Target: &v1alpha1.MetricTarget{Type: v1alpha1.UtilizationTarget, AverageUtilization: new(int32(tortoiseTarget))},
	}})
	d.assume(to, "starts at %d %%, as a new Tortoise does, and is learned from then on", tortoiseTarget)
}

// tortoiseSizes carries the bounds of requests. A container that only has
// bounds is scaled as the rest are.
func (d *draft) tortoiseSizes(in *tortoiseSpec) {
	automatic := len(in.AutoscalingPolicy) == 0
	for i, p := range in.ResourcePolicy {
		from := fault.Path("spec.resourcePolicy").Index(i)
		at, policy := d.containerNamed(p.ContainerName)
		if policy == nil {
			cpu, memory := v1alpha1.ResourceScalingOff, v1alpha1.ResourceScalingOff
			if automatic {
				cpu, memory = v1alpha1.ResourceScalingHorizontal, v1alpha1.ResourceScalingVertical
			}
			at, policy = len(d.out.Spec.Containers), d.container(p.ContainerName, cpu, memory)
		}
		d.carry(from, fault.Path("spec.containers").Index(at))
		for name, into := range map[string]*v1alpha1.ResourcePolicy{"cpu": policy.CPU, "memory": policy.Memory} {
			into.Min, into.Max = amountOf(p.MinAllocatedResources, name), amountOf(p.MaxAllocatedResources, name)
		}
		d.onlyCPUAndMemory(from.Field("minAllocatedResources"), p.MinAllocatedResources)
		d.onlyCPUAndMemory(from.Field("maxAllocatedResources"), p.MaxAllocatedResources)
	}
}

func (d *draft) containerNamed(name string) (int, *v1alpha1.ContainerPolicy) {
	for i := range d.out.Spec.Containers {
		if d.out.Spec.Containers[i].Name == name {
			return i, &d.out.Spec.Containers[i]
		}
	}
	return 0, nil
}
