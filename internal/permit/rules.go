package permit

import (
	"fmt"
	"slices"

	"github.com/tidemark/tidemark/api/v1alpha1"
	"github.com/tidemark/tidemark/scale"
)

// Denial is why nothing may be changed. No denial is a permission.
type Denial struct {
	// Reason is empty for an object that is being deleted: nobody reads its
	// status any more.
	Reason  scale.Reason
	Message string
}

// LetsDecide tells whether there still is a decision to make, which shows what
// would be done and says itself why it is not.
func (d *Denial) LetsDecide() bool {
	return d == nil || d.Reason == scale.ModeOff || d.Reason == scale.Recommend || d.Reason == scale.Paused
}

// Rules are the administrator's.
type Rules struct {
	// Admin returns the settings as they are now.
	Admin func() v1alpha1.AdminSettings
	// DryRun changes nothing, for any object.
	DryRun bool
}

// Namespace returns why nothing at all may be changed in a namespace, or nil.
func (r Rules) Namespace(name string) *Denial {
	if why := r.excluded(name); why != nil {
		return why
	}
	return r.stopped()
}

// Object returns why an object may change nothing, whoever else there is, or
// nil.
func (r Rules) Object(obj *v1alpha1.WorkloadAutoscaler) *Denial {
	if why := r.own(obj); why != nil {
		return why
	}
	return r.stopped()
}

// own is what keeps an object back for as long as it is as it is.
func (r Rules) own(obj *v1alpha1.WorkloadAutoscaler) *Denial {
	if why := r.excluded(obj.Namespace); why != nil {
		return why
	}
	return idle(obj)
}

// idle tells why an object never acts, or nil. One that is idle changes
// nothing, so it may stand beside anyone: that is how a policy is tried on a
// workload that an HPA still scales.
func idle(obj *v1alpha1.WorkloadAutoscaler) *Denial {
	switch mode := obj.Spec.Mode; {
	case !obj.DeletionTimestamp.IsZero():
		return &Denial{Message: "the WorkloadAutoscaler is being deleted"}
	case mode == v1alpha1.ModeOff:
		return &Denial{scale.ModeOff, "mode Off changes nothing"}
	case mode == v1alpha1.ModeRecommend:
		return &Denial{scale.Recommend, "mode Recommend changes nothing"}
	}
	return nil
}

func (r Rules) excluded(namespace string) *Denial {
	if slices.Contains(r.Admin().ExcludedNamespaces, namespace) {
		return &Denial{scale.NamespaceExcluded, fmt.Sprintf("the administrator has excluded the namespace %s: the workload is left alone", namespace)}
	}
	return nil
}

// stopped is what keeps every object back for now.
func (r Rules) stopped() *Denial {
	switch {
	case r.Admin().Paused:
		return &Denial{scale.Paused, "the administrator has paused all scaling: nothing is changed"}
	case r.DryRun:
		return &Denial{scale.Recommend, "the controller runs dry: nothing is changed"}
	}
	return nil
}
