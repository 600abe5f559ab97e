package convert

import (
	"maps"

	"github.com/tidemark/tidemark/api/v1alpha1"
	"github.com/tidemark/tidemark/fault"
)

// tortoiseContainers carries how each container is scaled, and states the
// metrics that a Tortoise would give its own HPA. What spec.autoscalingPolicy
// says of some containers leaves the others alone; what resourcePolicy says of
// some leaves the others to what a Tortoise does by itself.
func (d *draft) tortoiseContainers(in *tortoiseSpec) {
	listed := len(in.AutoscalingPolicy) > 0
	for i, p := range in.AutoscalingPolicy {
		from := fault.Path("spec.autoscalingPolicy").Index(i)
		d.carry(from, fault.Path("spec.containers").Index(len(d.out.Spec.Containers)))
		d.tortoiseContainer(from.Field("policy"), p.ContainerName, p.Policy, leftAlone)
	}
	for i, p := range in.ResourcePolicy {
		at := fault.Path("spec.resourcePolicy").Index(i).Field("autoscalingPolicy")
		switch {
		case listed:
			d.leave(at, "spec.autoscalingPolicy stands beside it, and then it does not count")
		case len(p.AutoscalingPolicy) > 0:
			d.carry(at, fault.Path("spec.containers").Index(len(d.out.Spec.Containers)))
			d.tortoiseContainer(at, p.ContainerName, p.AutoscalingPolicy, byItself)
		}
	}
	if !listed {
		d.tortoiseNamed(in)
		d.tortoiseRest()
	}
	d.tortoiseSizes(in)
}

// How a Tortoise scales what nobody speaks of: not at all beside a list of
// policies, and otherwise cpu by count and memory by size.
var (
	leftAlone = map[string]v1alpha1.ResourceScaling{"cpu": v1alpha1.ResourceScalingOff, "memory": v1alpha1.ResourceScalingOff}
	byItself  = map[string]v1alpha1.ResourceScaling{"cpu": v1alpha1.ResourceScalingHorizontal, "memory": v1alpha1.ResourceScalingVertical}
)

// tortoiseContainer carries the policy of one container.
func (d *draft) tortoiseContainer(from fault.Path, name string, stated map[string]string, unstated map[string]v1alpha1.ResourceScaling) {
	scaling := maps.Clone(unstated)
	for resource, how := range stated {
		if _, ok := scaling[resource]; !ok {
			d.drop(child(from, resource), "only cpu and memory are measured, so nothing else can be scaled")
			continue
		}
		scaling[resource] = v1alpha1.ResourceScaling(how)
	}
	d.container(name, scaling["cpu"], scaling["memory"])
	for _, resource := range []string{"cpu", "memory"} {
		if scaling[resource] == v1alpha1.ResourceScalingHorizontal {
			d.containerMetric(from.Field(resource), resource, name)
		}
	}
}

// tortoiseNamed states the metrics of the containers that are named beside one
// that has a policy, and have none: they are scaled by count, and a metric of the
// whole pod would let those count that are not.
func (d *draft) tortoiseNamed(in *tortoiseSpec) {
	if len(d.out.Spec.Containers) == 0 {
		return
	}
	for i, p := range in.ResourcePolicy {
		if len(p.AutoscalingPolicy) == 0 {
			d.containerMetric(fault.Path("spec.resourcePolicy").Index(i).Field("autoscalingPolicy"), "cpu", p.ContainerName)
		}
	}
}

// tortoiseRest is for the containers that are not named. Their names are
// not known here, so their metric is that of the whole pod, and it is stated
// only where no container has a metric of its own: beside one it would count the
// same pods twice.
func (d *draft) tortoiseRest() {
	to := fault.Path("spec.containers").Index(len(d.out.Spec.Containers))
	d.container("*", byItself["cpu"], byItself["memory"])
	d.assume(to, "cpu is scaled by count and memory by size in every container unless stated")
	if len(d.out.Spec.Metrics) > 0 {
		d.assume("spec.metrics", "has those of the named containers: a Tortoise has a metric for each container that is scaled by count, whose "+
			"names are not known here; add ContainerResource metrics for the others")
		return
	}
	metric := d.nextMetric()
	d.metric("spec.autoscalingPolicy", utilization("cpu", new(int32(tortoiseTarget))))
	d.assume(metric, "starts at %d %%; a Tortoise has a metric for each container, whose names are not known here: replace it by "+
		"ContainerResource metrics", tortoiseTarget)
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
			scaling := leftAlone
			if automatic {
				scaling = byItself
			}
			at, policy = len(d.out.Spec.Containers), d.container(p.ContainerName, scaling["cpu"], scaling["memory"])
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
