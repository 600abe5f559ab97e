package rightsize

import (
	"slices"

	"github.com/tidemark/tidemark/scale"
)

// leastPercent is the smallest change of a request that is worth applying, in
// percent, so that requests do not creep after every recommendation. It is the
// VPA's own.
const leastPercent = 10

// Choice is a size, and how it came about.
type Choice struct {
	Size scale.Size
	// Grew and Shrank tell that pods changed instead of their number. Full tells
	// that they grew because there may be no more of them.
	Grew, Full, Shrank bool
	// Followed tells that there was a recommendation to follow.
	Followed bool
	// AtMax and AtMin tell that a bound kept a request.
	AtMax, AtMin bool
	// Short is what kept the bottleneck from growing; empty where nothing did.
	Short scale.Reason

	rules *Rules
}

// Choose sizes the pods.
func (r *Rules) Choose(from scale.Size, d Demand) Choice {
	c := Choice{rules: r, Size: scale.Size{Replicas: from.Replicas, Containers: slices.Clone(from.Containers)}}
	r.followRecommendations(&c, &d)
	r.balance(&c, &d)
	if d.Informed {
		c.Size.Replicas = d.Desired
		r.grow(&c, from, &d)
		r.shrink(&c, from, &d)
	}
	return c
}

// followRecommendations sizes what is scaled vertically.
func (r *Rules) followRecommendations(c *Choice, d *Demand) {
	for i := range c.Size.Containers {
		for _, res := range scale.EveryResource {
			name := c.Size.Containers[i].Name
			// What is not recommended is not zero: the request stays.
			if rule, want := r.of(name, res), d.recommended(name, res); rule.Scaling == Vertical && want > 0 {
				c.setRequest(i, res, rule, rule.rounded(want), leastPercent)
				c.Followed = true
			}
		}
	}
}

// balance takes from containers that are not the bottleneck what they will
// never use: with several of them scaled by their number, the largest count
// wins, and the others idle.
func (r *Rules) balance(c *Choice, d *Demand) {
	if len(d.Sources) < 2 {
		return
	}
	for _, s := range d.Sources {
		i := slices.IndexFunc(c.Size.Containers, func(e scale.Container) bool { return e.Name == s.Container })
		if i < 0 || s.Percent == 0 || (d.Known && s.Container == d.Bottleneck.Container && s.Resource == d.Bottleneck.Resource) {
			continue
		}
		rule := r.of(s.Container, s.Resource)
		request, ok := c.Size.Containers[i].Requests.Get(s.Resource)
		fitting := rule.rounded(d.recommended(s.Container, s.Resource).Share(100, int64(s.Percent)))
		if rule.Scaling == Horizontal && ok && fitting > 0 && fitting < request {
			c.Shrank = c.setRequest(i, s.Resource, rule, fitting, leastPercent) || c.Shrank
		}
	}
}

// grow holds the count at the preferred maximum and makes the bottleneck
// bigger, until it is as big as it may be: then the count goes on. At the
// maximum itself there is no other way to have more.
func (r *Rules) grow(c *Choice, from scale.Size, d *Demand) {
	base := d.Max
	if r.PreferredMax > 0 {
		base = min(d.Max, max(from.Replicas, r.PreferredMax))
	}
	if d.Desired <= base || base <= 0 {
		return
	}
	i := r.bottleneck(from, d)
	if i < 0 {
		return
	}
	res := d.Bottleneck.Resource
	rule := r.of(from.Containers[i].Name, res)
	request, _ := from.Containers[i].Requests.Get(res)
	next := rule.rounded(res.RoundUp(request.Share(int64(d.Desired), int64(base))))
	c.Size.Replicas = base
	if most, why := d.most(i, res, rule); most > 0 && next > most {
		next, c.AtMax, c.Short = max(most, request), c.AtMax || why == scale.MaximumResource, why
		// What the pods cannot take in size, they take in number.
		c.Size.Replicas = max(base, int32(min(int64(request.Share(int64(d.Desired), int64(next))), int64(d.Desired))))
	}
	c.Grew = c.setRequest(i, res, rule, next, 0)
	c.Full = c.Grew && base == d.Max
}

// bottleneck is the container that the largest count comes from: the one its
// metric names, or of those whose resource is scaled in numbers the one that is
// fullest. It is -1 where that cannot be told.
func (r *Rules) bottleneck(from scale.Size, d *Demand) int {
	found, fullest, several := -1, scale.Amount(0), false
	for i, e := range from.Containers {
		request, ok := e.Requests.Get(d.Bottleneck.Resource)
		if !d.Known || !ok || request <= 0 || r.of(e.Name, d.Bottleneck.Resource).Scaling != Horizontal {
			continue
		}
		if d.Bottleneck.Container != "" {
			if d.Bottleneck.Container == e.Name {
				return i
			}
			continue
		}
		full := scale.Amount(0)
		if i < len(d.Used) {
			full = d.Used[i].Share(scale.Parts, int64(request))
		}
		several = several || found >= 0
		if found < 0 || full > fullest {
			found, fullest = i, full
		}
	}
	if several && fullest == 0 {
		return -1
	}
	return found
}

// shrink makes pods smaller that are as few as they may be and still too many.
// None becomes smaller than what the busiest of them uses: others that take their
// share may be on their way, and are not there yet.
func (r *Rules) shrink(c *Choice, from scale.Size, d *Demand) {
	if d.Desired > d.Min || from.Replicas > d.Min || d.Sharing <= 0 {
		return
	}
	for _, s := range d.Sources {
		i := slices.IndexFunc(from.Containers, func(e scale.Container) bool { return e.Name == s.Container })
		if i < 0 || s.Need <= 0 {
			continue
		}
		rule := r.of(s.Container, s.Resource)
		request, ok := from.Containers[i].Requests.Get(s.Resource)
		fitting := rule.rounded(s.Resource.RoundUp(max(s.Need.Share(1, int64(d.Sharing)), s.Busiest)))
		if rule.Scaling == Horizontal && ok && fitting < request {
			c.Shrank = c.setRequest(i, s.Resource, rule, fitting, leastPercent) || c.Shrank
		}
	}
}

// setRequest sets a request within its bounds, unless the change is too small to
// be worth it; it reports whether anything changed.
func (c *Choice) setRequest(i int, res scale.Resource, rule Resource, want scale.Amount, least int64) bool {
	if want <= 0 && rule.Min <= 0 {
		return false
	}
	if rule.Max > 0 && want > rule.Max {
		want, c.AtMax = rule.Max, true
	}
	if want < rule.Min {
		want, c.AtMin = rule.Min, true
	}
	e := &c.Size.Containers[i]
	current, known := e.Requests.Get(res)
	limit, limited := e.Limits.Get(res)
	keep := c.rules.container(e.Name).KeepLimits
	if limited && keep && want > limit {
		want, c.AtMax = limit, true
	}
	change := max(want-current, current-want)
	if change == 0 || (known && change < current.Share(least, 100)) {
		return false
	}
	if limited && !keep && current > 0 {
		// The limit keeps its proportion, and is never below the request.
		e.Limits = e.Limits.With(res, max(want, res.RoundUp(limit.Share(int64(want), int64(current)))))
	}
	e.Requests = e.Requests.With(res, want)
	return true
}
