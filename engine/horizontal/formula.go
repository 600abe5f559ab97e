package horizontal

import (
	"fmt"
	"math/big"
)

// Op is what a node of a formula does with its arguments.
type Op uint8

// The operations. Number and Name are leaves. OrValue is its first argument, or
// its second where a metric of the first is missing. Choose is its second argument
// where the first is true, and its third where it is not. Those from Less on are
// true or false.
const (
	Number Op = iota
	Name
	Add
	Subtract
	Multiply
	Divide
	Negate
	Minimum
	Maximum
	OrValue
	Choose
	Less
	AtMost
	Equal
	Not
	And
	Or
)

// Formula is an expression over metrics, compiled to a tree. It is computed with
// exact fractions. Who makes one makes sure that its types are right.
type Formula struct {
	// Text is the expression as it was written, and Names the metrics in it.
	Text  string
	Names []string
	Root  Node
}

// Node is a part of a formula.
type Node struct {
	Op   Op
	Args []Node
	// Number is set on a Number, and Name, an alias of a metric, on a Name.
	Number *big.Rat
	Name   string
}

// absence is why a node has no value. Only a missing metric has a substitute: to
// divide by zero is a mistake that OrValue must not hide.
type absence struct {
	words   string
	missing bool
}

// values are those of the metrics that a formula names.
type values []named

// named is a metric with its value, or why it has none.
type named struct {
	alias string
	value *big.Rat
	none  *absence
}

func (v values) of(alias string) (*big.Rat, *absence) {
	for i := range v {
		if v[i].alias == alias {
			return v[i].value, v[i].none
		}
	}
	return nil, &absence{words: alias + " is not measured here", missing: true}
}

// value computes a node that is a number.
func (n *Node) value(in values) (*big.Rat, *absence) {
	switch n.Op {
	case Number:
		return n.Number, nil
	case Name:
		return in.of(n.Name)
	case OrValue:
		v, none := n.Args[0].value(in)
		if none != nil && none.missing {
			return n.Args[1].value(in)
		}
		return v, none
	case Choose:
		yes, none := n.Args[0].truth(in)
		switch {
		case none != nil:
			return nil, none
		case yes:
			return n.Args[1].value(in)
		}
		return n.Args[2].value(in)
	}
	first, none := n.Args[0].value(in)
	if none != nil {
		return nil, none
	}
	out := new(big.Rat).Set(first)
	if n.Op == Negate {
		return out.Neg(out), nil
	}
	for i := range n.Args[1:] {
		next, none := n.Args[i+1].value(in)
		if none != nil {
			return nil, none
		}
		if out, none = n.Op.apply(out, next); none != nil {
			return nil, none
		}
	}
	return out, nil
}

// apply makes one number of two. It may change the first.
func (o Op) apply(a, b *big.Rat) (*big.Rat, *absence) {
	switch o {
	case Add:
		return a.Add(a, b), nil
	case Subtract:
		return a.Sub(a, b), nil
	case Multiply:
		return a.Mul(a, b), nil
	case Divide:
		if b.Sign() == 0 {
			return nil, &absence{words: "it divides by zero"}
		}
		return a.Quo(a, b), nil
	case Minimum:
		if b.Cmp(a) < 0 {
			return a.Set(b), nil
		}
		return a, nil
	case Maximum:
		if b.Cmp(a) > 0 {
			return a.Set(b), nil
		}
		return a, nil
	}
	return nil, &absence{words: fmt.Sprintf("operation %d is no number", o)}
}

// truth computes a node that is true or false. What decides is computed from left to
// right, and no further than necessary.
func (n *Node) truth(in values) (bool, *absence) {
	switch n.Op {
	case Not, And, Or:
		first, none := n.Args[0].truth(in)
		switch {
		case none != nil:
			return false, none
		case n.Op == Not:
			return !first, nil
		case first == (n.Op == Or):
			return first, nil
		}
		return n.Args[1].truth(in)
	}
	a, none := n.Args[0].value(in)
	if none != nil {
		return false, none
	}
	b, none := n.Args[1].value(in)
	if none != nil {
		return false, none
	}
	order := a.Cmp(b)
	return order < 0 && n.Op == Less || order <= 0 && n.Op == AtMost || order == 0 && n.Op == Equal, nil
}
