package operator

import (
	"context"
	"fmt"
	"os"
	"runtime/debug"
	"slices"

	"github.com/prometheus/client_golang/prometheus"
	autoscalingv2 "k8s.io/api/autoscaling/v2"
	"k8s.io/apimachinery/pkg/runtime"
	clientgoscheme "k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/rest"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/manager"
	ctrlmetrics "sigs.k8s.io/controller-runtime/pkg/metrics"

	"github.com/tidemark/tidemark/api/v1alpha1"
	"github.com/tidemark/tidemark/internal/apply/hpatuner"
	"github.com/tidemark/tidemark/internal/apply/resize"
	"github.com/tidemark/tidemark/internal/controller"
	"github.com/tidemark/tidemark/internal/controller/config"
	"github.com/tidemark/tidemark/internal/controller/metrics"
	"github.com/tidemark/tidemark/internal/controller/webhook"
	"github.com/tidemark/tidemark/internal/controller/webhook/certificate"
	"github.com/tidemark/tidemark/internal/observe/allowance"
	"github.com/tidemark/tidemark/internal/observe/live"
	"github.com/tidemark/tidemark/internal/permit"
	"github.com/tidemark/tidemark/internal/replay"
	"github.com/tidemark/tidemark/internal/shard"
)

// name is how the controller calls itself toward the API server.
const name = "tidemark-controller"

// garbagePercent is by how much the heap grows between two collections. Most of it
// are caches that live as long as their objects. A fifth of what is usual saves a fifth of
// the memory, and takes as much processor time again as workloads at rest need, which is
// little.
const garbagePercent = 20

// saveMemory sets how much garbage there may be, unless the environment does.
func saveMemory() {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(garbagePercent)
	}
}

// Run works until the context ends, and then stops in good order. Reload makes
// it look at its configuration at once.
func Run(ctx context.Context, api *rest.Config, file *config.File, reload <-chan os.Signal) error {
	saveMemory()
	c := file.Now()
	series := &metrics.Workloads{}
	mgr, hook, err := newManager(ctx, api, c, series)
	if err != nil {
		return err
	}
	counted := metrics.NewProcess()
	var loop *controller.Reconciler // It is there before anybody looks, and so before any source wakes it.
	allowances := allowance.NewCached(mgr.GetCache())
	if err := mgr.Add(everyReplica(allowances.Watch)); err != nil {
		return fmt.Errorf("watching what namespaces allow: %w", err)
	}
	observer, err := observe(mgr, file, counted, allowances, func(namespace, name string) { loop.Told(namespace, name) })
	if err != nil {
		return err
	}
	// An invalid shard was refused when the file was read.
	part, _ := shard.Parse(c.Shard)
	keeps, err := recorder(c.Record)
	if err != nil {
		return err
	}
	rules := permit.Rules{Admin: file.Admin, DryRun: c.DryRun}
	loop = controller.New(controller.Config{
		Client: mgr.GetClient(), Direct: mgr.GetAPIReader(), Observer: observer, Appliers: act(mgr, rules, c.Webhook.Enabled, observer),
		Returner: &hpatuner.Returner{Client: mgr.GetClient()}, Backfiller: optional{observer},
		Boosts:  &resize.Boosts{Client: mgr.GetClient(), Clock: wallClock},
		Tuning:  controller.Tuning{Compare: replay.SelfTune, At: c.Tuning.TimeOfDay(), Percent: c.Tuning.CPUPercent},
		Permits: permitsOf(mgr, rules), Clock: wallClock, Events: mgr.GetEventRecorder(name), Metrics: counted, Shard: part, Recorder: keeps,
		Neighbors: neighbors(mgr, c, part),
	})
	series.All = loop.Workloads
	if err := serve(mgr, loop, slices.Concat(counted.Collectors(), metrics.LeadBy(part, leads(mgr.Elected())))); err != nil {
		return err
	}
	if err := loop.SetupWithManager(mgr, c.Concurrency); err != nil {
		return err
	}
	if c.Webhook.Enabled {
		sizer := &webhook.Sizer{
			Objects: mgr.GetClient(), Owners: observer.Pods(), Clock: wallClock, Permits: permitsOf(mgr, rules),
			Allowances: allowances, Events: mgr.GetEventRecorder(name), Largest: observer.Largest, Resizes: resizable(mgr),
		}
		if err := hook.Setup(mgr, namesOf(c.Webhook), sizer); err != nil {
			return fmt.Errorf("setting up the webhook: %w", err)
		}
	}
	counted.SetPaused(c.Admin.Paused)
	file.OnChange = func(a v1alpha1.AdminSettings) {
		counted.SetPaused(a.Paused)
		if err := loop.ReadAgain(ctx); err != nil {
			mgr.GetLogger().Error(err, "New admin settings count from the next look of each object")
		}
	}
	if err := mgr.Add(everyReplica(func(ctx context.Context) error { return file.Watch(ctx, reload, mgr.GetLogger()) })); err != nil {
		return fmt.Errorf("watching the configuration: %w", err)
	}
	mgr.GetLogger().Info("starting", "shard", part.String(), "dryRun", c.DryRun, "paused", c.Admin.Paused)
	return mgr.Start(ctx)
}

// Scheme knows every kind that is read or written.
func Scheme() (*runtime.Scheme, error) {
	scheme := runtime.NewScheme()
	for _, add := range []func(*runtime.Scheme) error{clientgoscheme.AddToScheme, live.AddToScheme, autoscalingv2.AddToScheme} {
		if err := add(scheme); err != nil {
			return nil, fmt.Errorf("registering kinds: %w", err)
		}
	}
	return scheme, nil
}

// leads tells whether this process leads. It is elected once in its life: who loses
// the lease ends. Without an election it is as good as elected when its caches are filled.
func leads(elected <-chan struct{}) func() bool {
	return func() bool {
		select {
		case <-elected:
			return true
		default:
			return false
		}
	}
}

// serve registers the series and the health checks.
func serve(mgr ctrl.Manager, loop *controller.Reconciler, counted []prometheus.Collector) error {
	for _, c := range slices.Concat(counted, []prometheus.Collector{metrics.OverdueBy(loop.Overdue)}, metrics.BoostedBy(loop.BoostedPods)) {
		if err := ctrlmetrics.Registry.Register(c); err != nil {
			return fmt.Errorf("registering metrics: %w", err)
		}
	}
	return addHealth(mgr, loop.Alive)
}

func namesOf(w config.Webhook) certificate.Names {
	return certificate.Names{Namespace: w.Namespace, Secret: w.Secret, Service: w.Service, Configuration: w.Configuration}
}

// everyReplica is a task that does not wait for the leadership.
type everyReplica func(context.Context) error

var _ manager.LeaderElectionRunnable = everyReplica(nil)

// Start does the task.
func (e everyReplica) Start(ctx context.Context) error { return e(ctx) }

// NeedLeaderElection is false: a replica that stands by reads its configuration
// too.
func (e everyReplica) NeedLeaderElection() bool { return false }
