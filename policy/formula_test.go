package policy

import (
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/tidemark/tidemark/api/v1alpha1"
)

// TestFormulasOfOthers: what one object makes of an expression never reaches another
// that has the same expression over other names, however those are written.
func TestFormulasOfOthers(t *testing.T) {
	for _, c := range []struct {
		what  string
		names []string
		text  string
		fault string
	}{
		{"no name", []string{"a b"}, "a + b", "metrics[0].name"},
		{"two names", []string{"a", "b"}, "a + b", ""},
		{"a line in a name", []string{"c\nc + d", "d"}, "c + d", "metrics[0].name"},
		{"two other names", []string{"c", "d"}, "c + d", ""},
		{"one of them is missing", []string{"a"}, "a + b", "undeclared reference to 'b'"},
		{"and there again", []string{"b", "a"}, "a + b", ""},
	} {
		t.Run(c.what, func(t *testing.T) {
			one := resource.MustParse("1")
			spec := v1alpha1.WorkloadAutoscalerSpec{
				Replicas: v1alpha1.ReplicaSpec{Max: new(int32(9))},
				Formula:  &v1alpha1.Formula{Expression: c.text, Target: v1alpha1.MetricTarget{Value: &one}},
			}
			for _, name := range c.names {
				spec.Metrics = append(spec.Metrics, v1alpha1.MetricSpec{Name: name, Type: v1alpha1.ExternalMetricType,
					External: &v1alpha1.ExternalMetric{Metric: v1alpha1.MetricIdentifier{Name: "m"}}})
			}
			_, err := Compile(spec, v1alpha1.AdminSettings{})
			if (err == nil) != (c.fault == "") || err != nil && !strings.Contains(err.Error(), c.fault) {
				t.Errorf("want a fault with %q, got %v", c.fault, err)
			}
		})
	}
}

// FuzzFormula: no expression makes the compiler panic, and what it accepts names
// only metrics that there are.
func FuzzFormula(f *testing.F) {
	for _, text := range []string{
		"a", "a + b * 2", "max(a, b, 1)", "a > 1 ? a : b.orValue(0.5)", "a.b", "[a][0]", "{a: b}", "a in [b]", "'x' + a", "1e400", "-a",
		"!(a < b)", "has(a.b)", "a.exists(x, x > 1)", "min(a)", "a /", "((((((((a))))))))", "0x10 * a", "5u + a", "true ? a : b",
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		got := compileFormula(text, []string{"a", "b"})
		for name := range got.used {
			if name != "a" && name != "b" && got.problem == "" {
				t.Errorf("%q uses %q", text, name)
			}
		}
	})
}
