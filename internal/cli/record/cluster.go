package record

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/go-logr/logr"
	"k8s.io/utils/clock"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/cache"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/manager"
	metricsserver "sigs.k8s.io/controller-runtime/pkg/metrics/server"

	"github.com/tidemark/tidemark/api/v1alpha1"
	"github.com/tidemark/tidemark/internal/cli/flags"
	"github.com/tidemark/tidemark/internal/controller/operator"
	"github.com/tidemark/tidemark/internal/observe/allowance"
	"github.com/tidemark/tidemark/internal/observe/live"
	"github.com/tidemark/tidemark/internal/onlook"
	"github.com/tidemark/tidemark/internal/record"
)

// fromCluster looks at a live object as the controller does, with the
// controller's own observer, over watches of the object's namespace.
func fromCluster(ctx context.Context, r request, yield func(record.Call) error) error {
	connection, err := r.connect()
	if err != nil {
		return err
	}
	mgr, observer, err := watching(connection, r.admin)
	if err != nil {
		return err
	}
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	ended := make(chan error, 1)
	go func() {
		err := mgr.Start(ctx)
		stop(err)
		ended <- err
	}()
	look := onlooker{
		request: r, Onlooker: onlook.Onlooker{Observer: observer, Direct: mgr.GetAPIReader(), Admin: r.admin},
		reader: mgr.GetClient(), namespace: connection.Namespace,
	}
	if mgr.GetCache().WaitForCacheSync(ctx) {
		err = look.repeat(ctx, yield)
	}
	stop(nil)
	return errors.Join(err, <-ended)
}

// watching makes the caches of one namespace, and an observer over them.
func watching(c flags.Connection, admin v1alpha1.AdminSettings) (ctrl.Manager, *live.Observer, error) {
	scheme, err := operator.Scheme()
	if err != nil {
		return nil, nil, err
	}
	options := live.CacheOptions()
	options.DefaultNamespaces = map[string]cache.Config{c.Namespace: {}}
	ctrl.SetLogger(logr.Discard())
	mgr, err := ctrl.NewManager(c.Config, ctrl.Options{
		Scheme: scheme, Cache: options, Logger: logr.Discard(), Metrics: metricsserver.Options{BindAddress: "0"},
	})
	if err != nil {
		return nil, nil, fmt.Errorf("connecting to the cluster: %w", err)
	}
	if err := live.Setup(mgr); err != nil {
		return nil, nil, err
	}
	allowances := allowance.NewCached(mgr.GetCache())
	if err := mgr.Add(manager.RunnableFunc(allowances.Watch)); err != nil {
		return nil, nil, fmt.Errorf("watching what the namespace allows: %w", err)
	}
	observer, err := live.New(live.Config{
		Cache: mgr.GetClient(), Indexer: mgr.GetFieldIndexer(), Live: mgr.GetAPIReader(), REST: mgr.GetConfig(), Mapper: mgr.GetRESTMapper(),
		Clock: clock.RealClock{}, Admin: func() v1alpha1.AdminSettings { return admin }, Allowances: allowances,
	})
	return mgr, observer, err
}

// onlooker looks at one object from time to time.
type onlooker struct {
	request
	onlook.Onlooker
	reader    client.Reader
	namespace string
	known     onlook.Known
}

// repeat looks once each sync period until the context ends.
func (o *onlooker) repeat(ctx context.Context, yield func(record.Call) error) error {
	for {
		call, err := o.look(ctx)
		if err != nil {
			return err
		}
		if err := yield(call); err != nil {
			return err
		}
		select {
		case <-ctx.Done():
			return nil
		case <-time.After(call.Policy.Sync):
		}
	}
}

// look sees what a controller that has just started would decide on.
func (o *onlooker) look(ctx context.Context) (record.Call, error) {
	var obj v1alpha1.WorkloadAutoscaler
	if err := o.reader.Get(ctx, client.ObjectKey{Namespace: o.namespace, Name: o.name}, &obj); err != nil {
		return record.Call{}, fmt.Errorf("reading the WorkloadAutoscaler: %w", err)
	}
	return o.Look(ctx, &obj, &o.known, time.Now().UTC())
}
