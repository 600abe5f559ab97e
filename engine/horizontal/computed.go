package horizontal

import (
	"math"
	"math/big"

	"github.com/tidemark/tidemark/scale"
)

// Why a formula has no value, for people.
const (
	problemNegativeResult = "its result is negative: write max(0, …) where nothing is meant"
	problemUnnamed        = "it is not measured here"
	problemFewPods        = "too few of the pods are measured"
)

// fromFormula proposes from the value of a formula. Without one it forbids scaling
// down, as a metric without a sample does.
func (r reader) fromFormula() proposal {
	f, facts := r.metric.Formula, &scale.WholeFacts{}
	known := make(values, len(f.Names))
	for i, alias := range f.Names {
		seen := r.named(alias)
		facts.Inputs = append(facts.Inputs, seen)
		known[i] = named{alias: alias, value: big.NewRat(int64(seen.Value), int64(scale.Thousand))}
		if seen.Problem != "" {
			known[i].none = &absence{words: alias + " has no usable sample (" + seen.Problem + ")", missing: true}
		}
	}
	r.facts.Whole = facts
	value, none := f.Root.value(known)
	switch {
	case none != nil:
		r.facts.Problem = none.words
	case value.Sign() < 0:
		r.facts.Problem = problemNegativeResult
	default:
		l := loadOfFraction(value, r.obs.Target.SpecReplicas)
		facts.Total = l.over(1).AmountUp()
		return r.fromTotal(l)
	}
	return proposal{reason: scale.FormulaMissing, state: missing}
}

// loadOfFraction is an exact fraction as a load of so many pods. One whose parts
// are too long is rounded up to a thousandth, and saturates.
func loadOfFraction(v *big.Rat, pods int32) load {
	if v.Num().IsInt64() && v.Denom().IsInt64() && v.Denom().Int64() <= math.MaxInt64/max(1, int64(pods)) {
		return load{usage: scale.Amount(v.Num().Int64()), unit: int64(scale.Thousand), base: v.Denom().Int64()}
	}
	up := new(big.Int).Mul(v.Num(), big.NewInt(int64(scale.Thousand)))
	up.Add(up, v.Denom()).Sub(up, big.NewInt(1)).Quo(up, v.Denom())
	if !up.IsInt64() {
		return load{usage: scale.MaxAmount, unit: 1, base: 1}
	}
	return load{usage: scale.Amount(up.Int64()), unit: 1, base: 1}
}

// named is what a name of the formula stands for.
func (r reader) named(alias string) scale.FormulaInput {
	for i := range r.rules.Metrics {
		if m := &r.rules.Metrics[i]; m.Alias == alias {
			seen := scale.FormulaInput{Name: alias, Bytes: m.Kind < Pods && m.Resource == scale.Memory}
			seen.Value, seen.Problem = r.inAll(i)
			return seen
		}
	}
	return scale.FormulaInput{Name: alias, Problem: problemUnnamed}
}

// inAll is the value of a metric over the whole workload: the sum of its series, or
// of what the pods that run have. Pods without a sample are taken to have as much as
// the others, as long as half of them are measured.
func (r reader) inAll(i int) (scale.Amount, string) {
	m, facts := r.rules.Metrics[i], scale.MetricFacts{Index: i}
	m.Type = scale.AverageValue
	one := reader{r.rules, &m, r.obs, &facts}
	if !m.Kind.PerPod() {
		return one.total(one.sample())
	}
	t, problem := one.tally()
	switch {
	case problem != "":
		return 0, problem
	case t.measured < t.unmeasured || r.rules.HoldPartial && t.unmeasured > 0:
		return 0, problemFewPods
	}
	if m.Kind == Pods {
		return t.usage.Share(int64(t.counts.Counted+t.counts.Missing), int64(t.counts.Counted)), ""
	}
	return one.served(&t).Add(t.lost.usage), ""
}
