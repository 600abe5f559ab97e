package record

import (
	"github.com/tidemark/tidemark/engine"
	"github.com/tidemark/tidemark/engine/limit"
	"github.com/tidemark/tidemark/fault"
	"github.com/tidemark/tidemark/scale"
)

// maxRemembered is the longest list a memory may hold. The engine keeps its
// own lists much shorter; the rest is for memories of other versions.
const maxRemembered = 10 * limit.MaxEntries

// memoryFaults checks what no engine ever returned.
func memoryFaults(m *engine.Memory) fault.List {
	var faults fault.List
	valueFaults(&faults, "highs", m.Highs)
	valueFaults(&faults, "lows", m.Lows)
	if len(m.Totals) > maxRemembered {
		faults.Add("totals", "must have at most %d entries, got %d", maxRemembered, len(m.Totals))
		return faults
	}
	for i, t := range m.Totals {
		path := fault.Path("totals").Index(i)
		valueFaults(&faults, path.Field("highs"), t.Highs)
		valueFaults(&faults, path.Field("lows"), t.Lows)
	}
	if len(m.Events) > maxRemembered {
		faults.Add("events", "must have at most %d entries, got %d", maxRemembered, len(m.Events))
	}
	if len(m.Elastic.Totals) > maxRemembered {
		faults.Add("elastic.wishes", "must have at most %d entries, got %d", maxRemembered, len(m.Elastic.Totals))
	}
	if len(m.Learned.Targets) > maxRemembered {
		faults.Add("learned.targets", "must have at most %d entries, got %d", maxRemembered, len(m.Learned.Targets))
	}
	tunedFaults(&faults, "learned.tuned", m.Learned.Tuned)
	notNegative(&faults, "replicas", m.Replicas)
	return faults
}

// tunedFaults checks what self-tuning found.
func tunedFaults(faults *fault.List, path fault.Path, t *scale.Tuned) {
	if t == nil {
		return
	}
	if !t.Valid() || !t.Before.Valid() {
		faults.Add(path, "needs a target and a wait between 0 and 1000 percent, got %d and %d", t.Target, t.Wait)
	}
	if len(t.Candidates) > scale.MaxCandidates {
		faults.Add(path.Field("candidates"), "must have at most %d entries, got %d", scale.MaxCandidates, len(t.Candidates))
	}
}

func valueFaults(faults *fault.List, path fault.Path, values []limit.TimedValue) {
	if len(values) > maxRemembered {
		faults.Add(path, "must have at most %d entries, got %d", maxRemembered, len(values))
		return
	}
	for i, v := range values {
		if v.Value < 0 {
			faults.Add(path.Index(i).Field("value"), "must not be negative, got %d", v.Value)
		}
	}
}
