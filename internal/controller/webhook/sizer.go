package webhook

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/tools/events"
	"k8s.io/utils/clock"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/log"
	"sigs.k8s.io/controller-runtime/pkg/webhook/admission"

	"github.com/tidemark/tidemark/api/v1alpha1"
	"github.com/tidemark/tidemark/internal/apply/podsize"
	"github.com/tidemark/tidemark/internal/observe/pods"
	"github.com/tidemark/tidemark/internal/observe/podview"
	"github.com/tidemark/tidemark/internal/permit"
	"github.com/tidemark/tidemark/internal/targetref"
	"github.com/tidemark/tidemark/scale"
)

// Owners finds the workload that a pod belongs to; false if there is none. It is
// what the pod says of itself until it is confirmed.
type Owners interface {
	OwnerOf(ctx context.Context, pod *corev1.Pod) (pods.Owner, bool, error)
	Confirm(ctx context.Context, o pods.Owner) error
}

// Sizer is the webhook.
type Sizer struct {
	// Objects reads WorkloadAutoscalers from a cache with the index of targets.
	Objects client.Reader
	Owners  Owners
	Clock   clock.PassiveClock
	// Permits knows who may act. It is not the controller's: what a webhook has
	// no time to find out must not count for others.
	Permits *permit.Checker
	// Allowances knows what namespaces allow, and Events tells an object that
	// its pods keep the size of their template because of it.
	Allowances Allowances
	Events     events.EventRecorder
	// Largest is what the largest node has for a pod; empty where nobody knows.
	Largest func(context.Context) scale.Resources
	// Resizes tells whether the API server resizes pods in place: without that,
	// nobody could take a boost back.
	Resizes func() bool

	told told
}

var _ admission.Handler = (*Sizer)(nil)

// staleAfter is how old a decision may be. It is long against the time in which
// the controller writes it again, and against an outage that someone repairs.
const staleAfter = 12 * time.Hour

// patience is how long a pod waits for its size. The API server waits a little
// longer.
const patience = 2 * time.Second

// Handle answers for one pod, in time and whatever happens. It always lets the
// pod pass.
func (s *Sizer) Handle(ctx context.Context, req admission.Request) admission.Response {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	answer := make(chan admission.Response, 1)
	go func() {
		// A pod must not end the controller, and nobody above recovers here.
		defer func() {
			if cause := recover(); cause != nil {
				log.FromContext(ctx).Error(fmt.Errorf("%v", cause), "A new pod keeps the size of its template", "namespace", req.Namespace)
				answer <- admission.Allowed("its size cannot be found")
			}
		}()
		answer <- s.size(ctx, req)
	}()
	select {
	case a := <-answer:
		return a
	case <-ctx.Done():
		return admission.Allowed("its size was not found in time")
	}
}

// size answers for one pod.
func (s *Sizer) size(ctx context.Context, req admission.Request) admission.Response {
	var pod corev1.Pod
	if err := json.Unmarshal(req.Object.Raw, &pod); err != nil {
		return admission.Allowed("the pod cannot be read")
	}
	pod.Namespace = req.Namespace
	obj, why, err := s.objectOf(ctx, &pod)
	if err != nil {
		log.FromContext(ctx).Error(err, "A new pod keeps the size of its template", "namespace", pod.Namespace,
			"pod", fmt.Sprintf("%.100s", pod.Name+pod.GenerateName))
		return admission.Allowed("its workload cannot be found")
	}
	if obj == nil {
		return admission.Allowed(why)
	}
	if podview.BoostOf(&pod) != nil {
		return admission.Allowed("the pod has its boost") // the API server asks again after another webhook
	}
	want := podsize.RulesOf(&obj.Spec).Only(decided(obj.Status.LastDecision.Want))
	fitted := podsize.Fit(&pod, want)
	if len(fitted) > 0 {
		if why := s.refused(ctx, &pod, fitted); why != nil {
			s.tell(obj, why, "Size", "New pods keep the size of their template")
			return admission.Patched("it keeps the size of its template: "+why.Words, annotate(&pod, map[string]string{NotSized: obj.Name + ": " + why.Words})...)
		}
	}
	return s.answer(obj, &pod, fitted, s.boost(ctx, obj, &pod, fitted))
}

// answer makes one answer of the decided size and of the boost.
func (s *Sizer) answer(obj *v1alpha1.WorkloadAutoscaler, pod *corev1.Pod, fitted []podsize.Fitted, b boosted) admission.Response {
	notes := map[string]string{}
	if len(fitted) > 0 {
		notes[SizedBy] = obj.Name + ": " + summary(fitted)
	}
	switch {
	case b.refused != nil:
		s.tell(obj, b.refused, "Boost", "New pods start without their boost")
		notes[NotBoosted] = obj.Name + ": " + b.refused.Words
	case b.note != "":
		fitted, notes[v1alpha1.BoostAnnotation] = podsize.Between(&pod.Spec, b.spec), b.note
	}
	if len(notes) == 0 {
		return admission.Allowed("the pod has the decided size")
	}
	return admission.Patched("sized by WorkloadAutoscaler "+obj.Name, slices.Concat(annotate(pod, notes), patchOf(fitted))...)
}

// refused returns why the pod could not be created with its decided size, or
// nil. Where that is not known, the template's size is the safe one.
func (s *Sizer) refused(ctx context.Context, pod *corev1.Pod, fitted []podsize.Fitted) *Refusal {
	allowed, err := s.Allowances.Of(ctx, pod.Namespace)
	if err != nil {
		return &Refusal{scale.Waiting, err.Error()}
	}
	sized := *pod
	sized.Spec = *podsize.Sized(&pod.Spec, fitted)
	return refuses(&allowed, pod, &sized)
}

// nobody is the answer for a pod that no object sizes. Whoever names an owner that
// is not there hears the same, and learns nothing of those that are.
const nobody = "no WorkloadAutoscaler sizes it"

// objectOf returns the object that sizes a pod; nil, and why, if none does. Nothing
// is told of any object before the pod's owner is confirmed.
func (s *Sizer) objectOf(ctx context.Context, pod *corev1.Pod) (*v1alpha1.WorkloadAutoscaler, string, error) {
	claims, owned, err := s.claims(ctx, pod)
	switch {
	case errors.Is(err, pods.ErrNotThere):
		log.FromContext(ctx).V(1).Info("A pod names an owner that is not there", "error", err.Error())
		return nil, nobody, nil
	case err != nil:
		return nil, "", err
	case !owned:
		return nil, "the pod belongs to no workload", nil
	}
	why := nobody
	for i := range claims {
		if why, err = s.silent(ctx, &claims[i]); why == "" || err != nil {
			return &claims[i], why, err
		}
	}
	return nil, why, nil
}

// claims are the objects of the workload that a pod belongs to; false if it says that
// it belongs to none. Where nobody claims a workload, it is not even looked at.
func (s *Sizer) claims(ctx context.Context, pod *corev1.Pod) ([]v1alpha1.WorkloadAutoscaler, bool, error) {
	owner, owned, err := s.Owners.OwnerOf(ctx, pod)
	if err != nil || !owned {
		return nil, owned, err
	}
	var claims v1alpha1.WorkloadAutoscalerList
	if err := targetref.List(ctx, s.Objects, owner.Target, &claims); err != nil {
		return nil, true, fmt.Errorf("finding the object of %s: %w", owner, err)
	}
	if len(claims.Items) == 0 {
		return nil, true, nil
	}
	// The target is read as the object names it, in a version that there is.
	return claims.Items, true, s.Owners.Confirm(ctx, pods.Owner{Target: targetref.Of(&claims.Items[0]), UID: owner.UID})
}

// silent says why an object has no say over new pods; empty if it has.
func (s *Sizer) silent(ctx context.Context, obj *v1alpha1.WorkloadAutoscaler) (string, error) {
	switch why, err := s.Permits.Check(ctx, obj); {
	case err != nil:
		return "", err
	case why != nil:
		return why.Message, nil
	}
	if obj.Status.LastDecision == nil {
		return "nothing was decided yet", nil
	}
	if age := s.Clock.Since(obj.Status.LastDecision.At.Time); age > staleAfter {
		return "the last decision is older than " + staleAfter.String(), nil
	}
	return "", nil
}
