package learner

import (
	"fmt"

	"github.com/tidemark/tidemark/scale"
)

// gathering says what the built-in recommender still lacks. The container that
// is known best counts, because one recommendation is enough to begin with.
func (l *Learner) gathering(containers []scale.Container) string {
	most := int64(0)
	for i := range containers {
		for _, r := range scale.EveryResource {
			if span, known := l.History.Usage.Span(containers[i].Name, r); known {
				most = max(most, span.Samples)
			}
		}
	}
	if most == 0 {
		return "no usage of the pods was measured so far: check that kubectl top pods shows it"
	}
	return fmt.Sprintf("the built-in recommender has %d of the %d samples of usage that it takes: they come while pods run", most, l.Estimator.MinSamples)
}
