package hpatuner

import (
	"context"
	"fmt"

	autoscalingv2 "k8s.io/api/autoscaling/v2"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/tidemark/tidemark/internal/apply"
	"github.com/tidemark/tidemark/internal/apply/hpa"
)

// Returner gives HPAs back what was found in them before they were tuned.
type Returner struct {
	// Client patches HPAs.
	Client client.Client
}

// TunedBy returns the name of the object that has changed an HPA, and whether
// there is one.
func (r *Returner) TunedBy(live *autoscalingv2.HorizontalPodAutoscaler) (string, bool) {
	return hpa.TunedBy(live)
}

// GiveBack writes what was found in the HPA, wherever nobody has changed it
// since, and takes our note of it away.
func (r *Returner) GiveBack(ctx context.Context, live *autoscalingv2.HorizontalPodAutoscaler) ([]apply.Change, error) {
	given, changes := hpa.GiveBack(live)
	doing := fmt.Sprintf("giving back HorizontalPodAutoscaler %s/%s", live.Namespace, live.Name)
	if err := (&Applier{Client: r.Client}).patch(ctx, live, given, doing); err != nil {
		return nil, err
	}
	return changes, nil
}
