package metrics

import (
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/tidemark/tidemark/internal/shard"
	"github.com/tidemark/tidemark/scale"
)

// Process counts what the controller does.
type Process struct {
	duration, lag prometheus.Histogram
	decisions     *prometheus.CounterVec
	changes       *prometheus.CounterVec
	statuses      *prometheus.CounterVec
	histories     *prometheus.CounterVec
	sources       *prometheus.CounterVec
	usageAge      *prometheus.HistogramVec
	paused        prometheus.Gauge
}

// buckets reach from a millisecond, a look at caches, to minutes behind.
var buckets = []float64{.001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10, 30, 60, 300}

// ages reach from a kubelet that was just asked to a sample that is about to
// count as stale.
var ages = []float64{1, 2.5, 5, 7.5, 10, 15, 20, 25, 30, 45, 60, 120, 300}

// NewProcess returns counters that stand at zero.
func NewProcess() *Process {
	return &Process{
		duration:  histogram(ReconcileDuration),
		lag:       histogram(ReconcileLag),
		decisions: counter(Decisions),
		changes:   counter(Changes),
		statuses:  counter(StatusWrites),
		histories: counter(HistoryWrites),
		sources:   counter(SourceRequests),
		usageAge: prometheus.NewHistogramVec(
			prometheus.HistogramOpts{Name: UsageAge, Help: Of(UsageAge).Help, Buckets: ages}, Of(UsageAge).Labels),
		paused: prometheus.NewGauge(prometheus.GaugeOpts{Name: Paused, Help: Of(Paused).Help}),
	}
}

func histogram(name string) prometheus.Histogram {
	return prometheus.NewHistogram(prometheus.HistogramOpts{Name: name, Help: Of(name).Help, Buckets: buckets})
}

func counter(name string) *prometheus.CounterVec {
	s := Of(name)
	return prometheus.NewCounterVec(prometheus.CounterOpts{Name: name, Help: s.Help}, s.Labels)
}

// Collectors are what a registry has to know.
func (p *Process) Collectors() []prometheus.Collector {
	return []prometheus.Collector{p.duration, p.lag, p.decisions, p.changes, p.statuses, p.histories, p.sources, p.usageAge, p.paused}
}

// OverdueBy collects by how much the look is late that is waited for longest.
func OverdueBy(longest func() time.Duration) prometheus.Collector {
	return prometheus.NewGaugeFunc(prometheus.GaugeOpts{Name: Overdue, Help: Of(Overdue).Help}, func() float64 { return longest().Seconds() })
}

// LeadBy collects which shard this process leads. The others have a series too: one
// without any process could not say that nobody leads it.
func LeadBy(own shard.Shard, leads func() bool) []prometheus.Collector {
	var all []prometheus.Collector
	for i := range max(own.Of, 1) {
		of := shard.Shard{Index: i, Of: own.Of}
		all = append(all, prometheus.NewGaugeFunc(
			prometheus.GaugeOpts{Name: Leads, Help: Of(Leads).Help, ConstLabels: prometheus.Labels{"shard": of.String()}},
			func() float64 { return truth(of == own && leads()) }))
	}
	return all
}

// BoostedBy collects how many pods have their start-up boost.
func BoostedBy(count func() (starting, overdue int)) []prometheus.Collector {
	of := func(state string, value func() int) prometheus.Collector {
		return prometheus.NewGaugeFunc(prometheus.GaugeOpts{Name: BoostedPods, Help: Of(BoostedPods).Help, ConstLabels: prometheus.Labels{"state": state}},
			func() float64 { return float64(value()) })
	}
	return []prometheus.Collector{
		of("starting", func() int { starting, _ := count(); return starting }),
		of("overdue", func() int { _, overdue := count(); return overdue }),
	}
}

// ObserveLook counts one look at an object. Late is by how much it came after it
// was due.
func (p *Process) ObserveLook(took, late time.Duration) {
	p.duration.Observe(took.Seconds())
	p.lag.Observe(max(late, 0).Seconds())
}

// CountDecision counts a decision.
func (p *Process) CountDecision(d scale.Decision) {
	p.decisions.WithLabelValues(string(d.Reason), string(d.LimitedBy)).Inc()
}

// Result is how an attempt ended.
type Result string

// The results.
const (
	Applied    Result = "applied"
	Conflicted Result = "conflict"
	Failed     Result = "failed"
	Written    Result = "written"
	Answered   Result = "answered"
)

// CountChange counts an attempt to carry a decision out.
func (p *Process) CountChange(r Result) { p.changes.WithLabelValues(string(r)).Inc() }

// WroteStatus counts a write of a status.
func (p *Process) WroteStatus(err error) { p.statuses.WithLabelValues(ended(err, Written)).Inc() }

// WroteHistory counts a write of a history.
func (p *Process) WroteHistory(err error) { p.histories.WithLabelValues(ended(err, Written)).Inc() }

// CountRequest counts a request to a source of metrics.
func (p *Process) CountRequest(source string, err error) {
	p.sources.WithLabelValues(source, ended(err, Answered)).Inc()
}

// ended is how an attempt ended that had this error, or went well.
func ended(err error, well Result) string {
	if err != nil {
		return string(Failed)
	}
	return string(well)
}

// ObserveUsageAge notes how old the usage of a pod is that a look found.
func (p *Process) ObserveUsageAge(source string, age time.Duration) {
	p.usageAge.WithLabelValues(source).Observe(age.Seconds())
}

// SetPaused shows whether all scaling is paused.
func (p *Process) SetPaused(paused bool) { p.paused.Set(truth(paused)) }
