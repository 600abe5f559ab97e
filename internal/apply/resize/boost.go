package resize

import (
	"context"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/utils/clock"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/tidemark/tidemark/internal/apply"
	"github.com/tidemark/tidemark/internal/apply/podsize"
	"github.com/tidemark/tidemark/internal/observe/podview"
	"github.com/tidemark/tidemark/scale"
)

// besideBoost is what is wanted of a pod while it has its start-up boost: its cpu
// is left alone, unless more than the boost is wanted.
func besideBoost(pod *corev1.Pod, want []scale.Container) []scale.Container {
	boost := podview.BoostOf(pod)
	if boost == nil {
		return want
	}
	out := make([]scale.Container, len(want))
	for i, c := range want {
		if out[i] = c; boost.Covers(c) {
			out[i].Requests, out[i].Limits = withoutCPU(c.Requests), withoutCPU(c.Limits)
		}
	}
	return out
}

func withoutCPU(r scale.Resources) (out scale.Resources) {
	if memory, known := r.Get(scale.Memory); known {
		out = out.With(scale.Memory, memory)
	}
	return out
}

// Boosts takes start-up boosts back.
type Boosts struct {
	Client client.SubResourceClientConstructor
	Clock  clock.PassiveClock
}

// Of tells whether a pod still has its boost, by whom and until when. All of that
// stands on the pod, so nobody has to remember it.
func (b *Boosts) Of(pod *corev1.Pod) (by string, ends time.Time, boosted bool) {
	boost := podview.BoostOf(pod)
	if boost == nil {
		return "", time.Time{}, false
	}
	return boost.By, boost.Ends(pod), true
}

// TakeBack brings a boosted pod to the cpu that it settles at, in place.
func (b *Boosts) TakeBack(ctx context.Context, pod *corev1.Pod) ([]apply.Change, error) {
	boost := podview.BoostOf(pod)
	if boost == nil {
		return nil, nil
	}
	fitted := podsize.Fit(pod, boost.Settled())
	if len(fitted) == 0 {
		return nil, nil
	}
	ask := &Applier{Client: b.Client, Clock: b.Clock}
	if err := ask.ask(ctx, change{pod: pod, fitted: fitted}); err != nil {
		return nil, apply.Explain(err, "taking the start-up boost of pod "+pod.Namespace+"/"+pod.Name+" back", "patch pods/resize")
	}
	var changes []apply.Change
	for i := range fitted {
		changes = append(changes, fitted[i].Changes...)
	}
	return changes, nil
}
