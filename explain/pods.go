package explain

import (
	"fmt"
	"strings"

	"github.com/tidemark/tidemark/scale"
)

// podsNote tells of pods that did not count, where there were any, and of those
// that do not serve and count all the same.
func podsNote(m *scale.MetricFacts) string {
	p := &m.Pods
	var notes []string
	if p.Missing > p.Unusable {
		notes = append(notes, fmt.Sprintf("%d without a sample", p.Missing-p.Unusable))
	}
	if p.Unusable > 0 {
		notes = append(notes, fmt.Sprintf("%d with an unusable sample", p.Unusable))
	}
	if p.Unready > 0 || len(m.Aside) > 0 {
		notes = append(notes, asideNote(m))
	}
	if len(notes) == 0 {
		return ""
	}
	return fmt.Sprintf(" (%d pods counted, %s)", p.Counted, strings.Join(notes, ", "))
}

// asideNote names the pods that do not serve, and says why.
func asideNote(m *scale.MetricFacts) string {
	all, notes := int32(0), make([]string, len(m.Aside))
	for i := range m.Aside {
		all += m.Aside[i].Pods
		notes[i] = asideText(&m.Aside[i])
	}
	if all == 0 {
		return fmt.Sprintf("%d not ready", m.Pods.Unready)
	}
	return fmt.Sprintf("%d%s%s", all, notReady, strings.Join(notes, "; "))
}

// notReady stands between how many pods do not serve and which.
const notReady = " not ready: "

// Failing is the part of a step's message that tells of pods that did serve, or
// tried to, and do not. Pods that only start are part of every day.
func Failing(message string) string {
	_, list, _ := strings.Cut(message, notReady)
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

func asideText(a *scale.Aside) string {
	who := strings.Join(a.Names, ", ")
	switch more := int(a.Pods) - len(a.Names); {
	case len(a.Names) == 0:
		who = fmt.Sprint(a.Pods)
	case more > 0:
		who = fmt.Sprintf("%s and %d more", who, more)
	}
	text := who + " " + a.Standing.String()
	if a.Weighed {
		text += ", counted by what is used"
	}
	return text
}
