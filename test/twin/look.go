package twin

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/tidemark/tidemark/scale"
)

// Look is one look at the workload: what pods there were, and what was decided.
type Look struct {
	// At is when it was, from the beginning of the course.
	At time.Duration
	// Want is the size that was decided, and Tuning what an HPA was to have.
	Want   Size
	Tuning string
	// Reason and LimitedBy say why.
	Reason, LimitedBy string
	// Pods are what the pods had, in force, the smallest first.
	Pods []scale.Resources
}

// Size is a size as a scenario writes it: how many pods, and what each requests.
// What is not known was not said.
type Size struct {
	Replicas int32
	Each     scale.Resources
}

// String writes the size as a scenario does.
func (s Size) String() string {
	if s.Each.Empty() {
		return fmt.Sprint(s.Replicas)
	}
	return fmt.Sprintf("%d x %s", s.Replicas, words(s.Each))
}

// words writes cpu and memory.
func words(rs scale.Resources) string {
	var out []string
	for _, r := range scale.EveryResource {
		if a, ok := rs.Get(r); ok {
			out = append(out, r.Format(a))
		}
	}
	return strings.Join(out, " ")
}

// parseSize reads "6", "3 x 400m" or "3 x 400m 64Mi".
func parseSize(text string) (Size, error) {
	count, rest, _ := strings.Cut(text, " x ")
	n, err := strconv.ParseInt(count, 10, 32)
	size, amounts := Size{Replicas: int32(n)}, strings.Fields(rest)
	for i, amount := range amounts {
		a, wrong := scale.ParseAmount(amount)
		if i >= len(scale.EveryResource) || wrong != nil {
			err = cmp.Or(err, wrong, strconv.ErrRange)
			break
		}
		size.Each = size.Each.With(scale.EveryResource[i], a)
	}
	if err != nil {
		return Size{}, fmt.Errorf("%q is no size: write it like 6, 3 x 400m or 3 x 400m 64Mi", text)
	}
	return size, nil
}

// lookAt notes a look. Nothing of the observation is kept: a plant uses its
// memory again.
func lookAt(start time.Time, obs scale.Observation, d scale.Decision) Look {
	look := Look{At: obs.At.Sub(start), Want: sizeOf(d.Want), Tuning: tuningWords(d.Tuning), Reason: string(d.Reason), LimitedBy: string(d.LimitedBy)}
	for i := range obs.Pods {
		if p := &obs.Pods[i]; !p.Ended() {
			look.Pods = append(look.Pods, inForce(p))
		}
	}
	slices.SortFunc(look.Pods, func(a, b scale.Resources) int {
		for _, r := range scale.EveryResource {
			x, _ := a.Get(r)
			y, _ := b.Get(r)
			if x != y {
				return cmp.Compare(x, y)
			}
		}
		return 0
	})
	return look
}

func sizeOf(s scale.Size) Size {
	out := Size{Replicas: s.Replicas}
	if len(s.Containers) > 0 {
		out.Each = s.Containers[0].Requests
	}
	return out
}

// inForce is what a pod's container has.
func inForce(p *scale.Pod) (has scale.Resources) {
	for i := range p.Containers[:min(1, len(p.Containers))] {
		for _, r := range scale.EveryResource {
			if a, ok := p.Containers[i].Has(r); ok {
				has = has.With(r, a)
			}
		}
	}
	return has
}
