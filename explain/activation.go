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
	above := "asks for no pod"
	if m.Activation != nil {
		above = "not above its activation " + m.Activation.String()
	}
	return fmt.Sprintf("%s is %s in all, %s: asks for %d", m.Name, m.Total, above, s.Out.Replicas)
}

// inputsNote tells what the names of a formula stood for.
func inputsNote(m *scale.MetricFacts) string {
	if len(m.Inputs) == 0 {
		return ""
	}
	notes := make([]string, len(m.Inputs))
	for i := range m.Inputs {
		switch in := &m.Inputs[i]; {
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
