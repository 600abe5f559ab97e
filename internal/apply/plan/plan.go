package plan

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"github.com/tidemark/tidemark/scale"
)

// Pod is what a round has to know of a pod. Pods that have ended are not among
// them, nor are those that are on their way out.
type Pod struct {
	Name string
	// Ready tells whether it serves.
	Ready     bool
	CreatedAt time.Time
	// ServedAt is when the pod was last asked to change its size; zero is never.
	ServedAt time.Time
	// Grows and Shrinks tell what the pod has not yet been asked for: more of
	// something, less of something, or both. Neither means that it was asked for
	// the wanted size.
	Grows, Shrinks bool
	// Higher and Lower are the resources of which the wanted size requests more, or
	// less, than what is in force, in any container.
	Higher, Lower [len(scale.EveryResource)]bool
	// GrowingRestarts is set when giving it more restarts a container, Restarts
	// when the whole change does.
	GrowingRestarts, Restarts bool
	// Refused says why the API server would refuse the change.
	Refused string
	// Resize is how far the last resize has come, and Since since when. Failing
	// is set while its node tries and fails.
	Resize  scale.Resize
	Since   time.Time
	Failing bool
}

// Verb is what is done to a pod.
type Verb uint8

const (
	// Resize changes the pod where it is.
	Resize Verb = iota
	// Grow does so too, but only gives.
	Grow
	// Evict replaces it.
	Evict
	// Wait does nothing, and says why.
	Wait
)

// Action is what a round does to one pod.
type Action struct {
	Verb Verb
	// Pod is its place in the list.
	Pod int
	// Why is the reason in words, where there is more to say than that the size
	// was decided.
	Why string
	// MayEvict is set on a resize when the pod may be evicted instead, should
	// the API server refuse it.
	MayEvict bool
}

// Round says what this round does, pods that are not ready first. Leaving is how
// many pods are on their way out. The actions are appended to a list that may be
// used again.
func Round(actions []Action, pods []Pod, leaving int, p Policy) []Action {
	if p.Update == Initial {
		return actions
	}
	r := newRound(pods, leaving, p)
	order := order(pods)
	for _, i := range order {
		if a, ok := r.next(&pods[i]); ok {
			a.Pod = i
			actions = append(actions, a)
		}
	}
	return actions
}

// order lists the pods that there is something to do about: those that are not
// ready before those that are, then the one that was served the longest ago.
// Names decide between equals, so that the same pods give the same plan.
func order(pods []Pod) []int {
	var out []int
	for i := range pods {
		if p := &pods[i]; p.Grows || p.Shrinks || p.Resize != scale.NoResize || p.Failing {
			out = append(out, i)
		}
	}
	slices.SortFunc(out, func(i, j int) int {
		a, b := &pods[i], &pods[j]
		if a.Ready != b.Ready {
			if b.Ready {
				return -1
			}
			return 1
		}
		return cmp.Or(a.ServedAt.Compare(b.ServedAt), cmp.Compare(a.Name, b.Name))
	})
	return out
}

// round is what may still happen in one round.
type round struct {
	policy Policy
	// moves is how many pods may still be made smaller.
	moves int
	// disrupted is set once a pod was taken out of service in this round.
	disrupted bool
	// complete is set when all pods are there and ready; starting when one was
	// replaced a moment ago.
	complete, starting bool
	// few is set while there are fewer pods than one of them may be taken from.
	few bool
}

func newRound(pods []Pod, leaving int, p Policy) *round {
	r := &round{policy: p, moves: max(1, len(pods)/sharePerRound), starting: leaving > 0}
	r.complete = leaving == 0 && len(pods) >= int(p.Replicas)
	r.few = len(pods) < int(p.MinReplicas)
	for i := range pods {
		pod := &pods[i]
		r.complete = r.complete && pod.Ready
		r.starting = r.starting || p.starting(pod)
		if pod.Resize == scale.ResizeInProgress && !pod.Grows && !pod.Shrinks {
			r.moves--
		}
	}
	return r
}

// next is what is done to a pod, if anything.
func (r *round) next(p *Pod) (Action, bool) {
	differs := p.Grows || p.Shrinks
	switch {
	case !differs:
		return r.pending(p)
	case p.Refused != "":
		return r.replace(p, p.Refused), true
	case r.policy.inPlace():
		return r.resize(p)
	}
	return r.replace(p, "vertical.update is Recreate"), true
}

// pending is what is done about a resize that was asked for.
func (r *round) pending(p *Pod) (Action, bool) {
	waited := r.policy.Now.Sub(p.Since) >= Patience
	switch {
	case p.Resize == scale.ResizeInfeasible:
		return r.replace(p, "its node can never give it this size"), true
	case p.Resize == scale.ResizeDeferred && waited:
		return r.replace(p, "its node had no room for "+Patience.String()), true
	case p.Resize == scale.ResizeDeferred:
		return Action{Verb: Wait, Why: "its node has no room for its new size yet"}, true
	case p.Failing && waited:
		return r.replace(p, "its node failed to resize it for "+Patience.String()), true
	}
	return Action{}, false
}

// resize changes a pod in place while the round has room for it. A pod whose
// turn is in a later round is no news.
func (r *round) resize(p *Pod) (Action, bool) {
	verb, restarts := Resize, p.Restarts
	switch {
	case p.Grows && p.Shrinks && !p.GrowingRestarts:
		verb, restarts = Grow, false
	case p.Grows:
	case r.moves <= 0, r.policy.starting(p):
		return Action{}, false
	default:
		r.moves--
	}
	why := ""
	if restarts {
		if blocked := r.blocked(p); blocked != "" {
			return Action{Verb: Wait, Why: blocked}, true
		}
		r.disrupted = true
		why = "restarts a container, as its resizePolicy says"
	}
	return Action{Verb: verb, Why: why, MayEvict: r.protects(p) == ""}, true
}

// replace evicts a pod, or says why not.
func (r *round) replace(p *Pod, why string) Action {
	if protection := r.protects(p); protection != "" {
		return Action{Verb: Wait, Why: why + "; " + protection}
	}
	r.disrupted = true
	return Action{Verb: Evict, Why: why}
}

// protects says why a pod must not be evicted now; empty if it may.
func (r *round) protects(p *Pod) string {
	if allowed, not := r.policy.evicts(); !allowed {
		return not
	}
	if r.policy.young(p) {
		return youngsStay
	}
	if !r.policy.meets(p) {
		return "vertical.evictionRequirements do not let it be replaced for this change"
	}
	return r.blocked(p)
}

// blocked says why a pod must not be taken out of service now; empty if it
// may. A ready pod goes only while all pods are there and ready. One that is
// not ready costs nobody anything, but goes only when no other one is still
// being replaced.
func (r *round) blocked(p *Pod) string {
	switch {
	case r.few:
		return fmt.Sprintf("there are fewer pods than vertical.minReplicas, %d", r.policy.MinReplicas)
	case r.disrupted:
		return "another pod goes first"
	case p.Ready && !r.complete:
		return "not all pods of the workload are ready"
	case !p.Ready && r.starting && !r.policy.young(p):
		return "a new pod of the workload is not ready yet"
	}
	return ""
}
