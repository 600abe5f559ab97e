package shortfall

import (
	"cmp"
	"slices"
	"time"

	"github.com/tidemark/tidemark/scale"
)

// How long things may take before they are a gap. Pods are created within
// seconds; a kubelet gets as long for a resize as the one who asked for it waits
// before a pod is replaced.
const (
	creating = time.Minute
	resizing = 5 * time.Minute
)

// Look is what is judged.
type Look struct {
	// Decision is what was decided, Obs what it was decided on.
	Decision scale.Decision
	Obs      *scale.Observation
	// Sizes are what the pods are being brought to; what nobody sizes is not in
	// it.
	Sizes []scale.Container
	// Resized is set when a pod was resized or replaced in this round.
	Resized bool
	// Waits are what could not be done in this round.
	Waits []Wait
	// Before is what was found the last time.
	Before scale.Shortfall
}

// Wait is something that could not be done.
type Wait struct {
	Reason scale.Reason
	// Who names what waits, and Pods are the pods among them.
	Who  string
	Pods []string
	// Why says in words what is waited for, or what to do about it.
	Why string
}

// Of judges a decision.
func Of(l Look) scale.Shortfall {
	var r scale.Shortfall
	l.missing(&r)
	l.pending(&r)
	l.sizes(&r)
	l.boosts(&r)
	for _, w := range l.Waits {
		if len(w.Pods) == 0 {
			r.Gaps = append(r.Gaps, scale.Gap{Kind: scale.GapOther, Reason: reasonOf(w), Who: w.Who, Why: w.Why})
		}
	}
	slices.SortStableFunc(r.Gaps, func(a, b scale.Gap) int {
		return cmp.Compare(slices.Index(scale.GapReasons, a.Reason), slices.Index(scale.GapReasons, b.Reason))
	})
	return r
}

// missing looks for pods that do not exist although the count was set before this
// decision. Pods on their way out count as there: their successors come later.
func (l *Look) missing(r *scale.Shortfall) {
	expected, there := min(l.Decision.From.Replicas, l.Decision.Want.Replicas), l.Obs.Target.StatusReplicas
	if l.Obs.Pods != nil {
		there = 0
		for i := range l.Obs.Pods {
			if !l.Obs.Pods[i].Finished() {
				there++
			}
		}
	}
	if r.Missing = max(0, expected-there); r.Missing == 0 {
		return
	}
	r.MissingSince = since(l.Before.MissingSince, l.Obs.At)
	gap := scale.Gap{Kind: scale.GapMissing, Reason: scale.Waiting, Count: r.Missing, Of: expected, Since: r.MissingSince,
		Why: "the workload's controller has not created them"}
	if refused := l.Obs.Target.Refused; refused != nil {
		gap.Reason, gap.Why = cmp.Or(refused.Reason, scale.Waiting), refused.Words
		if !refused.Since.IsZero() {
			gap.Since = refused.Since
		}
	} else if l.Obs.At.Sub(r.MissingSince) < creating {
		return
	}
	r.Gaps = append(r.Gaps, gap)
}

// pending looks for pods that the scheduler finds no node for, and counts those that
// crash: the decision itself tells those that are in its way.
func (l *Look) pending(r *scale.Shortfall) {
	gap := scale.Gap{Kind: scale.GapPending, Reason: scale.Unschedulable, Why: "the scheduler finds no node for them; their events say why"}
	for i := range l.Obs.Pods {
		p := &l.Obs.Pods[i]
		if p.Ended() {
			continue
		}
		gap.Of++
		if p.Waiting == crashLoop {
			r.Crashing++
		}
		if p.Pending == "" {
			continue
		}
		r.Pending++
		if p.Pending == unschedulable {
			add(&gap, p.Name, p.PendingSince)
		}
	}
	if gap.Count > 0 {
		slices.Sort(gap.Pods)
		r.Gaps = append(r.Gaps, gap)
	}
}

// The words of Kubernetes for a pod without a node, and for one that crashes again and
// again.
const (
	unschedulable = "Unschedulable"
	crashLoop     = "CrashLoopBackOff"
)

// add puts a pod into the gap, which began with the first of its pods.
func add(g *scale.Gap, pod string, since time.Time) {
	g.Pods, g.Count = append(g.Pods, pod), g.Count+1
	if !since.IsZero() && (g.Since.IsZero() || since.Before(g.Since)) {
		g.Since = since
	}
}

func since(before, now time.Time) time.Time {
	if before.IsZero() {
		return now
	}
	return before
}

func reasonOf(w Wait) scale.Reason { return cmp.Or(w.Reason, scale.Waiting) }
