package permit

import (
	"context"
	"fmt"
	"time"

	vpav1 "k8s.io/autoscaler/vertical-pod-autoscaler/pkg/apis/autoscaling.k8s.io/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/log"

	"github.com/tidemark/tidemark/api/v1alpha1"
	"github.com/tidemark/tidemark/internal/apply/podsize"
	"github.com/tidemark/tidemark/internal/targetref"
	"github.com/tidemark/tidemark/scale"
)

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
	if !podsize.RulesOf(&obj.Spec).Any() || c.knownWithoutVPA() {
		return nil, nil
	}
	ctx, cancel := context.WithTimeout(ctx, vpaWait)
	defer cancel()
	var found vpav1.VerticalPodAutoscalerList
	if err := c.Cache.List(ctx, &found, client.InNamespace(obj.Namespace), client.UnsafeDisableDeepCopy); err != nil {
		log.FromContext(ctx).V(1).Info("VPAs cannot be looked at", "error", err.Error())
		c.believeWithoutVPA()
		return nil, nil
	}
	for i := range found.Items {
		vpa := &found.Items[i]
		if !changesPods(vpa) || targetOfVPA(vpa).Key() != targetref.Of(obj).Key() {
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

func targetOfVPA(vpa *vpav1.VerticalPodAutoscaler) targetref.Target {
	ref := vpa.Spec.TargetRef
	if ref == nil {
		return targetref.Target{}
	}
	return targetref.Target{APIVersion: ref.APIVersion, Kind: ref.Kind, Namespace: vpa.Namespace, Name: ref.Name}
}

func (c *Checker) knownWithoutVPA() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.Clock.Now().Before(c.noVPA)
}

func (c *Checker) believeWithoutVPA() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.noVPA = c.Clock.Now().Add(noVPAFor)
}
