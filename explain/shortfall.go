package explain

import (
	"fmt"
	"strings"
	"time"

	"github.com/tidemark/tidemark/scale"
)

// Incomplete returns the conditions of a decision of which something is neither
// in force nor under way. The worst gap gives the reason. One that only a person
// can close means that the workload cannot scale.
func Incomplete(d scale.Decision, gaps []scale.Gap) []Condition {
	sentences := make([]string, len(gaps))
	for i, g := range gaps {
		sentences[i] = GapText(g)
	}
	worst := gaps[0].Reason
	return []Condition{
		{AbleToScale, worst == scale.Waiting || worst == scale.StartupBoost, string(worst), Headline(d) + "; " + strings.Join(sentences, "; ")},
		scalingLimited(d, false),
	}
}

// short are the words for pods that fall short, by kind.
var short = [...]string{
	scale.GapMissing: "do not exist", scale.GapPending: "have no node", scale.GapSize: "are not at the size decided",
	scale.GapBoost: "still have the cpu of their start",
}

// GapText says in a sentence what is not in force, of which pods, since when and
// why. It is the same as long as the gap is: nothing in it counts up.
func GapText(g scale.Gap) string {
	var out strings.Builder
	out.WriteString(gapSubject(g))
	if !g.Since.IsZero() {
		fmt.Fprintf(&out, " since %s", g.Since.UTC().Format(time.RFC3339))
	}
	if len(g.Pods) > 0 {
		var shown scale.PodNames
		for _, name := range g.Pods {
			shown.Add(name)
		}
		fmt.Fprintf(&out, " (%s)", shown.String())
	}
	return out.String() + ": " + g.Why
}

func gapSubject(g scale.Gap) string {
	if g.Kind == scale.GapOther {
		return g.Who
	}
	return fmt.Sprintf("%d of %d pods %s", g.Count, g.Of, short[g.Kind])
}
