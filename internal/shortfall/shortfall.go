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
	// Decision is what was decided, Seen what it was decided on.
	Decision scale.Decision
	Seen     *scale.Observation
	// Sizes are what the pods are being brought to; what nobody sizes is not in
	// it.
	Sizes []scale.Container
	// Resized is set when a pod was resized or replaced in this round.
	Resized bool
	// Waits are what could not be done in this round.
	Waits []Wait
	// Before is what was found the last time.
	Before Report
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

// Report is what of a decision is not in force.
type Report struct {
	// Missing pods do not exist, Pending ones have no node, and those that are
	// not at their size have another one than was decided, under way or not.
	Missing, Pending, NotAtSize int32
	// MissingSince and SizeSince are since when without a break there are such
	// pods, as far as was looked.
	MissingSince, SizeSince time.Time
	// Gaps are what is neither in force nor under way, the worst first.
	Gaps []Gap
}

// Kind is the kind of a gap.
type Kind uint8

// The kinds. Other is none of pods.
const (
	Missing Kind = iota
	Pending
	Size
	Other
)

// Gap is a part of a decision that is neither in force nor under way.
type Gap struct {
	Kind   Kind
	Reason scale.Reason
	// Count pods of so many are concerned. Pods are their names, none where they
	// do not exist.
	Count, Of int32
	Pods      []string
	// Who names what is concerned where that is no pod.
	Who string
	// Since is the moment it began; zero when nobody knows.
	Since time.Time
	Why   string
}

// Reasons are those that a gap can have, the worst first. Only a person can do
// something about those before Waiting.
var Reasons = []scale.Reason{scale.Quota, scale.LimitRange, scale.Unschedulable, scale.Waiting}

// Of judges a decision.
func Of(l Look) Report {
	var r Report
	l.missing(&r)
	l.pending(&r)
	l.sizes(&r)
	for _, w := range l.Waits {
		if len(w.Pods) == 0 {
			r.Gaps = append(r.Gaps, Gap{Kind: Other, Reason: reasonOf(w), Who: w.Who, Why: w.Why})
		}
	}
	slices.SortStableFunc(r.Gaps, func(a, b Gap) int {
		return cmp.Compare(slices.Index(Reasons, a.Reason), slices.Index(Reasons, b.Reason))
	})
	return r
}

// missing looks for pods that do not exist although the count was set before this
// decision. Pods on their way out count as there: their successors come later.
func (l *Look) missing(r *Report) {
	expected, there := min(l.Decision.From.Replicas, l.Decision.Want.Replicas), l.Seen.Target.StatusReplicas
	if l.Seen.Pods != nil {
		there = 0
		for i := range l.Seen.Pods {
			if p := &l.Seen.Pods[i]; p.Phase != scale.Failed && p.Phase != scale.Succeeded {
				there++
			}
		}
	}
	if r.Missing = max(0, expected-there); r.Missing == 0 {
		return
	}
	r.MissingSince = since(l.Before.MissingSince, l.Seen.At)
	gap := Gap{Kind: Missing, Reason: scale.Waiting, Count: r.Missing, Of: expected, Since: r.MissingSince, Why: "the workload's controller has not created them"}
	if refused := l.Seen.Target.Refused; refused != nil {
		gap.Reason, gap.Why = cmp.Or(refused.Reason, scale.Waiting), refused.Words
		if !refused.Since.IsZero() {
			gap.Since = refused.Since
		}
	} else if l.Seen.At.Sub(r.MissingSince) < creating {
		return
	}
	r.Gaps = append(r.Gaps, gap)
}

// pending looks for pods that the scheduler finds no node for.
func (l *Look) pending(r *Report) {
	gap := Gap{Kind: Pending, Reason: scale.Unschedulable, Why: "the scheduler finds no node for them; their events say why"}
	for i := range l.Seen.Pods {
		p := &l.Seen.Pods[i]
		if p.Ended() {
			continue
		}
		gap.Of++
		if p.Pending == "" {
			continue
		}
		r.Pending++
		if p.Pending == unschedulable {
			gap.add(p.Name, p.PendingSince)
		}
	}
	if gap.Count > 0 {
		slices.Sort(gap.Pods)
		r.Gaps = append(r.Gaps, gap)
	}
}

// unschedulable is the word of Kubernetes for a pod without a node.
const unschedulable = "Unschedulable"

// add puts a pod into the gap, which began with the first of its pods.
func (g *Gap) add(pod string, since time.Time) {
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
