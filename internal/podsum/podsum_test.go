package podsum

import (
	"testing"

	"github.com/tidemark/tidemark/scale"
)

// TestOf: what fewer than half of the pods say is not what all of them use, and only
// those that serve can be counted on.
func TestOf(t *testing.T) {
	pod := func(ready scale.Readiness, measured bool) scale.Pod {
		p := scale.Pod{Phase: scale.Running, Ready: ready, Containers: []scale.PodContainer{{Requests: scale.Resources{}.With(scale.CPU, 1000)}}}
		if measured {
			p.Containers[0].Usage = scale.Resources{}.With(scale.CPU, 500)
		}
		return p
	}
	yes, no := pod(scale.Ready, true), pod(scale.Ready, false)
	for name, c := range map[string]struct {
		pods []scale.Pod
		want Sum
	}{
		"all":            {[]scale.Pod{yes, yes}, Sum{true, 2, 1000, true, 2000}},
		"half":           {[]scale.Pod{yes, no}, Sum{true, 2, 500, true, 2000}},
		"fewer":          {[]scale.Pod{yes, no, no}, Sum{true, 3, 500, false, 3000}},
		"one that waits": {[]scale.Pod{yes, pod(scale.NotReady, true)}, Sum{true, 1, 1000, true, 1000}},
		"none":           {[]scale.Pod{}, Sum{true, 0, 0, true, 0}},
		"nobody may see": {nil, Sum{}},
	} {
		t.Run(name, func(t *testing.T) {
			if got := Of(c.pods); got != c.want {
				t.Errorf("%+v, want %+v", got, c.want)
			}
		})
	}
}
