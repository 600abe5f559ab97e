package capacity

import (
	"slices"
	"strings"

	"github.com/tidemark/tidemark/scale"
)

// Cut is a size that became smaller, or another one, and why.
type Cut struct {
	Reason scale.Reason
	Size   scale.Size
	// Resources names what there is no more of.
	Resources string
}

// Fit takes the growth of pods back as far as there is no room for it. The order is the
// specification: each finds what those before it have left.
func Fit(c *scale.Capacity, p Pods, to scale.Size) []Cut {
	if len(to.Containers) != len(p.Size.Containers) {
		return nil
	}
	d := draft{from: p.Size.Containers, to: to}
	d.eachAllowed(&c.LimitRange) // what a container may have
	d.done(scale.LimitRange)
	d.podAllowed(&c.LimitRange) // what a pod may have
	d.done(scale.LimitRange)
	d.within(requests, c.LargestNode) // what some node can hold; nodes do not look at limits
	d.done(scale.NodeSize)
	d.withinQuota(&c.Quota, &p) // what is left for all pods
	d.done(scale.Quota)
	d.whole(&c.LimitRange) // nothing at all, where it would be refused still
	d.done(scale.LimitRange)
	return d.cuts
}

// draft is a size that is being cut.
type draft struct {
	from []scale.Container
	to   scale.Size
	cuts []Cut
	// changed and names are what was cut since the last of them.
	changed bool
	names   []string
}

// done makes a cut of what was changed.
func (d *draft) done(reason scale.Reason) {
	if d.changed {
		d.cuts = append(d.cuts, Cut{Reason: reason, Size: d.to, Resources: strings.Join(d.names, ", ")})
	}
	d.changed, d.names = false, nil
}

// set changes a container of the draft; the size that was given is left alone.
func (d *draft) set(i int, c scale.Container, name string) {
	if c == d.to.Containers[i] {
		return
	}
	if !d.changed {
		d.to.Containers, d.changed = slices.Clone(d.to.Containers), true
	}
	d.to.Containers[i] = c
	if !slices.Contains(d.names, name) {
		d.names = append(d.names, name)
	}
}

// eachAllowed brings each container to what LimitRanges allow one.
func (d *draft) eachAllowed(allowed *scale.AllowedRange) {
	for _, res := range scale.EveryResource {
		most, bounded := allowed.Max.Usable(res)
		for i := range d.from {
			for _, k := range kinds {
				from, to := k.get(&d.from[i], res), k.get(&d.to.Containers[i], res)
				if grows := to > from; bounded && grows && to > most {
					d.set(i, keepShare(&d.from[i], &d.to.Containers[i], res, part{max(most.Add(-from), 0), to.Add(-from)}), res.String())
				}
			}
		}
		if least, bounded := allowed.Min.Usable(res); bounded {
			d.raise(res, least)
		}
	}
}

// raise gives the containers that change at least so much.
func (d *draft) raise(res scale.Resource, least scale.Amount) {
	for i := range d.from {
		from, _ := d.from[i].Requests.Get(res)
		to, stated := d.to.Containers[i].Requests.Get(res)
		// What is too small already, and is not to grow, is left as it is.
		if !stated || to >= least || to == from || to < from && from < least {
			continue
		}
		c := d.to.Containers[i]
		c.Requests = c.Requests.With(res, least)
		if limit, limited := c.Limits.Get(res); limited {
			c.Limits = c.Limits.With(res, max(limit, least))
		}
		d.set(i, c, res.String())
	}
}

// podAllowed keeps whole pods within what LimitRanges allow one.
func (d *draft) podAllowed(allowed *scale.AllowedRange) {
	for _, k := range kinds {
		d.within(k, allowed.PodMax)
	}
}

// within lets a whole pod grow to no more than so much.
func (d *draft) within(k kind, most scale.Resources) {
	for _, res := range scale.EveryResource {
		if most, bounded := most.Usable(res); bounded && most > 0 {
			d.grow(k, res, most.Add(-k.sum(d.from, res)))
		}
	}
}

// withinQuota shares what quotas have left among all pods: those that are there need
// what they grow by, and those that are not all that they have.
func (d *draft) withinQuota(quota *scale.QuotaRoom, p *Pods) {
	count := int64(d.to.Replicas)
	if count <= 0 {
		return
	}
	for _, res := range scale.EveryResource {
		for _, k := range kinds {
			if room, known := k.room(quota).Get(res); known {
				missing := k.sum(d.from, res).Times(max(count-int64(p.There), 0)).Add(p.owed(k, res))
				// What is left is rounded down, so that it is enough for each.
				d.grow(k, res, max(max(room, 0).Add(-missing), 0)/scale.Amount(count))
			}
		}
	}
}

// grow lets a whole pod grow by no more than so much of a resource. Its containers give
// up the same share of their growth; one that shrinks leaves room for the others.
func (d *draft) grow(k kind, res scale.Resource, most scale.Amount) {
	grown, shrunk := scale.Amount(0), scale.Amount(0)
	for i := range d.from {
		from, to := k.get(&d.from[i], res), k.get(&d.to.Containers[i], res)
		grown, shrunk = grown.Add(max(to.Add(-from), 0)), shrunk.Add(max(from.Add(-to), 0))
	}
	most = max(most.Add(shrunk), 0)
	if grown <= most {
		return
	}
	for i := range d.from {
		if k.get(&d.to.Containers[i], res) > k.get(&d.from[i], res) {
			d.set(i, keepShare(&d.from[i], &d.to.Containers[i], res, part{most, grown}), k.name(res))
		}
	}
}

// whole leaves the pods as they are where what is left of their change would be refused:
// the whole pod is looked at, also what of it does not change.
func (d *draft) whole(allowed *scale.AllowedRange) {
	if slices.Equal(d.to.Containers, d.from) {
		return
	}
	for _, res := range scale.EveryResource {
		refused := false
		for i := range d.to.Containers {
			refused = refused || forbidden(allowed, &d.to.Containers[i], res)
		}
		for _, k := range kinds {
			sum := k.sum(d.to.Containers, res)
			most, bounded := allowed.PodMax.Usable(res)
			least, required := allowed.PodMin.Usable(res)
			refused = refused || bounded && sum > most || required && sum > 0 && sum < least
		}
		if refused {
			d.to.Containers, d.changed, d.names = d.from, true, []string{res.String()}
			return
		}
	}
}

// forbidden tells whether a container has less or more than LimitRanges allow. What it
// does not state is filled in by others.
func forbidden(allowed *scale.AllowedRange, of *scale.Container, res scale.Resource) bool {
	least, bounded := allowed.Min.Usable(res)
	most, capped := allowed.Max.Usable(res)
	for _, k := range kinds {
		if amount, stated := k.of(of).Get(res); stated && (bounded && amount < least || capped && amount > most) {
			return true
		}
	}
	return false
}
