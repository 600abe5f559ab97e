package explain

import (
	"fmt"
	"strings"

	"github.com/tidemark/tidemark/scale"
)

// notActivatedMessage says what a metric would have to be above. One without an
// activation of its own is not active where its band asks for nothing.
func notActivatedMessage(s scale.Step) string {
	m := s.Metric
	if m.Whole == nil || m.Whole.Activation == nil {
		return fmt.Sprintf("%s is %s, and needs no pod: asks for %d", m.Name, amount(m, m.Value), s.Out.Replicas)
	}
	return fmt.Sprintf("%s is %s in all, not above its activation %s: asks for %d", m.Name, m.Whole.Total, m.Whole.Activation, s.Out.Replicas)
}

// inputsNote tells what the names of a formula stood for.
func inputsNote(m *scale.MetricFacts) string {
	if m.Whole == nil || len(m.Whole.Inputs) == 0 {
		return ""
	}
	notes := make([]string, len(m.Whole.Inputs))
	for i := range m.Whole.Inputs {
		switch in := &m.Whole.Inputs[i]; {
		case in.Problem != "":
			notes[i] = in.Name + " missing"
		case in.Bytes:
			notes[i] = in.Name + " " + in.Value.Bytes()
		default:
			notes[i] = in.Name + " " + in.Value.String()
		}
	}
	return " (" + strings.Join(notes, ", ") + ")"
}
