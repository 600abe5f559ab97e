package manifest

import (
	"testing"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	"pgregory.net/rapid"

	"github.com/tidemark/tidemark/api/v1alpha1"
	"github.com/tidemark/tidemark/internal/checks/draw"
	"github.com/tidemark/tidemark/policy"
)

// TestWhatIsAcceptedCompiles: whatever passes our checks is understood by the
// engine, with its defaults written down and without.
func TestWhatIsAcceptedCompiles(t *testing.T) {
	accepted := 0
	draw.Check(t, func(t *rapid.T) {
		// Few are right in everything, so many are drawn at once.
		for _, a := range rapid.SliceOfN(rapid.Custom(anyAutoscaler), 40, 40).Draw(t, "autoscalers") {
			for _, a := range []Autoscaler{a, a.WithDefaults()} {
				wa, err := a.WorkloadAutoscaler()
				if err != nil {
					continue
				}
				accepted++
				if _, err := policy.Compile(wa.Spec, v1alpha1.AdminSettings{}); err != nil {
					text, _ := YAML(wa)
					t.Errorf("%v in\n%s", err, text)
				}
			}
		}
	})
	if accepted == 0 {
		t.Error("nothing was accepted, so nothing was tried")
	}
}

func anyAutoscaler(t *rapid.T) Autoscaler {
	a := Autoscaler{
		Target:            Reference("apps/v1", "Deployment", "web"),
		MinReplicas:       anyNumber(t, 0, 1, 2, -1),
		MaxReplicas:       rapid.SampledFrom([]int32{10, 1, 2, 0}).Draw(t, "max"),
		Metrics:           rapid.SliceOfN(rapid.Custom(anyMetric), 0, 2).Draw(t, "metrics"),
		ScaleUpPolicies:   anyPolicies(t),
		ScaleDownPolicies: anyPolicies(t),
		ScaleUp:           anyRules(t),
		ScaleDown:         anyRules(t),
	}
	if rapid.Bool().Draw(t, "sections") {
		withSections(t, &a)
	}
	if rapid.Bool().Draw(t, "composed") {
		composed(t, &a)
	}
	return a
}

// composed says how metrics become one, and when the workload sleeps, now and then
// rightly.
func composed(t *rapid.T, a *Autoscaler) {
	a.IdleReplicas = anyNumber(t, 0, 1)
	a.Combine = rapid.SampledFrom([]v1alpha1.Combine{"", "Max", "Min", "All", "Sum"}).Draw(t, "combine")
	for i := range a.Metrics {
		if rapid.Bool().Draw(t, "alias") {
			a.Metrics[i] = a.Metrics[i].As(rapid.SampledFrom([]string{"a", "b", "my-queue"}).Draw(t, "name"))
		}
		if rapid.Bool().Draw(t, "activation") {
			a.Metrics[i] = a.Metrics[i].ActiveAbove(rapid.SampledFrom([]string{"5", "0", "-1", "some"}).Draw(t, "above"))
		}
	}
	if rapid.Bool().Draw(t, "formula") {
		a.Formula = &v1alpha1.Formula{
			Expression: rapid.SampledFrom([]string{"a", "a + b", "a / 0", "a > 1", "max("}).Draw(t, "expression"),
			Target:     v1alpha1.MetricTarget{AverageValue: quantity("10")},
		}
	}
}

// withSections adds what only a WorkloadAutoscaler has, mostly rightly.
func withSections(t *rapid.T, a *Autoscaler) {
	const none, one, all = 0, 1, 2
	switch rapid.IntRange(none, all).Draw(t, "containers") {
	case one:
		a.Containers = []v1alpha1.ContainerPolicy{Sized("app")}
		a.Vertical = rapid.SampledFrom([]*v1alpha1.VerticalSpec{nil, {}, {Source: "VPA"}, {Source: "VPA", VPAName: "web"}, {Update: "Never"}}).Draw(t, "vertical")
	case all:
		a.Containers = []v1alpha1.ContainerPolicy{Sized("app"), Sized(rapid.SampledFrom([]string{"*", "app", "No"}).Draw(t, "container"))}
	}
	if rapid.Bool().Draw(t, "intervals") {
		a.Intervals = &v1alpha1.Intervals{}
		for _, pods := range rapid.SampledFrom([][]int32{{1, 5}, {10}, {5, 1}, {0}, nil}).Draw(t, "ranges") {
			a.Intervals.Ranges = append(a.Intervals.Ranges, UpTo(pods, corev1.ResourceList{"cpu": *quantity(rapid.SampledFrom([]string{"1", "4", "0"}).Draw(t, "cpu"))}))
		}
	}
	a.Learn = rapid.SampledFrom([]*v1alpha1.Learn{
		nil, {}, {SlotHours: new(int32(5))}, {TimeZone: "Nowhere"}, {Headroom: &v1alpha1.Headroom{}}, {MinFactor: quantity("3"), MaxFactor: quantity("2")},
	}).Draw(t, "learn")
	a.Schedules = rapid.SampledFrom([][]v1alpha1.Schedule{
		nil, {AtLeast(5, "day", "0 8 * * *", "0 18 * * *")}, {AtLeast(-1, "day", "0 8 * * *", "0 18 * * *")}, {AtLeast(5, "never", "0 0 30 2 *", "0 18 * * *")},
		{{Freeze: v1alpha1.FreezeDown, From: "2026-01-01T00:00:00Z", Until: "2026-01-02T00:00:00Z"}}, {{}},
	}).Draw(t, "schedules")
}

func anyMetric(t *rapid.T) Metric {
	service := v1alpha1.ObjectReference{Kind: "Service", Name: "web"}
	goal := rapid.SampledFrom([]Goal{
		Utilization(50), AverageValue("100m"), Value("1k"), Between("40", "70"), Between("70", "40"), Between("1n", "8Pi"),
		BetweenAverages("1", "1"), Value("0"), Utilization(-1), {},
	}).Draw(t, "goal")
	m := rapid.SampledFrom([]Metric{
		Resource("cpu", goal), Resource("", goal), ContainerResource("app", "memory", goal),
		Pods("tps", goal), Object(service, "hits", goal), External("queue", goal),
	}).Draw(t, "metric")
	switch rapid.SampledFrom([]string{"", "", "query", "scaler", "missing"}).Draw(t, "source") {
	case "query":
		m = m.Asked(rapid.SampledFrom([]string{"sum(a)", ""}).Draw(t, "query"))
	case "scaler":
		m = m.AskedOf(rapid.SampledFrom([]string{"scaler:6000", "scaler"}).Draw(t, "address"), nil)
	case "missing":
		m = m.IfMissing(v1alpha1.OnMissing{Replicas: anyNumber(t, 4, -1), AfterSeconds: anyNumber(t, 180, 0, -5)})
	}
	m.Marks = rapid.SampledFrom([]v1alpha1.TargetType{m.Marks, m.Marks, "", "Value", "Utilization", "Other"}).Draw(t, "marks")
	return m
}

func anyPolicies(t *rapid.T) []Policy {
	return rapid.SampledFrom([][]Policy{nil, nil, {PodsPer(4, 60)}, {PercentPer(10, 1800), PodsPer(1, 1)}, {}, {PodsPer(0, 1)}}).Draw(t, "policies")
}

func anyRules(t *rapid.T) *Rules {
	if rapid.Bool().Draw(t, "no rules") {
		return nil
	}
	tolerance := rapid.SampledFrom([]*resource.Quantity{nil, quantity("0"), quantity("0.05"), quantity("1M"), quantity("2M"), quantity("1n")}).Draw(t, "tolerance")
	return &Rules{
		StabilizationWindowSeconds: anyNumber(t, 0, 3600, 60, 3601),
		SelectPolicy:               rapid.SampledFrom([]v1alpha1.SelectPolicy{"", "Max", "Min", "Disabled"}).Draw(t, "select"),
		Tolerance:                  tolerance,
		LimitPercent:               anyNumber(t, 0, 100, 50, 101),
		ForbiddenWindowSeconds:     anyNumber(t, 0, 604800, 60, -1),
		DelaySeconds:               anyNumber(t, 0, 604800, 60, 604801),
	}
}

// anyNumber is one of the numbers, or, as often as not, none.
func anyNumber(t *rapid.T, numbers ...int32) *int32 {
	if rapid.Bool().Draw(t, "none") {
		return nil
	}
	return new(rapid.SampledFrom(numbers).Draw(t, "number"))
}
