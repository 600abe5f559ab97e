package live

import (
	"context"
	"sync"

	"github.com/tidemark/tidemark/api/v1alpha1"
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

// Backfill teaches a learner that knows nothing yet what its workload did in
// the weeks before the question's moment. It reports false where nothing is
// known of them. Without a Prometheus server the error is
// prometheus.ErrNoServer.
func (o *Observer) Backfill(ctx context.Context, req observe.Request, l *learner.Learner) (bool, error) {
	client, err := o.prometheus.client()
	if err != nil {
		return false, err
	}
	t := targetref.Of(req.Object)
	workload, err := o.targets.Read(ctx, t)
	if err != nil {
		return false, err
	}
	running, err := o.pods.OfScale(ctx, t, workload)
	if err != nil {
		return false, err
	}
	containers := target.Now(workload.Containers, running)
	past, err := client.Past(ctx, prometheus.Workload{Namespace: t.Namespace, Kind: t.Kind, Name: t.Name, Containers: containers}, req.At, l.Settings.WindowWeeks)
	if err != nil {
		return false, err
	}
	past.Teach(l, containers)
	return !past.Empty(), nil
}
