package manifest

import (
	"bytes"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	appsv1 "k8s.io/api/apps/v1"
	autoscalingv2 "k8s.io/api/autoscaling/v2"

	"github.com/tidemark/tidemark/api/v1alpha1"
	"github.com/tidemark/tidemark/policy"
)

// TestEveryWorkloadAutoscalerCompiles: each kind of metric, with each quantity
// it can have, and each rule.
func TestEveryWorkloadAutoscalerCompiles(t *testing.T) {
	service := v1alpha1.ObjectReference{Kind: "Service", Name: "web"}
	a := withMetrics(
		Resource("cpu", Utilization(50)), Resource("memory", Between("40", "62.5")),
		ContainerResource("app", "cpu", AverageValue("100m")), ContainerResource("app", "memory", BetweenAverages("1Gi", "2Gi")),
		Pods("a", AverageValue("1")), Pods("b", Between("1", "2")),
		Object(service, "c", Value("1")), Object(service, "d", AverageValue("1")), Object(service, "e", Between("1", "2")),
		External("f", Value("1")), External("g", AverageValue("1")), External("h", BetweenAverages("1", "2")),
	)
	a.MinReplicas = new(int32(0))
	a.ScaleUpPolicies = []Policy{PodsPer(1, 1), PercentPer(1000, 1800)}
	a.ScaleUp = &Rules{StabilizationWindowSeconds: new(int32(3600)), SelectPolicy: v1alpha1.SelectMin, Tolerance: quantity("0")}
	a.ScaleDown = &Rules{LimitPercent: new(int32(0)), ForbiddenWindowSeconds: new(int32(60)), DelaySeconds: new(int32(60))}
	for name, a := range map[string]Autoscaler{"rich": a, "rich with defaults": a.WithDefaults(), "least": withMetrics(),
		"least with defaults": withMetrics().WithDefaults()} {
		t.Run(name, func(t *testing.T) {
			wa, err := a.WorkloadAutoscaler()
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			if _, err := policy.Compile(wa.Spec, v1alpha1.AdminSettings{}); err != nil {
				t.Errorf("%s: %v", name, err)
			}
		})
	}
}

// TestYAML: no status, no moment of creation, and the same bytes each time.
func TestYAML(t *testing.T) {
	a := valid()
	a.Labels = map[string]string{"a": "1", "b": "2", "c": "3", "d": "4"}
	var first []byte
	for range 20 {
		hpa, err := a.HorizontalPodAutoscaler()
		if err != nil {
			t.Fatal(err)
		}
		hpa.Status = autoscalingv2.HorizontalPodAutoscalerStatus{DesiredReplicas: 5}
		wa, err := a.WorkloadAutoscaler()
		if err != nil {
			t.Fatal(err)
		}
		text, err := YAML(hpa, wa)
		if err != nil {
			t.Fatal(err)
		}
		if first == nil {
			first = text
		}
		if !bytes.Equal(first, text) || bytes.Contains(text, []byte("status")) || bytes.Contains(text, []byte("creationTimestamp")) {
			t.Fatalf("got\n%s", text)
		}
	}
}

func TestGeneratedNames(t *testing.T) {
	for target, want := range map[string]string{
		"web":                     "web",
		"web.v2":                  "web.v2",
		"Web:Blue":                "web-blue-115c21a8",
		"web-blue":                "web-blue",
		"___":                     "autoscaler-bda25155",
		strings.Repeat("x", 253):  strings.Repeat("x", 253),
		strings.Repeat("Xy", 100): strings.Repeat("xy", 27) + "-d564cdef",
	} {
		t.Run(target, func(t *testing.T) {
			if got := generatedName(target); got != want {
				t.Errorf("%s: got %s, want %s", target, got, want)
			}
		})
	}
}

// TestTheObjectIsTheCallersOwn: changing it changes nothing else.
func TestTheObjectIsTheCallersOwn(t *testing.T) {
	a := valid()
	a.Labels = map[string]string{"a": "1"}
	wa, err := a.WorkloadAutoscaler()
	if err != nil {
		t.Fatal(err)
	}
	wa.Labels["a"] = "2"
	*wa.Spec.Replicas.Max = 99
	wa.Spec.Metrics[0].Pods.Target.AverageValue.Add(*quantity("1"))
	if a.Labels["a"] != "1" || a.MaxReplicas != 10 || a.Metrics[0].AverageValue.String() != "10" {
		t.Errorf("got %+v", a)
	}
}

func TestObjectOfAKind(t *testing.T) {
	for _, kind := range []Kind{HorizontalPodAutoscaler, WorkloadAutoscaler} {
		if object, err := valid().Object(kind); err != nil || object == nil {
			t.Errorf("%s: %v, %v", kind, object, err)
		}
		if object, err := (Autoscaler{}).Object(kind); err == nil || object != nil {
			t.Errorf("%s: want a fault and no object, got %v", kind, object)
		}
	}
	if _, err := valid().Object("Deployment"); !cmp.Equal(paths(err), []string{"kind"}) {
		t.Errorf("got %v", err)
	}
}

func TestWarnings(t *testing.T) {
	cases := map[string]struct {
		of   Autoscaler
		want []string
	}{
		"none":                             {valid(), nil},
		"the default could not be checked": {withMetrics(), []string{"metrics"}},
		"requests could not be checked":    {withMetrics(Resource("cpu", Utilization(1))), []string{"metrics[0]"}},
		"a count of its own": {with(func(a *Autoscaler) {
			a.Target = StatefulSet(&appsv1.StatefulSet{Spec: appsv1.StatefulSetSpec{Replicas: new(int32(3))}})
		}), []string{"target"}},
		"a pinned count":                {with(func(a *Autoscaler) { a.MinReplicas = new(int32(10)) }), []string{"minReplicas"}},
		"zero on an older cluster":      {with(func(a *Autoscaler) { a.MinReplicas = new(int32(0)) }), []string{"minReplicas"}},
		"tolerance on an older cluster": {with(func(a *Autoscaler) { a.ScaleUp = &Rules{Tolerance: quantity("0")} }), []string{"scaleUp.tolerance"}},
		"policies without effect": {with(func(a *Autoscaler) {
			a.ScaleUpPolicies, a.ScaleUp = []Policy{PodsPer(1, 1)}, &Rules{SelectPolicy: "Disabled"}
		}), []string{"scaleUpPolicies"}},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			if diff := cmp.Diff(c.want, paths(c.of.Warnings(HorizontalPodAutoscaler).Err())); diff != "" {
				t.Errorf("%s (-want +got):\n%s", name, diff)
			}
		})
	}
}
