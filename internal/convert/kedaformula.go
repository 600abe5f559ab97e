package convert

import (
	"regexp"

	"github.com/tidemark/tidemark/api/v1alpha1"
	"github.com/tidemark/tidemark/fault"
	"github.com/tidemark/tidemark/policy"
)

// kedaModifiers is the formula of a ScaledObject.
type kedaModifiers struct {
	Formula          string `json:"formula"`
	Target           string `json:"target"`
	ActivationTarget string `json:"activationTarget"`
	MetricType       string `json:"metricType"`
}

const modifiers = fault.Path("spec.advanced.scalingModifiers")

// KEDA's expressions and CEL agree in what most formulas consist of. A default for
// a missing trigger is written differently, and so are and, or and not.
var kedaWords = []struct {
	word *regexp.Regexp
	ours string
}{
	{regexp.MustCompile(`\b([A-Za-z_]\w*)\s*\?\?\s*([A-Za-z_]\w*|[0-9.]+)`), "$1.orValue($2)"},
	{regexp.MustCompile(`\band\b`), "&&"},
	{regexp.MustCompile(`\bor\b`), "||"},
	{regexp.MustCompile(`\bnot\s+`), "!"},
}

// kedaFormula makes a formula of the one of a ScaledObject. It reports false where
// there is none, or it cannot be said here; then its triggers stay with KEDA as well,
// because without the formula they would ask for other counts.
func (d *draft) kedaFormula(in *kedaModifiers, triggers []kedaTrigger) bool {
	if in.Formula == "" {
		d.leave(modifiers, "says nothing without a formula")
		return false
	}
	f := &v1alpha1.Formula{Expression: in.Formula}
	for _, w := range kedaWords {
		f.Expression = w.word.ReplaceAllString(f.Expression, w.ours)
	}
	to := fault.Path("spec.formula")
	f.Target = v1alpha1.MetricTarget{Type: v1alpha1.AverageValueTarget, AverageValue: quantityOf(in.Target)}
	if in.MetricType == string(v1alpha1.ValueTarget) {
		f.Target = v1alpha1.MetricTarget{Type: v1alpha1.ValueTarget, Value: quantityOf(in.Target)}
	}
	if in.ActivationTarget != "" {
		f.Activation = quantityOf(in.ActivationTarget)
	}
	if why := formulaFault(f, triggers); why != "" {
		d.drop(modifiers, "cannot be said here, so that its triggers stay with KEDA: %s", why)
		d.affects(modifiers, AffectsAll)
		return false
	}
	d.carry(modifiers, to)
	if f.Expression != in.Formula {
		d.change(modifiers.Field("formula"), to.Field("expression"), "is written in CEL: %s", f.Expression)
	}
	d.carry(modifiers.Field("activationTarget"), to.Field("activation"))
	d.out.Spec.Formula = f
	return true
}

// mentions tells whether a formula uses a name.
func mentions(formula, name string) bool {
	return name != "" && regexp.MustCompile(`\b`+regexp.QuoteMeta(name)+`\b`).MatchString(formula)
}

// formulaFault says why a formula over the triggers that can be carried does not
// work.
func formulaFault(f *v1alpha1.Formula, triggers []kedaTrigger) string {
	trial := v1alpha1.WorkloadAutoscalerSpec{Replicas: v1alpha1.ReplicaSpec{Min: new(int32(0)), Max: new(int32(1))}, Formula: f}
	for i := range triggers {
		if t := &triggers[i]; t.Name != "" && t.Type == kedaPrometheus {
			trial.Metrics = append(trial.Metrics, v1alpha1.MetricSpec{
				Name: t.Name, Type: v1alpha1.ExternalMetricType,
				External: &v1alpha1.ExternalMetric{Metric: v1alpha1.MetricIdentifier{Name: t.Name}, Target: &v1alpha1.MetricTarget{Value: quantityOf("1")}},
			})
		}
	}
	_, err := policy.Compile(trial, v1alpha1.AdminSettings{})
	for _, fault := range fault.Of(err) {
		return fault.String()
	}
	return ""
}
