//go:build e2e

package e2e

import (
	"context"
	"path"
	"testing"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/rand"
)

// taintedNode adds a node with some cpu that only those share who tolerate its taint.
// They find it by the label taint, which is the last part of the taint's name.
func taintedNode(t *testing.T, taint, cpu string) *corev1.Node {
	t.Helper()
	size := corev1.ResourceList{
		corev1.ResourceCPU: resource.MustParse(cpu), corev1.ResourceMemory: resource.MustParse("256Gi"), corev1.ResourcePods: resource.MustParse("110"),
		"nvidia.com/gpu": resource.MustParse("8"),
	}
	name := "tainted-" + rand.String(5)
	node := &corev1.Node{
		ObjectMeta: metav1.ObjectMeta{Name: name, Labels: map[string]string{
			corev1.LabelOSStable: "linux", corev1.LabelHostname: name, "type": "kwok", "taint": path.Base(taint),
		}},
		Spec:   corev1.NodeSpec{Taints: []corev1.Taint{{Key: taint, Effect: corev1.TaintEffectNoSchedule}}},
		Status: corev1.NodeStatus{Capacity: size, Allocatable: size},
	}
	if err := world.Create(t.Context(), node.DeepCopy()); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = world.Delete(context.Background(), node) })
	return node
}
