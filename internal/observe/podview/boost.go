package podview

import (
	"encoding/json"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/tidemark/tidemark/api/v1alpha1"
	"github.com/tidemark/tidemark/engine/boost"
	"github.com/tidemark/tidemark/internal/observe/quantity"
	"github.com/tidemark/tidemark/scale"
)

// Boost is what a pod says of its start-up boost, in its annotation.
type Boost struct {
	// By is the name of the object that gave it.
	By string `json:"by"`
	// ForSeconds is for how long the pod keeps it once it is ready.
	ForSeconds int32              `json:"forSeconds,omitempty"`
	Containers []BoostedContainer `json:"containers"`
	// CutBy is what kept it from being more.
	CutBy scale.Reason `json:"cutBy,omitempty"`
}

// BoostedContainer is the cpu that a container has, and what it settles at.
type BoostedContainer struct {
	Name         string `json:"name"`
	CPU          string `json:"cpu"`
	CPULimit     string `json:"cpuLimit,omitempty"`
	Settled      string `json:"settled"`
	SettledLimit string `json:"settledLimit,omitempty"`
}

// BoostBetween are the containers that have more cpu by one spec than by the one they
// settle at.
func BoostBetween(settled, boosted *corev1.PodSpec) []BoostedContainer {
	var out []BoostedContainer
	from, to := Containers(settled), Containers(boosted)
	for i := range to {
		request, _ := to[i].Requests.Get(scale.CPU)
		before, _ := from[i].Requests.Get(scale.CPU)
		if request <= before {
			continue
		}
		one := BoostedContainer{Name: to[i].Name, CPU: request.String(), Settled: before.String()}
		if limit, limited := to[i].Limits.Get(scale.CPU); limited {
			one.CPULimit = limit.String()
		}
		if limit, limited := from[i].Limits.Get(scale.CPU); limited {
			one.SettledLimit = limit.String()
		}
		out = append(out, one)
	}
	return out
}

// longestKept is the longest that a boost is kept for once a pod is ready, whatever
// its annotation says: that is what the API allows.
const longestKept = 3600

// BoostOf returns the boost that a pod still has; nil where it has none. A pod that
// was resized since has none, whoever did that, and what cannot be read is none.
func BoostOf(pod *corev1.Pod) *Boost {
	text, noted := pod.Annotations[v1alpha1.BoostAnnotation]
	if !noted {
		return nil
	}
	var said Boost
	if json.Unmarshal([]byte(text), &said) != nil {
		return nil
	}
	still := said.Containers[:0]
	for _, c := range said.Containers {
		if c.has(pod) {
			still = append(still, c)
		}
	}
	if said.Containers = still; len(still) == 0 {
		return nil
	}
	return &said
}

// has tells whether a pod was last asked to have the boost of a container. Only what
// settles at less is one.
func (c *BoostedContainer) has(pod *corev1.Pod) bool {
	boosted, err := scale.ParseAmount(c.CPU)
	settled, err2 := scale.ParseAmount(c.Settled)
	if err != nil || err2 != nil || settled <= 0 || settled >= boosted {
		return false
	}
	for _, list := range [][]corev1.Container{pod.Spec.Containers, pod.Spec.InitContainers} {
		for i := range list {
			if list[i].Name == c.Name {
				now, known := quantity.Requests(list[i].Resources.Requests).Get(scale.CPU)
				return known && now == boosted
			}
		}
	}
	return false
}

// Covers tells whether a container has by its boost what is wanted of its cpu, or more.
func (b *Boost) Covers(want scale.Container) bool {
	wanted, _ := want.Requests.Get(scale.CPU)
	for _, c := range b.Containers {
		if boosted, err := scale.ParseAmount(c.CPU); err == nil && c.Name == want.Name {
			return wanted <= boosted
		}
	}
	return false
}

// Settled is what the boosted containers settle at, of cpu alone.
func (b *Boost) Settled() []scale.Container {
	out := make([]scale.Container, 0, len(b.Containers))
	for _, c := range b.Containers {
		one := scale.Container{Name: c.Name}
		if request, err := scale.ParseAmount(c.Settled); err == nil {
			one.Requests = one.Requests.With(scale.CPU, request)
		}
		if limit, err := scale.ParseAmount(c.SettledLimit); err == nil {
			one.Limits = one.Limits.With(scale.CPU, limit)
		}
		out = append(out, one)
	}
	return out
}

// Ends is when the boost of a pod is to be taken back.
func (b *Boost) Ends(pod *corev1.Pod) time.Time {
	life := Life(pod)
	keeps := time.Duration(max(0, min(b.ForSeconds, longestKept))) * time.Second
	return boost.Ends(&life, pod.CreationTimestamp.Time, keeps)
}

// Settled returns the sizes that the containers of a pod settle at: those that it
// was asked to have, without a boost.
func Settled(pod *corev1.Pod) []scale.Container {
	out := Containers(&pod.Spec)
	if b := BoostOf(pod); b != nil {
		for _, settled := range b.Settled() {
			for i := range out {
				if out[i].Name == settled.Name {
					out[i] = settle(out[i], settled)
				}
			}
		}
	}
	return out
}

func settle(c, settled scale.Container) scale.Container {
	if request, known := settled.Requests.Get(scale.CPU); known {
		c.Requests = c.Requests.With(scale.CPU, request)
	}
	if limit, known := settled.Limits.Get(scale.CPU); known {
		c.Limits = c.Limits.With(scale.CPU, limit)
	}
	return c
}

// setBoost notes what a pod settles at, and that it has more until then.
func setBoost(out *scale.Pod, pod *corev1.Pod) {
	b := BoostOf(pod)
	if b == nil {
		return
	}
	out.Boosted, out.BoostEnds = true, b.Ends(pod)
	for _, settled := range b.Settled() {
		for i := range out.Containers {
			if c := &out.Containers[i]; c.Name == settled.Name {
				setSettled(c, settled)
			}
		}
	}
}

func setSettled(c *scale.PodContainer, settled scale.Container) {
	if has, known := c.Has(scale.CPU); known {
		c.InForce = c.InForce.With(scale.CPU, has)
	}
	if has, known := c.HasLimit(scale.CPU); known {
		c.LimitsInForce = c.LimitsInForce.With(scale.CPU, has)
	}
	was := settle(scale.Container{Requests: c.Requests, Limits: c.Limits}, settled)
	c.Requests, c.Limits = was.Requests, was.Limits
}
