package policy

import (
	"time"

	"github.com/tidemark/tidemark/api/v1alpha1"
	"github.com/tidemark/tidemark/engine/learn"
	"github.com/tidemark/tidemark/fault"
	"github.com/tidemark/tidemark/scale"
)

// Defaults of learning, as in the Tortoise design.
const (
	DefaultTargetFloor   = 65
	DefaultTargetCeiling = 90
	DefaultTargetRaise   = 5
	DefaultRisk          = "0.001"
	maxHeadroomPercent   = 1000
)

// learn compiles what one decision needs to know of learning.
func (c *compiler) learn() learn.Rules {
	r := learn.Rules{
		Emergency: c.spec.Mode == v1alpha1.ModeEmergency,
		AdminMin:  c.adminCount("minimumReplicas", c.admin.MinimumReplicas), AdminMax: c.adminCount("maximumReplicas", c.admin.MaximumReplicas),
		MinStated: c.spec.Replicas.Min != nil, MaxStated: c.spec.Replicas.Max != nil,
		Floor: DefaultTargetFloor, Ceiling: DefaultTargetCeiling, MaxRaise: DefaultTargetRaise,
	}
	if r.AdminMax > 0 && r.AdminMin > r.AdminMax {
		c.faults.Add("admin.minimumReplicas", "must not be above maximumReplicas, got %d and %d", r.AdminMin, r.AdminMax)
	}
	if t := c.admin.TargetUtilization; t != nil {
		override(&r.Floor, t.Floor)
		override(&r.Ceiling, t.Ceiling)
		override(&r.MaxRaise, t.MaxIncrease)
		if r.Floor < 1 || r.Floor > r.Ceiling || r.MaxRaise < 1 {
			c.faults.Add("admin.targetUtilization", "needs 1 <= floor <= ceiling and maxIncrease >= 1, got floor %d, ceiling %d, maxIncrease %d", r.Floor,
				r.Ceiling, r.MaxRaise)
		}
	}
	if b := c.spec.Behavior; b != nil && b.EmergencyAfterSeconds != nil {
		r.BlindFor = c.seconds("behavior.emergencyAfterSeconds", *b.EmergencyAfterSeconds, 1, maxWaitSeconds)
	}
	if l := c.spec.Learn; l != nil {
		r.Targets = l.Targets != nil && *l.Targets
		r.TargetsOff = l.Targets != nil && !*l.Targets
		r.Tune = c.tune(l.Tune)
		c.learnSettings(l)
	}
	return r
}

func (c *compiler) targetFloor() int32 {
	floor := int32(DefaultTargetFloor)
	if t := c.admin.TargetUtilization; t != nil {
		override(&floor, t.Floor)
	}
	return floor
}

func override(into, stated *int32) {
	if stated != nil {
		*into = *stated
	}
}

func (c *compiler) adminCount(name string, n *int32) int32 {
	if n == nil {
		return 0
	}
	if *n < 1 {
		c.faults.Add(fault.Path("admin").Field(name), "must be at least 1, got %d", *n)
	}
	return *n
}

// learnSettings checks the fields that history is kept by.
func (c *compiler) learnSettings(l *v1alpha1.Learn) {
	if l.Period != "" {
		oneOf(c, "learn.period", l.Period, v1alpha1.LearnPeriodWeekly, v1alpha1.LearnPeriodDaily)
	}
	if w := l.WindowWeeks; w != nil && (*w < 1 || *w > 8) {
		c.faults.Add("learn.windowWeeks", "must be between 1 and 8, got %d", *w)
	}
	if h := l.SlotHours; h != nil && (*h < 1 || 24%*h != 0) {
		c.faults.Add("learn.slotHours", "must divide 24: use 1, 2, 3, 4, 6, 8, 12 or 24, got %d", *h)
	}
	if l.TimeZone != "" {
		c.zone("learn.timeZone", l.TimeZone)
	}
	least, most := int64(scale.Parts/2), int64(2*scale.Parts)
	if l.MinFactor != nil {
		least = c.factor("learn.minFactor", l.MinFactor.String())
	}
	if l.MaxFactor != nil {
		most = c.factor("learn.maxFactor", l.MaxFactor.String())
	}
	if h := l.Headroom; h != nil {
		risk := DefaultRisk
		if h.Risk != nil {
			risk = h.Risk.String()
		}
		if parts, err := scale.ParseParts(risk); err != nil || parts <= 0 || parts >= scale.Parts {
			c.faults.Add("learn.headroom.risk", "must be above 0 and below 1, such as 0.001 for one case in a thousand, got %s", risk)
		}
	}
	c.headroomBounds(l.Headroom)
	if least > most {
		c.faults.Add("learn.minFactor", "must not be above maxFactor")
	}
}

func (c *compiler) factor(path fault.Path, text string) int64 {
	parts, err := scale.ParseParts(text)
	if err != nil || parts <= 0 || parts > 1000*scale.Parts {
		c.faults.Add(path, "must be a number above 0, such as 0.5 or 2, got %s", text)
	}
	return parts
}

// Learning is how history is kept and summed up for an object, with every
// default filled in.
type Learning struct {
	Daily                  bool
	SlotHours, WindowWeeks int
	Zone                   *time.Location
	// MinFactor, MaxFactor and Risk are in billionths.
	MinFactor, MaxFactor, Risk int64
	// MinPercent and MaxPercent bound the headroom; MaxPercent is 0 for none.
	MinPercent, MaxPercent int32
}

// EstimatorOf reads the settings of the built-in recommender, in whole percent
// and hours, with every default filled in.
func EstimatorOf(spec v1alpha1.WorkloadAutoscalerSpec) Estimator {
	out := Estimator{Percentile: 90, MarginPercent: 15, ConfidenceHours: 24, MinChangePercent: 10}
	if spec.Vertical == nil || spec.Vertical.Estimator == nil {
		return out
	}
	e := spec.Vertical.Estimator
	override(&out.Percentile, e.Percentile)
	override(&out.MarginPercent, e.MarginPercent)
	override(&out.ConfidenceHours, e.ConfidenceHours)
	override(&out.MinChangePercent, e.MinChangePercent)
	return out
}

// Estimator is how the built-in recommender works for an object.
type Estimator struct {
	Percentile, MarginPercent, ConfidenceHours, MinChangePercent int32
}

// LearningOf reads the settings of a spec that Compile has accepted.
func LearningOf(spec v1alpha1.WorkloadAutoscalerSpec) Learning {
	out := Learning{SlotHours: 1, WindowWeeks: 4, Zone: time.UTC, MinFactor: scale.Parts / 2, MaxFactor: 2 * scale.Parts, Risk: scale.Parts / 1000}
	l := spec.Learn
	if l == nil {
		return out
	}
	out.Daily = l.Period == v1alpha1.LearnPeriodDaily
	if l.SlotHours != nil {
		out.SlotHours = int(*l.SlotHours)
	}
	if l.WindowWeeks != nil {
		out.WindowWeeks = int(*l.WindowWeeks)
	}
	var c compiler
	if l.TimeZone != "" {
		out.Zone = c.zone("", l.TimeZone)
	}
	if l.MinFactor != nil {
		out.MinFactor = c.factor("", l.MinFactor.String())
	}
	if l.MaxFactor != nil {
		out.MaxFactor = c.factor("", l.MaxFactor.String())
	}
	if h := l.Headroom; h != nil {
		override(&out.MinPercent, h.MinPercent)
		override(&out.MaxPercent, h.MaxPercent)
		if h.Risk != nil {
			out.Risk = c.factor("", h.Risk.String())
		}
	}
	return out
}
