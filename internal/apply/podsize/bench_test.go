package podsize_test

import (
	"testing"

	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/yaml"

	"github.com/tidemark/tidemark/internal/apply/podsize"
)

// BenchmarkFitAtRest is what each pod costs in each round while nothing
// changes.
func BenchmarkFitAtRest(b *testing.B) {
	var p corev1.Pod
	if err := yaml.UnmarshalStrict([]byte(burstable), &p.Spec); err != nil {
		b.Fatal(err)
	}
	want := app(cpu(500), cpu(0))
	b.ReportAllocs()
	for b.Loop() {
		if len(podsize.Fit(&p, want)) > 0 {
			b.Fatal("the pod is not at rest")
		}
	}
}
