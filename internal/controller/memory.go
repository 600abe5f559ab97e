package controller

import (
	"bytes"
	"fmt"
	"time"

	"github.com/tidemark/tidemark/api/v1alpha1"
	"github.com/tidemark/tidemark/engine"
	"github.com/tidemark/tidemark/engine/limit"
	"github.com/tidemark/tidemark/explain"
	"github.com/tidemark/tidemark/internal/record"
	"github.com/tidemark/tidemark/scale"
)

// recall returns the memory to decide with: this process's own, or after a
// restart the status's. One that cannot be read is told in the report.
func (r *Reconciler) recall(report *report, pol engine.Policy, obs *scale.Observation) engine.Memory {
	if last, ok := r.lastRuns.of(report.obj); ok && last.memory.Seen {
		return last.memory
	}
	memory, err := Recall(report.obj.Status, obs, pol.Sync)
	if err != nil {
		report.lost = err.Error()
		report.events = append(report.events, explain.Event{Warning: true, Reason: string(scale.MemoryLost), Message: report.lost})
	}
	return memory
}

// Recall returns the memory with which a controller that has just started decides
// on what was seen. Where the status has one that cannot be read, there is an
// error to tell, and a memory that scales nothing down for one window.
func Recall(status v1alpha1.WorkloadAutoscalerStatus, obs *scale.Observation, sync time.Duration) (engine.Memory, error) {
	if status.Memory == nil || len(bytes.TrimSpace(status.Memory.Raw)) == 0 {
		return engine.Memory{}, nil
	}
	memory, err := record.DecodeMemory(status.Memory.Raw)
	if err != nil {
		return freshMemory(obs),
			fmt.Errorf("status.memory could not be read (%w): the current size counts as desired just now, and nothing scales down for one window", err)
	}
	return resumed(memory, obs.At, sync), nil
}

// resumed is the memory of another process as it counts now. A workload at rest
// causes no writes, so the newest desired count in a status may have been
// repeated ever since without a trace. One that is older than one sync period
// is therefore taken to have held until now: a window then holds a change back
// for longer than it would have without a restart, never shorter.
func resumed(m engine.Memory, at time.Time, sync time.Duration) engine.Memory {
	until := func(values []limit.TimedValue) []limit.TimedValue {
		if n := len(values); n > 0 && at.Sub(values[n-1].At) > sync {
			values[n-1].At = at
		}
		return values
	}
	m.Highs, m.Lows = until(m.Highs), until(m.Lows)
	for i := range m.Totals {
		m.Totals[i].Highs, m.Totals[i].Lows = until(m.Totals[i].Highs), until(m.Totals[i].Lows)
	}
	if w := m.Elastic.Totals; len(w) > 0 && at.Sub(w[len(w)-1].At) > sync {
		w[len(w)-1].At = at
	}
	return m
}

// freshMemory is the memory of a workload whose own was lost. Its size counts as
// desired just now, and as changed just now: stabilization and forbidden
// windows hold a scale-down back as long as they ever do. Nothing holds a
// scale-up back that would not have without a memory, apart from the forbidden
// window.
func freshMemory(obs *scale.Observation) engine.Memory {
	count := obs.Target.SpecReplicas
	m := engine.Memory{Seen: true, Replicas: count}
	m.LastEventAt = obs.At
	m.Highs = []limit.TimedValue{{At: obs.At, Value: int64(count)}}
	for _, c := range obs.Target.Containers {
		for _, res := range scale.EveryResource {
			if request, ok := c.Requests.Get(res); ok {
				m.Totals = append(m.Totals, limit.DesiredTotals{
					Container: c.Name, Resource: res.String(),
					Highs: []limit.TimedValue{{At: obs.At, Value: int64(request.Times(int64(count)))}},
				})
			}
		}
	}
	return m
}

// unapplied is the memory of a decision that could not be carried out: what was
// desired counts, the change that did not happen does not.
func unapplied(before, after engine.Memory) engine.Memory {
	after.Events, after.LastEventAt = before.Events, before.LastEventAt
	after.Seen, after.Replicas, after.Slept = before.Seen, before.Replicas, before.Slept
	after.Learned.Targets = before.Learned.Targets
	return after
}
