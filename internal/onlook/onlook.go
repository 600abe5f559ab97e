package onlook

import (
	"context"
	"fmt"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/tidemark/tidemark/api/v1alpha1"
	"github.com/tidemark/tidemark/engine"
	"github.com/tidemark/tidemark/internal/controller"
	"github.com/tidemark/tidemark/internal/history"
	"github.com/tidemark/tidemark/internal/learner"
	"github.com/tidemark/tidemark/internal/observe"
	"github.com/tidemark/tidemark/internal/observe/pods"
	"github.com/tidemark/tidemark/internal/record"
	"github.com/tidemark/tidemark/policy"
)

// Onlooker looks at objects.
type Onlooker struct {
	Observer observe.Observer
	// Direct reads what the controller has learned.
	Direct client.Reader
	// Admin are the administrator's settings, which nobody sees from outside.
	Admin v1alpha1.AdminSettings
	// Usage asks for what pods use also where no decision depends on it.
	Usage bool
}

// Known is what has been learned about an object, from one look to the next. The
// zero value reads what the controller has learned.
type Known struct{ learner *learner.Learner }

// Look sees what a controller that has just started would decide on.
func (o *Onlooker) Look(ctx context.Context, obj *v1alpha1.WorkloadAutoscaler, known *Known, at time.Time) (record.Call, error) {
	spec := policy.AsAnnotated(obj.Spec, obj.Annotations, at)
	compiled, err := policy.Compile(spec, o.Admin)
	if err != nil {
		return record.Call{}, fmt.Errorf("the spec of %s/%s is invalid: %w", obj.Namespace, obj.Name, err)
	}
	seen := *obj
	seen.Spec = spec
	request := observe.Request{Object: &seen, Policy: compiled, At: at, Usage: o.Usage}
	result, err := o.Observer.Observe(pods.Looking(ctx, obj.Status.Selector), request)
	if err != nil {
		return record.Call{}, err
	}
	// A memory that cannot be read is replaced as the controller replaces it.
	memory, _ := controller.Recall(obj.Status, &result.Observation, compiled.Sync)
	if err := o.learn(ctx, request, memory, &result, known); err != nil {
		return record.Call{}, err
	}
	return record.Call{Policy: compiled, Spec: spec, Observation: result.Observation, Memory: memory}, nil
}

// learn adds what the controller has learned, which it keeps in a
// WorkloadHistory. Nothing is written back. Without a Known nothing is read.
func (o *Onlooker) learn(ctx context.Context, req observe.Request, past engine.Memory, result *observe.Result, known *Known) error {
	plan, learns := learner.PlanOf(req.Object.Spec, req.Policy)
	if !learns || known == nil {
		return nil
	}
	if known.learner == nil {
		learner, err := learner.New(plan)
		if err != nil {
			return err
		}
		var stored v1alpha1.WorkloadHistory
		err = o.Direct.Get(ctx, client.ObjectKeyFromObject(req.Object), &stored)
		switch {
		case apierrors.IsNotFound(err):
		case err != nil:
			return fmt.Errorf("reading the WorkloadHistory: %w", err)
		default:
			if known, err := history.Decode(stored.History, plan.Settings); err == nil {
				learner.History = known
			}
		}
		known.learner = learner
	}
	known.learner.Learn(&result.Observation, engine.TargetsInForce(req.Policy, result.Observation, past))
	return nil
}
