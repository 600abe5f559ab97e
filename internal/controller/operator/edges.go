package operator

import (
	"errors"
	"fmt"
	"time"

	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/utils/clock"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/tidemark/tidemark/internal/apply/route"
	"github.com/tidemark/tidemark/internal/controller"
	"github.com/tidemark/tidemark/internal/controller/config"
	"github.com/tidemark/tidemark/internal/controller/decisions"
	"github.com/tidemark/tidemark/internal/controller/metrics"
	"github.com/tidemark/tidemark/internal/learner"
	port "github.com/tidemark/tidemark/internal/observe"
	"github.com/tidemark/tidemark/internal/observe/allowance"
	"github.com/tidemark/tidemark/internal/observe/kubelet"
	"github.com/tidemark/tidemark/internal/observe/live"
	"github.com/tidemark/tidemark/internal/observe/prometheus"
	"github.com/tidemark/tidemark/internal/observe/snapshot"
	"github.com/tidemark/tidemark/internal/permit"
	"github.com/tidemark/tidemark/internal/shard"
)

// observe makes what looks at the cluster. A source that tells by itself wakes.
func observe(mgr ctrl.Manager, file *config.File, counted *metrics.Process, allowed *allowance.Cached, wake func(namespace, name string),
) (*live.Observer, error) {
	kubelets, err := kubelets(mgr, file.Now().FreshMetrics)
	if err != nil {
		return nil, err
	}
	observer, err := live.New(live.Config{
		Cache: mgr.GetClient(), Indexer: mgr.GetFieldIndexer(), Live: mgr.GetAPIReader(), REST: mgr.GetConfig(), Mapper: mgr.GetRESTMapper(),
		Clock: wallClock, Admin: file.Admin, Log: mgr.GetLogger(),
		OnFetch: func(f snapshot.Fetched) { counted.CountRequest(f.Source, f.Err) }, OnUsage: counted.ObserveUsageAge, Kubelets: kubelets,
		OnWork: wake, Allowances: allowed,
	})
	if err != nil {
		return nil, fmt.Errorf("setting up the observer: %w", err)
	}
	return observer, nil
}

// permitsOf makes what knows who may act.
func permitsOf(mgr ctrl.Manager, rules permit.Rules) *permit.Checker {
	return &permit.Checker{Rules: rules, Cache: mgr.GetClient(), Clock: wallClock}
}

// kubelets says how kubelets are asked, where they are. The client reads past the
// manager's cache, which would watch every node.
func kubelets(mgr ctrl.Manager, f config.FreshMetrics) (*kubelet.Config, error) {
	if !f.Enabled {
		return nil, nil
	}
	direct, err := client.New(mgr.GetConfig(), client.Options{HTTPClient: mgr.GetHTTPClient(), Scheme: mgr.GetScheme(), Mapper: mgr.GetRESTMapper()})
	if err != nil {
		return nil, fmt.Errorf("setting up the client of nodes: %w", err)
	}
	nodes, err := labels.Parse(f.Nodes)
	if err != nil {
		return nil, fmt.Errorf("freshMetrics.nodes: %w", err)
	}
	return &kubelet.Config{
		API: direct, REST: mgr.GetConfig(), CAFile: f.CAFile, Nodes: nodes, Every: time.Duration(f.EverySeconds) * time.Second,
		Account: types.NamespacedName{Namespace: f.Namespace, Name: f.ServiceAccount}, Log: mgr.GetLogger().WithName(kubelet.Name),
	}, nil
}

// act makes what changes the cluster.
func act(mgr ctrl.Manager, rules permit.Rules, newPodsAreSized bool, observer *live.Observer) controller.Appliers {
	return route.New(route.Config{
		Scales: observer.Scales(), Mapper: mgr.GetRESTMapper(), Client: mgr.GetClient(), Pods: observer.Pods(), Clock: wallClock,
		Rules: rules, NewPodsAreSized: newPodsAreSized,
	})
}

// neighbors makes what knows the controllers with another number of shards. Without
// an election there are no leases to see them by.
func neighbors(mgr ctrl.Manager, c config.Controller, part shard.Shard) *controller.Neighbors {
	if !*c.LeaderElection.Enabled {
		return nil
	}
	return &controller.Neighbors{
		API: mgr.GetAPIReader(), Namespace: c.LeaderElection.Namespace, Name: c.LeaderElection.Name, Own: leaseOf(c), Shard: part,
		Clock: clock.RealClock{}, // leases go by it
	}
}

// recorder opens the file that decisions are written to, if there is to be one.
// Every write is whole, so it needs no end.
func recorder(r config.Record) (controller.Recorder, error) {
	if r.File == "" {
		return nil, nil
	}
	return decisions.Open(r.File, decisions.Most)
}

// optional fills histories from a Prometheus server where there is one.
type optional struct{ observer *live.Observer }

var _ controller.Backfiller = optional{}

// Backfill knows nothing without a server, which is no failure.
func (o optional) Backfill(req port.Request, plan learner.Plan) (controller.Fill, error) {
	fill, err := o.observer.Backfill(req, plan)
	switch {
	case errors.Is(err, prometheus.ErrNoServer):
		return nil, nil
	case err != nil:
		return nil, err
	}
	return fill, nil
}
