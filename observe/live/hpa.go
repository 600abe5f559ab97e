package live

import (
	"context"
	"fmt"

	autoscalingv2 "k8s.io/api/autoscaling/v2"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/tidemark/tidemark/api/v1alpha1"
	"github.com/tidemark/tidemark/apply/hpa"
)

// tunedHPA adds the HPA that the object keeps tuned: its own list says what can
// be tuned, and from where.
func (o *Observer) tunedHPA(ctx context.Context, l *look) {
	spec := &l.Object.Spec
	if spec.Actuator != v1alpha1.ActuatorHPA {
		return
	}
	var found autoscalingv2.HorizontalPodAutoscaler
	readOnly := true
	err := o.cache.Get(ctx, client.ObjectKey{Namespace: l.Object.Namespace, Name: spec.HPAName}, &found, &client.GetOptions{UnsafeDisableDeepCopy: &readOnly})
	switch {
	case apierrors.IsNotFound(err):
		l.problem(fmt.Errorf("there is no HorizontalPodAutoscaler %s: create it, or correct hpaName", spec.HPAName))
	case err != nil:
		l.problem(fmt.Errorf("reading HorizontalPodAutoscaler %s: %w", spec.HPAName, err))
	default:
		l.seen.HPA = hpa.Seen(&found, l.seen.Target.Containers)
	}
}
