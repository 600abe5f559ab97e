package webhook

import (
	"context"
	"fmt"
	"slices"
	"time"

	admissionregistrationv1 "k8s.io/api/admissionregistration/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	toolscache "k8s.io/client-go/tools/cache"
	"k8s.io/utils/clock"
	"sigs.k8s.io/controller-runtime/pkg/cache"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/log"

	"github.com/tidemark/tidemark/api/v1alpha1"
	"github.com/tidemark/tidemark/internal/apply/podsize"
)

// Scope keeps the webhook's configuration to the namespaces that have an object
// that sizes pods. The API server asks about their pods and about no others, so
// that nobody else waits for a controller that does not answer.
type Scope struct {
	// Configuration is the name of the MutatingWebhookConfiguration.
	Configuration string
	// Objects are cached; Direct reads past the cache, and Writer writes.
	Objects cache.Cache
	Direct  client.Reader
	Writer  client.Writer
	Clock   clock.WithTicker

	// names are those that were last seen in the configuration.
	names []string
}

const (
	// scopePeriod is how often the configuration is looked at when nothing
	// calls for it: an upgrade may have written it anew.
	scopePeriod = 5 * time.Minute
	// scopeRetry is how soon it is tried again, and how long objects that come
	// together are waited for.
	scopeRetry  = 5 * time.Second
	scopeGather = 50 * time.Millisecond
)

// NeedLeaderElection is true: one writes.
func (s *Scope) NeedLeaderElection() bool { return true }

// Start writes whenever an object comes, changes or goes, until the context
// ends.
func (s *Scope) Start(ctx context.Context) error {
	informer, err := s.Objects.GetInformer(ctx, &v1alpha1.WorkloadAutoscaler{})
	if err != nil {
		return fmt.Errorf("watching objects for the webhook: %w", err)
	}
	changed := make(chan struct{}, 1)
	tell := func() {
		select {
		case changed <- struct{}{}:
		default:
		}
	}
	// A status is written often and changes nothing here.
	handler, err := informer.AddEventHandler(toolscache.ResourceEventHandlerFuncs{
		AddFunc: func(any) { tell() }, DeleteFunc: func(any) { tell() },
		UpdateFunc: func(before, after any) {
			if one, other := before.(client.Object), after.(client.Object); one.GetGeneration() != other.GetGeneration() {
				tell()
			}
		},
	})
	if err != nil {
		return fmt.Errorf("watching objects for the webhook: %w", err)
	}
	defer func() { _ = informer.RemoveEventHandler(handler) }()
	for {
		wait := scopePeriod
		if err := s.round(ctx); err != nil {
			log.FromContext(ctx).Error(err, "The webhook's namespaces are not in order; it is tried again")
			s.names, wait = nil, scopeRetry
		}
		select {
		case <-ctx.Done():
			return nil
		case <-changed:
			s.Clock.Sleep(scopeGather)
		case <-s.Clock.After(wait):
			s.names = nil // look, whatever there should be
		}
	}
}

// round writes the namespaces if they are not what the configuration has.
func (s *Scope) round(ctx context.Context) error {
	var objects v1alpha1.WorkloadAutoscalerList
	if err := s.Objects.List(ctx, &objects, client.UnsafeDisableDeepCopyOption(true)); err != nil {
		return fmt.Errorf("listing objects: %w", err)
	}
	only := scopeOf(objects.Items)
	if slices.Equal(only, s.names) {
		return nil // another object of a namespace that has one costs no request
	}
	var config admissionregistrationv1.MutatingWebhookConfiguration
	if err := s.Direct.Get(ctx, types.NamespacedName{Name: s.Configuration}, &config); err != nil {
		return fmt.Errorf("reading the MutatingWebhookConfiguration %s: %w", s.Configuration, err)
	}
	before := config.DeepCopy()
	for i := range config.Webhooks {
		config.Webhooks[i].NamespaceSelector = narrowed(config.Webhooks[i].NamespaceSelector, only)
	}
	if equality.Semantic.DeepEqual(before, &config) {
		s.names = only
		return nil
	}
	// The version that was read is a precondition: someone may have been faster.
	if err := s.Writer.Update(ctx, &config); err != nil {
		return fmt.Errorf("writing the MutatingWebhookConfiguration %s: %w", s.Configuration, err)
	}
	s.names = only
	return nil
}

// scopeOf are the namespaces of objects that size pods. Where there are none it
// is a name that no namespace has, because a selector cannot name nothing.
func scopeOf(objects []v1alpha1.WorkloadAutoscaler) []string {
	var names []string
	for i := range objects {
		if podsize.RulesOf(&objects[i].Spec).Any() {
			names = append(names, objects[i].Namespace)
		}
	}
	slices.Sort(names)
	if names = slices.Compact(names); len(names) > 0 {
		return names
	}
	return []string{""}
}

// narrowed is a selector with these namespaces as a further condition, in place
// of those it had. What the installation asks for stays.
func narrowed(selector *metav1.LabelSelector, names []string) *metav1.LabelSelector {
	out := &metav1.LabelSelector{}
	if selector != nil {
		out = selector.DeepCopy()
	}
	out.MatchExpressions = slices.DeleteFunc(out.MatchExpressions, func(r metav1.LabelSelectorRequirement) bool {
		return r.Key == corev1.LabelMetadataName && r.Operator == metav1.LabelSelectorOpIn
	})
	out.MatchExpressions = append(out.MatchExpressions, metav1.LabelSelectorRequirement{
		Key: corev1.LabelMetadataName, Operator: metav1.LabelSelectorOpIn, Values: names,
	})
	return out
}
