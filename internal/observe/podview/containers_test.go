package podview_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"

	"github.com/tidemark/tidemark/internal/observe/podview"
	"github.com/tidemark/tidemark/scale"
)

func TestRestartableInitContainersAreContainers(t *testing.T) {
	always := corev1.ContainerRestartPolicyAlways
	spec := corev1.PodSpec{
		Containers:     []corev1.Container{{Name: "app"}},
		InitContainers: []corev1.Container{{Name: "migrate"}, {Name: "proxy", RestartPolicy: &always}},
	}
	want := []scale.Container{{Name: "app"}, {Name: "proxy"}}
	if diff := cmp.Diff(want, podview.Containers(&spec), equalResources); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
