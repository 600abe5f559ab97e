package upstream

import (
	"iter"
	"testing"
	"testing/synctest"
	"time"

	"github.com/tidemark/tidemark/api/v1alpha1"
)

// TestTidemark shows that compatibility Tidemark differs from upstream only
// in the ways that Switch lists: the model without switches equals upstream,
// the model with all of them equals the engine, so whatever differs is due to
// some of the switches.
func TestTidemark(t *testing.T) {
	cases, seed, start := fromEnv(t, "TIDEMARK_CASES", 200_000), seedOf(t), time.Now()
	total := onEveryCore(t, cases, func(t *testing.T, numbers iter.Seq[uint64], sum *sums) {
		synctest.Test(t, func(t *testing.T) {
			for number := range numbers {
				comparing(t, "tidemark", seed, number, sum, func() {
					compareModels(t, NewCase(Seeded(seed, number), time.Now()), number, sum)
				})
			}
		})
	})
	for seed, number := range found(t, "tidemark") {
		synctest.Test(t, func(t *testing.T) { compareModels(t, NewCase(Seeded(seed, number), time.Now()), number, total) })
	}
	report("tidemark: %d cases compared in %v, %d differ from upstream, unexplained: %d, seed %d",
		total.compared, since(start), total.differing, total.failures, seed)
	for _, one := range Everything.Each() {
		needed, alone := total.deviations[one.String()], total.alone[one.String()]
		report("  %-17s explains %6d differences, %6d of them alone", one, needed, alone)
		if needed == 0 && cases >= 100_000 {
			t.Errorf("%s explains nothing: it is not a difference, or no case shows it", one)
		}
	}
}

// compareModels fails unless the model explains both sides of a case.
func compareModels(t testing.TB, c *Case, number uint64, sum *sums) {
	theirs, ours := Theirs(c), Ours(c, v1alpha1.CompatibilityTidemark)
	sum.compared++
	if none, all := Model(c, 0), Model(c, Everything); none != theirs || all != ours {
		sum.failures++
		t.Errorf("case %d: upstream proposes %+v, the model without switches %+v; we propose %+v, the model with all switches %+v\n%s",
			number, theirs, none, ours, all, Describe(&c.HPA, &c.World))
		return
	}
	if theirs == ours {
		return
	}
	sum.differing++
	needed := Needed(c).Each()
	for _, one := range needed {
		sum.deviations[one.String()]++
	}
	if len(needed) == 1 {
		sum.alone[needed[0].String()]++
	}
}
