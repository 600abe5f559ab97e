package record

import (
	"time"

	"github.com/tidemark/tidemark/fault"
	"github.com/tidemark/tidemark/scale"
)

// phases are the words for a pod's phase, as in Kubernetes.
var phases = map[string]scale.Phase{
	"":          scale.Running,
	"Running":   scale.Running,
	"Pending":   scale.Pending,
	"Succeeded": scale.Succeeded,
	"Failed":    scale.Failed,
	"Unknown":   scale.UnknownPhase,
}

// pods keeps the difference between pods that were not listed (nil) and none.
func pods(faults *fault.List, path fault.Path, list []Pod) []scale.Pod {
	if list == nil {
		return nil
	}
	out, names := make([]scale.Pod, len(list)), names{}
	for i := range list {
		at := path.Index(i)
		names.once(faults, at, list[i].Name, i)
		out[i] = pod(faults, at, &list[i])
	}
	return out
}

func pod(faults *fault.List, path fault.Path, p *Pod) scale.Pod {
	phase, known := phases[p.Phase]
	if !known {
		faults.Add(path.Field("phase"), "must be one of Running, Pending, Succeeded, Failed, Unknown: got %.64q", p.Phase)
	}
	if p.Phase == "" && p.Pending != "" {
		phase = scale.Pending
	}
	_, said := readinesses[p.Readiness]
	switch {
	case !said:
		faults.Add(path.Field("readiness"), "must be Unknown or Absent, got %.64q: for others there is ready", p.Readiness)
	case p.Readiness != "" && p.Ready != nil:
		faults.Add(path.Field("readiness"), "stands beside ready: keep one of them")
	}
	out := scale.Pod{
		Name: p.Name, Phase: phase, Deleting: p.Deleting, Ready: readiness(p, phase),
		ReadyChangedAt: p.ReadyChangedAt, StartedAt: p.StartedAt, OutOfMemoryAt: p.OutOfMemoryAt,
		RestartedAt: p.RestartedAt, Waiting: p.Waiting, Pending: p.Pending, PendingSince: p.PendingSince,
		Requests: p.Requests.amounts(), InForce: p.InForce.amounts(), ResizeSince: p.ResizeSince,
		UsageAt: p.UsageAt, UsageWindow: time.Duration(p.UsageWindow), Boosted: p.Boosted, BoostEnds: p.BoostEnds,
	}
	whole := resize(faults, path, p.Resize)
	names := names{}
	for i := range p.Containers {
		c := &p.Containers[i]
		at := path.Field("containers").Index(i)
		names.once(faults, at, c.Name, i)
		out.Containers = append(out.Containers, scale.PodContainer{
			Name: c.Name, Requests: c.Requests.amounts(), Limits: c.Limits.amounts(),
			InForce: c.InForce.amounts(), LimitsInForce: c.LimitsInForce.amounts(),
			Usage: c.Usage.amounts(), Resize: max(whole, resize(faults, at, c.Resize)), Restarts: c.Restarts,
		})
	}
	return out
}

func resize(faults *fault.List, path fault.Path, word string) scale.Resize {
	state, known := scale.ParseResize(word)
	if !known {
		faults.Add(path.Field("resize"), "must be one of InProgress, Deferred, Infeasible: got %.64q", word)
	}
	return state
}

// readinesses are the states of readiness beside ready and not.
var readinesses = map[string]scale.Readiness{"": scale.NotReady, "Unknown": scale.ReadinessUnknown, "Absent": scale.ReadinessAbsent}

func readiness(p *Pod, phase scale.Phase) scale.Readiness {
	if p.Readiness != "" {
		return readinesses[p.Readiness]
	}
	ready := phase == scale.Running && p.Waiting == ""
	if p.Ready != nil {
		ready = *p.Ready
	}
	if ready {
		return scale.Ready
	}
	return scale.NotReady
}
