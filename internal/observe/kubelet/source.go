package kubelet

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"sync"
	"time"

	"github.com/go-logr/logr"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/rest"
	"k8s.io/utils/clock"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/tidemark/tidemark/internal/observe/metricsapi"
	"github.com/tidemark/tidemark/internal/observe/snapshot"
	"github.com/tidemark/tidemark/scale"
)

// Name is this source's, as requests to it are counted.
const Name = "kubelet"

const (
	// defaultPatience is Config's.
	defaultPatience = 2 * time.Second
	// requestTime bounds one request, atOnce how many are under way.
	requestTime = 5 * time.Second
	atOnce      = 16
	// longestPeriod is up to which age an answer is worth a request. Two readings
	// of those who ask more rarely make no rate.
	longestPeriod = longestWindow / 2
	// forgetAfter is when a node is forgotten that nobody asks for.
	forgetAfter = 10 * time.Minute
)

// Config is what a Source asks with.
type Config struct {
	// API reads nodes and makes tokens, past any cache: a cache of nodes would
	// need the right to watch all of them.
	API client.Client
	// REST has the authority that signs the kubelets' certificates, unless CAFile
	// names another.
	REST   *rest.Config
	CAFile string
	// Nodes are those that are asked.
	Nodes labels.Selector
	// Account is the service account whose token the kubelets are shown.
	Account types.NamespacedName
	// Every is the least time between two requests to a kubelet.
	Every time.Duration
	// Patience is how long one look waits for all of its nodes; 2 s by default. An
	// answer that comes later serves the next look.
	Patience time.Duration
	Log      logr.Logger
}

// Source asks kubelets. It may be used from many goroutines.
type Source struct {
	config  Config
	answers *snapshot.Store
	clock   clock.PassiveClock
	client  *http.Client
	slots   chan struct{}
	rights  rights

	mu    sync.Mutex
	nodes map[string]*tracked
	swept time.Time
}

// tracked is a node, and when someone last asked for it.
type tracked struct {
	node
	used time.Time
}

// New returns a source that shares its answers through the store.
func New(c Config, answers *snapshot.Store, now clock.PassiveClock) (*Source, error) {
	if c.Patience <= 0 {
		c.Patience = defaultPatience
	}
	transport, err := newTransport(c)
	if err != nil {
		return nil, err
	}
	return &Source{
		config: c, answers: answers, clock: now, slots: make(chan struct{}, atOnce), nodes: map[string]*tracked{},
		client: &http.Client{
			Transport: transport, Timeout: requestTime,
			// A token must not go to where an answer points.
			CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		},
		rights: rights{clock: now, log: c.Log},
	}, nil
}

// Usage returns what pods of a namespace use, by their names, as far as the
// kubelets of their nodes say it. A pod that is missing has to be asked for
// elsewhere. The error is about rights that are missing, so that no kubelet is
// asked at all. During a look, kubelets that are under way are missing.
func (s *Source) Usage(ctx context.Context, pods []*corev1.Pod, maxAge time.Duration) (metricsapi.Usage, error) {
	if maxAge > longestPeriod {
		return nil, nil
	}
	if tryAgain, err := s.rights.missing(); err != nil && !tryAgain {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(ctx, s.config.Patience)
	defer cancel()
	byNode := map[string][]*corev1.Pod{}
	for _, pod := range pods {
		if name := pod.Spec.NodeName; name != "" && pod.Status.Phase == corev1.PodRunning {
			byNode[name] = append(byNode[name], pod)
		}
	}
	out := metricsapi.Usage{}
	var mu sync.Mutex
	var all sync.WaitGroup
	for name, on := range byNode {
		t := s.track(name)
		all.Go(func() {
			// A node that does not answer is a gap. Its failures are counted.
			used, err := s.ask(ctx, name, t, max(maxAge, s.config.Every))
			if err != nil {
				return
			}
			mu.Lock()
			defer mu.Unlock()
			for _, pod := range on {
				key := types.NamespacedName{Namespace: pod.Namespace, Name: pod.Name}
				if of, known := used[key]; known && covers(of, pod) {
					out[pod.Name] = of
					t.show(key, of.At)
				}
			}
		})
	}
	all.Wait()
	_, err := s.rights.missing()
	return out, err
}

// Nodes returns what everything on some nodes uses of the cpu, as far as their
// kubelets say it.
func (s *Source) Nodes(ctx context.Context, names []string, maxAge time.Duration) map[string]metricsapi.NodeUsage {
	out := map[string]metricsapi.NodeUsage{}
	if tryAgain, err := s.rights.missing(); maxAge > longestPeriod || err != nil && !tryAgain {
		return out
	}
	ctx, cancel := context.WithTimeout(ctx, s.config.Patience)
	defer cancel()
	var mu sync.Mutex
	var all sync.WaitGroup
	for _, name := range names {
		all.Go(func() {
			used, err := s.ask(ctx, name, s.track(name), max(maxAge, s.config.Every))
			of, known := used[wholeNode.pod]
			if err != nil || !known {
				return
			}
			if cpu, usable := of.Containers[0].Usage.Get(scale.CPU); usable {
				mu.Lock()
				defer mu.Unlock()
				out[name] = metricsapi.NodeUsage{At: of.At, CPU: cpu}
			}
		})
	}
	all.Wait()
	return out
}

// Shown returns when the usage of a pod was measured that was last answered, or
// zero. What someone else measured before is of another time: after a high value
// that was true an older low one must not be taken for news.
func (s *Source) Shown(pod *corev1.Pod) time.Time {
	s.mu.Lock()
	t := s.nodes[pod.Spec.NodeName]
	s.mu.Unlock()
	if t == nil {
		return time.Time{}
	}
	return t.shownAt(types.NamespacedName{Namespace: pod.Namespace, Name: pod.Name})
}

// covers tells whether a usage has every container of its pod. One that has not
// would make the pod look smaller than it is.
func covers(of metricsapi.PodUsage, pod *corev1.Pod) bool {
	has := func(name string) bool {
		return slices.ContainsFunc(of.Containers, func(m metricsapi.ContainerUsage) bool { return m.Name == name })
	}
	lacks := func(c corev1.Container) bool { return !has(c.Name) }
	sidecar := func(c corev1.Container) bool {
		return c.RestartPolicy != nil && *c.RestartPolicy == corev1.ContainerRestartPolicyAlways
	}
	return !slices.ContainsFunc(pod.Spec.Containers, lacks) &&
		!slices.ContainsFunc(pod.Spec.InitContainers, func(c corev1.Container) bool { return sidecar(c) && lacks(c) })
}

// ask returns what the pods of a node use.
func (s *Source) ask(ctx context.Context, name string, t *tracked, maxAge time.Duration) (usage, error) {
	return snapshot.Get(ctx, s.answers, snapshot.Query[usage]{
		Key: snapshot.Key{Source: Name, Query: name}, MaxAge: maxAge,
		Fetch: func(ctx context.Context) (usage, error) {
			select {
			case s.slots <- struct{}{}:
				defer func() { <-s.slots }()
			case <-ctx.Done():
				return nil, errBusy
			}
			failure := t.lastFailure()
			readings, span, err := s.fetch(ctx, name, failure)
			if err != nil {
				t.fail(err)
				if missing := (refusal{}); failure == nil && !errors.As(err, &missing) {
					s.config.Log.Info("a kubelet gives no answer: for its pods metrics-server is asked", "node", name, "error", err.Error())
				}
				return nil, fmt.Errorf("asking the kubelet of node %s: %w", name, err)
			}
			return t.take(readings, span.after, span.before), nil
		},
	})
}

// track returns what is known of a node, and forgets those that nobody asks for.
func (s *Source) track(name string) *tracked {
	now := s.clock.Now()
	s.mu.Lock()
	defer s.mu.Unlock()
	if now.Sub(s.swept) > forgetAfter || now.Before(s.swept) {
		s.swept = now
		for other, t := range s.nodes {
			if now.Sub(t.used) > forgetAfter {
				delete(s.nodes, other)
			}
		}
	}
	t := s.nodes[name]
	if t == nil {
		t = &tracked{}
		s.nodes[name] = t
	}
	t.used = now
	return t
}
