package convert

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"

	"github.com/tidemark/tidemark/api/v1alpha1"
	"github.com/tidemark/tidemark/fault"
)

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
		if from, in := fault.Path("spec.triggers").Index(i), &triggers[i]; in.Type == "cron" {
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
	}
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
	return v1alpha1.Schedule{
		Name: cmp.Or(in.Name, fmt.Sprintf("cron-%d", i)), Start: m["start"], End: m["end"], TimeZone: m["timezone"],
		Replicas: &v1alpha1.ScheduledReplicas{Min: new(int32(count))},
	}, true
}

// onlyCrons tells whether all triggers became schedules, so that nothing that
// KEDA goes by is missing here.
func (d *draft) onlyCrons(triggers []kedaTrigger) bool {
	return len(triggers) > 0 && len(d.out.Spec.Schedules) == len(triggers)
}
