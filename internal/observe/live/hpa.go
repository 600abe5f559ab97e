package live

import (
	"context"
	"fmt"

	autoscalingv2 "k8s.io/api/autoscaling/v2"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/tidemark/tidemark/api/v1alpha1"
	"github.com/tidemark/tidemark/internal/apply/hpa"
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
	key := client.ObjectKey{Namespace: l.Object.Namespace, Name: spec.HPAName}
	switch err := o.cache.Get(ctx, key, &found, &client.GetOptions{UnsafeDisableDeepCopy: &readOnly}); {
	case apierrors.IsNotFound(err):
		return fmt.Errorf("there is no HPA %s, which spec.hpaName names: correct spec.hpaName, or create the HPA: %w", key, err)
	case err != nil:
		return fmt.Errorf("reading the HPA that hpaName names: %w", err)
	}
	l.obs.HPA = hpa.Seen(&found, l.obs.Target.Containers)
	return nil
}
