package proof

import (
	"github.com/tidemark/tidemark/api/v1alpha1"
	"github.com/tidemark/tidemark/scale"
)

// Decided is what an object decides about a sample.
type Decided struct {
	Pods int32
	Load string
	scale.Decision
}

// Decisions are those of a spec about the samples that a comparison is made by; none
// where it has no metric.
func Decisions(spec v1alpha1.WorkloadAutoscalerSpec) ([]Decided, error) {
	side, err := newByEngine(rules{spec: spec})
	if err != nil {
		return nil, err
	}
	var out []Decided
	for _, m := range moments(nil, side) {
		out = append(out, Decided{m.pods, m.load, side.decision(&m)})
	}
	return out, nil
}
