package capacity

import "github.com/tidemark/tidemark/scale"

// part is a share of some growth: so much of so much.
type part struct{ of, all scale.Amount }

// down is the share of an amount, rounded down to what the resource can express.
func (p part) down(a scale.Amount, res scale.Resource) scale.Amount {
	if a <= 0 || p.of >= p.all {
		return max(a, 0)
	}
	kept := a.Add(-a.Share(int64(p.all.Add(-max(p.of, 0))), int64(p.all)))
	if res == scale.Memory {
		kept -= kept % scale.Thousand
	}
	return max(kept, 0)
}

// keepShare returns a container that keeps a share of its growth, of its request and of
// its limit alike. Its limit is never below its request.
func keepShare(from, to *scale.Container, res scale.Resource, p part) scale.Container {
	out := *to
	request, stated := grownBy(from.Requests, to.Requests, res, p)
	if stated {
		out.Requests = out.Requests.With(res, request)
	}
	if limit, limited := grownBy(from.Limits, to.Limits, res, p); limited {
		out.Limits = out.Limits.With(res, max(limit, request))
	}
	return out
}

// grownBy is what there was and a share of what came to it; what shrinks is left alone.
func grownBy(from, to scale.Resources, res scale.Resource, p part) (scale.Amount, bool) {
	before, _ := from.Get(res)
	after, stated := to.Get(res)
	if before = max(before, 0); !stated || after <= before {
		return after, stated
	}
	return before.Add(p.down(after.Add(-before), res)), true
}
