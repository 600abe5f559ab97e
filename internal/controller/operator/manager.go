package operator

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/go-logr/logr"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/leaderelection/resourcelock"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/cache"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/healthz"
	ctrlmetrics "sigs.k8s.io/controller-runtime/pkg/metrics"
	"sigs.k8s.io/controller-runtime/pkg/metrics/filters"
	metricsserver "sigs.k8s.io/controller-runtime/pkg/metrics/server"

	"github.com/tidemark/tidemark/api/v1alpha1"
	"github.com/tidemark/tidemark/internal/controller"
	"github.com/tidemark/tidemark/internal/controller/config"
	"github.com/tidemark/tidemark/internal/controller/lead"
	"github.com/tidemark/tidemark/internal/controller/metrics"
	"github.com/tidemark/tidemark/internal/controller/webhook"
	"github.com/tidemark/tidemark/internal/observe/live"
	"github.com/tidemark/tidemark/internal/shard"
	"github.com/tidemark/tidemark/internal/targetref"
)

// graceTime is how long everything may take to stop. It is shorter than the 30 s
// that the kubelet gives by default.
const graceTime = 25 * time.Second

// newManager makes the manager with its caches and their indexes.
func newManager(ctx context.Context, api *rest.Config, c config.Controller, series *metrics.Workloads) (ctrl.Manager, *webhook.Server, error) {
	scheme, err := Scheme()
	if err != nil {
		return nil, nil, err
	}
	log, err := newLogger(c.Log, os.Stderr)
	if err != nil {
		return nil, nil, err
	}
	ctrl.SetLogger(log)
	if err := await(ctx, api, c.Health.Address, log); err != nil {
		return nil, nil, err
	}
	api = rest.CopyConfig(api)
	api.QPS, api.Burst, api.UserAgent = float32(c.Client.QPS), c.Client.Burst, name
	term, lock, err := termOf(api, c)
	if err != nil {
		return nil, nil, err
	}
	api.Wrap(term.Fence)
	caches := cacheOf(c)
	if caches.HTTPClient, err = watcher(api, log); err != nil {
		return nil, nil, err
	}
	hook := webhook.NewServer(c.Webhook.Host, c.Webhook.Port, webhook.Callers{CAFile: c.Webhook.ClientCAFile, Names: c.Webhook.ClientNames})
	grace, lease, renew, retry := graceTime, lead.LeaseDuration, lead.RenewDeadline, lead.RetryPeriod
	mgr, err := ctrl.NewManager(api, ctrl.Options{
		Scheme: scheme, Cache: caches, Client: client.Options{}, Logger: log, WebhookServer: hook,
		Metrics:                       metricsOf(c.Metrics, series),
		HealthProbeBindAddress:        c.Health.Address,
		PprofBindAddress:              pprofAddress(c.Pprof),
		LeaderElection:                *c.LeaderElection.Enabled,
		LeaderElectionID:              leaseOf(c),
		LeaderElectionReleaseOnCancel: true,
		LeaseDuration:                 &lease,
		RenewDeadline:                 &renew,
		RetryPeriod:                   &retry,
		GracefulShutdownTimeout:       &grace,

		LeaderElectionResourceLockInterface: lock,
	})
	if err != nil {
		return nil, nil, fmt.Errorf("making the manager: %w", err)
	}
	if term != nil {
		term.Events = mgr.GetEventRecorder(name)
	}
	if err := live.Setup(mgr); err != nil {
		return nil, nil, err
	}
	return mgr, hook, targetref.Index(context.Background(), mgr.GetFieldIndexer())
}

// cacheOf says what of each object the cache keeps. The webhook sizes the pods of
// every object, also of those of other shards.
func cacheOf(c config.Controller) cache.Options {
	out := live.CacheOptions()
	// An invalid shard was refused when the file was read.
	part, _ := shard.Parse(c.Shard)
	if c.Webhook.Enabled {
		part = shard.Shard{}
	}
	out.ByObject[&v1alpha1.WorkloadAutoscaler{}] = cache.ByObject{Transform: controller.Strip(part)}
	return out
}

// metricsOf says where the series are served. Whoever asks has to show a token,
// and the API server says whose it is and whether they may read.
func metricsOf(m config.Metrics, series *metrics.Workloads) metricsserver.Options {
	o := metricsserver.Options{BindAddress: m.Address}
	allow := func(*rest.Config, *http.Client) (metricsserver.Filter, error) { return everybody, nil }
	if m.Authenticated() {
		o.SecureServing, o.CertDir, allow = true, m.CertFolder, filters.WithAuthenticationAndAuthorization
	}
	o.FilterProvider = func(api *rest.Config, client *http.Client) (metricsserver.Filter, error) {
		allowed, err := allow(api, client)
		if err != nil {
			return nil, err
		}
		// The handler that is there knows the registry alone.
		return func(log logr.Logger, _ http.Handler) (http.Handler, error) {
			return allowed(log, series.Handler(ctrlmetrics.Registry))
		}, nil
	}
	return o
}

// termOf is how long this process leads for certain, and the lock that says so; both
// are nil where nobody is elected.
func termOf(api *rest.Config, c config.Controller) (*lead.Term, resourcelock.Interface, error) {
	if !*c.LeaderElection.Enabled {
		return nil, nil, nil
	}
	// The Lease is renewed past the fence that the renewals open.
	term, err := lead.New(api, c.LeaderElection.Namespace, leaseOf(c))
	return term, term, err
}

// everybody may read.
func everybody(_ logr.Logger, handler http.Handler) (http.Handler, error) { return handler, nil }

// leaseOf is the Lease of a shard. Controllers of different shards work side by
// side, those of one shard one after another.
func leaseOf(c config.Controller) string {
	if c.Shard == "" {
		return c.LeaderElection.Name
	}
	return c.LeaderElection.Name + "-" + strings.ReplaceAll(c.Shard, "/", "-of-")
}

// pprofAddress is always on loopback: profiles show what is in memory.
func pprofAddress(p config.Pprof) string {
	if !p.Enabled {
		return ""
	}
	return net.JoinHostPort("127.0.0.1", strconv.Itoa(p.Port))
}

// synced is ready once the caches hold what the cluster has. A replica that
// stands by is ready as well.
func synced(mgr ctrl.Manager) healthz.Checker {
	return func(r *http.Request) error {
		ctx, cancel := context.WithTimeout(r.Context(), time.Second)
		defer cancel()
		if !mgr.GetCache().WaitForCacheSync(ctx) {
			return errors.New("the caches are not filled yet")
		}
		return nil
	}
}
