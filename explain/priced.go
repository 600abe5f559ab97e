package explain

import (
	"fmt"

	"github.com/tidemark/tidemark/scale"
)

// pricedMessage says why a total costs least: what demand did, what nodes had to
// spare, what lost work costs, and what waiting has cost so far.
func pricedMessage(s scale.Step) string {
	m, h, c := s.Metric, s.Metric.Headroom, s.Metric.Cost
	format := func(a scale.Amount) string { return h.Resource.Format(a) }
	text := fmt.Sprintf("%s usage is %s", m.Name, format(m.Value))
	if h.Full {
		text += ", about all that the pods may use, so twice as much is assumed to be asked for"
	}
	text += fmt.Sprintf("; in %s demand is likely to be %s and at most %s in %d of 100 cases", wait(h.Within), format(h.Expected),
		format(h.Expected.Add(h.Headroom)), 100-h.Risk*100/scale.Parts)
	if len(h.Room) > 0 {
		text += fmt.Sprintf(", and nodes have at least %d%% of the requests to spare", h.Room[0].Amount/10)
	} else {
		text += ", and nothing is known of the room on nodes"
	}
	text += fmt.Sprintf(". Where a core-hour of lost work costs %s, %s in all costs least: %s used, %s idle, %s at risk",
		format(c.Unserved), format(c.Best), format(c.Used), format(c.Idle), format(c.Risk))
	return text + ". " + verdict(s, c)
}

// verdict says what is done about it.
func verdict(s scale.Step, c *scale.Cost) string {
	waiting := fmt.Sprintf("a change costs %s core-seconds, waiting has cost %s so far", scale.CPU.Format(c.Change), scale.CPU.Format(c.Waited))
	switch {
	case !s.Out.Equal(s.In):
		return "Changes: " + waiting
	case c.Waited == 0 && c.Change == 0:
		return "That is what the pods have"
	}
	return "Waits: " + waiting
}
