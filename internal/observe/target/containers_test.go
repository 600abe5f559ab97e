package target_test

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/tidemark/tidemark/internal/observe/target"
	"github.com/tidemark/tidemark/scale"
)

func pod(name, cpu string, age time.Duration) *corev1.Pod {
	born := time.Date(2026, 1, 5, 10, 0, 0, 0, time.UTC).Add(-age)
	return &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Name: name, CreationTimestamp: metav1.NewTime(born)}, Spec: podSpec(cpu)}
}

func TestNow(t *testing.T) {
	ending, failed, renamed := pod("e", "4", 0), pod("f", "4", 0), pod("r", "4", 0)
	ending.DeletionTimestamp = &metav1.Time{Time: time.Unix(1, 0)}
	failed.Status.Phase = corev1.PodFailed
	renamed.Spec.Containers[0].Name = "old"
	injected := pod("i", "2", 0)
	injected.Spec.Containers = append(injected.Spec.Containers, corev1.Container{Name: "proxy"})
	for name, tt := range map[string]struct {
		template []scale.Container
		pods     []*corev1.Pod
		want     []scale.Container
	}{
		"no pods":                        {sized(1000), nil, sized(1000)},
		"pods that were all resized":     {sized(1000), []*corev1.Pod{pod("a", "2", 0), pod("b", "2", 0)}, sized(2000)},
		"one pod lags behind":            {sized(1000), []*corev1.Pod{pod("a", "1", 0), pod("b", "2", 0), pod("c", "2", 0)}, sized(2000)},
		"one pod goes ahead":             {sized(1000), []*corev1.Pod{pod("a", "1", 0), pod("b", "1", 0), pod("c", "2", 0)}, sized(1000)},
		"half and half, youngest last":   {sized(1000), []*corev1.Pod{pod("a", "1", time.Hour), pod("b", "2", time.Minute)}, sized(2000)},
		"half and half, youngest first":  {sized(1000), []*corev1.Pod{pod("a", "1", time.Minute), pod("b", "2", time.Hour)}, sized(1000)},
		"equal ages go by name":          {sized(1000), []*corev1.Pod{pod("b", "2", 0), pod("a", "1", 0)}, sized(2000)},
		"ending pods do not count":       {sized(1000), []*corev1.Pod{ending, failed, pod("a", "2", 0)}, sized(2000)},
		"only ending pods":               {sized(1000), []*corev1.Pod{ending}, sized(1000)},
		"pods of an older template":      {sized(1000), []*corev1.Pod{renamed, renamed, pod("a", "2", 0)}, sized(2000)},
		"a template nobody may read":     {nil, []*corev1.Pod{pod("a", "2", 0)}, sized(2000)},
		"a container that was injected":  {sized(1000), []*corev1.Pod{injected}, append(sized(2000), scale.Container{Name: "proxy"})},
		"neither a template nor any pod": {nil, nil, nil},
	} {
		t.Run(name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, target.Now(tt.template, tt.pods), equalResources); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}
