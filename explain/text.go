package explain

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/tidemark/tidemark/scale"
)

// Headline says in one line what was decided and why.
func Headline(d scale.Decision) string {
	return View{From: viewSize(d.From), Want: viewSize(d.Want), Reason: d.Reason, LimitedBy: d.LimitedBy}.Headline()
}

// Because names the reason, and what limited the desired size if anything did.
func Because(d scale.Decision) string { return because(d.Reason, d.LimitedBy) }

// Move shows a change of size, without the containers where only the count
// changes.
func Move(from, to scale.Size) string { return move(viewSize(from), viewSize(to)) }

// Text is the full explanation: the headline, then each step with what came
// in, what went out and why.
func Text(d scale.Decision) string { return ViewOf(d).Text() }

// Headline says in one line what was decided and why.
func (v View) Headline() string {
	line := fmt.Sprintf("stays at %d", v.Want.Replicas)
	if !v.Want.equal(v.From) {
		line = move(v.From, v.Want)
	}
	return line + ": " + because(v.Reason, v.LimitedBy)
}

// Text is the full explanation of a decision that is only known by its view,
// such as one that was read from a status.
func (v View) Text() string {
	var out strings.Builder
	fmt.Fprintln(&out, v.Headline())
	if !v.Proposed.equal(v.Want) {
		who := "mode Auto"
		if v.LimitedBy == scale.LeftToHPA {
			who = "actuator Scale"
		}
		fmt.Fprintf(&out, "  %s would apply %s\n", who, move(v.From, v.Proposed))
	}
	moves := make([]string, len(v.Steps))
	width, reason := 0, 0
	for i, s := range v.Steps {
		moves[i] = move(s.In, s.Out)
		width, reason = max(width, len(moves[i])), max(reason, len(s.Reason))
	}
	for i, s := range v.Steps {
		fmt.Fprintf(&out, "  %-10s  %-*s  %-*s  %s\n", s.Stage, width, moves[i], reason, s.Reason, s.Message)
	}
	return out.String()
}

func because(reason, limitedBy scale.Reason) string {
	if limitedBy == "" {
		return string(reason)
	}
	return fmt.Sprintf("%s, limited by %s", reason, limitedBy)
}

func move(from, to SizeView) string {
	if to.equal(from.withReplicas(to.Replicas)) {
		return fmt.Sprintf("%d -> %d", from.Replicas, to.Replicas)
	}
	return fmt.Sprintf("%s -> %s", size(from), size(to))
}

// size prints a count and what the pods request: 3 x 1 8Gi, or with several
// containers 3 x (app 1 8Gi, proxy 100m).
func size(s SizeView) string {
	pod := s.Pod()
	switch {
	case pod == "":
		return fmt.Sprint(s.Replicas)
	case len(s.Containers) > 1:
		pod = "(" + pod + ")"
	}
	return fmt.Sprintf("%d x %s", s.Replicas, pod)
}

// Pod prints what one pod requests: 1 8Gi, or with several containers app 1 8Gi,
// proxy 100m.
func (s SizeView) Pod() string {
	containers := make([]string, 0, len(s.Containers))
	for _, name := range slices.Sorted(maps.Keys(s.Containers)) {
		var words []string
		if len(s.Containers) > 1 {
			words = append(words, name)
		}
		for _, r := range scale.EveryResource {
			if amount, ok := s.Containers[name][r.String()]; ok {
				words = append(words, amount)
			}
		}
		containers = append(containers, strings.Join(words, " "))
	}
	return strings.Join(containers, ", ")
}

func (s SizeView) withReplicas(n int32) SizeView {
	s.Replicas = n
	return s
}

func (s SizeView) equal(other SizeView) bool {
	same := func(a, b map[string]string) bool { return maps.Equal(a, b) }
	return s.Replicas == other.Replicas && maps.EqualFunc(s.Containers, other.Containers, same) && maps.EqualFunc(s.Limits, other.Limits, same)
}
