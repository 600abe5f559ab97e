package tune

import (
	"context"
	"fmt"

	autoscalingv2 "k8s.io/api/autoscaling/v2"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/tidemark/tidemark/apply"
	"github.com/tidemark/tidemark/apply/hpa"
	"github.com/tidemark/tidemark/scale"
)

// Applier tunes the HorizontalPodAutoscaler that a target names.
type Applier struct {
	// Client reads HPAs, from a cache if there is one, and patches them.
	Client client.Client
}

var _ apply.Applier = (*Applier)(nil)

// Apply writes the fields in which the HPA differs from d.Tuning. A decision
// that tunes nothing changes nothing.
func (a *Applier) Apply(ctx context.Context, target apply.Target, d scale.Decision) (apply.Outcome, error) {
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
	outcome := apply.Outcome{Waiting: missing(&live, *d.Tuning)}
	tuned, changes := hpa.Tune(&live, *d.Tuning)
	if len(changes) == 0 {
		return outcome, nil
	}
	patch := client.MergeFromWithOptions(&live, client.MergeFromWithOptimisticLock{})
	if err := a.Client.Patch(ctx, tuned, patch); err != nil {
		return outcome, apply.Explain(err, doing, "patch horizontalpodautoscalers in API group \"autoscaling\"")
	}
	outcome.Changes = changes
	return outcome, nil
}

// missing names the learned targets for which the HPA has no metric.
func missing(live *autoscalingv2.HorizontalPodAutoscaler, t scale.Tuning) []apply.Wait {
	var all []apply.Wait
	for _, target := range hpa.Missing(live, t) {
		all = append(all, apply.Wait{Who: "HPA " + live.Name, Why: fmt.Sprintf(
			"it has no metric for the %s of container %s: add a ContainerResource metric to have its target tuned", target.Resource, target.Container)})
	}
	return all
}
