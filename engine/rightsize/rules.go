package rightsize

import (
	"slices"

	"github.com/tidemark/tidemark/scale"
)

// Scaling is how a resource of a container is scaled.
type Scaling uint8

// The ways to scale.
const (
	Off Scaling = iota
	Horizontal
	Vertical
)

// Rules is the compiled policy of the stage.
type Rules struct {
	// Containers are the policies by name; Default is for the rest.
	Containers []Container
	Default    Container
	// PreferredMax is the count above which pods should rather grow; 0 is none,
	// and then they grow where there may be no more of them.
	PreferredMax int32
}

// Container is how one container may be sized.
type Container struct {
	Name      string
	Resources [len(scale.EveryResource)]Resource
	// KeepLimits leaves limits as they are; requests stay below them.
	KeepLimits bool
}

// Resource is how one resource of a container may be sized.
type Resource struct {
	Scaling Scaling
	// Min and Max bound the request; Max is 0 where there is none.
	Min, Max scale.Amount
	// Step is what a request is a multiple of, within its bounds; 0 is anything.
	Step scale.Amount
}

// rounded is an amount rounded up to a multiple of the step.
func (r Resource) rounded(a scale.Amount) scale.Amount {
	if r.Step <= 0 || a <= 0 || a%r.Step == 0 {
		return a
	}
	return a.Add(r.Step - a%r.Step)
}

func (r *Rules) container(name string) *Container {
	for i := range r.Containers {
		if r.Containers[i].Name == name {
			return &r.Containers[i]
		}
	}
	return &r.Default
}

func (r *Rules) of(container string, res scale.Resource) Resource {
	return r.container(container).Resources[res]
}

// InNumbers tells whether a resource of a container is scaled by the number of
// pods.
func (r *Rules) InNumbers(container string, res scale.Resource) bool {
	return r.of(container, res).Scaling == Horizontal
}

// InSize tells whether a resource of a container is scaled by the size of pods,
// as it is recommended.
func (r *Rules) InSize(container string, res scale.Resource) bool {
	return r.of(container, res).Scaling == Vertical
}

// Follows tells whether recommendations size anything.
func (r *Rules) Follows() bool {
	follows := func(c Container) bool {
		return slices.ContainsFunc(c.Resources[:], func(res Resource) bool { return res.Scaling == Vertical })
	}
	return follows(r.Default) || slices.ContainsFunc(r.Containers, follows)
}

// Source is a container's resource that a metric measures. An empty container
// stands for the whole pod.
type Source struct {
	Container string
	Resource  scale.Resource
	// Percent is the target utilization, 0 where the metric has none.
	Percent int32
	// Need is what the pods would have to request in all to be at the target,
	// stabilized; 0 is unknown. Busiest is what the busiest of them uses.
	Need, Busiest scale.Amount
}

// Demand is what metrics and recommendations ask for.
type Demand struct {
	// Desired is the wanted count. Informed is false when no metric had anything
	// to say.
	Desired  int32
	Informed bool
	// Max is the largest count allowed now. Min is the smallest that somebody
	// stated, 0 where the smallest allowed is another: one that was learned is for
	// a demand that comes, and pods must not shrink before it. Sharing is how many
	// pods share the need at that minimum.
	Min, Max, Sharing int32
	// Bottleneck is the source of the largest count; Known is false when that is
	// no resource of a pod.
	Bottleneck Source
	Known      bool
	// Used is what all pods use of the bottleneck's resource, in the order of the
	// size's containers; nil where it is not known.
	Used []scale.Amount
	// Sources are all metrics that measure a resource of the pods.
	Sources []Source
	// Recommended is what one pod of each container should request.
	Recommended []scale.Recommendation
	// Largest is the most that each of the size's containers can have, whatever a
	// rule allows; nil where nobody knows.
	Largest []Largest
}

// Largest is the most that a container can have of each resource, and what keeps it from
// having more; 0 where that is unknown.
type Largest [len(scale.EveryResource)]struct {
	Amount scale.Amount
	By     scale.Reason
}

// most is the largest request that a container can have: its rule's, or what there is.
func (d *Demand) most(container int, res scale.Resource, rule Resource) (scale.Amount, scale.Reason) {
	if container < len(d.Largest) {
		if there := d.Largest[container][res]; there.Amount > 0 && (rule.Max == 0 || there.Amount < rule.Max) {
			return there.Amount, there.By
		}
	}
	return rule.Max, scale.MaximumResource
}

// recommended is what one pod of the container should request; 0 is no
// recommendation.
func (d *Demand) recommended(container string, res scale.Resource) scale.Amount {
	for i := range d.Recommended {
		if d.Recommended[i].Container == container {
			amount, _ := d.Recommended[i].PerPod.Get(res)
			return amount
		}
	}
	return 0
}
