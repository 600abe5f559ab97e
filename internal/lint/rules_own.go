package lint

import (
	"github.com/tidemark/tidemark/scale"
)

var ownRules = []Rule{
	{
		ID: "TM110", Name: "emergency-left-on", Severity: Warning,
		Why: "Emergency keeps the workload at its maximum. It is for an outage, and in a manifest that is kept it stays on, and is paid " +
			"for, until somebody notices.",
		Fix: "Set the mode back to Auto, and switch to Emergency in the cluster while it lasts.",
		Check: ofScalers(func(_ *World, s *Scaler, found *Report) {
			if s.own != nil && s.own.mode == "Emergency" {
				found.Add(s.Object, s.own.modeAt, "is Emergency")
			}
		}),
	},
	{
		ID: "TM111", Name: "headroom-unused", Severity: Warning,
		Why:   "Measured headroom stands in for a target that is missing. Every metric here has a target or watermarks, so the measured one is never used.",
		Fix:   "Leave the target out of the resource metric that headroom is meant for, or remove learn.headroom.",
		Check: ofScalers(checkHeadroom),
	},
	{
		ID: "TM112", Name: "range-above-max", Severity: Warning,
		Why:   "A range lets a pod grow larger than its containers may. The pods stop at the containers' maximum, and the range's end is never reached.",
		Fix:   "Raise the containers' max, or lower the range's maxResources.",
		Check: ofScalers(checkRanges),
	},
	{
		ID: "TM113", Name: "windows-without-effect", Severity: Warning,
		Why: "No direction waits for a maintenance window, or a window that ends when it starts lasts the whole day. Changes happen at any " +
			"time, although it reads as if they did not.",
		Fix:   "Say update: MaintenanceWindow for the direction that should wait, and give the window an end that differs from its start; or remove it.",
		Check: ofScalers(checkMaintenance),
	},
	{
		ID: "TM114", Name: "nothing-to-decide", Severity: Warning,
		Why:   "The object has no metrics and no schedules, sizes no containers and learns nothing. It keeps the count within its bounds and does nothing else.",
		Fix:   "Add a metric, schedules, containers or intervals.",
		Check: ofScalers(checkIdle),
	},
	{
		ID: "TM115", Name: "resize-does-not-wait", Severity: Warning,
		Why: "Pods that are resized to have their headroom take it and give it up by rules of their own. A tolerance or a stabilization window " +
			"of the count has no part in that as soon as the growth of the usage is known.",
		Fix:   "Remove it. To slow a direction down, use delaySeconds, forbiddenWindowSeconds or minChange, which hold sizes back too.",
		Check: ofDirections(checkResizeWaits),
	},
}

func checkResizeWaits(s *Scaler, d *Direction, found *Report) {
	if s.own == nil || !s.own.resizes {
		return
	}
	if d.Window != nil && *d.Window > 0 {
		found.Add(s.Object, d.Path.Field("stabilizationWindowSeconds"), "has no effect on pods that learn.headroom.resize sizes")
	}
	if d.Tolerance != nil {
		found.Add(s.Object, d.Path.Field("tolerance"), "has no effect on pods that learn.headroom.resize sizes")
	}
}

func checkHeadroom(_ *World, s *Scaler, found *Report) {
	if s.own == nil || !s.own.headroom || len(s.Metrics) == 0 {
		return
	}
	for i := range s.Metrics {
		if !s.Metrics[i].bound() {
			return
		}
	}
	found.Add(s.Object, "spec.learn.headroom", "is never used: every metric has a target or watermarks")
}

// checkRanges needs to know all containers of a pod: from the workload, or
// because the policies name a single one.
func checkRanges(w *World, s *Scaler, found *Report) {
	if s.own == nil || s.sizes == nil {
		return
	}
	var containers []string
	if t := w.pods(s); t != nil {
		for i := range t.Containers {
			containers = append(containers, t.Containers[i].Name)
		}
	} else if len(s.sizes.Policies) == 1 && s.sizes.Policies[0].Container != "*" {
		containers = []string{s.sizes.Policies[0].Container}
	}
	for _, r := range scale.EveryResource {
		most := s.sizes.largest(containers, r)
		for _, rg := range s.own.ranges {
			if most != nil && rg.max[r] != nil && *rg.max[r] > *most {
				found.Add(s.Object, rg.path.Field(r.String()), "is %s, and the containers may only have %s", r.Format(*rg.max[r]), r.Format(*most))
			}
		}
	}
}

// largest is the most that all containers together may ask for, nil where one
// of them may ask for anything.
func (s *Sizing) largest(containers []string, r scale.Resource) *scale.Amount {
	var sum scale.Amount
	for _, name := range containers {
		var most *scale.Amount
		for i := range s.Policies {
			p := &s.Policies[i]
			if p.Container == name || p.Container == "*" && most == nil {
				most = p.Max[r]
			}
		}
		if most == nil {
			return nil
		}
		sum = sum.Add(*most)
	}
	if len(containers) == 0 {
		return nil
	}
	return &sum
}

func checkMaintenance(_ *World, s *Scaler, found *Report) {
	if s.own == nil || len(s.own.windows) == 0 {
		return
	}
	if !s.own.windowed {
		found.Add(s.Object, "spec.maintenanceWindows", "is waited for by no direction")
		return
	}
	for _, w := range s.own.windows {
		if w.start == w.end && w.start != "" {
			found.Add(s.Object, w.path, "ends when it starts, at %s, which is a whole day later", w.start)
		}
	}
}

func checkIdle(_ *World, s *Scaler, found *Report) {
	if s.Family != Tidemark || len(s.wrong) > 0 {
		return
	}
	if len(s.Metrics) > 0 || s.sizes != nil || s.partner.Name != "" || s.own.learns || s.own.scheduled || s.own.hpaCompatible {
		return
	}
	found.Add(s.Object, "spec", "has neither metrics nor containers nor intervals")
}
