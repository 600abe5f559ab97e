package manifest

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/tidemark/tidemark/api/v1alpha1"
)

// faultCase is an autoscaler and the paths of its faults, in order.
type faultCase struct {
	of   Autoscaler
	want []string
}

// checkFaults holds what the API server refuses, and what it accepts although
// nothing can come of it.
func checkFaults(t *testing.T, kind Kind, cases map[string]faultCase) {
	t.Helper()
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			_, err := c.of.Object(kind)
			if diff := cmp.Diff(c.want, paths(err)); diff != "" {
				t.Errorf("paths (-want +got):\n%s\n%v", diff, err)
			}
		})
	}
}

func TestFaultsOfBoundsAndTargets(t *testing.T) {
	checkFaults(t, HorizontalPodAutoscaler, map[string]faultCase{
		"nothing given":                {Autoscaler{}, []string{"target", "maxReplicas"}},
		"a negative maximum":           {with(func(a *Autoscaler) { a.MaxReplicas = -1 }), []string{"maxReplicas"}},
		"a minimum above the maximum":  {with(func(a *Autoscaler) { a.MinReplicas = new(int32(11)) }), []string{"minReplicas"}},
		"a negative minimum":           {with(func(a *Autoscaler) { a.MinReplicas = new(int32(-1)) }), []string{"minReplicas"}},
		"zero without a waker":         {with(func(a *Autoscaler) { a.MinReplicas = new(int32(0)) }), []string{"minReplicas"}},
		"a bad name":                   {with(func(a *Autoscaler) { a.Name = "A_b" }), []string{"name"}},
		"a bad namespace":              {with(func(a *Autoscaler) { a.Namespace = "a.b" }), []string{"namespace"}},
		"another namespace":            {with(func(a *Autoscaler) { a.Namespace, a.Target = "a", a.Target.In("b") }), []string{"namespace"}},
		"a bad label":                  {with(func(a *Autoscaler) { a.Labels = map[string]string{"a": "b c"} }), []string{"labels"}},
		"a bad annotation":             {with(func(a *Autoscaler) { a.Annotations = map[string]string{"a b": ""} }), []string{"annotations"}},
		"a target without words":       {with(func(a *Autoscaler) { a.Target = Target{APIVersion: "apps/v1"} }), []string{"target.kind", "target.name"}},
		"a target of an unknown group": {with(func(a *Autoscaler) { a.Target = Reference("", "Rollout", "web") }), []string{"target.apiVersion"}},
		"a target of the core group":   {with(func(a *Autoscaler) { a.Target = Reference("v1", "Pod", "web") }), []string{"target.apiVersion"}},
		"a target of a bad group":      {with(func(a *Autoscaler) { a.Target = Reference("a/b/c", "Pod", "web") }), []string{"target.apiVersion"}},
		"a target with a bad name":     {with(func(a *Autoscaler) { a.Target.Name, a.Name = "a/b", "x" }), []string{"target.name"}},
		"a target that cannot scale":   {with(func(a *Autoscaler) { a.Target.Kind = "DaemonSet" }), []string{"target.kind"}},
	})
}

func TestFaultsOfMetrics(t *testing.T) {
	ingress := v1alpha1.ObjectReference{Kind: "Ingress", Name: "web"}
	checkFaults(t, HorizontalPodAutoscaler, map[string]faultCase{
		"a metric of no type":          {withMetrics(Metric{Name: "x"}), []string{"metrics[0].type"}},
		"a metric of an unknown type":  {withMetrics(Metric{Type: "CPU"}), []string{"metrics[0].type"}},
		"a metric without a quantity":  {withMetrics(Pods("x", Goal{})), []string{"metrics[0]"}},
		"a resource nobody measures":   {withMetrics(Resource("storage", AverageValue("1"))), []string{"metrics[0].name"}},
		"a value of a resource":        {withMetrics(Resource("cpu", Value("1"))), []string{"metrics[0].value"}},
		"utilization of pods":          {withMetrics(Pods("x", Utilization(1))), []string{"metrics[0].averageUtilization"}},
		"value of pods":                {withMetrics(Pods("x", Value("1"))), []string{"metrics[0].value"}},
		"utilization of an object":     {withMetrics(Object(ingress, "x", Utilization(1))), []string{"metrics[0].averageUtilization"}},
		"utilization of the outside":   {withMetrics(External("x", Utilization(1))), []string{"metrics[0].averageUtilization"}},
		"utilization of zero":          {withMetrics(Resource("cpu", Utilization(0))), []string{"metrics[0].averageUtilization"}},
		"a negative quantity":          {withMetrics(External("x", Value("-1"))), []string{"metrics[0].value"}},
		"a quantity beyond the range":  {withMetrics(Metric{Type: "External", Name: "x", Value: quantity("8Ei")}), []string{"metrics[0].value"}},
		"a metric without a name":      {withMetrics(Pods("", AverageValue("1"))), []string{"metrics[0].name"}},
		"a metric with a bad name":     {withMetrics(Pods("a/b", AverageValue("1"))), []string{"metrics[0].name"}},
		"no container":                 {withMetrics(ContainerResource("", "cpu", Utilization(1))), []string{"metrics[0].container"}},
		"a bad container":              {withMetrics(ContainerResource("A", "cpu", Utilization(1))), []string{"metrics[0].container"}},
		"a container of whole pods":    {withMetrics(Metric{Type: "Resource", Container: "app", AverageValue: quantity("1")}), []string{"metrics[0].container"}},
		"no object":                    {withMetrics(Metric{Type: "Object", Name: "x", Value: quantity("1")}), []string{"metrics[0].describedObject"}},
		"an object of pods":            {withMetrics(Metric{Type: "Pods", Name: "x", AverageValue: quantity("1"), DescribedObject: &ingress}), []string{"metrics[0].describedObject"}},
		"a selector of a resource":     {withMetrics(Resource("cpu", AverageValue("1")).Where(nil)), []string{"metrics[0].selector"}},
		"a selector that is not valid": {withMetrics(Metric{Type: "Pods", Name: "x", AverageValue: quantity("1"), Selector: &metav1.LabelSelector{MatchExpressions: []metav1.LabelSelectorRequirement{{Key: "a", Operator: "Near"}}}}), []string{"metrics[0].selector"}},
		"watermarks of an HPA":         {withMetrics(External("x", Between("1", "2"))), []string{"metrics[0].low"}},
		"marks without watermarks":     {withMetrics(Metric{Type: "Pods", Name: "x", AverageValue: quantity("1"), Marks: "Value"}), []string{"metrics[0].marks"}},
		"the same metric twice":        {withMetrics(Pods("x", AverageValue("1")), Pods("x", AverageValue("2"))), []string{"metrics[1]"}},
		"a total and an average":       {withMetrics(External("x", AverageValue("1")), External("x", Value("2"))), nil},
		"too many metrics":             {withMetrics(make([]Metric, 21)...), []string{"metrics"}},
	})
}

func TestFaultsOfBehavior(t *testing.T) {
	checkFaults(t, HorizontalPodAutoscaler, map[string]faultCase{
		"no policies":                   {with(func(a *Autoscaler) { a.ScaleUpPolicies = []Policy{} }), []string{"scaleUpPolicies"}},
		"too many policies":             {with(func(a *Autoscaler) { a.ScaleUpPolicies = make([]Policy, 11) }), []string{"scaleUpPolicies"}},
		"an empty policy":               {with(func(a *Autoscaler) { a.ScaleUpPolicies = make([]Policy, 1) }), []string{"scaleUpPolicies[0].type", "scaleUpPolicies[0].value", "scaleUpPolicies[0].period"}},
		"a period too long":             {with(func(a *Autoscaler) { a.ScaleDownPolicies = []Policy{PodsPer(1, 1801)} }), []string{"scaleDownPolicies[0].period"}},
		"a window too long":             {with(func(a *Autoscaler) { a.ScaleUp = &Rules{StabilizationWindowSeconds: new(int32(3601))} }), []string{"scaleUp.stabilizationWindowSeconds"}},
		"an unknown choice of policies": {with(func(a *Autoscaler) { a.ScaleUp = &Rules{SelectPolicy: "Most"} }), []string{"scaleUp.selectPolicy"}},
		"a negative tolerance":          {with(func(a *Autoscaler) { a.ScaleUp = &Rules{Tolerance: quantity("-1")} }), []string{"scaleUp.tolerance"}},
		"rules an HPA does not have": {
			with(func(a *Autoscaler) {
				a.ScaleUp = &Rules{LimitPercent: new(int32(1)), DelaySeconds: new(int32(1)), ForbiddenWindowSeconds: new(int32(1))}
			}),
			[]string{"scaleUp.limitPercent", "scaleUp.forbiddenWindowSeconds", "scaleUp.delaySeconds"},
		},
		"no direction left": {
			with(func(a *Autoscaler) {
				a.ScaleUp, a.ScaleDown = &Rules{SelectPolicy: "Disabled"}, &Rules{SelectPolicy: "Disabled"}
			}),
			[]string{"scaleDown.selectPolicy"},
		},
	})
}

func TestFaultsOfWorkloadAutoscalers(t *testing.T) {
	checkFaults(t, WorkloadAutoscaler, map[string]faultCase{
		"low above high":                   {withMetrics(External("x", Between("2", "1"))), []string{"metrics[0].low"}},
		"marks of zero":                    {withMetrics(External("x", Between("0", "1"))), []string{"metrics[0].low"}},
		"cores taken for percent":          {withMetrics(Resource("cpu", Between("400m", "70"))), []string{"metrics[0].low"}},
		"bytes taken for percent":          {withMetrics(Resource("memory", Between("40", "2Gi"))), []string{"metrics[0].high"}},
		"marks that pods do not have":      {withMetrics(Metric{Type: "Pods", Name: "x", Low: quantity("1"), Marks: "Value"}), []string{"metrics[0].marks"}},
		"marks beside a target":            {withMetrics(Metric{Type: "Pods", Name: "x", Low: quantity("1"), AverageValue: quantity("1")}), []string{"metrics[0]"}},
		"a bad mark":                       {withMetrics(External("x", Between("1", "2x"))), []string{"metrics[0].high"}},
		"a limit of more than all":         {with(func(a *Autoscaler) { a.ScaleDown = &Rules{LimitPercent: new(int32(101))} }), []string{"scaleDown.limitPercent"}},
		"a wait longer than a week":        {with(func(a *Autoscaler) { a.ScaleDown = &Rules{DelaySeconds: new(int32(604801))} }), []string{"scaleDown.delaySeconds"}},
		"a negative window after a change": {with(func(a *Autoscaler) { a.ScaleDown = &Rules{ForbiddenWindowSeconds: new(int32(-1))} }), []string{"scaleDown.forbiddenWindowSeconds"}},
	})
}

// TestTwoQuantitiesAreBothNamed holds readings C2.
func TestTwoQuantitiesAreBothNamed(t *testing.T) {
	_, err := withMetrics(Metric{Type: "Resource", Name: "cpu", AverageUtilization: new(int32(50)), AverageValue: quantity("50m")}).HorizontalPodAutoscaler()
	if err == nil || !strings.Contains(err.Error(), "averageUtilization and averageValue") {
		t.Errorf("got %v", err)
	}
}

// TestWordsOfTheDraft holds readings C1.
func TestWordsOfTheDraft(t *testing.T) {
	for word, hint := range map[string]string{"MaxPods": "use Pods", "MaxUnavailable": "use Percent", "Disabled": "selectPolicy: Disabled",
		"Pod": "must be Pods or Percent"} {
		t.Run(word, func(t *testing.T) {
			policy := Policy{Type: v1alpha1.ScalingPolicyType(word), Value: 1, Period: 1}
			_, err := with(func(a *Autoscaler) { a.ScaleDownPolicies = []Policy{policy} }).HorizontalPodAutoscaler()
			if err == nil || !strings.Contains(err.Error(), hint) {
				t.Errorf("%s: got %v, want %q", word, err, hint)
			}
		})
	}
}
