package lint

import (
	"strconv"
	"strings"
	"time"

	"github.com/tidemark/tidemark/api/v1alpha1"
	"github.com/tidemark/tidemark/fault"
	"github.com/tidemark/tidemark/policy"
)

var scheduleRules = []Rule{
	{
		ID: "TM120", Name: "schedule-never-holds", Severity: Error,
		Why: "No moment is ever within the schedule: it is over, it ends when it starts, or its start or its zone is none that there is. What it " +
			"was to prepare the workload for meets the usual number of pods.",
		Fix:   "Correct its start, its end or its zone, or remove it.",
		Check: func(w *World, found *Report) { checkOver(w, found); checkCron(w, found) },
	},
	{
		ID: "TM121", Name: "schedule-without-effect", Severity: Warning,
		Why: "While the cron trigger holds, it asks for no more pods than the minimum that runs anyway, so nothing happens when it starts.",
		Fix: "Raise desiredReplicas above minReplicaCount, or lower minReplicaCount to what is to run outside the schedule.",
		Check: ofTriggers(func(s *Scaler, t *trigger, found *Report) {
			n, err := strconv.ParseInt(t.metadata["desiredReplicas"], 10, 32)
			if t.kind == "cron" && err == nil && n <= s.least() && !s.keda.formula && s.keda.idle == nil {
				found.Add(s.Object, t.path.Field("metadata").Field("desiredReplicas"), "is %d, and the minimum is %d", n, s.least())
			}
		}),
	},
	{
		ID: "TM122", Name: "schedule-name-twice", Severity: Warning,
		Why:   "Explanations name the schedule that holds. Where two have one name, nobody can tell which of them it was.",
		Fix:   "Give each schedule a name of its own.",
		Check: ofScalers(checkScheduleNames),
	},
}

func checkScheduleNames(_ *World, s *Scaler, found *Report) {
	if s.own == nil {
		return
	}
	first := map[string]bool{}
	for _, n := range s.own.names {
		if n.text != "" && first[n.text] {
			found.Add(s.Object, n.path, "%s is the name of an earlier schedule", n.text)
		}
		first[n.text] = true
	}
}

// checkOver looks at schedules between two moments.
func checkOver(w *World, found *Report) {
	for _, s := range w.scalers {
		if s.own == nil || w.At.IsZero() {
			continue
		}
		for _, o := range s.own.once {
			if until, err := time.Parse(time.RFC3339, o.text); err == nil && !until.After(w.At) {
				found.Add(s.Object, o.path, "was over on %s", until.UTC().Format(time.DateOnly))
			}
		}
	}
}

// checkCron asks the compiler of our own schedules what it would say of a cron
// trigger. It is stricter in nothing that KEDA would accept, but for words such as
// @daily, which are passed over.
func checkCron(w *World, found *Report) {
	check := ofTriggers(func(s *Scaler, t *trigger, found *Report) {
		start, end := t.metadata["start"], t.metadata["end"]
		if t.kind != "cron" || start == "" || end == "" || strings.Contains(start+end, "@") {
			return
		}
		spec := v1alpha1.WorkloadAutoscalerSpec{Schedules: []v1alpha1.Schedule{{
			Start: strings.Join(strings.Fields(start), " "), End: strings.Join(strings.Fields(end), " "), TimeZone: t.metadata["timezone"],
			Replicas: &v1alpha1.ScheduledReplicas{Min: new(int32(1))},
		}}}
		_, err := policy.Compile(spec, v1alpha1.AdminSettings{})
		for _, f := range fault.Of(err) {
			field, ok := strings.CutPrefix(string(f.Path), "schedules[0].")
			if field = strings.ToLower(field); ok {
				found.Add(s.Object, t.path.Field("metadata").Field(field), "%s", f.Message)
			}
		}
	})
	check(w, found)
}
