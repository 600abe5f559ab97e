package decided

import (
	"fmt"

	"github.com/tidemark/tidemark/explain"
	"github.com/tidemark/tidemark/scale"
)

// sum writes out how a metric's value became a count: so many pods, times the
// value, by the mark that it should be at. It is written only where that is how it
// came about: pods that are not ready, or have no sample, make it another one.
func sum(s *scale.Step) string {
	m := s.Metric
	if m == nil || !m.Known || m.Headroom != nil || m.Index < 0 || s.Out.Replicas == s.In.Replicas {
		return ""
	}
	view := explain.ViewOf(scale.Decision{Steps: []scale.Step{*s}}).Steps[0].Metric
	for _, mark := range []struct {
		at   scale.Amount
		text string
	}{{m.Band.High, view.High}, {m.Band.Low, view.Low}} {
		ratio := scale.NewRatio(scale.Product{int64(m.Value), 1}, scale.Product{}, scale.Product{int64(mark.at), 1})
		for _, pods := range []int32{m.Pods.Counted, s.In.Replicas} {
			if mark.at <= 0 || pods <= 0 {
				continue
			}
			switch s.Out.Replicas {
			case ratio.Ceil(pods):
				return fmt.Sprintf("⌈%d × %s ÷ %s⌉ = %d", pods, view.Value, mark.text, s.Out.Replicas)
			case ratio.Floor(pods):
				return fmt.Sprintf("⌊%d × %s ÷ %s⌋ = %d", pods, view.Value, mark.text, s.Out.Replicas)
			}
		}
	}
	return ""
}
