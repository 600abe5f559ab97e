package sim

import (
	"testing"

	"github.com/tidemark/tidemark/scale"
)

// TestANamespaceRefuses what is too much: a size of pods, or the pods beyond what it
// allows. What is refused stays as it was, and what was smaller makes room.
func TestANamespaceRefuses(t *testing.T) {
	for name, tc := range map[string]struct {
		allowed  Namespace
		replicas int32
		cpu      scale.Amount
		pods     int32
		has      scale.Amount
	}{
		"nothing is bounded":         {Namespace{}, 9, 3000, 9, 3000},
		"a size that is allowed":     {Namespace{MostCPU: 1500}, 4, 1500, 4, 1500},
		"a size that is not":         {Namespace{MostCPU: 1500}, 4, 1501, 4, 1000},
		"more cpu than the quota":    {Namespace{CPU: 5000}, 4, 1500, 4, 1000},
		"more pods than the quota":   {Namespace{CPU: 5000}, 9, 1000, 5, 1000},
		"smaller pods make room":     {Namespace{CPU: 5000}, 9, 500, 6, 500},
		"more pods than are counted": {Namespace{Pods: 6}, 9, 1000, 6, 1000},
		"fewer pods than there are":  {Namespace{Pods: 3}, 4, 1000, 4, 1000},
		"fewer than that are had":    {Namespace{Pods: 3}, 1, 1000, 1, 1000},
	} {
		t.Run(name, func(t *testing.T) {
			w := NewWorkload(monday, 4, 4)
			w.Requests, w.namespace = scale.Resources{}.With(scale.CPU, 1000), tc.allowed
			w.ResizeInRounds(Resizing{}, nil)
			w.Apply(monday, scale.Size{Replicas: tc.replicas, Containers: []scale.Container{{Name: "app", Requests: scale.Resources{}.With(scale.CPU, tc.cpu)}}})
			if has, _ := w.Requests.Get(scale.CPU); w.Replicas() != tc.pods || has != tc.has {
				t.Errorf("%d pods of %s, want %d of %s", w.Replicas(), has, tc.pods, tc.has)
			}
			if target := w.Target(); target.SpecReplicas != tc.replicas || target.StatusReplicas != tc.pods {
				t.Errorf("%d of %d pods are seen, want %d of %d", target.StatusReplicas, target.SpecReplicas, tc.pods, tc.replicas)
			}
		})
	}
}
