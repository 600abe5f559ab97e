package live

import (
	"context"
	"fmt"
	"reflect"
	"sync"

	"github.com/tidemark/tidemark/api/v1alpha1"
	"github.com/tidemark/tidemark/internal/history"
	"github.com/tidemark/tidemark/internal/learner"
	"github.com/tidemark/tidemark/internal/observe"
	"github.com/tidemark/tidemark/internal/observe/prometheus"
	"github.com/tidemark/tidemark/internal/observe/snapshot"
	"github.com/tidemark/tidemark/internal/observe/target"
	"github.com/tidemark/tidemark/internal/targetref"
)

// server is the administrator's Prometheus server of the moment, or several: one for
// each way to ask that the settings have.
type server struct {
	admin   func() v1alpha1.AdminSettings
	answers *snapshot.Store

	mu      sync.Mutex
	clients []answering
}

type answering struct {
	settings v1alpha1.PrometheusSettings
	*prometheus.Client
}

// client returns the client of a namespace by the present settings, a new one when
// they have changed.
func (s *server) client(namespace string) (*prometheus.Client, error) {
	all := s.admin().Prometheus
	if all == nil {
		return nil, prometheus.ErrNoServer
	}
	settings := prometheus.SettingsOf(all, namespace)
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, c := range s.clients {
		if reflect.DeepEqual(c.settings, settings) {
			return c.Client, nil
		}
	}
	c, err := prometheus.New(settings, s.answers)
	if err != nil {
		return nil, err
	}
	// There are as many as there are tenants, and one; more are of former settings.
	s.clients = append(s.clients, answering{settings, c})
	s.clients = s.clients[max(0, len(s.clients)-len(all.Tenants)-1):]
	return c, nil
}

// Fill reads the past of one workload from the Prometheus server, a piece at a
// time, and learns from it. It is for one goroutine at a time.
type Fill struct {
	observer *Observer
	target   targetref.Target
	learner  *learner.Learner
	pieces   []prometheus.Piece
	next     int
}

// Backfill begins to read what a workload did in the weeks before the question's
// moment. Without a Prometheus server the error is prometheus.ErrNoServer.
func (o *Observer) Backfill(req observe.Request, plan learner.Plan) (*Fill, error) {
	if _, err := o.prometheus.client(req.Object.Namespace); err != nil {
		return nil, err
	}
	l, err := learner.New(plan)
	if err != nil {
		return nil, fmt.Errorf("beginning a history: %w", err)
	}
	return &Fill{observer: o, target: targetref.Of(req.Object), learner: l, pieces: prometheus.Pieces(req.At, plan.Settings.WindowWeeks)}, nil
}

// Step reads the next piece. One that fails is read again by the next step.
func (f *Fill) Step(ctx context.Context) (err error) {
	defer snapshot.Caught(&err)
	server, err := f.observer.prometheus.client(f.target.Namespace)
	if err != nil {
		return err
	}
	workload, err := f.observer.targets.Read(ctx, f.target)
	if err != nil {
		return err
	}
	running, err := f.observer.pods.OfScale(ctx, f.target, workload)
	if err != nil {
		return err
	}
	containers := target.Now(workload.Containers, running)
	of := prometheus.Workload{Namespace: f.target.Namespace, Kind: f.target.Kind, Name: f.target.Name, Containers: containers}
	past, err := server.Past(ctx, of, f.pieces[f.next])
	if err != nil {
		return err
	}
	past.Teach(f.learner, containers)
	f.next++
	return nil
}

// Progress is how many pieces were read, and of how many.
func (f *Fill) Progress() (read, of int) { return f.next, len(f.pieces) }

// History is what was learned from the pieces that were read.
func (f *Fill) History() *history.History { return f.learner.History }
