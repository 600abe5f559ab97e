package shortfall

import (
	"slices"
	"time"

	"github.com/tidemark/tidemark/scale"
)

// nearly is the part of a size that does not count as a difference: a size is
// rounded on its way into a pod, and a change that is hardly one is not made.
const nearly = 50

// roundings are by how much a size is rounded at most.
var roundings = map[scale.Resource]scale.Amount{scale.CPU: 1, scale.Memory: scale.Amount(1<<20) * scale.Thousand}

// sizes looks for pods that have another size than was decided.
func (l *Look) sizes(r *scale.Shortfall) {
	want, waits, of := l.wanted(), l.waitsByPod(), int32(0)
	moving := l.Resized
	var off []*scale.Pod
	for i := range l.Obs.Pods {
		p := &l.Obs.Pods[i]
		if p.Ended() || p.Pending != "" {
			continue
		}
		of++
		moving = moving || p.Resizing() == scale.ResizeInProgress
		has := (*scale.PodContainer).Has
		if p.Boosted {
			has = besideBoost
		}
		if differs(p, want, has) || waits[p.Name] != nil {
			off = append(off, p)
		}
	}
	if r.NotAtSize = int32(len(off)); r.NotAtSize == 0 {
		return
	}
	r.SizeSince = since(l.Before.SizeSince, l.Obs.At)
	gaps := map[string]*scale.Gap{}
	for _, p := range off {
		reason, why := scale.Waiting, l.whyNot(p, want, moving, r.SizeSince)
		if w := waits[p.Name]; w != nil {
			reason, why = reasonOf(*w), w.Why
		}
		if why == "" {
			continue
		}
		if gaps[why] == nil {
			gaps[why] = &scale.Gap{Kind: scale.GapSize, Reason: reason, Of: of, Why: why}
		}
		began := p.ResizeSince
		if p.Resizing() == scale.NoResize {
			began = time.Time{}
		}
		add(gaps[why], p.Name, began)
	}
	r.Gaps = append(r.Gaps, inOrder(gaps)...)
}

// inOrder sorts gaps and the pods in them, so that the same pods give the same
// words.
func inOrder(gaps map[string]*scale.Gap) []scale.Gap {
	var out []scale.Gap
	for _, g := range gaps {
		slices.Sort(g.Pods)
		out = append(out, *g)
	}
	slices.SortFunc(out, func(a, b scale.Gap) int { return slices.Compare(a.Pods, b.Pods) })
	return out
}

// wanted is what the pods should have: what they are being brought to, and what
// this decision changes, whoever would do that.
func (l *Look) wanted() []scale.Container {
	want := slices.Clone(l.Sizes)
	for _, c := range l.Decision.Want.Containers {
		changed := scale.Container{Name: c.Name}
		before := requests(l.Decision.From.Containers, c.Name)
		for _, res := range scale.EveryResource {
			to, ok := c.Requests.Get(res)
			if from, had := before.Get(res); ok && (!had || from != to) {
				changed.Requests = changed.Requests.With(res, to)
			}
		}
		if !changed.Requests.Empty() {
			want = append(want, changed)
		}
	}
	return want
}

func requests(all []scale.Container, name string) scale.Resources {
	for i := range all {
		if all[i].Name == name {
			return all[i].Requests
		}
	}
	return scale.Resources{}
}

// asked is what a container was asked to have.
func asked(c *scale.PodContainer, res scale.Resource) (scale.Amount, bool) {
	return c.Requests.Get(res)
}

// differs tells whether a pod is not as wanted. Containers that it does not have
// are no difference.
func differs(p *scale.Pod, want []scale.Container, of func(*scale.PodContainer, scale.Resource) (scale.Amount, bool)) bool {
	for i := range p.Containers {
		for _, w := range want {
			if w.Name != p.Containers[i].Name {
				continue
			}
			for _, res := range scale.EveryResource {
				to, ok := w.Requests.Get(res)
				has, _ := of(&p.Containers[i], res)
				if ok && to > 0 && !near(has, to, res) {
					return true
				}
			}
		}
	}
	return false
}

func near(a, b scale.Amount, res scale.Resource) bool {
	return max(a, b)-min(a, b) <= max(b/nearly, roundings[res])
}

// whyNot says why a pod is not at its size, and nothing where that is under way.
func (l *Look) whyNot(p *scale.Pod, want []scale.Container, moving bool, since time.Time) string {
	switch p.Resizing() {
	case scale.ResizeInfeasible:
		return "its node can never give it this size (Infeasible)"
	case scale.ResizeDeferred:
		return "its node has no room for its new size yet (Deferred)"
	case scale.ResizeInProgress:
		if began := p.ResizeSince; began.IsZero() || l.Obs.At.Sub(began) < resizing {
			return ""
		}
		return "its node does not get done with the resize (InProgress)"
	}
	switch {
	case moving || !p.Serves():
		return "" // its turn comes, or it is new
	case differs(p, want, asked):
		return "pods that run are not resized"
	case l.Obs.At.Sub(since) < resizing:
		return "" // asked for, and the node has not looked yet
	}
	return "it was asked for, and its node does not answer"
}

// waitsByPod finds what a pod waits for.
func (l *Look) waitsByPod() map[string]*Wait {
	out := map[string]*Wait{}
	for i := range l.Waits {
		for _, pod := range l.Waits[i].Pods {
			out[pod] = &l.Waits[i]
		}
	}
	return out
}
