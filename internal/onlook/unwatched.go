package onlook

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/rest"
	"k8s.io/utils/clock"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/tidemark/tidemark/api/v1alpha1"
	"github.com/tidemark/tidemark/internal/observe/allowance"
	"github.com/tidemark/tidemark/internal/observe/live"
	"github.com/tidemark/tidemark/internal/observe/pods"
)

// The most requests that looks make, in a second and at once: whoever looks must
// not be felt by those who are looked at.
const (
	requests = 30
	burst    = 60
)

// Unwatched returns an onlooker that asks the API server at each look, and the
// client it asks with.
func Unwatched(config *rest.Config) (*Onlooker, client.Client, error) {
	scheme := runtime.NewScheme()
	if err := live.AddToScheme(scheme); err != nil {
		return nil, nil, err
	}
	config = rest.CopyConfig(config)
	config.QPS, config.Burst, config.WarningHandler = requests, burst, rest.NoWarnings{}
	api, err := client.New(config, client.Options{Scheme: scheme})
	if err != nil {
		return nil, nil, fmt.Errorf("preparing the client: %w", err)
	}
	observer, err := live.New(live.Config{
		Cache: pods.Direct{Reader: api}, Indexer: unindexed{}, Live: api, REST: config, Mapper: api.RESTMapper(), Clock: clock.RealClock{},
		Admin: func() v1alpha1.AdminSettings { return v1alpha1.AdminSettings{} }, Allowances: &allowances{api: api, known: map[string]allowed{}},
	})
	if err != nil {
		return nil, nil, err
	}
	return &Onlooker{Observer: observer, Direct: api, Usage: true}, api, nil
}

// unindexed adds no index: pods.Direct does without.
type unindexed struct{}

func (unindexed) IndexField(context.Context, client.Object, string, client.IndexerFunc) error {
	return nil
}

// How long what a namespace allows is taken to hold, and of how many namespaces it
// is kept.
const (
	allowedFor     = 30 * time.Second
	mostNamespaces = 1000
)

// allowances asks what namespaces allow.
type allowances struct {
	api client.Reader

	mu    sync.Mutex
	known map[string]allowed
}

type allowed struct {
	allowance.Allowance
	at  time.Time
	err error
}

// Of returns what a namespace allows.
func (a *allowances) Of(ctx context.Context, namespace string) (allowance.Allowance, error) {
	a.mu.Lock()
	known, there := a.known[namespace]
	a.mu.Unlock()
	if there && time.Since(known.at) < allowedFor {
		return known.Allowance, known.err
	}
	var ranges corev1.LimitRangeList
	var quotas corev1.ResourceQuotaList
	err := errors.Join(a.api.List(ctx, &ranges, client.InNamespace(namespace)), a.api.List(ctx, &quotas, client.InNamespace(namespace)))
	known = allowed{allowance.Allowance{LimitRanges: ranges.Items, Quotas: quotas.Items}, time.Now(), err}
	a.mu.Lock()
	defer a.mu.Unlock()
	if len(a.known) >= mostNamespaces {
		clear(a.known)
	}
	a.known[namespace] = known
	return known.Allowance, err
}
