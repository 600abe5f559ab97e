package policy

import (
	"maps"
	"math/big"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/common/ast"
	"github.com/google/cel-go/common/operators"
	"github.com/google/cel-go/common/types"

	"github.com/tidemark/tidemark/api/v1alpha1"
	"github.com/tidemark/tidemark/engine/horizontal"
	"github.com/tidemark/tidemark/fault"
)

// Bounds of a formula. They are far beyond what a person writes.
const (
	maxFormulaText = 1024
	maxFormulaArgs = 8
)

// functions are what a formula may call, each with what it becomes.
var functions = map[string]horizontal.Op{
	operators.Add: horizontal.Add, operators.Subtract: horizontal.Subtract, operators.Multiply: horizontal.Multiply,
	operators.Divide: horizontal.Divide, operators.Negate: horizontal.Negate, "min": horizontal.Minimum, "max": horizontal.Maximum,
	"orValue": horizontal.OrValue, operators.Conditional: horizontal.Choose, operators.Less: horizontal.Less,
	operators.LessEquals: horizontal.AtMost, operators.Greater: horizontal.Less, operators.GreaterEquals: horizontal.AtMost,
	operators.Equals: horizontal.Equal, operators.NotEquals: horizontal.Equal, operators.LogicalNot: horizontal.Not,
	operators.LogicalAnd: horizontal.And, operators.LogicalOr: horizontal.Or,
}

// number is the one type of values: exact fractions, which CEL itself does not
// have. Its checker only has to tell them from what is true or false.
var number, truth = cel.DoubleType, cel.BoolType

// language declares what a formula may say, and nothing else: the library of CEL
// has texts, lists and times, which no metric is.
func language() []cel.EnvOption {
	declare := func(name string, result *cel.Type, args ...*cel.Type) cel.EnvOption {
		return cel.Function(name, cel.Overload(name, args, result))
	}
	options := []cel.EnvOption{
		cel.ClearMacros(),
		declare(operators.Negate, number, number),
		declare(operators.LogicalNot, truth, truth),
		declare(operators.Conditional, number, truth, number, number),
		cel.Function("orValue", cel.MemberOverload("orValue", []*cel.Type{number, number}, number)),
	}
	for _, name := range []string{operators.Add, operators.Subtract, operators.Multiply, operators.Divide} {
		options = append(options, declare(name, number, number, number))
	}
	for _, name := range []string{
		operators.Less, operators.LessEquals, operators.Greater, operators.GreaterEquals, operators.Equals, operators.NotEquals,
	} {
		options = append(options, declare(name, truth, number, number))
	}
	for _, name := range []string{operators.LogicalAnd, operators.LogicalOr} {
		options = append(options, declare(name, truth, truth, truth))
	}
	for _, name := range []string{"min", "max"} {
		var overloads []cel.FunctionOpt
		for n := 2; n <= maxFormulaArgs; n++ {
			overloads = append(overloads, cel.Overload(name+strconv.Itoa(n), slices.Repeat([]*cel.Type{number}, n), number))
		}
		options = append(options, cel.Function(name, overloads...))
	}
	return options
}

// formula compiles the metric that is computed from others.
func (c *compiler) formula(rules *horizontal.Rules) {
	f := c.spec.Formula
	c.aliases(rules.Metrics)
	if f == nil {
		c.inputs(rules.Metrics, nil)
		return
	}
	const path = fault.Path("formula")
	if c.upstream() {
		c.faults.Add(path, "is not among the rules of an HPA: leave it out, or set compatibility to Tidemark")
	}
	if c.spec.Actuator == v1alpha1.ActuatorHPA {
		c.faults.Add(path, "does not go with actuator HPA, which scales by its own metrics: remove it, or scale the workload itself")
	}
	compiled := formulaOf(f.Expression, rules.Metrics)
	if compiled.problem != "" {
		c.faults.Add(path.Field("expression"), "%s", compiled.problem)
	} else {
		c.inputs(rules.Metrics, compiled.used)
	}
	m := horizontal.Metric{
		Name: "formula", Kind: horizontal.Computed, Activation: c.activation(path.Field("activation"), f.Activation),
		Formula: &horizontal.Formula{Text: f.Expression, Names: slices.Sorted(maps.Keys(compiled.used)), Root: compiled.root},
	}
	m.Type, m.Band = c.targetBand(path.Field("target"), source{target: &f.Target, types: ofTotals})
	rules.Metrics = append(rules.Metrics, m)
}

// aliasName is a name that a formula can use.
var aliasName = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*$`)

// aliases gives metrics the names by which a formula knows them.
func (c *compiler) aliases(metrics []horizontal.Metric) {
	seen := map[string]bool{}
	for i := range min(len(metrics), len(c.spec.Metrics)) {
		name, path := c.spec.Metrics[i].Name, fault.Path("metrics").Index(i).Field("name")
		switch {
		case name == "":
			continue
		case !aliasName.MatchString(name) || len(name) > 63 || reserved[name]:
			c.faults.Add(path, "must be a name that a formula can use: letters, digits and _, not beginning with a digit and no word of CEL, got %.64q", name)
		case seen[name]:
			c.faults.Add(path, "%q names two metrics: give each its own", name)
		}
		seen[name], metrics[i].Alias = true, name
	}
}

// reserved are the words of CEL that cannot be names.
var reserved = func() map[string]bool {
	out := map[string]bool{}
	const words = "true false null in as break const continue else for function if import let loop package namespace return var void while"
	for _, word := range strings.Fields(words) {
		out[word] = true
	}
	return out
}()

// inputs checks the metrics that only a formula looks at.
func (c *compiler) inputs(metrics []horizontal.Metric, used map[string]bool) {
	for i := range metrics {
		m := &metrics[i]
		if !m.Input {
			continue
		}
		path := fault.Path("metrics").Index(i)
		if !used[m.Alias] {
			c.faults.Add(path, "needs a target or watermarks: only a metric whose name the formula uses may do without")
		}
		if c.spec.Metrics[i].OnMissing != nil {
			c.faults.Add(path.Field("onMissing"), "does not belong to a metric without a target: say in the formula what counts then, as in %s.orValue(0)", m.Alias)
		}
		if c.spec.Metrics[i].Activation != nil {
			c.faults.Add(path.Field("activation"), "does not belong to a metric without a target: use formula.activation")
		}
	}
}

// isInput tells whether a metric is there for the formula alone.
func (c *compiler) isInput(m *v1alpha1.MetricSpec, s source) bool {
	return c.spec.Formula != nil && m.Name != "" && s.target == nil && s.watermarks == nil
}

// compileFormula checks an expression over names and makes a tree of it, or says
// what is wrong with it.
func compileFormula(text string, names []string) compiledFormula {
	refused := func(words string) compiledFormula { return compiledFormula{problem: words} }
	if len(text) > maxFormulaText {
		return refused("must not be longer than " + strconv.Itoa(maxFormulaText) + " characters")
	}
	options := language()
	for _, name := range names {
		options = append(options, cel.Variable(name, number))
	}
	env, err := cel.NewCustomEnv(options...)
	if err != nil {
		return refused("cannot be checked: " + oneLine(err))
	}
	parsed, issues := env.Parse(text)
	if err := issues.Err(); err != nil {
		return refused("is not CEL: " + oneLine(err))
	}
	b := builder{used: map[string]bool{}, numbers: exactNumbers(parsed.NativeRep().Expr())}
	checked, issues := env.Check(parsed)
	if err := issues.Err(); err != nil {
		return refused("does not type-check: " + oneLine(err))
	}
	if !checked.OutputType().IsExactType(number) {
		return refused("must be a number, and is true or false")
	}
	root := b.node(checked.NativeRep().Expr())
	return compiledFormula{root: root, used: b.used, problem: b.problem}
}

// exactNumbers makes every number of an expression one of the same type, so that
// 2 * queue and 0.5 * queue are alike, and returns what was written, exactly. A
// number with a point is what its shortest form says: that is what was written, up to
// fifteen digits.
func exactNumbers(root ast.Expr) map[int64]*big.Rat {
	exact, factory := map[int64]*big.Rat{}, ast.NewExprFactory()
	ast.PostOrderVisit(root, ast.NewExprVisitor(func(e ast.Expr) {
		if e.Kind() != ast.LiteralKind {
			return
		}
		switch v := e.AsLiteral().(type) {
		case types.Int:
			exact[e.ID()] = new(big.Rat).SetInt64(int64(v))
			e.SetKindCase(factory.NewLiteral(e.ID(), types.Double(v)))
		case types.Uint:
			exact[e.ID()] = new(big.Rat).SetUint64(uint64(v))
			e.SetKindCase(factory.NewLiteral(e.ID(), types.Double(v)))
		case types.Double:
			if r, ok := new(big.Rat).SetString(strconv.FormatFloat(float64(v), 'g', -1, 64)); ok {
				exact[e.ID()] = r
			}
		}
	}))
	return exact
}

// builder makes a tree of an expression that was checked.
type builder struct {
	used    map[string]bool
	numbers map[int64]*big.Rat
	problem string
}

func (b *builder) node(e ast.Expr) horizontal.Node {
	switch e.Kind() {
	case ast.LiteralKind:
		if n := b.numbers[e.ID()]; n != nil {
			return horizontal.Node{Op: horizontal.Number, Number: n}
		}
	case ast.IdentKind:
		b.used[e.AsIdent()] = true
		return horizontal.Node{Op: horizontal.Name, Name: e.AsIdent()}
	case ast.CallKind:
		return b.call(e.AsCall())
	}
	b.problem = "may hold numbers, names of metrics, + - * / min max ?: comparisons and orValue, and nothing else"
	return horizontal.Node{}
}

func (b *builder) call(call ast.CallExpr) horizontal.Node {
	n := horizontal.Node{Op: functions[call.FunctionName()]}
	if call.IsMemberFunction() {
		n.Args = append(n.Args, b.node(call.Target()))
	}
	for _, arg := range call.Args() {
		n.Args = append(n.Args, b.node(arg))
	}
	switch call.FunctionName() {
	case operators.Greater, operators.GreaterEquals:
		slices.Reverse(n.Args)
	case operators.NotEquals:
		return horizontal.Node{Op: horizontal.Not, Args: []horizontal.Node{n}}
	case operators.Divide:
		if by := n.Args[1]; by.Op == horizontal.Number && by.Number.Sign() == 0 {
			b.problem = "divides by zero"
		}
	}
	return n
}

// oneLine is the first line of what CEL says, with the place, without the picture
// below it.
func oneLine(err error) string {
	line, _, _ := strings.Cut(err.Error(), "\n")
	return strings.TrimPrefix(line, "ERROR: <input>:")
}

// combine compiles how counts become one.
func (c *compiler) combine() horizontal.Combine {
	word := c.spec.Combine
	if word == "" || !oneOf(c, "combine", word, v1alpha1.CombineMax, v1alpha1.CombineMin, v1alpha1.CombineAll) || word == v1alpha1.CombineMax {
		return horizontal.Largest
	}
	switch {
	case c.upstream():
		c.faults.Add("combine", "%s is not among the rules of an HPA: leave it out, or set compatibility to Tidemark", word)
	case c.spec.Intervals != nil:
		c.faults.Add("combine", "%s does not go with intervals, which take the largest total of each resource: leave it out", word)
	case c.spec.Actuator == v1alpha1.ActuatorHPA:
		c.faults.Add("combine", "%s does not go with actuator HPA, which takes the largest count: leave it out", word)
	}
	if word == v1alpha1.CombineMin {
		return horizontal.Smallest
	}
	return horizontal.Unanimous
}
