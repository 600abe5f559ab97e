package explain

import (
	"fmt"
	"strings"

	"github.com/tidemark/tidemark/scale"
)

// Headline says in one line what was decided and why.
func Headline(d scale.Decision) string {
	line := fmt.Sprintf("stays at %d", d.Want.Replicas)
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

// size prints a count and what the pods request: 3 x 1 8Gi, or with several
// containers 3 x (app 1 8Gi, proxy 100m).
func size(s scale.Size) string {
	pods := make([]string, 0, len(s.Containers))
	for _, c := range s.Containers {
		var words []string
		if len(s.Containers) > 1 {
			words = append(words, c.Name)
		}
		for _, r := range scale.EveryResource {
			if a, ok := c.Requests.Get(r); ok {
				words = append(words, r.Format(a))
			}
		}
		pods = append(pods, strings.Join(words, " "))
	}
	text := strings.Join(pods, ", ")
	switch {
	case text == "":
		return fmt.Sprint(s.Replicas)
	case len(pods) > 1:
		text = "(" + text + ")"
	}
	return fmt.Sprintf("%d x %s", s.Replicas, text)
}

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
