package hpatuner

import (
	"context"
	"fmt"
	"strings"

	autoscalingv2 "k8s.io/api/autoscaling/v2"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/tidemark/tidemark/internal/apply"
	"github.com/tidemark/tidemark/internal/apply/hpa"
	"github.com/tidemark/tidemark/internal/targetref"
	"github.com/tidemark/tidemark/scale"
)

// Applier tunes the HorizontalPodAutoscaler that a target names.
type Applier struct {
	// Client reads HPAs, from a cache if there is one, and patches them.
	Client client.Client
	// By is the name of the object whose decisions these are.
	By string
}

var _ apply.Applier = (*Applier)(nil)

// Apply writes the fields in which the HPA differs from d.Tuning, and gives back
// those that it has no opinion on any more. A decision that tunes nothing changes
// nothing.
func (a *Applier) Apply(ctx context.Context, target targetref.Target, d scale.Decision) (apply.Outcome, error) {
	if err := ctx.Err(); err != nil {
		return apply.Outcome{}, err
	}
	if d.Tuning == nil {
		return apply.Outcome{}, nil
	}
	doing := fmt.Sprintf("tuning %s", target)
	var live autoscalingv2.HorizontalPodAutoscaler
	if err := a.Client.Get(ctx, types.NamespacedName{Namespace: target.Namespace, Name: target.Name}, &live); err != nil {
		return apply.Outcome{}, apply.Explain(err, doing, "get horizontalpodautoscalers in API group \"autoscaling\"")
	}
	outcome := apply.Outcome{Waiting: untuned(&live, *d.Tuning)}
	tuned, changes, err := hpa.Keep(&live, *d.Tuning, a.By)
	if err != nil {
		return outcome, err
	}
	// A number that someone set by hand is theirs from then on. Where nothing else
	// is to be written, the note has to say so all the same: should the number be
	// what we set once, it would be given back to what was there before.
	noted := live.Annotations[hpa.FoundAnnotation] == tuned.Annotations[hpa.FoundAnnotation]
	if len(changes) == 0 && noted {
		return outcome, nil
	}
	if err := a.patch(ctx, &live, tuned, doing); err != nil {
		return outcome, err
	}
	outcome.Changes = changes
	return outcome, nil
}

// patch writes what differs, unless the HPA has changed since it was read.
func (a *Applier) patch(ctx context.Context, live, to *autoscalingv2.HorizontalPodAutoscaler, doing string) error {
	patch := client.MergeFromWithOptions(live, client.MergeFromWithOptimisticLock{})
	return apply.Explain(a.Client.Patch(ctx, to, patch), doing, "patch horizontalpodautoscalers in API group \"autoscaling\"")
}

// untuned names what is learned in vain: targets for which the HPA has no metric.
func untuned(live *autoscalingv2.HorizontalPodAutoscaler, t scale.Tuning) []apply.Wait {
	var all []apply.Wait
	who := "HPA " + live.Name
	if len(t.Untuned) > 0 {
		all = append(all, apply.Wait{Who: who, Why: strings.Join(t.Untuned, "; ")})
	}
	for _, target := range hpa.Missing(live, t) {
		all = append(all, apply.Wait{Who: who, Why: fmt.Sprintf(
			"it has no metric for the %s of container %s: add a ContainerResource metric to have its target tuned", target.Resource, target.Container)})
	}
	return all
}
