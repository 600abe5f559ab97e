package controller

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	autoscalingv2 "k8s.io/api/autoscaling/v2"
	vpav1 "k8s.io/autoscaler/vertical-pod-autoscaler/pkg/apis/autoscaling.k8s.io/v1"
	"k8s.io/utils/clock"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/log"

	"github.com/tidemark/tidemark/api/v1alpha1"
	"github.com/tidemark/tidemark/internal/apply/podsize"
	"github.com/tidemark/tidemark/internal/targetref"
	"github.com/tidemark/tidemark/scale"
)

// conflicts finds out who else scales a target. It reads from caches only.
type conflicts struct {
	reader client.Reader
	clock  clock.PassiveClock

	mu sync.Mutex
	// noVPA is until when the cluster is taken to have no VPAs: to ask whether
	// a kind exists is a request.
	noVPA time.Time
}

const (
	// noVPAFor is how long the answer that there are no VPAs is believed.
	noVPAFor = 5 * time.Minute
	// vpaWait is how long the watch of VPAs may take to begin.
	vpaWait = 5 * time.Second
)

// of returns why an object must not scale its target, or nil. An object that
// only recommends changes nothing, so it may stand beside anyone: that is how a
// policy is tried on a workload that an HPA still scales.
func (r *conflicts) of(ctx context.Context, obj *v1alpha1.WorkloadAutoscaler, admin v1alpha1.AdminSettings) (*blocker, error) {
	if slices.Contains(admin.ExcludedNamespaces, obj.Namespace) {
		return &blocker{scale.NamespaceExcluded, fmt.Sprintf("the administrator has excluded the namespace %s: the workload is left alone", obj.Namespace)}, nil
	}
	if !acts(obj) {
		return nil, nil
	}
	if why, err := r.ofTuner(ctx, obj); why != nil || err != nil {
		return why, err
	}
	return r.vpas(ctx, obj)
}

// ofTuner returns why an object must not tune its HPA, or scale its target, or
// nil. Who sizes the pods does not matter there.
func (r *conflicts) ofTuner(ctx context.Context, obj *v1alpha1.WorkloadAutoscaler) (*blocker, error) {
	for _, look := range []func(context.Context, *v1alpha1.WorkloadAutoscaler) (*blocker, error){r.siblings, r.tuned, r.hpas} {
		if why, err := look(ctx, obj); why != nil || err != nil {
			return why, err
		}
	}
	return nil, nil
}

// acts tells whether an object may ever change its target.
func acts(obj *v1alpha1.WorkloadAutoscaler) bool {
	return obj.DeletionTimestamp.IsZero() && obj.Spec.Mode != v1alpha1.ModeOff && obj.Spec.Mode != v1alpha1.ModeRecommend
}

// siblings looks for other objects of ours with the same target.
func (r *conflicts) siblings(ctx context.Context, obj *v1alpha1.WorkloadAutoscaler) (*blocker, error) {
	others, err := r.others(ctx, obj, targetref.Of(obj))
	if len(others) == 0 || err != nil {
		return nil, err
	}
	return &blocker{scale.SharedTarget, fmt.Sprintf("%s scales %s as well, so neither does: delete all but one, or set the mode of the others to Recommend",
		strings.Join(others, ", "), describe(targetref.Of(obj)))}, nil
}

// others names the other objects of ours that act on something.
func (r *conflicts) others(ctx context.Context, obj *v1alpha1.WorkloadAutoscaler, on targetref.Target) ([]string, error) {
	var found v1alpha1.WorkloadAutoscalerList
	if err := targetref.List(ctx, r.reader, on, &found); err != nil {
		return nil, fmt.Errorf("looking for other objects that act on %s: %w", describe(on), err)
	}
	var others []string
	for i := range found.Items {
		if other := &found.Items[i]; other.Name != obj.Name && acts(other) {
			others = append(others, other.Name)
		}
	}
	slices.Sort(others)
	return others, nil
}

// tuned looks at the HPA that an object tunes: it must scale the object's own
// target, and nobody else may tune it. One that is not there is no conflict.
func (r *conflicts) tuned(ctx context.Context, obj *v1alpha1.WorkloadAutoscaler) (*blocker, error) {
	tuned, tunes := targetref.TunedHPA(obj)
	if !tunes {
		return nil, nil
	}
	name := tuned.Name
	others, err := r.others(ctx, obj, tuned)
	if err != nil {
		return nil, err
	}
	if len(others) > 0 {
		return &blocker{scale.SharedTarget, fmt.Sprintf("%s tunes the HPA %s as well, so neither does: delete all but one, or name in hpaName the HPA that scales its own target",
			strings.Join(others, ", "), name)}, nil
	}
	var hpa autoscalingv2.HorizontalPodAutoscaler
	if err := r.reader.Get(ctx, client.ObjectKey{Namespace: obj.Namespace, Name: name}, &hpa); err != nil {
		return nil, client.IgnoreNotFound(err)
	}
	its := targetref.OfHPA(&hpa)
	its.APIVersion = cmp.Or(its.APIVersion, obj.Spec.TargetRef.APIVersion) // an HPA may leave it out
	if its.Key() != targetref.Of(obj).Key() {
		return &blocker{scale.ForeignAutoscaler, fmt.Sprintf("the HPA %s scales %s, and the target here is %s: name in hpaName the HPA of this target, or make its scaleTargetRef the same as targetRef",
			name, describe(its), describe(targetref.Of(obj)))}, nil
	}
	return nil, nil
}

// hpas looks for an HPA on the same target, other than the one that we tune.
func (r *conflicts) hpas(ctx context.Context, obj *v1alpha1.WorkloadAutoscaler) (*blocker, error) {
	var found autoscalingv2.HorizontalPodAutoscalerList
	if err := targetref.List(ctx, r.reader, targetref.Of(obj), &found); err != nil {
		return nil, fmt.Errorf("looking for HPAs with the same target: %w", err)
	}
	for i := range found.Items {
		hpa := &found.Items[i]
		if obj.Spec.Actuator == v1alpha1.ActuatorHPA && hpa.Name == obj.Spec.HPAName {
			continue
		}
		return &blocker{scale.ForeignAutoscaler, fmt.Sprintf("%s scales %s as well: delete it, point it at this object, or set the mode of this object to Recommend",
			nameOfHPA(hpa), describe(targetref.Of(obj)))}, nil
	}
	return nil, nil
}

// nameOfHPA names the KEDA ScaledObject behind an HPA, if there is one: that is
// what its user knows, and the HPA would come back if it were deleted.
func nameOfHPA(hpa *autoscalingv2.HorizontalPodAutoscaler) string {
	for _, owner := range hpa.OwnerReferences {
		if owner.Kind == "ScaledObject" {
			return fmt.Sprintf("the ScaledObject %s (through the HPA %s)", owner.Name, hpa.Name)
		}
	}
	return "the HPA " + hpa.Name
}

// vpas looks for a VPA that changes the requests of pods that we size. One that
// is our source only recommends, or should. Where VPAs cannot be watched, nothing
// is known of them, and that keeps nobody from scaling.
func (r *conflicts) vpas(ctx context.Context, obj *v1alpha1.WorkloadAutoscaler) (*blocker, error) {
	if !podsize.RulesOf(&obj.Spec).Any() || r.knownWithoutVPA() {
		return nil, nil
	}
	ctx, cancel := context.WithTimeout(ctx, vpaWait)
	defer cancel()
	var found vpav1.VerticalPodAutoscalerList
	if err := r.reader.List(ctx, &found, client.InNamespace(obj.Namespace), client.UnsafeDisableDeepCopy); err != nil {
		log.FromContext(ctx).V(1).Info("VPAs cannot be looked at", "error", err.Error())
		r.believeWithoutVPA()
		return nil, nil
	}
	for i := range found.Items {
		vpa := &found.Items[i]
		if !changesPods(vpa) || targetOfVPA(vpa).Key() != targetref.Of(obj).Key() {
			continue
		}
		return &blocker{scale.ForeignAutoscaler, fmt.Sprintf("the VPA %s sizes the pods of %s as well: set its updatePolicy.updateMode to Off, or remove containers, intervals and learn.headroom.resize here",
			vpa.Name, describe(targetref.Of(obj)))}, nil
	}
	return nil, nil
}

// changesPods tells whether a VPA does more than recommend.
func changesPods(vpa *vpav1.VerticalPodAutoscaler) bool {
	p := vpa.Spec.UpdatePolicy
	return p == nil || p.UpdateMode == nil || *p.UpdateMode != vpav1.UpdateModeOff
}

func targetOfVPA(vpa *vpav1.VerticalPodAutoscaler) targetref.Target {
	ref := vpa.Spec.TargetRef
	if ref == nil {
		return targetref.Target{}
	}
	return targetref.Target{APIVersion: ref.APIVersion, Kind: ref.Kind, Namespace: vpa.Namespace, Name: ref.Name}
}

func (r *conflicts) knownWithoutVPA() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.clock.Now().Before(r.noVPA)
}

func (r *conflicts) believeWithoutVPA() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.noVPA = r.clock.Now().Add(noVPAFor)
}

func describe(t targetref.Target) string { return t.Kind + " " + t.Name }
