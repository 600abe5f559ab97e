package learner

import (
	"strings"
	"testing"
	"time"

	"github.com/tidemark/tidemark/internal/history"
	"github.com/tidemark/tidemark/scale"
)

// TestGatheringSaysWhatIsMissing: until the built-in recommender knows enough it
// says how much it has, and then nothing. A source that someone named says it
// itself.
func TestGatheringSaysWhatIsMissing(t *testing.T) {
	plan := Plan{Recommend: true, Estimator: history.DefaultEstimator()}
	l := learner(t, plan)
	unmeasured := observed(noon, 2, 500, 1000)
	for i := range unmeasured.Pods {
		unmeasured.Pods[i].Containers[0].Usage = scale.Resources{}
	}
	l.Learn(unmeasured, nil)
	if got, want := unmeasured.Unrecommended, "no usage of the pods was measured so far: check that kubectl top pods shows it"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	var obs *scale.Observation
	for i := range 31 {
		obs = observed(noon.Add(time.Duration(i+1)*time.Minute), 2, 500, 1000)
		l.Learn(obs, nil)
		if i == 4 && obs.Unrecommended != "the built-in recommender has 10 of the 60 samples of usage that it takes: they come while pods run" {
			t.Errorf("got %q", obs.Unrecommended)
		}
	}
	if obs.Unrecommended != "" || len(obs.Recommended) != 1 {
		t.Errorf("in the end: %q, %+v", obs.Unrecommended, obs.Recommended)
	}
	named := observed(noon, 2, 500, 1000)
	named.Recommended, named.Unrecommended = []scale.Recommendation{}, "the VPA says nothing"
	learner(t, plan).Learn(named, nil)
	if !strings.Contains(named.Unrecommended, "the VPA") {
		t.Errorf("got %q", named.Unrecommended)
	}
}
