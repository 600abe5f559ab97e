package policy

import (
	"cmp"
	"math"
	"slices"
	"time"

	"github.com/tidemark/tidemark/api/v1alpha1"
	"github.com/tidemark/tidemark/engine"
	"github.com/tidemark/tidemark/engine/horizontal"
	"github.com/tidemark/tidemark/engine/limit"
	"github.com/tidemark/tidemark/fault"
)

// Defaults of an object that says nothing else. Those of scaling are
// autoscaling/v2's own.
const (
	DefaultMinReplicas       = 1
	DefaultTolerance         = "0.1"
	DefaultScaleDownWindow   = 5 * time.Minute
	DefaultSyncPeriod        = 15 * time.Second
	DefaultCPUInitialization = 5 * time.Minute
	DefaultInitialReadiness  = 30 * time.Second
	DefaultStaleAfter        = 5 * time.Minute
	// DefaultMaxLearned is the maximum of an object that learns and states none.
	DefaultMaxLearned         = 100
	defaultUpstreamCPUPercent = 80
)

// Compile turns a spec, under the administrator's settings, into a policy. The
// error is a fault.List whose paths start at the spec.
func Compile(spec v1alpha1.WorkloadAutoscalerSpec, admin v1alpha1.AdminSettings) (engine.Policy, error) {
	c := compiler{spec: spec, admin: admin}
	c.target()
	c.names()
	c.vertical()
	p := engine.Policy{
		Schedule:   c.schedules(),
		Learn:      c.learn(),
		Horizontal: c.horizontal(),
		Limit:      c.limits(),
		Sync:       DefaultSyncPeriod,
		Unadvised:  c.unadvised(),
	}
	p.Interval = c.intervals(&p.Limit)
	p.Rightsize = c.rightsize()
	p.Elastic = c.elastic()
	p.Boost = c.boosts()
	p.EmptiestFirst = c.emptiestFirst()
	p.TunesHPA = c.actuator()
	p.Limit.Paused, p.Limit.Pauses = admin.Paused, c.pause()
	p.FallsBack = p.Horizontal.FallsBack()
	p.Horizontal.Step = p.Limit.Step
	c.sleep(&p)
	if b := spec.Behavior; b != nil && b.SyncPeriodSeconds != nil {
		p.Sync = c.seconds("behavior.syncPeriodSeconds", *b.SyncPeriodSeconds, 1, 3600)
	}
	p.Sync = max(p.Sync, c.leastSync())
	c.crossChecks(&p)
	if err := c.faults.Err(); err != nil {
		return engine.Policy{}, err
	}
	return p, nil
}

// leastSync is the shortest sync period that the administrator allows.
func (c *compiler) leastSync() time.Duration {
	c.adminCount("maximumObjectsPerNamespace", c.admin.MaximumObjectsPerNamespace)
	least := c.adminCount("minimumSyncPeriodSeconds", c.admin.MinimumSyncPeriodSeconds)
	if least > 3600 {
		c.faults.Add("admin.minimumSyncPeriodSeconds", "must be at most 3600, got %d", least)
	}
	return time.Duration(least) * time.Second
}

// compiler collects faults while it reads a spec.
type compiler struct {
	spec   v1alpha1.WorkloadAutoscalerSpec
	admin  v1alpha1.AdminSettings
	faults fault.List
}

func (c *compiler) upstream() bool { return c.spec.Compatibility == v1alpha1.CompatibilityHPA }

func (c *compiler) target() {
	t := c.spec.TargetRef
	if t == (v1alpha1.TargetReference{}) {
		return
	}
	if t.Kind == "" {
		c.faults.Add("targetRef.kind", "is required: name the kind of the workload, such as Deployment")
	}
	if t.Name == "" {
		c.faults.Add("targetRef.name", "is required: name the workload")
	}
}

// horizontal compiles how metrics become a desired count.
func (c *compiler) horizontal() horizontal.Rules {
	rules := horizontal.Rules{
		CPUInitialization: DefaultCPUInitialization,
		InitialReadiness:  DefaultInitialReadiness,
		StaleAfter:        DefaultStaleAfter,
		Upstream:          c.upstream(),
	}
	if c.spec.Compatibility != "" {
		oneOf(c, "compatibility", c.spec.Compatibility, v1alpha1.CompatibilityTidemark, v1alpha1.CompatibilityHPA)
	}
	metrics := MetricsOf(&c.spec)
	if len(metrics) == 0 && c.upstream() {
		metrics = []v1alpha1.MetricSpec{upstreamDefaultMetric()}
	}
	for i := range metrics {
		m := c.metric(fault.Path("metrics").Index(i), &metrics[i])
		m.Alike = c.sizes(&m)
		rules.Metrics = append(rules.Metrics, m)
	}
	tellApart(rules.Metrics)
	rules.Combine = c.combine()
	c.formula(&rules)
	var up, down *v1alpha1.ScalingRules
	if b := c.spec.Behavior; b != nil {
		up, down = b.ScaleUp, b.ScaleDown
		rules.Converge = c.converge(b.Converge)
		rules.HoldPartial = c.holdsPartial(b.OnPartial)
		c.optionalSeconds("behavior.cpuInitializationSeconds", b.CPUInitializationSeconds, &rules.CPUInitialization)
		c.optionalSeconds("behavior.initialReadinessSeconds", b.InitialReadinessSeconds, &rules.InitialReadiness)
		c.optionalSeconds("behavior.staleAfterSeconds", b.StaleAfterSeconds, &rules.StaleAfter)
	}
	rules.ToleranceUp = c.tolerance("behavior.scaleUp.tolerance", up)
	rules.ToleranceDown = c.tolerance("behavior.scaleDown.tolerance", down)
	rules.UpstreamTolerances = horizontal.Tolerances{Up: upstreamTolerance(up), Down: upstreamTolerance(down)}
	return rules
}

func upstreamDefaultMetric() v1alpha1.MetricSpec {
	return v1alpha1.MetricSpec{Type: v1alpha1.ResourceMetricType, Resource: &v1alpha1.ResourceMetric{
		Name: "cpu", Target: &v1alpha1.MetricTarget{AverageUtilization: new(int32(defaultUpstreamCPUPercent))},
	}}
}

func (c *compiler) converge(to v1alpha1.Converge) horizontal.Converge {
	switch to {
	case "", v1alpha1.ConvergeNone:
		return horizontal.NoConverge
	case v1alpha1.ConvergeHighWatermark:
		return horizontal.ToHigh
	case v1alpha1.ConvergeLowWatermark:
		return horizontal.ToLow
	}
	oneOf(c, "behavior.converge", to, v1alpha1.ConvergeNone, v1alpha1.ConvergeHighWatermark, v1alpha1.ConvergeLowWatermark)
	return horizontal.NoConverge
}

// holdsPartial tells whether a metric goes by all of the pods or by none.
func (c *compiler) holdsPartial(on v1alpha1.OnPartial) bool {
	if on != "" {
		oneOf(c, "behavior.onPartial", on, v1alpha1.OnPartialFill, v1alpha1.OnPartialHold)
	}
	if on == v1alpha1.OnPartialHold && c.upstream() {
		c.faults.Add("behavior.onPartial", "Hold is not among the rules of an HPA: leave it out, or set compatibility to Tidemark")
	}
	return on == v1alpha1.OnPartialHold
}

// limits compiles how far and how soon a desired size may be followed.
func (c *compiler) limits() limit.Rules {
	r := limit.Rules{Min: DefaultMinReplicas, Max: math.MaxInt32, Step: 1, Upstream: c.upstream(), Plain: c.spec.Behavior == nil}
	// Intervals say the count themselves: only a velocity that is stated holds them back.
	counts := c.spec.Intervals == nil
	r.Doubling = r.Plain && counts
	c.bounds(&r)
	r.Mode = c.mode()
	r.Windows = c.windows()
	var up, down *v1alpha1.ScalingRules
	if b := c.spec.Behavior; b != nil {
		up, down = b.ScaleUp, b.ScaleDown
	}
	r.Up = c.direction("behavior.scaleUp", up)
	r.Down = c.direction("behavior.scaleDown", down)
	if down == nil || down.StabilizationWindowSeconds == nil {
		r.Down.Window = DefaultScaleDownWindow
	}
	if !r.Plain && counts {
		r.Up.Policies = orDefault(up, r.Up.Policies, defaultUpPolicies)
		r.Down.Policies = orDefault(down, r.Down.Policies, defaultDownPolicies)
	}
	return r
}

func (c *compiler) bounds(r *limit.Rules) {
	spec := c.spec.Replicas
	r.Min, r.Max, r.Step = *cmp.Or(spec.Min, &r.Min), *cmp.Or(spec.Max, &r.Max), *cmp.Or(spec.Step, &r.Step)
	switch {
	case r.Min < 0:
		c.faults.Add("replicas.min", "must not be negative, got %d", r.Min)
	case spec.Max == nil && c.spec.Learn != nil:
		r.Max = DefaultMaxLearned
	case spec.Max == nil && c.spec.Intervals != nil:
		c.boundByIntervals(r)
	case spec.Max == nil:
		c.faults.Add("replicas.max", "is required: state the largest number of pods that may ever run")
	case r.Max < 1:
		c.faults.Add("replicas.max", "must be at least 1, got %d", r.Max)
	case r.Min > r.Max:
		c.faults.Add("replicas.min", "must not be above replicas.max: %d > %d", r.Min, r.Max)
	}
	if r.Step < 1 {
		c.faults.Add("replicas.step", "must be at least 1, got %d", r.Step)
	}
	if spec.Requested != nil && *spec.Requested < 0 {
		c.faults.Add("replicas.requested", "must not be negative, got %d", *spec.Requested)
	}
}

// boundByIntervals takes the last range's count as the maximum.
func (c *compiler) boundByIntervals(r *limit.Rules) {
	if n := len(c.spec.Intervals.Ranges); n > 0 && c.spec.Intervals.Ranges[n-1].MaxReplicas != nil {
		r.Max = *c.spec.Intervals.Ranges[n-1].MaxReplicas
		return
	}
	c.faults.Add("replicas.max", "is required where the last range of intervals states no maxReplicas")
}

func (c *compiler) mode() limit.Mode {
	switch c.spec.Mode {
	case "", v1alpha1.ModeAuto:
		return limit.Auto
	case v1alpha1.ModeRecommend:
		return limit.Recommend
	case v1alpha1.ModeOff:
		return limit.Off
	case v1alpha1.ModeEmergency:
		return limit.Auto
	}
	oneOf(c, "mode", c.spec.Mode, v1alpha1.ModeAuto, v1alpha1.ModeRecommend, v1alpha1.ModeOff, v1alpha1.ModeEmergency)
	return limit.Off
}

// actuator tells whether an existing HPA is tuned instead of the workload
// being scaled.
func (c *compiler) actuator() bool {
	s := &c.spec
	if s.Actuator != "" {
		oneOf(c, "actuator", s.Actuator, v1alpha1.ActuatorScale, v1alpha1.ActuatorHPA)
	}
	tunes := s.Actuator == v1alpha1.ActuatorHPA
	switch {
	case tunes && s.HPAName == "":
		c.faults.Add("hpaName", "is required with actuator HPA: name the HorizontalPodAutoscaler")
	case !tunes && s.HPAName != "":
		c.faults.Add("hpaName", "needs actuator HPA")
	case tunes && s.Intervals != nil:
		c.faults.Add("actuator", "HPA leaves the count to the HPA, and intervals choose it together with the requests: remove intervals, or scale "+
			"the workload itself")
	}
	return tunes
}

// crossChecks looks at what only makes sense together.
func (c *compiler) crossChecks(p *engine.Policy) {
	if p.Limit.Min == 0 && !p.Horizontal.HasMetricWithoutPods() && !wakes(p.Schedule) {
		c.faults.Add("replicas.min", "may be 0 only with an Object or External metric, or with a schedule that has a minimum: pods that do not run have no "+
			"usage to wake up for")
	}
	if p.Horizontal.Converge != horizontal.NoConverge && !hasBand(p.Horizontal.Metrics) {
		c.faults.Add("behavior.converge", "needs a metric with two different watermarks to creep between")
	}
}

func hasBand(metrics []horizontal.Metric) bool {
	return slices.ContainsFunc(metrics, func(m horizontal.Metric) bool { return !m.Band.Single() })
}
