package vpa

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/runtime"
	vpav1 "k8s.io/autoscaler/vertical-pod-autoscaler/pkg/apis/autoscaling.k8s.io/v1"
	"k8s.io/utils/clock"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/tidemark/tidemark/api/v1alpha1"
	"github.com/tidemark/tidemark/internal/observe/quantity"
	"github.com/tidemark/tidemark/scale"
)

// Why there is no recommendation. Each says what to do.
var (
	ErrNoKind = errors.New("the cluster does not know VerticalPodAutoscalers: install the VPA's CustomResourceDefinitions and its " +
		"recommender, or set vertical.source to BuiltIn")
	ErrNotFound  = errors.New("there is no VerticalPodAutoscaler of that name: create it, or correct vertical.vpaName")
	ErrNotSynced = errors.New("VerticalPodAutoscalers cannot be watched: grant the controller's role get, list and watch on " +
		"verticalpodautoscalers in autoscaling.k8s.io")
	ErrOurs = errors.New("it only shows what Tidemark decides: name in vertical.vpaName one that another recommender looks after, or set vertical.source " +
		"to BuiltIn")
	ErrNothingYet = errors.New("it has no recommendation yet: if that lasts, look at the VPA's recommender")
)

// recommenderName is that of the VerticalPodAutoscalers that we write. Who follows
// them follows itself.
const recommenderName = v1alpha1.RecommenderName

const (
	// cacheWait is how long the watch may take to begin.
	cacheWait = 5 * time.Second
	// askAgain is how long a kind that is not there, or that we may not watch, is left
	// alone, since each try looks at what the API server has. A watch that has only not
	// begun yet is looked at again sooner: once the API server is back, it is there
	// within a period.
	askAgain, askSoon = time.Minute, 10 * time.Second
)

// AddToScheme teaches a scheme the VPA's kinds.
func AddToScheme(s *runtime.Scheme) error { return vpav1.AddToScheme(s) }

// Reader reads recommendations. It may be used from many goroutines.
type Reader struct {
	cache client.Reader
	clock clock.PassiveClock

	mu     sync.Mutex
	closed error
	until  time.Time
}

// New returns a reader over a cache whose scheme knows the VPA's kinds.
func New(cache client.Reader, c clock.PassiveClock) *Reader { return &Reader{cache: cache, clock: c} }

// Recommendations returns what a VerticalPodAutoscaler recommends, in its own
// order.
func (r *Reader) Recommendations(ctx context.Context, namespace, name string) ([]scale.Recommendation, error) {
	found, err := r.read(ctx, client.ObjectKey{Namespace: namespace, Name: name})
	if err != nil {
		return nil, fmt.Errorf("reading VerticalPodAutoscaler %s/%s: %w", namespace, name, err)
	}
	if by := found.Spec.Recommenders; len(by) == 1 && by[0] != nil && by[0].Name == recommenderName {
		return nil, fmt.Errorf("reading VerticalPodAutoscaler %s/%s: %w", namespace, name, ErrOurs)
	}
	recommended := found.Status.Recommendation
	if recommended == nil || len(recommended.ContainerRecommendations) == 0 {
		return nil, fmt.Errorf("reading VerticalPodAutoscaler %s/%s: %w", namespace, name, ErrNothingYet)
	}
	out := make([]scale.Recommendation, 0, len(recommended.ContainerRecommendations))
	for i := range recommended.ContainerRecommendations {
		c := &recommended.ContainerRecommendations[i]
		out = append(out, scale.Recommendation{Container: c.ContainerName, PerPod: quantity.Requests(c.Target)})
	}
	return out, nil
}

func (r *Reader) read(ctx context.Context, key client.ObjectKey) (*vpav1.VerticalPodAutoscaler, error) {
	if err := r.isClosed(); err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(ctx, cacheWait)
	defer cancel()
	found := &vpav1.VerticalPodAutoscaler{}
	err := r.cache.Get(ctx, key, found, &client.GetOptions{UnsafeDisableDeepCopy: new(true)})
	switch {
	case err == nil:
		return found, nil
	case meta.IsNoMatchError(err):
		return nil, r.close(ErrNoKind, askAgain)
	case apierrors.IsNotFound(err):
		return nil, ErrNotFound
	case apierrors.IsForbidden(err):
		return nil, r.close(ErrNotSynced, askAgain)
	case apierrors.IsTimeout(err) || errors.Is(err, context.DeadlineExceeded):
		return nil, r.close(ErrNotSynced, askSoon)
	}
	return nil, err
}

func (r *Reader) isClosed() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.clock.Now().Before(r.until) {
		return r.closed
	}
	return nil
}

func (r *Reader) close(why error, until time.Duration) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.closed, r.until = why, r.clock.Now().Add(until)
	return why
}
