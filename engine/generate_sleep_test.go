package engine_test

import (
	"math/big"

	"pgregory.net/rapid"

	"github.com/tidemark/tidemark/engine"
	"github.com/tidemark/tidemark/engine/horizontal"
	"github.com/tidemark/tidemark/scale"
)

// sleepy lets some policies sleep: by activations, an idle count and a delay. Some
// get a formula over their metrics.
func sleepy(t *rapid.T, p *engine.Policy) {
	rules := &p.Horizontal
	for i := range rules.Metrics {
		rules.Metrics[i].Alias = string(rune('a' + i))
	}
	if len(rules.Metrics) > 0 && rapid.IntRange(0, 3).Draw(t, "formula") == 0 {
		names := make([]string, len(rules.Metrics))
		for i := range names {
			names[i] = rules.Metrics[i].Alias
		}
		rules.Metrics = append(rules.Metrics, horizontal.Metric{
			Name: "formula", Kind: horizontal.Computed, Type: rapid.SampledFrom([]scale.TargetType{scale.Value, scale.AverageValue}).Draw(t, "type"),
			Band:    scale.Band{Low: 1000, High: 1000},
			Formula: &horizontal.Formula{Names: names, Root: numbers(names, 3).Draw(t, "root")},
		})
	}
	rules.Least = max(p.Limit.Min, 1)
	if rules.Activates = rapid.IntRange(0, 2).Draw(t, "activates") == 0; !rules.Activates {
		return
	}
	if p.Limit.Min > 0 {
		rules.Idle = rapid.Int32Range(0, p.Limit.Min-1).Draw(t, "idle")
	}
	rules.ZeroAllowed = rules.Idle == 0
	p.Limit.ToZero = seconds(90).Draw(t, "toZero")
	for i := range rules.Metrics {
		if m := &rules.Metrics[i]; !m.Kind.PerPod() && rapid.Bool().Draw(t, "activation") {
			above := marks().Draw(t, "above")
			m.Activation = &above
		}
	}
}

// numbers are formulas that are numbers.
func numbers(names []string, deep int) *rapid.Generator[horizontal.Node] {
	leaf := rapid.Custom(func(t *rapid.T) horizontal.Node {
		if rapid.Bool().Draw(t, "named") {
			return horizontal.Node{Op: horizontal.Name, Name: rapid.SampledFrom(names).Draw(t, "name")}
		}
		return horizontal.Node{Op: horizontal.Number, Number: big.NewRat(rapid.Int64Range(0, 20).Draw(t, "number"), 4)}
	})
	if deep == 0 {
		return leaf
	}
	return rapid.Custom(func(t *rapid.T) horizontal.Node {
		op := rapid.SampledFrom([]horizontal.Op{
			horizontal.Number, horizontal.Add, horizontal.Subtract, horizontal.Multiply, horizontal.Divide, horizontal.Negate, horizontal.Minimum,
			horizontal.Maximum, horizontal.OrValue, horizontal.Choose,
		}).Draw(t, "op")
		next := numbers(names, deep-1)
		n := horizontal.Node{Op: op, Args: []horizontal.Node{next.Draw(t, "left"), next.Draw(t, "right")}}
		switch op {
		case horizontal.Number:
			return leaf.Draw(t, "leaf")
		case horizontal.Negate:
			n.Args = n.Args[:1]
		case horizontal.Choose:
			is := horizontal.Node{Op: rapid.SampledFrom([]horizontal.Op{horizontal.Less, horizontal.AtMost, horizontal.Equal}).Draw(t, "is"), Args: n.Args}
			n.Args = append([]horizontal.Node{is}, n.Args...)
		}
		return n
	})
}

// least is the smallest count that a policy may ever have.
func least(p *engine.Policy) int32 {
	if p.Horizontal.Activates {
		return p.Horizontal.Idle
	}
	return p.Limit.Min
}
