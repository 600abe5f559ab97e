package controller

import (
	"context"

	"sigs.k8s.io/controller-runtime/pkg/log"

	"github.com/tidemark/tidemark/api/v1alpha1"
	"github.com/tidemark/tidemark/internal/apply/podsize"
)

// announce publishes a decision that adds pods of another size before it is
// carried out: the pod webhook gives new pods the size that the status has. The
// rest of the status stays as it is, because nothing has happened yet. Where it
// cannot be written, pods are added all the same: they are needed more than
// their size is.
func (r *Reconciler) announce(ctx context.Context, report *report) {
	d := report.decision
	if d.Want.Replicas <= d.From.Replicas || !podsize.RulesOf(&report.obj.Spec).Any() || sameSizes(report.obj.Status.LastDecision, report.status.LastDecision) {
		return
	}
	status := *report.obj.Status.DeepCopy()
	status.LastDecision = report.status.LastDecision
	if err := r.write(ctx, report.obj, status); err != nil {
		log.FromContext(ctx).Error(err, "New pods may have another size than was decided")
	}
}

// sameSizes tells whether a new pod gets the same size by both decisions.
func sameSizes(before, after *v1alpha1.Decision) bool {
	if before == nil {
		return false
	}
	one, other := before.Want, after.Want
	one.Replicas = other.Replicas
	return sameSize(one, other)
}
