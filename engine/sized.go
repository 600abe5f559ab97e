package engine

import (
	"slices"

	"github.com/tidemark/tidemark/scale"
)

// Sized is the size of a container as it was decided. Zero is nothing decided.
type Sized struct {
	Container   string       `json:"container"`
	CPU         scale.Amount `json:"cpu,omitempty"`
	Memory      scale.Amount `json:"memory,omitempty"`
	CPULimit    scale.Amount `json:"cpuLimit,omitempty"`
	MemoryLimit scale.Amount `json:"memoryLimit,omitempty"`
}

// maxSized bounds how many containers are remembered: more than a pod has.
const maxSized = 64

// Sizes tells whether the policy changes what pods request.
func (p *Policy) Sizes() bool { return p.Interval != nil || p.Rightsize != nil || p.Elastic != nil }

// sizedAs returns the size that pods are brought to, for the next decision: what
// is remembered of it already, where that is the same.
func sizedAs(before []Sized, containers []scale.Container) []Sized {
	if slices.EqualFunc(before, containers, func(s Sized, c scale.Container) bool { return s == sizedOf(&c) }) {
		return before
	}
	next := make([]Sized, 0, len(containers))
	for i := range containers[:min(len(containers), maxSized)] {
		next = append(next, sizedOf(&containers[i]))
	}
	return next
}

func sizedOf(c *scale.Container) Sized {
	out := Sized{Container: c.Name}
	out.CPU, _ = c.Requests.Get(scale.CPU)
	out.Memory, _ = c.Requests.Get(scale.Memory)
	out.CPULimit, _ = c.Limits.Get(scale.CPU)
	out.MemoryLimit, _ = c.Limits.Get(scale.Memory)
	return out
}

// request is what was decided of a resource.
func (s *Sized) request(r scale.Resource) scale.Amount {
	if r == scale.CPU {
		return s.CPU
	}
	return s.Memory
}

// under is the size of a container that was decided as this, where something
// was.
func (s *Sized) under(c scale.Container) scale.Container {
	for res, amounts := range [...][2]scale.Amount{scale.CPU: {s.CPU, s.CPULimit}, scale.Memory: {s.Memory, s.MemoryLimit}} {
		if amounts[0] > 0 {
			c.Requests = c.Requests.With(scale.Resource(res), amounts[0])
		}
		if amounts[1] > 0 {
			c.Limits = c.Limits.With(scale.Resource(res), amounts[1])
		}
	}
	return c
}

// underWay is the size that pods are being brought to, where one was decided and
// some pod has been asked to have it; else what was found. Pods are made smaller
// a few at a time. Until most of them are, what is found is the size before, and
// whoever holds it would undo what has been done.
func underWay(sized []Sized, obs *scale.Observation) []scale.Container {
	found := obs.Target.Containers
	if asDecided(sized, found) {
		return found
	}
	decided := slices.Clone(found)
	for i := range decided {
		if j := sizedIndex(sized, decided[i].Name); j >= 0 {
			decided[i] = sized[j].under(decided[i])
		}
	}
	for i := range obs.Pods {
		if p := &obs.Pods[i]; !p.Ended() && asked(p, decided) {
			return decided
		}
	}
	return found
}

// asDecided tells whether containers have the sizes that were decided.
func asDecided(sized []Sized, found []scale.Container) bool {
	for i := range found {
		if j := sizedIndex(sized, found[i].Name); j >= 0 && sized[j].under(found[i]) != found[i] {
			return false
		}
	}
	return true
}

func sizedIndex(sized []Sized, container string) int {
	return slices.IndexFunc(sized, func(s Sized) bool { return s.Container == container })
}

// gap is how far a request may be below what was decided: a pod that must not
// become Guaranteed is kept that far below its limit.
const gap scale.Amount = 1

// asked tells whether a pod was asked to have a size.
func asked(p *scale.Pod, size []scale.Container) bool {
	for i := range size {
		for j := range p.Containers {
			if c := &p.Containers[j]; c.Name == size[i].Name && !askedFor(c, &size[i]) {
				return false
			}
		}
	}
	return len(p.Containers) > 0
}

func askedFor(c *scale.PodContainer, size *scale.Container) bool {
	for _, r := range scale.EveryResource {
		wanted, stated := size.Requests.Get(r)
		if has, ok := c.Requests.Get(r); stated && (!ok || has > wanted || has < wanted-gap) {
			return false
		}
	}
	return true
}
