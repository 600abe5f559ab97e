package live

import (
	"context"
	"fmt"

	autoscalingv2 "k8s.io/api/autoscaling/v2"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/tidemark/tidemark/api/v1alpha1"
	"github.com/tidemark/tidemark/apply/hpa"
)

// tunedHPA adds the HPA that the object keeps tuned: its own list says what can
// be tuned, and from where. Without it there is nothing to decide.
func (o *Observer) tunedHPA(ctx context.Context, l *look) error {
	spec := &l.Object.Spec
	if spec.Actuator != v1alpha1.ActuatorHPA {
		return nil
	}
	var found autoscalingv2.HorizontalPodAutoscaler
	readOnly := true
	if err := o.cache.Get(ctx, client.ObjectKey{Namespace: l.Object.Namespace, Name: spec.HPAName}, &found, &client.GetOptions{UnsafeDisableDeepCopy: &readOnly}); err != nil {
		return fmt.Errorf("reading the HPA that hpaName names: %w", err)
	}
	l.seen.HPA = hpa.Seen(&found, l.seen.Target.Containers)
	return nil
}
