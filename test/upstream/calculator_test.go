package upstream

import (
	"iter"
	"testing"
	"testing/synctest"
	"time"

	utilfeature "k8s.io/apiserver/pkg/util/feature"
	featuregatetesting "k8s.io/component-base/featuregate/testing"
	"k8s.io/kubernetes/pkg/features"

	"github.com/tidemark/tidemark/api/v1alpha1"
)

// TestCalculator compares the proposals of single metrics with those of
// upstream's replica calculator.
func TestCalculator(t *testing.T) {
	cases, seed, start := fromEnv(t, "TIDEMARK_CASES", 200_000), seedOf(t), time.Now()
	total := newSums()
	for _, part := range []struct {
		what        string
		gate        bool
		first, size uint64
	}{{"calculator", true, 0, cases - cases/10}, {"ungated", false, cases - cases/10, cases / 10}} {
		featuregatetesting.SetFeatureGateDuringTest(t, utilfeature.DefaultFeatureGate, features.PodLevelResources, part.gate)
		total.add(onEveryCore(t, part.size, func(t *testing.T, numbers iter.Seq[uint64], sum *sums) {
			// In a bubble the clock stands still while nobody waits, so cases
			// can sit on the very edge of a period.
			synctest.Test(t, func(t *testing.T) {
				for number := range numbers {
					comparing(t, part.what, seed, part.first+number, sum, func() {
						compareProposals(t, NewCase(Seeded(seed, part.first+number), time.Now()), part.first+number, sum)
					})
				}
			})
		}))
		for seed, number := range found(t, part.what) {
			synctest.Test(t, func(t *testing.T) { compareProposals(t, NewCase(Seeded(seed, number), time.Now()), number, total) })
		}
	}
	report("calculator: %d cases compared in %v, deviations: %v, unexplained: %d, seed %d\n  metrics: %v",
		total.compared, since(start), total.deviations, total.failures, seed, total.kinds)
}

// compareProposals fails unless both sides propose the same for a case, or
// differ for a listed reason.
func compareProposals(t testing.TB, c *Case, number uint64, sum *sums) {
	theirs, ours := Theirs(c), Ours(c, v1alpha1.CompatibilityHPA)
	sum.compared++
	sum.kinds[kindOf(c)]++
	if theirs == ours {
		return
	}
	if class, ok := Explain(c, ours); ok {
		sum.deviations[string(class)]++
		return
	}
	sum.failures++
	t.Errorf("case %d: upstream proposes %+v, we propose %+v\n%s", number, theirs, ours, Describe(&c.HPA, &c.World))
}

// kindOf names what a case's metric is.
func kindOf(c *Case) string {
	return string(c.Metric().Type) + "/" + string(sourceOf(c.Metric()).target.Type)
}
