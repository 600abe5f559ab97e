package route

import (
	"context"

	"k8s.io/apimachinery/pkg/api/meta"
	scaleclient "k8s.io/client-go/scale"
	"k8s.io/utils/clock"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/tidemark/tidemark/api/v1alpha1"
	"github.com/tidemark/tidemark/internal/apply"
	"github.com/tidemark/tidemark/internal/apply/deletioncost"
	"github.com/tidemark/tidemark/internal/apply/dryrun"
	"github.com/tidemark/tidemark/internal/apply/hpatuner"
	"github.com/tidemark/tidemark/internal/apply/podsize"
	"github.com/tidemark/tidemark/internal/apply/published"
	"github.com/tidemark/tidemark/internal/apply/resize"
	"github.com/tidemark/tidemark/internal/apply/scalesub"
	"github.com/tidemark/tidemark/internal/permit"
	"github.com/tidemark/tidemark/internal/targetref"
	"github.com/tidemark/tidemark/policy"
	"github.com/tidemark/tidemark/scale"
)

// Config is what the ways to act need.
type Config struct {
	// Scales and Mapper reach the scale subresource of any kind.
	Scales scaleclient.ScalesGetter
	Mapper meta.RESTMapper
	// Client reads HPAs from the cache and writes HPAs and pods.
	Client client.Client
	// Pods finds the pods of a workload.
	Pods resize.Pods
	// Clock is the time by which pods are waited for.
	Clock clock.PassiveClock
	// Rules are the administrator's.
	Rules permit.Rules
	// NewPodsAreSized is set where the pod webhook is on.
	NewPodsAreSized bool
}

// Applier chooses a way to act for each object.
type Applier struct {
	config Config
	scale  apply.Applier
	still  apply.Applier
	// absence is what all of them know of an API server that cannot resize.
	absence resize.Absence
}

// New makes an Applier.
func New(config Config) *Applier {
	return &Applier{
		config: config,
		scale:  &scalesub.Applier{Scales: config.Scales, Mapper: config.Mapper},
		still:  dryrun.Applier{},
	}
}

// For returns the way to act for an object. It is told the target of the
// object, also where the HPA of the object is what changes. The object must
// not change while it is in use.
func (a *Applier) For(obj *v1alpha1.WorkloadAutoscaler) apply.Applier {
	// A decision already wants what is there where a mode or a pause keeps
	// changes back. But pods may differ from each other, and bringing them into
	// line is a change too.
	if a.config.Rules.Object(obj) != nil {
		if obj.Status.PublishedVPA != "" && a.config.Rules.Namespace(obj.Namespace) == nil {
			return both{a.still, a.withdrawn(obj)} // what it shows does not come
		}
		return a.still
	}
	way := a.acting(obj)
	if b := obj.Spec.Behavior; b != nil && b.ScaleDown != nil && b.ScaleDown.EmptiestFirst != nil && *b.ScaleDown.EmptiestFirst {
		way = both{&deletioncost.Applier{Pods: a.config.Pods, Client: a.config.Client}, way}
	}
	switch {
	case obj.Spec.Vertical != nil && obj.Spec.Vertical.Publish == v1alpha1.VerticalPublishVPA:
		return both{way, &published.Applier{Client: a.config.Client, Object: obj, Rules: podsize.RulesOf(&obj.Spec), Clock: a.config.Clock}}
	case obj.Status.PublishedVPA != "":
		return both{way, a.withdrawn(obj)}
	}
	return way
}

// withdrawn deletes what an object has published.
func (a *Applier) withdrawn(obj *v1alpha1.WorkloadAutoscaler) apply.Applier {
	return &published.Withdrawal{Client: a.config.Client, Object: obj}
}

// acting is the way to change the count of an object's target, and its pods.
func (a *Applier) acting(obj *v1alpha1.WorkloadAutoscaler) apply.Applier {
	count := a.scale
	if hpa, tunes := targetref.TunedHPA(obj); tunes {
		count = redirect{to: hpa, still: a.still, next: &hpatuner.Applier{Client: a.config.Client, By: obj.Name}}
	}
	rules := podsize.RulesOf(&obj.Spec)
	update := updateOf(&obj.Spec)
	if !rules.Any() || update == v1alpha1.VerticalUpdateInitial {
		return count
	}
	least, requirements := policy.DisruptionOf(obj.Spec)
	return sized{count, &resize.Applier{
		Pods: a.config.Pods, Client: a.config.Client, Clock: a.config.Clock,
		Rules: rules, Update: update, NewPodsAreSized: a.config.NewPodsAreSized, Absence: &a.absence,
		MinReplicas: least, Requirements: requirements,
	}}
}

func updateOf(spec *v1alpha1.WorkloadAutoscalerSpec) v1alpha1.VerticalUpdate {
	if spec.Vertical == nil || spec.Vertical.Update == "" {
		return v1alpha1.VerticalUpdateInPlaceOrRecreate
	}
	return spec.Vertical.Update
}

// redirect applies to another object than it is told. While the object is paused,
// nothing of that is tuned.
type redirect struct {
	to          targetref.Target
	next, still apply.Applier
}

func (r redirect) Apply(ctx context.Context, _ targetref.Target, d scale.Decision) (apply.Outcome, error) {
	if d.Pause != nil && d.Pause.Whole() {
		return r.still.Apply(ctx, r.to, d)
	}
	return r.next.Apply(ctx, r.to, d)
}

// sized changes the count first, then the pods. Where the count cannot be
// changed the pods wait for the next decision: it may be another one.
type sized struct {
	count, pods apply.Applier
}

func (s sized) Apply(ctx context.Context, target targetref.Target, d scale.Decision) (apply.Outcome, error) {
	if d.Pause != nil && d.Pause.Whole() {
		return s.count.Apply(ctx, target, d) // pods that differ are brought into line when the pause is over
	}
	return both{s.count, s.pods}.Apply(ctx, target, d)
}

// both does one thing after the other, unless the first fails.
type both struct {
	first, then apply.Applier
}

func (b both) Apply(ctx context.Context, target targetref.Target, d scale.Decision) (apply.Outcome, error) {
	done, err := b.first.Apply(ctx, target, d)
	if err != nil {
		return done, err
	}
	more, err := b.then.Apply(ctx, target, d)
	return done.And(more), err
}
