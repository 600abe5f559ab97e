package live

import (
	"context"
	"fmt"
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

// server is the administrator's Prometheus server of the moment.
type server struct {
	admin   func() v1alpha1.AdminSettings
	answers *snapshot.Store

	mu       sync.Mutex
	settings v1alpha1.PrometheusSettings
	current  *prometheus.Client
}

// client returns the client of the present settings, a new one when they have
// changed.
func (s *server) client() (*prometheus.Client, error) {
	settings := s.admin().Prometheus
	if settings == nil {
		return nil, prometheus.ErrNoServer
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.current != nil && s.settings == *settings {
		return s.current, nil
	}
	c, err := prometheus.New(*settings, s.answers)
	if err != nil {
		return nil, err
	}
	s.current, s.settings = c, *settings
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
	if _, err := o.prometheus.client(); err != nil {
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
	client, err := f.observer.prometheus.client()
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
	past, err := client.Past(ctx, of, f.pieces[f.next])
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
