package nodes

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/go-logr/logr"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/tidemark/tidemark/internal/observe/metricsapi"
	"github.com/tidemark/tidemark/internal/observe/quantity"
	"github.com/tidemark/tidemark/internal/observe/snapshot"
	"github.com/tidemark/tidemark/scale"
)

// Name is this source's, as requests to it are counted.
const Name = "nodes"

const (
	// sizeAge is how old the list of nodes may be: what a node has for pods hardly
	// ever changes. newAge is the same where a pod is on a node that is not in it.
	sizeAge = 5 * time.Minute
	newAge  = time.Minute
	// page is how many nodes are asked for at once. A node takes some 10 KiB.
	page = 500
	// leastAge is how old the list of what nodes use may always be: metrics-server
	// measures every 15 s, and every 10 s at the most.
	leastAge = 5 * time.Second
	// patience is how long one look waits for both lists. An answer that comes
	// later serves the next look.
	patience = 2 * time.Second
)

// Config is what a Source asks with.
type Config struct {
	// API reads nodes past any cache: a cache of nodes would need the right to
	// watch all of them.
	API client.Reader
	// Daemons lists the pods that run on every node.
	Daemons func(ctx context.Context) ([]*corev1.Pod, error)
	Metrics *metricsapi.Client
	Answers *snapshot.Store
	Log     logr.Logger
}

// Source knows the nodes of the cluster. It may be used from many goroutines.
type Source struct {
	config Config

	mu sync.Mutex
	// told is what was last logged; empty while the lists can be had.
	told string
}

// New returns a source that shares its answers through the store.
func New(c Config) *Source { return &Source{config: c} }

// Used is what nodes use, by their names.
type Used map[string]metricsapi.NodeUsage

// Known returns what is known of some nodes, of which someone may have said already
// what they use. A node that is missing is not known. The error says why none is.
func (s *Source) Known(ctx context.Context, names []string, said Used, maxAge time.Duration) (map[string]Node, error) {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	known, err := s.known(ctx, names, said, max(maxAge, leastAge))
	if errors.Is(err, context.DeadlineExceeded) || errors.As(err, new(*snapshot.UnderWay)) {
		return nil, nil
	}
	if err != nil {
		err = fmt.Errorf("the room of the nodes is not known: %w", err)
	}
	s.tell(err)
	return known, err
}

func (s *Source) known(ctx context.Context, names []string, said Used, maxAge time.Duration) (map[string]Node, error) {
	used, err := s.used(ctx, names, said, maxAge)
	if err != nil {
		return nil, err
	}
	sizes, err := s.sizes(ctx, sizeAge)
	if err == nil && slices.ContainsFunc(names, missingIn(sizes)) {
		sizes, err = s.sizes(ctx, newAge)
	}
	if err != nil {
		return nil, err
	}
	out := make(map[string]Node, len(names))
	for _, name := range names {
		size, has := sizes[name]
		if of, measured := used[name]; has && measured {
			cpu, _ := size.allocatable.Get(scale.CPU)
			out[name] = Node{Allocatable: cpu, Used: of.CPU, At: of.At}
		}
	}
	return out, nil
}

// used adds to what was said what metrics-server says of the other nodes.
func (s *Source) used(ctx context.Context, names []string, said Used, maxAge time.Duration) (Used, error) {
	if !slices.ContainsFunc(names, missingIn(said)) {
		return said, nil
	}
	listed, err := s.config.Metrics.Nodes(ctx, maxAge)
	if err != nil || len(said) == 0 {
		return listed, err
	}
	out := Used(maps.Clone(listed))
	maps.Copy(out, said)
	return out, nil
}

func missingIn[T any](known map[string]T) func(name string) bool {
	return func(name string) bool {
		_, has := known[name]
		return !has
	}
}

// size is what a node has for pods, and what of it daemons request.
type size struct{ allocatable, daemons scale.Resources }

// sizes are those of all nodes.
func (s *Source) sizes(ctx context.Context, maxAge time.Duration) (map[string]size, error) {
	return snapshot.Get(ctx, s.config.Answers, snapshot.Query[map[string]size]{
		Key: snapshot.Key{Source: Name}, MaxAge: maxAge, Valid: snapshot.ValidFor(maxAge), Fetch: s.list,
	})
}

func (s *Source) list(ctx context.Context) (map[string]size, error) {
	daemons, err := s.daemons(ctx)
	if err != nil {
		return nil, err
	}
	out := map[string]size{}
	for next := ""; ; {
		var list corev1.NodeList
		switch err := s.config.API.List(ctx, &list, client.Limit(page), client.Continue(next)); {
		case apierrors.IsForbidden(err) || apierrors.IsUnauthorized(err):
			return nil, fmt.Errorf("grant the controller's role list on nodes (%w)", err)
		case err != nil:
			return nil, fmt.Errorf("listing nodes: %w", err)
		}
		for i := range list.Items {
			has := quantity.Requests(list.Items[i].Status.Allocatable)
			if cpu, _ := has.Get(scale.CPU); cpu > 0 {
				out[list.Items[i].Name] = size{allocatable: has, daemons: daemons[list.Items[i].Name]}
			}
		}
		if next = list.Continue; next == "" {
			return out, nil
		}
	}
}

// tell logs what keeps the lists away, and that nothing does any more, once each.
func (s *Source) tell(err error) {
	why := ""
	if err != nil {
		why = err.Error()
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case why == s.told:
	case why == "":
		s.config.Log.Info("The room of nodes is known again")
	case s.told == "":
		s.config.Log.Error(err, "The room of nodes is not known")
	}
	s.told = why
}
