package live

import (
	"context"
	"sync"
	"time"

	"github.com/tidemark/tidemark/api/v1alpha1"
	"github.com/tidemark/tidemark/internal/observe/snapshot"
	"github.com/tidemark/tidemark/scale"
)

// source is a place to look at. It adds to a look, and a gap to a look is a
// value too.
type source struct {
	name string
	look func(*Observer, context.Context, *look)
}

// sources are looked at in this order: later ones may use what earlier ones
// have seen. A new place to look at is one line here.
var sources = []source{
	{"usage of pods", (*Observer).usage},
	{"values of metrics", (*Observer).samples},
	{"requested replicas", (*Observer).readRequested},
	{"recommended sizes", (*Observer).readRecommendations},
	{"room of nodes", (*Observer).room},
	{"capacity for pods", (*Observer).capacity},
}

// sampler is where the value of a kind of metric comes from.
type sampler struct {
	name   string
	serves func(*v1alpha1.MetricSpec) bool
	sample func(*Observer, context.Context, *look, *v1alpha1.MetricSpec) (scale.Sample, error)
}

// ask samples, and makes an error of a panic: nobody above this goroutine would
// catch it.
func (s *sampler) ask(o *Observer, ctx context.Context, l *look, m *v1alpha1.MetricSpec) (out scale.Sample, err error) {
	defer snapshot.Caught(&err)
	return s.sample(o, ctx, l, m)
}

// samplers are tried in this order. A new source of metrics is one line here.
// Metrics of resources have none: they read the usage of the pods.
var samplers = []sampler{
	{"custom metric of pods", func(m *v1alpha1.MetricSpec) bool { return m.Pods != nil }, (*Observer).podsMetric},
	{"custom metric of an object", func(m *v1alpha1.MetricSpec) bool { return m.Object != nil }, (*Observer).objectMetric},
	{"Prometheus query", func(m *v1alpha1.MetricSpec) bool { return m.External != nil && m.External.Prometheus != nil }, (*Observer).prometheusMetric},
	{"external scaler", func(m *v1alpha1.MetricSpec) bool { return m.External != nil && m.External.GRPC != nil }, (*Observer).scalerMetric},
	{"external metric", func(m *v1alpha1.MetricSpec) bool { return m.External != nil }, (*Observer).externalMetric},
}

// maxAge is how old a shared answer may be: half of the object's period, for
// the reasons that package snapshot gives.
func (l *look) maxAge() time.Duration { return max(l.Policy.Sync/2, time.Second/2) }

// samples asks for every metric at once, so that for those who wait a slow source
// costs its own time and not the sum of all.
func (o *Observer) samples(ctx context.Context, l *look) {
	var all sync.WaitGroup
	for i := range min(len(l.Object.Spec.Metrics), len(l.obs.Samples)) {
		m := &l.Object.Spec.Metrics[i]
		for _, s := range samplers {
			if s.serves(m) {
				all.Go(func() { l.obs.Samples[i] = sampled(s.ask(o, ctx, l, m)) })
				break
			}
		}
	}
	all.Wait()
}

// sampled turns a failure into a sample that says so.
func sampled(s scale.Sample, err error) scale.Sample {
	if err != nil {
		return scale.Sample{Problem: err.Error()}
	}
	return s
}

// readRequested takes over what someone else asks for.
func (o *Observer) readRequested(_ context.Context, l *look) {
	if n := l.Object.Spec.Replicas.Requested; n != nil {
		count := *n
		l.obs.Requested = &count
	}
}
