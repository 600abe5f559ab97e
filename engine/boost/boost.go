package boost

import (
	"time"

	"github.com/tidemark/tidemark/scale"
)

// Rules are the boosts of a policy's containers.
type Rules struct {
	Containers []Container
	// Default is for containers that have no entry; nil is none.
	Default *Container
	// Most is the most cpu that the administrator allows anyone; 0 is no bound.
	Most scale.Amount
}

// Container is the boost of one container: by a factor, or to an amount.
type Container struct {
	Name string
	// None is set for a container that has an entry without a boost.
	None bool
	// Factor is in thousandths; 0 where Quantity counts.
	Factor   int64
	Quantity scale.Amount
	// KeepLimits is set where limits stay as they are.
	KeepLimits bool
	// For is for how long a pod keeps the boost once it is ready.
	For time.Duration
}

// Of returns the boost of a container; false where it has none.
func (r *Rules) Of(name string) (Container, bool) {
	for i := range r.Containers {
		if r.Containers[i].Name == name {
			return r.Containers[i], !r.Containers[i].None
		}
	}
	if r.Default != nil {
		return *r.Default, true
	}
	return Container{}, false
}

// For is the longest that a pod keeps a boost once it is ready.
func (r *Rules) For() time.Duration {
	longest := time.Duration(0)
	if r.Default != nil {
		longest = r.Default.For
	}
	for i := range r.Containers {
		longest = max(longest, r.Containers[i].For)
	}
	return longest
}

// Raised is what a container starts with that settles at a size. The reason says
// what kept it from being more: the container's own limit, or the administrator.
// A container that states no cpu gets none: it could not give it back.
func (r *Rules) Raised(settled scale.Container) (scale.Container, scale.Reason) {
	rule, boosted := r.Of(settled.Name)
	request, stated := settled.Requests.Usable(scale.CPU)
	if !boosted || !stated || request <= 0 {
		return settled, ""
	}
	limit, limited := settled.Limits.Usable(scale.CPU)
	to, cut := rule.to(request), scale.Reason("")
	lower := func(most scale.Amount) {
		if most > 0 && to > most {
			to, cut = max(most, request), scale.MaximumResource
		}
	}
	lower(r.Most)
	if limited && rule.KeepLimits {
		lower(limit)
	}
	if to <= request {
		return settled, cut
	}
	out := settled
	out.Requests = out.Requests.With(scale.CPU, to)
	if limited && !rule.KeepLimits {
		out.Limits = out.Limits.With(scale.CPU, max(to, limit.Share(int64(to), int64(request))))
	}
	return out, cut
}

func (c *Container) to(request scale.Amount) scale.Amount {
	if c.Factor > 0 {
		return request.Share(c.Factor, int64(scale.Thousand))
	}
	return c.Quantity
}

// Longest is for how long a pod that does not become ready keeps its boost: by then
// the boost has not helped.
const Longest = 10 * time.Minute

// Ends is when the boost of a pod is to be taken back, for a pod that keeps it so
// long once it is ready. One that finds no node loses it at once: a boost must not
// keep a pod from starting.
func Ends(p *scale.Pod, created time.Time, keeps time.Duration) time.Time {
	switch {
	case p.Pending != "":
		return p.PendingSince
	case p.Ready == scale.Ready:
		return p.ReadyChangedAt.Add(keeps)
	}
	return created.Add(Longest)
}
