package controller

import (
	"context"

	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/log"

	"github.com/tidemark/tidemark/api/v1alpha1"
	"github.com/tidemark/tidemark/engine"
	"github.com/tidemark/tidemark/internal/observe"
	"github.com/tidemark/tidemark/internal/record"
	"github.com/tidemark/tidemark/policy"
	"github.com/tidemark/tidemark/scale"
)

// Recorder keeps decisions for those who want to look into them later. It must
// be safe for several goroutines.
type Recorder interface {
	Record(object string, call record.Call, admin v1alpha1.AdminSettings, answer record.Answer) error
}

// record hands a decision to the recorder, if there is one. One that cannot be
// written stops nobody from scaling.
func (r *Reconciler) record(ctx context.Context, req observe.Request, obs scale.Observation, answer record.Answer, past engine.Memory) {
	if r.Recorder == nil {
		return
	}
	spec := policy.AsAnnotated(req.Object.Spec, req.Object.Annotations, obs.At)
	call := record.Call{Policy: req.Policy, Spec: spec, Observation: obs, Memory: past}
	if r.Permits.DryRun && call.Spec.Mode == v1alpha1.ModeAuto || r.Permits.DryRun && call.Spec.Mode == "" {
		call.Spec.Mode = v1alpha1.ModeRecommend
	}
	if err := r.Recorder.Record(client.ObjectKeyFromObject(req.Object).String(), call, r.Permits.Admin(), answer); err != nil {
		log.FromContext(ctx).Error(err, "Recording the decision")
	}
}
