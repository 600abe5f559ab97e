package explain

import (
	"fmt"
	"strings"

	"github.com/tidemark/tidemark/scale"
)

// Sum writes out the arithmetic that made a count of a metric's value. It is empty
// where there was none, or where a number is too large to be written.
func Sum(s scale.Step) string {
	m := s.Metric
	if m == nil || m.Sum.Rounded == scale.None || m.Sum.Used == scale.MaxAmount {
		return ""
	}
	sum := &m.Sum
	terms := []string{fmt.Sprintf("%d × %s", sum.Pods, sumUsed(m)), amount(m, m.Mark())}
	if sum.Shared > 1 || sum.Shared == 1 && m.Type == scale.Utilization {
		terms = []string{terms[0], shared(m, sum.Shared), terms[1]}
	}
	text := strings.Join(terms, " ÷ ")
	if text = "⌈" + text + "⌉"; sum.Rounded == scale.Down {
		text = "⌊" + strings.Join(terms, " ÷ ") + "⌋"
	}
	if sum.AtLeastOne {
		text = "max(1, " + text + ")"
	}
	return fmt.Sprintf("%s = %d", text, sum.Count)
}

// sumUsed is what was measured, with what is taken to be at the mark.
func sumUsed(m *scale.MetricFacts) string {
	sum := &m.Sum
	used := inAll(m, sum.Used)
	if sum.Shared == 0 {
		used = amount(m, sum.Used)
	}
	if sum.Assumed == 0 {
		return used
	}
	return fmt.Sprintf("(%s + %s × %s)", used, shared(m, sum.Assumed), amount(m, m.Mark()))
}

// shared is a number of pods, or what they request.
func shared(m *scale.MetricFacts, n int64) string {
	if m.Type == scale.Utilization {
		return inAll(m, scale.Amount(n))
	}
	return fmt.Sprint(n)
}

// inAll prints an amount of what a metric measures, and not the share that it is of a
// request.
func inAll(m *scale.MetricFacts, a scale.Amount) string {
	if m.Bytes {
		return a.Bytes()
	}
	return a.String()
}
