package controller

import (
	"slices"
	"strings"
	"time"

	"github.com/tidemark/tidemark/explain"
	"github.com/tidemark/tidemark/scale"
)

// What an object's status told before is read back from its messages: it is all
// that is left of an earlier round after a restart.

// failing is the part of a step's message that tells of pods that did serve, or
// tried to, and do not. Pods that only start are part of every day.
func failing(message string) string {
	_, list, _ := strings.Cut(message, " not ready: ")
	list, _, _ = strings.Cut(list, ")")
	var out []string
	for note := range strings.SplitSeq(list, "; ") {
		for _, s := range []scale.Standing{scale.LostReadiness, scale.Restarting, scale.BackingOff} {
			if strings.Contains(note, " "+s.String()) {
				out = append(out, note)
			}
		}
	}
	return strings.Join(out, "; ")
}

// dated gives the gaps whose beginning nobody has written down a moment: the one
// that an earlier message has for a gap of the kind, otherwise now.
func dated(gaps []scale.Gap, told string, now time.Time) []scale.Gap {
	out := slices.Clone(gaps)
	for i := range out {
		if out[i].Since.IsZero() {
			out[i].Since = toldSince(out[i], told, now)
		}
	}
	return out
}

// toldSince looks for the words for a gap without its counts, which change.
func toldSince(g scale.Gap, told string, otherwise time.Time) time.Time {
	what := strings.TrimSuffix(explain.GapText(scale.Gap{Kind: g.Kind, Who: g.Who}), ": ")
	_, rest, found := strings.Cut(told, strings.TrimPrefix(what, "0 of 0 pods ")+" since ")
	if !found {
		return otherwise
	}
	word, _, _ := strings.Cut(rest, " ")
	at, err := time.Parse(time.RFC3339, strings.TrimRight(word, ":"))
	if err != nil {
		return otherwise
	}
	return at
}
