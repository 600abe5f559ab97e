package resize

import (
	"cmp"
	"slices"

	corev1 "k8s.io/api/core/v1"

	"github.com/tidemark/tidemark/api/v1alpha1"
	"github.com/tidemark/tidemark/apply/podsize"
	"github.com/tidemark/tidemark/scale"
)

// verb is what is done to a pod.
type verb int

const (
	// resizes changes the pod where it is.
	resizes verb = iota
	// evicts replaces it.
	evicts
	// waits does nothing, and says why.
	waits
)

// action is what a round does to one pod.
type action struct {
	verb verb
	pod  *corev1.Pod
	// fitted is what a resize changes.
	fitted []podsize.Fitted
	// why is the reason in words, where there is more to say than that the
	// size was decided.
	why string
	// mayEvict is set on a resize when the pod may be evicted instead, should
	// the API server refuse it.
	mayEvict bool
}

// plan says what this round does, pods that are not ready first.
func plan(pods []*corev1.Pod, want []scale.Container, p Policy) []action {
	if p.Update == v1alpha1.VerticalUpdateInitial {
		return nil
	}
	members, leaving := membersOf(pods, want, p.Now)
	slices.SortStableFunc(members, byNeed)
	round := newRound(members, leaving, p)
	var actions []action
	for i := range members {
		if a, ok := round.next(&members[i]); ok {
			actions = append(actions, a)
		}
	}
	return actions
}

// byNeed orders pods that are not ready before those that are. Names decide
// between equals, so that the same pods give the same plan.
func byNeed(a, b member) int {
	if a.ready != b.ready {
		if b.ready {
			return -1
		}
		return 1
	}
	return cmp.Compare(a.pod.Name, b.pod.Name)
}

// round is what may still happen in one round.
type round struct {
	policy Policy
	// moves is how many pods may still be resized.
	moves int
	// disrupted is set once a pod was taken out of service in this round.
	disrupted bool
	// complete is set when all pods are there and ready; starting when one was
	// replaced a moment ago.
	complete, starting bool
}

func newRound(members []member, leaving int, p Policy) *round {
	r := &round{policy: p, moves: max(1, len(members)/sharePerRound), starting: leaving > 0}
	r.complete = leaving == 0 && len(members) >= int(p.Replicas)
	for i := range members {
		m := &members[i]
		r.complete = r.complete && m.ready
		r.starting = r.starting || !m.ready && young(m.pod, p)
		if m.moving {
			r.moves--
		}
	}
	return r
}

func young(pod *corev1.Pod, p Policy) bool {
	return p.Now.Sub(pod.CreationTimestamp.Time) < settling
}

// next is what is done to a pod, if anything.
func (r *round) next(m *member) (action, bool) {
	switch {
	case m.stuck != "":
		return r.replace(m, m.stuck), true
	case m.waits != "":
		return action{verb: waits, pod: m.pod, why: m.waits}, true
	case len(m.fitted) == 0:
		return action{}, false
	case r.policy.inPlace():
		return r.resize(m)
	}
	return r.replace(m, "vertical.update is Recreate"), true
}

// resize changes a pod in place while the round has room for it. A pod whose
// turn is in a later round is no news.
func (r *round) resize(m *member) (action, bool) {
	if r.moves <= 0 {
		return action{}, false
	}
	why := ""
	if m.restarts {
		if blocked := r.blocked(m); blocked != "" {
			return action{verb: waits, pod: m.pod, why: blocked}, true
		}
		r.disrupted = true
		why = "restarts a container, as its resizePolicy says"
	}
	r.moves--
	return action{verb: resizes, pod: m.pod, fitted: m.fitted, why: why, mayEvict: r.protects(m) == ""}, true
}

// replace evicts a pod, or says why not.
func (r *round) replace(m *member, why string) action {
	if protection := r.protects(m); protection != "" {
		return action{verb: waits, pod: m.pod, why: why + "; " + protection}
	}
	r.disrupted = true
	return action{verb: evicts, pod: m.pod, why: why}
}

// protects says why a pod must not be evicted now; empty if it may.
func (r *round) protects(m *member) string {
	if allowed, not := r.policy.evicts(); !allowed {
		return not
	}
	if young(m.pod, r.policy) {
		return "it is not replaced in its first " + settling.String()
	}
	return r.blocked(m)
}

// blocked says why a pod must not be taken out of service now; empty if it
// may. A ready pod goes only while all pods are there and ready. One that is
// not ready costs nobody anything, but goes only when no other one is still
// being replaced.
func (r *round) blocked(m *member) string {
	switch {
	case r.disrupted:
		return "another pod goes first"
	case m.ready && !r.complete:
		return "not all pods of the workload are ready"
	case !m.ready && r.starting && !young(m.pod, r.policy):
		return "a new pod of the workload is not ready yet"
	}
	return ""
}
