package policy

import (
	"fmt"
	"regexp"
	"time"

	"github.com/robfig/cron/v3"

	"github.com/tidemark/tidemark/api/v1alpha1"
	"github.com/tidemark/tidemark/engine/schedule"
	"github.com/tidemark/tidemark/fault"
)

// maxSchedules is how many schedules an object may have: each decision looks at
// all of them.
const maxSchedules = 50

var scheduleName = regexp.MustCompile(`^[A-Za-z0-9]([-_.A-Za-z0-9]*[A-Za-z0-9])?$`)

// schedules compiles the schedules; nil where there are none.
func (c *compiler) schedules() *schedule.Rules {
	if len(c.spec.Schedules) == 0 {
		return nil
	}
	if n := len(c.spec.Schedules); n > maxSchedules {
		c.faults.Add("schedules", "must not be more than %d, got %d", maxSchedules, n)
		return nil
	}
	rules := &schedule.Rules{}
	for i := range c.spec.Schedules {
		rules.Windows = append(rules.Windows, c.schedule(fault.Path("schedules").Index(i), i, &c.spec.Schedules[i]))
	}
	return rules
}

func (c *compiler) schedule(path fault.Path, i int, s *v1alpha1.Schedule) schedule.Window {
	w := schedule.Window{Name: s.Name, Zone: c.zone(path.Field("timeZone"), s.TimeZone), Freeze: c.freeze(path.Field("freeze"), s.Freeze)}
	if w.Name == "" {
		w.Name = fmt.Sprintf("schedules[%d]", i)
	} else if len(s.Name) > 63 || !scheduleName.MatchString(s.Name) {
		c.faults.Add(path.Field("name"), "must be a name of at most 63 letters, digits, -, _ and ., got %.64q", s.Name)
	}
	switch recurs, once := s.Start != "" || s.End != "", s.From != "" || s.Until != ""; {
	case recurs && once:
		c.faults.Add(path, "must have either start and end, as cron, or from and until, as moments, not both")
	case recurs:
		w.Start, w.End = c.cron(path.Field("start"), s.Start), c.cron(path.Field("end"), s.End)
		if w.Start == w.End && w.Start != (schedule.Cron{}) {
			c.faults.Add(path.Field("end"), "must differ from start: the schedule would end when it starts")
		}
	case once:
		w.From, w.Until = c.moment(path.Field("from"), s.From), c.moment(path.Field("until"), s.Until)
		if s.TimeZone != "" {
			w.Until = w.Until.In(w.Zone) // as it is told
		}
		if !w.From.IsZero() && !w.Until.IsZero() && !w.From.Before(w.Until) {
			c.faults.Add(path.Field("until"), "must be after from: %s is not after %s", s.Until, s.From)
		}
	default:
		c.faults.Add(path, "needs start and end, as cron, or from and until, as moments")
	}
	c.scheduledReplicas(path, s, &w)
	return w
}

// scheduledReplicas compiles what a schedule states.
func (c *compiler) scheduledReplicas(path fault.Path, s *v1alpha1.Schedule, w *schedule.Window) {
	r, at := s.Replicas, path.Field("replicas")
	switch {
	case r == nil && s.Freeze == "":
		c.faults.Add(path, "needs replicas, freeze or both: without them it changes nothing")
	case r == nil:
	case r.Min == nil && r.Max == nil:
		c.faults.Add(at, "needs min, max or both")
	case r.Min != nil && *r.Min < 0:
		c.faults.Add(at.Field("min"), "must not be negative, got %d", *r.Min)
	case r.Max != nil && *r.Max < 0:
		c.faults.Add(at.Field("max"), "must not be negative, got %d", *r.Max)
	case r.Min != nil && r.Max != nil && *r.Min > *r.Max:
		c.faults.Add(at.Field("min"), "must not be above max: %d > %d", *r.Min, *r.Max)
	default:
		w.Min, w.Max = r.Min, r.Max
	}
	if s.Freeze != "" && c.spec.Actuator == v1alpha1.ActuatorHPA {
		c.faults.Add(path.Field("freeze"), "needs actuator Scale: an HPA scales by itself, and only its bounds can be scheduled")
	}
}

func (c *compiler) freeze(path fault.Path, f v1alpha1.Freeze) schedule.Freeze {
	switch f {
	case "":
		return 0
	case v1alpha1.FreezeUp:
		return schedule.FreezeUp
	case v1alpha1.FreezeDown:
		return schedule.FreezeDown
	case v1alpha1.FreezeAll:
		return schedule.FreezeUp | schedule.FreezeDown
	}
	oneOf(c, path, f, v1alpha1.FreezeUp, v1alpha1.FreezeDown, v1alpha1.FreezeAll)
	return 0
}

// cronForm is what five fields look like. The parser knows more forms, with zones
// and words for whole expressions, which other readers of a spec do not.
var cronForm = regexp.MustCompile(`^[0-9A-Za-z*?,/-]+( +[0-9A-Za-z*?,/-]+){4}$`)

var cronParser = cron.NewParser(cron.Minute | cron.Hour | cron.Dom | cron.Month | cron.Dow)

// cron compiles an expression into the sets of numbers that it names.
func (c *compiler) cron(path fault.Path, text string) schedule.Cron {
	const example = "five fields of cron, such as 0 8 * * Mon-Fri"
	switch {
	case text == "":
		c.faults.Add(path, "is required: %s", example)
		return schedule.Cron{}
	case len(text) > 128 || !cronForm.MatchString(text):
		c.faults.Add(path, "must be %s, got %.128q", example, text)
		return schedule.Cron{}
	}
	parsed, err := cronParser.Parse(text)
	if err != nil {
		c.faults.Add(path, "must be %s, got %q: %v", example, text, err)
		return schedule.Cron{}
	}
	const star, numbers = uint64(1 << 63), uint64(1<<63 - 1)
	spec := parsed.(*cron.SpecSchedule)
	out := schedule.Cron{
		Minute: spec.Minute & numbers, Hour: spec.Hour & numbers, Day: spec.Dom & numbers, Month: spec.Month & numbers, Weekday: spec.Dow & numbers,
		EitherDay: spec.Dom&star == 0 && spec.Dow&star == 0,
	}
	if out.Never() {
		c.faults.Add(path, "must name a date that there is, got %q", text)
	}
	return out
}

// moment reads a moment with its offset.
func (c *compiler) moment(path fault.Path, text string) time.Time {
	if text == "" {
		c.faults.Add(path, "is required: a moment such as 2026-11-27T00:00:00Z")
		return time.Time{}
	}
	at, err := time.Parse(time.RFC3339, text)
	if err != nil {
		c.faults.Add(path, "must be a moment that there is, such as 2026-11-27T00:00:00Z, got %.64q", text)
		return time.Time{}
	}
	return at.UTC()
}

// wakes tells whether some schedule brings a workload back from zero.
func wakes(r *schedule.Rules) bool {
	if r == nil {
		return false
	}
	for i := range r.Windows {
		if least := r.Windows[i].Min; least != nil && *least > 0 {
			return true
		}
	}
	return false
}
