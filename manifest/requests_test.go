package manifest

import (
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
)

func requesting(name, cpu string) corev1.Container {
	c := corev1.Container{Name: name}
	if cpu != "" {
		c.Resources.Requests = corev1.ResourceList{corev1.ResourceCPU: resource.MustParse(cpu)}
	}
	return c
}

// TestRequests holds readings C4: which containers a utilization needs
// requests of. An empty want means that nothing is wrong.
func TestRequests(t *testing.T) {
	sidecar := requesting("mesh", "")
	sidecar.RestartPolicy = new(corev1.ContainerRestartPolicyAlways)
	limited := corev1.Container{Name: "limited", Resources: corev1.ResourceRequirements{Limits: corev1.ResourceList{corev1.ResourceCPU: resource.MustParse("1")}}}
	ofPod := &corev1.ResourceRequirements{Requests: corev1.ResourceList{corev1.ResourceCPU: resource.MustParse("1")}}
	both := []corev1.Container{requesting("app", "1"), requesting("logs", "")}
	cases := map[string]struct {
		pod    corev1.PodSpec
		metric Metric
		want   string
	}{
		"every container has one":       {corev1.PodSpec{Containers: []corev1.Container{requesting("app", "1")}}, Resource("cpu", Utilization(50)), ""},
		"one container lacks it":        {corev1.PodSpec{Containers: both}, Resource("cpu", Utilization(50)), "no cpu request in logs;"},
		"a request of zero":             {corev1.PodSpec{Containers: []corev1.Container{requesting("app", "0")}}, Resource("cpu", Utilization(50)), "no cpu request in app;"},
		"a limit becomes a request":     {corev1.PodSpec{Containers: []corev1.Container{limited}}, Resource("cpu", Utilization(50)), ""},
		"a sidecar lacks it":            {corev1.PodSpec{Containers: both[:1], InitContainers: []corev1.Container{sidecar}}, Resource("cpu", Utilization(50)), "no cpu request in mesh;"},
		"an init container that ends":   {corev1.PodSpec{Containers: both[:1], InitContainers: []corev1.Container{requesting("migrate", "")}}, Resource("cpu", Utilization(50)), ""},
		"the pod's own request":         {corev1.PodSpec{Containers: both, Resources: ofPod}, Resource("cpu", Utilization(50)), ""},
		"the pod's own, of another":     {corev1.PodSpec{Containers: both, Resources: ofPod}, Resource("memory", Utilization(50)), "no memory request in app, logs;"},
		"its own container only":        {corev1.PodSpec{Containers: both}, ContainerResource("app", "cpu", Utilization(50)), ""},
		"its own container lacks it":    {corev1.PodSpec{Containers: both, Resources: ofPod}, ContainerResource("logs", "cpu", Utilization(50)), "no cpu request in logs;"},
		"a container that is not there": {corev1.PodSpec{Containers: both}, ContainerResource("ap", "cpu", Utilization(50)), "not a container of the target: it has app, logs"},
		"an average needs no request":   {corev1.PodSpec{Containers: both}, Resource("cpu", AverageValue("1")), ""},
		"watermarks in percent":         {corev1.PodSpec{Containers: both}, Resource("cpu", Between("40", "70")), "no cpu request in logs;"},
		"watermarks per pod":            {corev1.PodSpec{Containers: both}, Resource("cpu", BetweenAverages("400m", "1")), ""},
		"no containers":                 {corev1.PodSpec{}, Resource("cpu", Utilization(50)), "has no containers"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			a := withMetrics(c.metric)
			a.Target = a.Target.WithTemplate(corev1.PodTemplateSpec{Spec: c.pod})
			_, err := a.WorkloadAutoscaler()
			if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
				t.Errorf("got %v, want %q", err, c.want)
			}
		})
	}
}

func TestNoMetricsNeedCPURequests(t *testing.T) {
	a := withMetrics()
	a.Target = a.Target.WithTemplate(corev1.PodTemplateSpec{Spec: corev1.PodSpec{Containers: []corev1.Container{requesting("app", "")}}})
	if _, err := a.HorizontalPodAutoscaler(); err == nil || !strings.Contains(err.Error(), "metrics: is left out") {
		t.Errorf("got %v", err)
	}
}
