package watched

import (
	"bytes"
	"compress/flate"
	"io"
	"time"

	"github.com/tidemark/tidemark/api/v1alpha1"
	"github.com/tidemark/tidemark/engine"
	"github.com/tidemark/tidemark/explain"
	"github.com/tidemark/tidemark/internal/record"
	"github.com/tidemark/tidemark/scale"
)

// kept is what a look saw, as the document of it, compressed, with the decision it
// leads to.
type kept struct {
	at      time.Time
	from    int32
	want    int32
	because [2]scale.Reason
	text    []byte
}

// looks are those at an object, the last at the end.
type looks []kept

// same tells whether two looks lead to the same decision.
func (k *kept) same(other *kept) bool {
	return k.from == other.from && k.want == other.want && k.because == other.because
}

// agrees tells whether a look leads to the decision that a status has.
func (k *kept) agrees(v *explain.View) bool {
	return k.from == v.From.Replicas && k.want == v.Want.Replicas && k.because == [2]scale.Reason{v.Reason, v.LimitedBy}
}

// compressed is the document of what a look saw; nil where there is none.
func compressed(c *record.Call) []byte {
	line, err := record.Encode(*c, v1alpha1.AdminSettings{})
	if err != nil {
		return nil
	}
	var text bytes.Buffer
	// Writing to memory does not fail, and the level is one that there is.
	w, _ := flate.NewWriter(&text, flate.BestSpeed)
	_, _ = w.Write(line)
	_ = w.Close()
	return bytes.Clone(text.Bytes())
}

// keptOf is what is kept of a look that leads to a decision.
func keptOf(at time.Time, d *scale.Decision, text []byte) kept {
	return kept{at, d.From.Replicas, d.Want.Replicas, [2]scale.Reason{d.Reason, d.LimitedBy}, text}
}

// keep keeps what a look saw, the first and the last of those that lead to the same
// decision, in so many bytes.
func (o *object) keep(next kept, most int) {
	if n := len(o.calls); n >= 2 && o.calls[n-1].same(&next) && o.calls[n-2].same(&next) {
		o.calls = o.calls[:n-1]
	}
	o.calls = append(o.calls, next)
	size, first := 0, len(o.calls)
	for first > 0 && size+len(o.calls[first-1].text) <= most {
		first--
		size += len(o.calls[first].text)
	}
	o.calls = append([]kept(nil), o.calls[first:]...)
}

// call reads it again.
func (k *kept) call() (record.Call, bool) {
	text, err := io.ReadAll(flate.NewReader(bytes.NewReader(k.text)))
	if err != nil {
		return record.Call{}, false
	}
	for result := range record.Decode(text) {
		return result.Call, len(result.Faults) == 0
	}
	return record.Call{}, false
}

// callOf finds the look that leads to the decision which a status has between two
// moments: the last one until the moment that is asked for. The zero moment has no
// end.
func (all looks) callOf(v *explain.View, from, until, at time.Time) *look {
	var best *kept
	for i := range all {
		k := &all[i]
		if k.at.Before(from.Add(-closely)) || !until.IsZero() && !k.at.Before(until) || !k.agrees(v) {
			continue
		}
		if best == nil || at.IsZero() || !k.at.After(at) {
			best = k
		}
	}
	if best == nil {
		return all.rewound(v, from)
	}
	if call, ok := best.call(); ok {
		return &look{at: best.at, call: call}
	}
	return nil
}

// rewound makes the call of a decision that changed the count of what was seen right
// after it: the count was what the decision found, pods that came later were not
// there, and what was remembered is what was before. It counts only where the engine
// then decides the same.
func (all looks) rewound(v *explain.View, at time.Time) *look {
	before, after := -1, -1
	for i := range all {
		switch k := &all[i]; {
		case k.at.Before(at):
			before = i
		case after < 0 && k.at.Sub(at) < closely:
			after = i
		}
	}
	for _, i := range []int{after, before} {
		if i < 0 || at.Sub(all[i].at) > closely {
			continue
		}
		c, ok := all[i].call()
		if !ok {
			continue
		}
		if before >= 0 && i == after {
			if past, ok := all[before].call(); ok {
				c.Memory = past.Memory
			}
		}
		if rewind(&c, v, at); leadsTo(&c, v) {
			return &look{at: all[i].at, call: c, rewound: true}
		}
	}
	return nil
}

// rewind takes an observation back to a moment.
func rewind(c *record.Call, v *explain.View, at time.Time) {
	obs := &c.Observation
	obs.At, obs.Target.SpecReplicas = at, v.From.Replicas
	obs.Target.StatusReplicas = v.From.Replicas
	if int32(len(obs.Pods)) <= v.From.Replicas {
		return
	}
	var there []scale.Pod
	for i := range obs.Pods {
		if born := obs.Pods[i].StartedAt; born.Before(at) && (!born.IsZero() || obs.Pods[i].Phase == scale.Running) {
			there = append(there, obs.Pods[i])
		}
	}
	for i := range obs.Samples {
		// Values of pods stand in the order of the pods.
		if len(obs.Samples[i].PerPod) != 0 {
			return
		}
	}
	obs.Pods = there
}

func leadsTo(c *record.Call, v *explain.View) bool {
	d, _ := engine.Decide(c.Policy, c.Observation, c.Memory)
	k := keptOf(c.Observation.At, &d, nil)
	return k.agrees(v)
}
