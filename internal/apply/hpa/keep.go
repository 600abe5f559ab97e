package hpa

import (
	autoscalingv2 "k8s.io/api/autoscaling/v2"

	"github.com/tidemark/tidemark/internal/apply"
	"github.com/tidemark/tidemark/scale"
)

// Keep returns a copy of the HPA that is tuned by an object of this name, and
// each field in which the copy differs: what the tuning has an opinion on is set,
// what it has none on any more is given back, and what was found is noted.
func Keep(hpa *autoscalingv2.HorizontalPodAutoscaler, t scale.Tuning, by string) (*autoscalingv2.HorizontalPodAutoscaler, []apply.Change, error) {
	opinion := hasOpinion(hpa, t)
	given, back := giveBack(hpa, func(f field) bool { return !opinion(f) })
	tuned, set := Tune(given, t)
	if err := remember(hpa, tuned, by); err != nil {
		return nil, nil, err
	}
	reasons := map[string]string{}
	for _, c := range append(back, set...) {
		reasons[c.Path] = c.Reason
	}
	return tuned, difference(hpa, tuned, func(path string) string { return reasons[path] }), nil
}

// hasOpinion tells whether a tuning says what a field should be.
func hasOpinion(hpa *autoscalingv2.HorizontalPodAutoscaler, t scale.Tuning) func(field) bool {
	asked := asked(t)
	return func(f field) bool {
		if f.metric != nil {
			_, ok := carried(f.metric, hpa.Annotations, asked, t.Alone)
			return ok
		}
		return (f.key == minKey && t.Min != nil) || (f.key == maxKey && t.Max != nil)
	}
}
