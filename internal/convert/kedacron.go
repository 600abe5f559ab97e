package convert

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/tidemark/tidemark/api/v1alpha1"
	"github.com/tidemark/tidemark/fault"
)

// kedaCronType is the type of the triggers that hold by the clock.
const kedaCronType = "cron"

// cronTrigger is a cron trigger as a schedule, and where it came from.
type cronTrigger struct {
	from     fault.Path
	schedule v1alpha1.Schedule
}

// kedaCrons carries the cron triggers. Where several hold, KEDA takes the largest
// count, and here the later in the list wins: so they are sorted by their counts.
func (d *draft) kedaCrons(triggers []kedaTrigger) {
	var crons []cronTrigger
	for i := range triggers {
		if from, in := fault.Path("spec.triggers").Index(i), &triggers[i]; in.Type == kedaCronType {
			if s, ok := d.kedaCron(from, i, in); ok {
				crons = append(crons, cronTrigger{from, s})
			}
		}
	}
	slices.SortStableFunc(crons, func(a, b cronTrigger) int { return cmp.Compare(*a.schedule.Replicas.Min, *b.schedule.Replicas.Min) })
	for i, one := range crons {
		to := fault.Path("spec.schedules").Index(i)
		d.carry(one.from, to)
		d.carry(one.from.Field("metadata.desiredReplicas"), to.Field("replicas.min"))
		d.out.Spec.Schedules = append(d.out.Spec.Schedules, one.schedule)
		d.scheduleFrom = append(d.scheduleFrom, one.from)
	}
}

// scheduleName is what schedules can be called. KEDA takes every text.
var scheduleName = regexp.MustCompile(`^[A-Za-z0-9]([-_.A-Za-z0-9]*[A-Za-z0-9])?$`)

var schedulePath = regexp.MustCompile(`^schedules\[(\d+)\]\.?`)

// dropSchedule takes out the first schedule that has a fault, such as a time zone that
// there is none of.
func (d *draft) dropSchedule(faults fault.List) bool {
	for _, f := range faults {
		match := schedulePath.FindStringSubmatch(string(f.Path))
		if match == nil {
			continue
		}
		i, err := strconv.Atoi(match[1])
		if err != nil || i >= len(d.scheduleFrom) {
			continue
		}
		from := d.scheduleFrom[i]
		d.forget(from)
		d.drop(from, "needs times that KEDA can read as well: %s", strings.TrimPrefix(f.String(), match[0]))
		d.affects(from, AffectsAll)
		d.out.Spec.Schedules = slices.Delete(d.out.Spec.Schedules, i, i+1)
		d.scheduleFrom = slices.Delete(d.scheduleFrom, i, i+1)
		for at, later := range d.scheduleFrom[i:] {
			to := fault.Path("spec.schedules").Index(i + at)
			d.carry(later, to)
			d.carry(later.Field("metadata.desiredReplicas"), to.Field("replicas.min"))
		}
		return true
	}
	return false
}

// kedaCron reads one cron trigger. KEDA requires all four of its values.
func (d *draft) kedaCron(from fault.Path, i int, in *kedaTrigger) (v1alpha1.Schedule, bool) {
	m := in.Metadata
	count, err := strconv.ParseInt(m["desiredReplicas"], 10, 32)
	if err != nil || count < 0 || m["start"] == "" || m["end"] == "" || m["timezone"] == "" {
		d.drop(from, "needs timezone, start, end and a desiredReplicas that is a count")
		d.affects(from, AffectsAll)
		return v1alpha1.Schedule{}, false
	}
	d.leave(from.Field("metricType"), "a schedule is no metric")
	d.leave(from.Field("useCachedMetrics"), "a schedule is not asked for anywhere")
	d.leave(from.Field("authenticationRef"), "a schedule needs no authentication")
	for key := range m {
		if !slices.Contains([]string{"timezone", "start", "end", "desiredReplicas"}, key) {
			d.leave(child(from.Field("metadata"), key), "KEDA ignores it for cron")
		}
	}
	name := in.Name
	if len(name) > 63 || !scheduleName.MatchString(name) {
		name = fmt.Sprintf("cron-%d", i)
		d.leave(from.Field("name"), "is no name that a schedule can have, and is %s here", name)
	}
	return v1alpha1.Schedule{
		Name: name, Start: m["start"], End: m["end"], TimeZone: m["timezone"],
		Replicas: &v1alpha1.ScheduledReplicas{Min: new(int32(count))},
	}, true
}

// onlyCrons tells whether all triggers became schedules, so that nothing that
// KEDA goes by is missing here.
func (d *draft) onlyCrons(triggers []kedaTrigger) bool {
	return len(triggers) > 0 && len(d.out.Spec.Schedules) == len(triggers)
}
