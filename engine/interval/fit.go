package interval

import "github.com/tidemark/tidemark/scale"

// Totals are what the containers need in all, in the order of the size's
// containers. What is not known has no say.
type Totals []scale.Resources

// Fit is a size made for totals, and how it came about.
type Fit struct {
	Size scale.Size
	// Kept is set where a step out kept a request larger than the total needs.
	Kept bool
	// AtMax and AtMin are set where a bound changed a request.
	AtMax, AtMin bool
}

// Replicas returns the count the totals ask for: the largest any of them wants.
// A resource that counts, but whose total is not known, wants what it has: not
// to know is no reason for fewer replicas. Where nobody recommends requests,
// such a resource has no say.
func (r *Rules) Replicas(from scale.Size, totals Totals) int32 {
	n, asked := r.Table.First, false
	for i := range totals {
		for _, res := range scale.EveryResource {
			total, ok := totals[i].Get(res)
			switch {
			case !r.Table.Rows[0].Edges[res].Known:
				continue
			case !ok && !r.Unadvised && r.Counts(from.Containers[i].Name, res):
				total = applied(from, i, res)
			case !ok:
				continue
			}
			n, asked = max(n, r.Table.replicas(res, total, from.Replicas), r.inNumbers(from, i, res, total)), asked || ok
		}
	}
	if !asked {
		return from.Replicas
	}
	return n
}

// inNumbers is how many pods a total takes whose request may not change: it has
// to be met in numbers alone.
func (r *Rules) inNumbers(from scale.Size, i int, res scale.Resource, total scale.Amount) int32 {
	policy := r.container(from.Containers[i].Name).Resources[res]
	request, _ := from.Containers[i].Requests.Get(res)
	if policy.Sized || !policy.Counted || request <= 0 {
		return r.Table.First
	}
	return int32(min(total.Share(1, int64(request)), scale.Amount(r.Table.Last())))
}

// Sized returns the requests for a count. At another count than the current
// one base usage is counted, and pods that need more in all never get
// smaller: the larger of the current and the computed request is kept.
func (r *Rules) Sized(from scale.Size, totals Totals, n int32) Fit {
	fit := Fit{Size: scale.Size{Replicas: n, Containers: make([]scale.Container, len(from.Containers))}}
	for i, c := range from.Containers {
		policy := r.container(c.Name)
		for _, res := range scale.EveryResource {
			total, ok := totals[i].Get(res)
			if !ok || n == 0 {
				continue
			}
			if !policy.Resources[res].Sized {
				fixed, has := c.Requests.Get(res)
				fit.AtMax = fit.AtMax || (policy.Resources[res].Counted && has && fixed.Times(int64(n)) < total)
				continue
			}
			request := fit.request(r, sizing{from: &from, container: &c, policy: policy, res: res, total: total, n: n})
			if !policy.KeepLimits {
				c.Limits = limitFor(c, policy.Gap[res], res, request, total, n)
			}
			c.Requests = c.Requests.With(res, request)
		}
		fit.Size.Containers[i] = c
	}
	return fit
}

// sizing is one request in the making.
type sizing struct {
	from      *scale.Size
	container *scale.Container
	policy    *Container
	res       scale.Resource
	total     scale.Amount
	n         int32
}

func (f *Fit) request(r *Rules, s sizing) scale.Amount {
	current, _ := s.container.Requests.Get(s.res)
	adjusted := r.adjusted(s, current)
	rising := s.total >= current.Times(int64(s.from.Replicas))
	pinned := r.pins(s.n, s.res)
	if s.n > s.from.Replicas && rising && current > adjusted && !pinned {
		adjusted, f.Kept = current, true
	}
	if pinned && adjusted.Times(int64(s.n)) < s.total {
		f.AtMax = true
	}
	bounds := s.policy.Resources[s.res]
	if bounds.Max > 0 && adjusted > bounds.Max {
		adjusted, f.AtMax = bounds.Max, true
	}
	if adjusted < bounds.Min {
		adjusted, f.AtMin = bounds.Min, true
	}
	if limit, ok := s.container.Limits.Get(s.res); ok && s.policy.KeepLimits && adjusted > limit {
		adjusted, f.AtMax = limit, true
	}
	return adjusted
}

// adjusted is one pod's part of the total. Base usage is there once per
// replica, so it is taken off for the replicas there are and put on for the
// replicas there will be; a change of requests alone needs no such thing.
func (r *Rules) adjusted(s sizing, current scale.Amount) scale.Amount {
	if r.pins(s.n, s.res) {
		return r.Table.row(s.n).Edges[s.res].PerPod
	}
	base := r.Base[s.res]
	if s.n == s.from.Replicas || base == (scale.Share{}) {
		return s.res.RoundUp(s.total.Share(1, int64(s.n)))
	}
	raw := max(0, s.total-base.Of(current).Times(int64(s.from.Replicas)))
	each := raw.Share(1, int64(s.n))
	return s.res.RoundUp(each.Add(base.Of(each)))
}

// pins tells whether a count keeps pods at the size of its range.
func (r *Rules) pins(n int32, res scale.Resource) bool {
	row := r.Table.row(n)
	return row.Pinned && row.Edges[res].Known
}

// applied is what the pods of a size have of a container's resource in all.
func applied(size scale.Size, container int, res scale.Resource) scale.Amount {
	request, _ := size.Containers[container].Requests.Get(res)
	return request.Times(int64(size.Replicas))
}

// limitFor keeps a container's limit above its request: by the stated gap, on
// the total and shared equally, or else in the proportion it had.
func limitFor(c scale.Container, gap scale.Share, res scale.Resource, request, total scale.Amount, n int32) scale.Resources {
	if gap != (scale.Share{}) {
		return c.Limits.With(res, res.RoundUp(request.Add(gap.Of(total).Share(1, int64(n)))))
	}
	limit, ok := c.Limits.Get(res)
	current, _ := c.Requests.Get(res)
	if !ok || current <= 0 {
		return c.Limits
	}
	return c.Limits.With(res, max(request, res.RoundUp(limit.Share(int64(request), int64(current)))))
}

// Postponed tells whether a step in has to wait: some request would have to
// grow although its total does not. It need not wait for resources that are
// already recommended at their minimum, or at what a replica uses before it
// does any work: they cannot shrink within the current count, so waiting would
// never end. Nor does it wait where pods are pinned.
func (r *Rules) Postponed(from scale.Size, totals Totals, to scale.Size) bool {
	for i, c := range from.Containers {
		policy := r.container(c.Name)
		for _, res := range scale.EveryResource {
			total, ok := totals[i].Get(res)
			current, has := c.Requests.Get(res)
			rising := total > applied(from, i, res)
			if !ok || !has || rising || !policy.Resources[res].Sized || r.pins(to.Replicas, res) {
				continue
			}
			next, _ := to.Containers[i].Requests.Get(res)
			least := max(policy.Resources[res].Min, r.Base[res].Value)
			stuck := total.Share(1, int64(from.Replicas)) <= least
			if next > current && !stuck {
				return true
			}
		}
	}
	return false
}

// waiting is the size while a step in waits. Nothing shrinks, because then the
// pods would have to grow even more; but what rises gets its due.
func (r *Rules) waiting(from scale.Size, totals Totals) Fit {
	rising := make(Totals, len(totals))
	for i := range totals {
		for _, res := range scale.EveryResource {
			if total, ok := totals[i].Get(res); ok && total > applied(from, i, res) {
				rising[i] = rising[i].With(res, total)
			}
		}
	}
	return r.Sized(from, rising, from.Replicas)
}
