package live

import (
	"context"

	"github.com/tidemark/tidemark/api/v1alpha1"
	"github.com/tidemark/tidemark/internal/observe/recommender"
	"github.com/tidemark/tidemark/scale"
)

// readRecommendations adds the sizes that someone else recommends. Where the object
// names such a source, there is a list even when it has no answer: an empty
// one, so that nobody else's recommendations take its place.
func (o *Observer) readRecommendations(ctx context.Context, l *look) {
	v := l.Object.Spec.Vertical
	if v == nil {
		return
	}
	var found []scale.Recommendation
	var err error
	switch v.Source {
	case v1alpha1.VerticalSourceVPA:
		found, err = o.vpas.Recommendations(ctx, l.Object.Namespace, v.VPAName)
	case v1alpha1.VerticalSourceRecommender:
		found, err = o.service(ctx, l, v.Recommender)
	default:
		return
	}
	if err != nil {
		l.problem(err)
		l.obs.Unrecommended = err.Error()
	}
	if found == nil {
		found = []scale.Recommendation{}
	}
	l.obs.Recommended = found
}

func (o *Observer) service(ctx context.Context, l *look, at *v1alpha1.RecommenderReference) ([]scale.Recommendation, error) {
	ref := l.Object.Spec.TargetRef
	t := recommender.Target{APIVersion: ref.APIVersion, Kind: ref.Kind, Name: ref.Name}
	w := recommender.WorkloadOf(l.Object.Namespace, l.Object.Name, t, &l.obs)
	return o.services.Recommendations(ctx, at.URL, w, l.maxAge())
}
