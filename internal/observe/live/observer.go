package live

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/go-logr/logr"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/client-go/discovery"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/rest"
	scaleclient "k8s.io/client-go/scale"
	"k8s.io/utils/clock"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/tidemark/tidemark/api/v1alpha1"
	"github.com/tidemark/tidemark/internal/observe"
	"github.com/tidemark/tidemark/internal/observe/allowance"
	"github.com/tidemark/tidemark/internal/observe/kubelet"
	"github.com/tidemark/tidemark/internal/observe/metricsapi"
	"github.com/tidemark/tidemark/internal/observe/nodes"
	"github.com/tidemark/tidemark/internal/observe/pods"
	"github.com/tidemark/tidemark/internal/observe/podview"
	"github.com/tidemark/tidemark/internal/observe/recommender"
	"github.com/tidemark/tidemark/internal/observe/scaler"
	"github.com/tidemark/tidemark/internal/observe/snapshot"
	"github.com/tidemark/tidemark/internal/observe/target"
	"github.com/tidemark/tidemark/internal/observe/vpa"
	"github.com/tidemark/tidemark/internal/targetref"
	"github.com/tidemark/tidemark/scale"
)

// Config is what an Observer looks with.
type Config struct {
	// Cache is the manager's, prepared by Setup; Indexer is its too.
	Cache   client.Reader
	Indexer client.FieldIndexer
	// Live reads past the cache, for the owner of a brand-new pod and for the
	// nodes.
	Live client.Reader
	// REST is how the API server is reached, and Mapper knows its kinds.
	REST   *rest.Config
	Mapper meta.RESTMapper
	Clock  clock.PassiveClock
	// Admin returns the administrator's settings of the moment.
	Admin func() v1alpha1.AdminSettings
	// Kubelets, when set, are asked for the usage of pods before metrics-server
	// is.
	Kubelets *kubelet.Config
	// OnFetch, when set, is told of every request to a source, and OnUsage of how
	// old the usage of a pod is that a look found.
	OnFetch func(snapshot.Fetched)
	OnUsage func(source string, age time.Duration)
	// OnWork, when set, is told that the work of an object has begun, where its
	// source tells by itself.
	OnWork func(namespace, name string)
	Log    logr.Logger
	// Allowances, when set, knows what namespaces allow their pods.
	Allowances Allowances
}

// Allowances tells what a namespace allows. It answers at once, or with an error.
type Allowances interface {
	Of(ctx context.Context, namespace string) (allowance.Allowance, error)
}

// Observer looks at the cluster. It implements observe.Observer.
type Observer struct {
	cache      client.Reader
	scales     scaleclient.ScalesGetter
	targets    *target.Reader
	pods       *pods.Index
	metrics    *metricsapi.Client
	prometheus *server
	vpas       *vpa.Reader
	services   *recommender.Client
	scalers    *scaler.Client
	nodes      *nodes.Source
	// allowances is nil where nobody watches them.
	allowances Allowances
	// kubelets is nil where they are not asked.
	kubelets *kubelet.Source
	clock    clock.PassiveClock
	onUsage  func(source string, age time.Duration)
}

var _ observe.Observer = (*Observer)(nil)

// New returns an observer.
func New(c Config) (*Observer, error) {
	answers := snapshot.New(snapshot.Config{Clock: c.Clock, OnFetch: c.OnFetch})
	metrics, err := metricsapi.New(c.REST, c.Mapper, answers)
	if err != nil {
		return nil, err
	}
	scales, err := newScales(c)
	if err != nil {
		return nil, err
	}
	objects, err := dynamic.NewForConfig(c.REST)
	if err != nil {
		return nil, fmt.Errorf("setting up the dynamic client: %w", err)
	}
	kubelets, err := newKubelets(c, answers)
	if err != nil {
		return nil, err
	}
	targets := target.New(target.Config{Cache: c.Cache, Mapper: c.Mapper, Scales: scales, Objects: objects, Answers: answers})
	index := pods.NewIndex(pods.Config{Cache: c.Cache, Indexer: c.Indexer, Targets: targets, Live: c.Live})
	return &Observer{
		cache:      c.Cache,
		scales:     scales,
		targets:    targets,
		pods:       index,
		metrics:    metrics,
		prometheus: &server{admin: c.Admin, answers: answers},
		vpas:       vpa.New(c.Cache, c.Clock),
		services:   recommender.New(func() []string { return c.Admin().AllowedRecommenderHosts }, answers),
		scalers:    scaler.New(scaler.Config{Admin: c.Admin, Answers: answers, Wake: c.OnWork}),
		nodes:      nodes.New(nodes.Config{API: c.Live, Daemons: index.Daemons, Metrics: metrics, Answers: answers, Log: c.Log.WithName(nodes.Name)}),
		allowances: c.Allowances,
		kubelets:   kubelets,
		clock:      c.Clock,
		onUsage:    c.OnUsage,
	}, nil
}

func newKubelets(c Config, answers *snapshot.Store) (*kubelet.Source, error) {
	if c.Kubelets == nil {
		return nil, nil
	}
	return kubelet.New(*c.Kubelets, answers, c.Clock)
}

func newScales(c Config) (scaleclient.ScalesGetter, error) {
	groups, err := discovery.NewDiscoveryClientForConfig(c.REST)
	if err != nil {
		return nil, fmt.Errorf("setting up discovery: %w", err)
	}
	// The resolver remembers what it has found. A kind that it has not found may
	// be installed later, so discovery itself must not be cached.
	kinds := scaleclient.NewDiscoveryScaleKindResolver(groups)
	// The client changes the configuration that it is given.
	scales, err := scaleclient.NewForConfig(rest.CopyConfig(c.REST), c.Mapper, dynamic.LegacyAPIPathResolverFunc, kinds)
	if err != nil {
		return nil, fmt.Errorf("setting up the scale client: %w", err)
	}
	return scales, nil
}

// Scales returns the client of scale subresources, for whoever changes them.
func (o *Observer) Scales() scaleclient.ScalesGetter { return o.scales }

// Pods returns the index of pods, for whoever changes them.
func (o *Observer) Pods() *pods.Index { return o.pods }

// Largest is the most of each resource that some node has for a pod; empty where that
// is not known.
func (o *Observer) Largest(ctx context.Context) scale.Resources { return o.nodes.Largest(ctx) }

// look is one look at a workload.
type look struct {
	observe.Request
	obs scale.Observation
	// running are the pods as the cluster has them, in the order of obs.Pods.
	running []*corev1.Pod
	// fresh is what kubelets said of them.
	fresh    metricsapi.Usage
	problems []string
	// atEnd is done once the look is over, and nothing is under way.
	atEnd []func()
}

func newLook(req observe.Request) *look {
	return &look{Request: req, obs: scale.Observation{At: req.At, Samples: make([]scale.Sample, len(req.Policy.Horizontal.Metrics))}}
}

func (l *look) end() {
	for _, do := range l.atEnd {
		do()
	}
}

// problem notes what an administrator should know of.
func (l *look) problem(err error) { l.problems = append(l.problems, err.Error()) }

// Observe looks at an object's target and at its metrics.
func (o *Observer) Observe(ctx context.Context, req observe.Request) (observe.Result, error) {
	if req.Look == nil {
		l := newLook(req)
		defer l.end()
		return o.pass(ctx, l)
	}
	for {
		l := newLook(req)
		seen, err := o.pass(snapshot.During(ctx, req.Look), l)
		parked := req.Look.Park(o.clock.Now())
		if parked == nil {
			l.end()
			seen.Problems = append(seen.Problems, req.Look.Aged()...)
			return seen, err
		}
		if under, _ := errors.AsType[*snapshot.UnderWay](parked); under.Wait > 0 {
			return observe.Result{}, parked
		}
		// What was under way has come meanwhile.
	}
}

// pass looks once.
func (o *Observer) pass(ctx context.Context, l *look) (observe.Result, error) {
	t := targetref.Of(l.Object)
	workload, err := o.targets.Read(ctx, t)
	if err != nil {
		return observe.Result{}, err
	}
	running, err := o.pods.OfScale(ctx, t, workload)
	if err != nil {
		l.problem(err)
	} else {
		l.running, l.obs.Pods = running, seenPods(running)
	}
	l.obs.Target = scale.Target{
		SpecReplicas: workload.SpecReplicas, StatusReplicas: workload.StatusReplicas, Containers: target.Now(workload.Containers, running),
		Template: workload.Containers, Refused: workload.Refused,
	}
	if err := o.tunedHPA(ctx, l); err != nil {
		return observe.Result{}, err
	}
	for _, s := range sources {
		s.look(o, ctx, l)
	}
	if err := ctx.Err(); err != nil {
		// What a canceled look has seen is nobody's business any more.
		return observe.Result{}, context.Cause(ctx)
	}
	return observe.Result{Observation: l.obs, Selector: workload.Selector, TargetUID: workload.UID, Problems: l.problems}, nil
}

// seenPods is never nil: no pods are something else than pods nobody listed.
func seenPods(running []*corev1.Pod) []scale.Pod {
	out := make([]scale.Pod, len(running))
	for i, pod := range running {
		out[i] = podview.Of(pod)
	}
	return out
}
