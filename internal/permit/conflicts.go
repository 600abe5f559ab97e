package permit

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	autoscalingv2 "k8s.io/api/autoscaling/v2"
	vpav1 "k8s.io/autoscaler/vertical-pod-autoscaler/pkg/apis/autoscaling.k8s.io/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/log"

	"github.com/tidemark/tidemark/api/v1alpha1"
	"github.com/tidemark/tidemark/internal/apply/podsize"
	"github.com/tidemark/tidemark/internal/targetref"
	"github.com/tidemark/tidemark/scale"
)

// siblings looks for other objects of ours with the same target.
func (c *Checker) siblings(ctx context.Context, obj *v1alpha1.WorkloadAutoscaler) (*Denial, error) {
	others, err := c.others(ctx, obj, targetref.Of(obj))
	if len(others) == 0 || err != nil {
		return nil, err
	}
	return &Denial{scale.SharedTarget, fmt.Sprintf("%s scales %s as well, so neither does: delete all but one, or set the mode of the others to Recommend",
		strings.Join(others, ", "), describe(targetref.Of(obj)))}, nil
}

// others names the other objects of ours that act on something.
func (c *Checker) others(ctx context.Context, obj *v1alpha1.WorkloadAutoscaler, on targetref.Target) ([]string, error) {
	var found v1alpha1.WorkloadAutoscalerList
	if err := targetref.List(ctx, c.Cache, on, &found); err != nil {
		return nil, fmt.Errorf("looking for other objects that act on %s: %w", describe(on), err)
	}
	var others []string
	for i := range found.Items {
		if other := &found.Items[i]; other.Name != obj.Name && idle(other) == nil {
			others = append(others, other.Name)
		}
	}
	slices.Sort(others)
	return others, nil
}

// tuned looks at the HPA that an object tunes: it must scale the object's own
// target, and nobody else may tune it. One that is not there is no conflict.
func (c *Checker) tuned(ctx context.Context, obj *v1alpha1.WorkloadAutoscaler) (*Denial, error) {
	tuned, tunes := targetref.TunedHPA(obj)
	if !tunes {
		return nil, nil
	}
	others, err := c.others(ctx, obj, tuned)
	if err != nil {
		return nil, err
	}
	if len(others) > 0 {
		return &Denial{scale.SharedTarget,
			fmt.Sprintf("%s tunes the HPA %s as well, so neither does: delete all but one, or name in hpaName the HPA that scales its own target",
				strings.Join(others, ", "), tuned.Name)}, nil
	}
	var hpa autoscalingv2.HorizontalPodAutoscaler
	if err := c.Cache.Get(ctx, client.ObjectKey{Namespace: obj.Namespace, Name: tuned.Name}, &hpa); err != nil {
		return nil, client.IgnoreNotFound(err)
	}
	its := targetref.OfHPA(&hpa)
	its.APIVersion = cmp.Or(its.APIVersion, obj.Spec.TargetRef.APIVersion) // an HPA may leave it out
	if its.Key() != targetref.Of(obj).Key() {
		return &Denial{scale.ForeignAutoscaler, fmt.Sprintf("the HPA %s scales %s, and the target here is %s: name in hpaName the HPA of this "+
			"target, or make its scaleTargetRef the same as targetRef",
			tuned.Name, describe(its), describe(targetref.Of(obj)))}, nil
	}
	return nil, nil
}

// hpas looks for an HPA on the same target, other than the one that we tune.
func (c *Checker) hpas(ctx context.Context, obj *v1alpha1.WorkloadAutoscaler) (*Denial, error) {
	var found autoscalingv2.HorizontalPodAutoscalerList
	if err := targetref.List(ctx, c.Cache, targetref.Of(obj), &found); err != nil {
		return nil, fmt.Errorf("looking for HPAs with the same target: %w", err)
	}
	for i := range found.Items {
		hpa := &found.Items[i]
		if obj.Spec.Actuator == v1alpha1.ActuatorHPA && hpa.Name == obj.Spec.HPAName {
			continue
		}
		return &Denial{scale.ForeignAutoscaler, fmt.Sprintf("%s scales %s as well: delete it, point it at this object, or set the mode of this object to Recommend",
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

func describe(t targetref.Target) string { return t.Kind + " " + t.Name }

const (
	// noVPAFor is how long the answer that there are no VPAs is believed.
	noVPAFor = 5 * time.Minute
	// vpaWait is how long the watch of VPAs may take to begin.
	vpaWait = 5 * time.Second
)

// vpas looks for a VPA that changes the requests of pods that we size. One that
// is our source only recommends, or should. Where VPAs cannot be watched, nothing
// is known of them, and that keeps nobody from scaling.
func (c *Checker) vpas(ctx context.Context, obj *v1alpha1.WorkloadAutoscaler) (*Denial, error) {
	if !podsize.RulesOf(&obj.Spec).Any() || c.Clock.Now().UnixNano() < c.noVPA.Load() {
		return nil, nil
	}
	ctx, cancel := context.WithTimeout(ctx, vpaWait)
	defer cancel()
	var found vpav1.VerticalPodAutoscalerList
	if err := c.Cache.List(ctx, &found, client.InNamespace(obj.Namespace), client.UnsafeDisableDeepCopy); err != nil {
		log.FromContext(ctx).V(1).Info("VPAs cannot be looked at", "error", err.Error())
		c.noVPA.Store(c.Clock.Now().Add(noVPAFor).UnixNano())
		return nil, nil
	}
	for i := range found.Items {
		vpa := &found.Items[i]
		if !changesPods(vpa) || ours(vpa) || targetOfVPA(vpa).Key() != targetref.Of(obj).Key() {
			continue
		}
		return &Denial{scale.ForeignAutoscaler, fmt.Sprintf("the VPA %s sizes the pods of %s as well: set its updatePolicy.updateMode to Off, or "+
			"remove containers, intervals and learn.headroom.resize here",
			vpa.Name, describe(targetref.Of(obj)))}, nil
	}
	return nil, nil
}

// changesPods tells whether a VPA does more than recommend.
func changesPods(vpa *vpav1.VerticalPodAutoscaler) bool {
	p := vpa.Spec.UpdatePolicy
	return p == nil || p.UpdateMode == nil || *p.UpdateMode != vpav1.UpdateModeOff
}

// ours tells whether a VPA is one that shows what we decide. Whatever became of its
// updateMode, it is set right again, and not another's opinion.
func ours(vpa *vpav1.VerticalPodAutoscaler) bool {
	r := vpa.Spec.Recommenders
	return len(r) == 1 && r[0] != nil && r[0].Name == v1alpha1.RecommenderName
}

func targetOfVPA(vpa *vpav1.VerticalPodAutoscaler) targetref.Target {
	ref := vpa.Spec.TargetRef
	if ref == nil {
		return targetref.Target{}
	}
	return targetref.Target{APIVersion: ref.APIVersion, Kind: ref.Kind, Namespace: vpa.Namespace, Name: ref.Name}
}
