package engine

import (
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/tidemark/tidemark/engine/horizontal"
	"github.com/tidemark/tidemark/scale"
)

// TestTheEmptiestGoFirst: by the first metric of pods, or else by cpu. Pods that do not
// serve go before them without being chosen, and nobody chooses a pod of which nothing
// is known.
func TestTheEmptiestGoFirst(t *testing.T) {
	pod := func(name string, cpu scale.Amount, change ...func(*scale.Pod)) scale.Pod {
		p := scale.Pod{Name: name, Ready: scale.Ready, Containers: []scale.PodContainer{{Name: "app"}}}
		if cpu >= 0 {
			p.Containers[0].Usage = scale.Resources{}.With(scale.CPU, cpu)
		}
		for _, c := range change {
			c(&p)
		}
		return p
	}
	unready := func(p *scale.Pod) { p.Ready = scale.NotReady }
	ended := func(p *scale.Pod) { p.Deleting = true }
	busy := []scale.Pod{pod("a", 300), pod("b", 100), pod("c", 200), pod("d", 100)}
	rps := []scale.PodValue{{Value: 1, Known: true}, {Value: 9, Known: true}, {}, {Value: -1, Known: true}}
	for name, tc := range map[string]struct {
		pods   []scale.Pod
		perPod []scale.PodValue
		to     int32
		off    bool
		want   []string
	}{
		"two of four":                 {pods: busy, to: 2, want: []string{"b", "d"}},
		"all but one":                 {pods: busy, to: 1, want: []string{"b", "d", "c"}},
		"none where it stays":         {pods: busy, to: 4},
		"none where it rises":         {pods: busy, to: 6},
		"none where nobody asks":      {pods: busy, to: 2, off: true},
		"by a metric of pods":         {pods: busy, perPod: rps, to: 2, want: []string{"a", "b"}},
		"not those that are unknown":  {pods: []scale.Pod{pod("a", -1), pod("b", 5)}, to: 2, want: []string{"b"}},
		"after those that do nothing": {pods: []scale.Pod{pod("a", 9), pod("b", 1, unready), pod("c", 5), pod("d", 0, ended)}, to: 2, want: []string{"c"}},
		"which may be enough":         {pods: []scale.Pod{pod("a", 9), pod("b", 1, unready), pod("c", 1, unready)}, to: 2},
		"none where none were listed": {to: 2},
	} {
		t.Run(name, func(t *testing.T) {
			p := Policy{EmptiestFirst: !tc.off, Horizontal: horizontal.Rules{Metrics: []horizontal.Metric{{Kind: horizontal.Resource}}}}
			obs := scale.Observation{At: time.Unix(0, 0), Pods: tc.pods, Samples: []scale.Sample{{}}}
			if tc.perPod != nil {
				p.Horizontal.Metrics = append(p.Horizontal.Metrics, horizontal.Metric{Kind: horizontal.Pods})
				obs.Samples = append(obs.Samples, scale.Sample{PerPod: tc.perPod})
			}
			d := scale.Decision{From: scale.Size{Replicas: 4}, Want: scale.Size{Replicas: tc.to}}
			input{policy: &p, obs: &obs}.emptiest(&d)
			if diff := cmp.Diff(tc.want, d.Leaving); diff != "" || (len(d.Steps) > 0) != (len(tc.want) > 0) {
				t.Errorf("%d steps, the first to go (-want +got):\n%s", len(d.Steps), diff)
			}
		})
	}
}

// TestFewPodsAreMarked: each of them is written to.
func TestFewPodsAreMarked(t *testing.T) {
	obs := scale.Observation{}
	for i := range 1000 {
		obs.Pods = append(obs.Pods, scale.Pod{Name: fmt.Sprint(i), Ready: scale.Ready,
			Containers: []scale.PodContainer{{Usage: scale.Resources{}.With(scale.CPU, scale.Amount(i))}}})
	}
	d := scale.Decision{From: scale.Size{Replicas: 1000}, Want: scale.Size{Replicas: 100}}
	input{policy: &Policy{EmptiestFirst: true}, obs: &obs}.emptiest(&d)
	if len(d.Leaving) != mostLeaving || d.Leaving[0] != "0" {
		t.Errorf("%d are marked, %v first", len(d.Leaving), d.Leaving[:1])
	}
}
