package explain

import (
	"fmt"
	"strings"

	"github.com/tidemark/tidemark/scale"
)

// Headline says in one line what was decided and why.
func Headline(d scale.Decision) string {
	line := fmt.Sprintf("stays at %s", size(d.Want))
	if !d.Want.Equal(d.From) {
		line = Move(d.From, d.Want)
	}
	return line + ": " + Because(d)
}

// Because names the reason, and what limited the wish if anything did.
func Because(d scale.Decision) string {
	if d.LimitedBy == "" {
		return string(d.Reason)
	}
	return fmt.Sprintf("%s, limited by %s", d.Reason, d.LimitedBy)
}

// Move shows a change of size, without the containers where only the count
// changes.
func Move(from, to scale.Size) string {
	if from.WithReplicas(to.Replicas).Equal(to) {
		return fmt.Sprintf("%d -> %d", from.Replicas, to.Replicas)
	}
	return fmt.Sprintf("%s -> %s", size(from), size(to))
}

func size(s scale.Size) string { return fmt.Sprintf("%d", s.Replicas) }

// Text is the full explanation: the headline, then each step with what came
// in, what went out and why.
func Text(d scale.Decision) string {
	var out strings.Builder
	fmt.Fprintln(&out, Headline(d))
	if !d.Proposed.Equal(d.Want) {
		fmt.Fprintf(&out, "  mode Auto would apply %s\n", Move(d.From, d.Proposed))
	}
	moves := make([]string, len(d.Steps))
	width, reason := 0, 0
	for i, s := range d.Steps {
		moves[i] = Move(s.In, s.Out)
		width, reason = max(width, len(moves[i])), max(reason, len(s.Reason))
	}
	for i, s := range d.Steps {
		fmt.Fprintf(&out, "  %-10s  %-*s  %-*s  %s\n", s.Stage, width, moves[i], reason, s.Reason, Message(s))
	}
	return out.String()
}
