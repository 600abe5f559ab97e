package checker

import (
	"bytes"
	"encoding/json"
	"time"

	"github.com/tidemark/tidemark/api/v1alpha1"
	"github.com/tidemark/tidemark/engine"
	"github.com/tidemark/tidemark/engine/limit"
	"github.com/tidemark/tidemark/explain"
	"github.com/tidemark/tidemark/internal/record"
	"github.com/tidemark/tidemark/scale"
	"github.com/tidemark/tidemark/test/chaos/trail"
)

// object is what is known of one autoscaler and its workload, which has the same
// name.
type object struct {
	name    string
	looks   []*look
	counts  []count
	changes []*change
	// statuses and histories are as they were stored, in their order.
	statuses  []status
	histories []stored
	byHand    []moment[int32]
	sources   []moment[trail.Source]
}

// look is one decision.
type look struct {
	who string
	// seen is when it was noted, at is when it was by the controller's clock.
	seen, at   time.Time
	from, want int32
	// desired is what the metrics asked for; it counts where informed.
	desired  int32
	informed bool
	// gap is what was missing; empty where nothing was.
	gap string
	// sampled is when the oldest value was true.
	sampled time.Time
	mode    limit.Mode
	limits  limit.Rules
	// bounds are those that held, which may be narrower than those of the limits.
	bounds       scale.Bounds
	sync         time.Duration
	past, memory engine.Memory
	// carriedOut is set once a change was found that it explains.
	carriedOut bool
}

// count is how many replicas a workload has from a version on.
type count struct {
	at       time.Time
	epoch    int
	revision int64
	uid      string
	replicas int32
	deleted  bool
}

// status is what an autoscaler's status has from a version on.
type status struct {
	stored
	// who wrote it; empty where that is not known.
	who    string
	period time.Duration
	// least and most are the bounds of the spec, nil where it has none.
	least, most *int32
	decidedAt   time.Time
	memory      *engine.Memory
	lastScaled  time.Time
}

// stored is a version of an object.
type stored struct {
	at      time.Time
	is      trail.Stored
	deleted bool
}

// store notes a version of the workload, of its autoscaler or of its history.
func (o *object) store(at time.Time, s *trail.Stored) {
	version := stored{at: at, is: *s, deleted: s.Deleted}
	switch s.Kind {
	case trail.Deployment:
		c := count{at: at, epoch: s.Epoch, revision: s.Revision, uid: s.UID, deleted: s.Deleted}
		if s.Replicas != nil {
			c.replicas = *s.Replicas
		}
		o.counts = append(o.counts, c)
	case trail.WorkloadHistory:
		o.histories = append(o.histories, version)
	case trail.WorkloadAutoscaler:
		o.statuses = append(o.statuses, statusOf(version))
	}
}

func statusOf(s stored) status {
	out := status{stored: s}
	var obj v1alpha1.WorkloadAutoscaler
	if s.deleted || json.Unmarshal(s.is.Value, &obj) != nil {
		return out
	}
	if b := obj.Spec.Behavior; b != nil && b.SyncPeriodSeconds != nil {
		out.period = time.Duration(*b.SyncPeriodSeconds) * time.Second
	}
	out.least, out.most = obj.Spec.Replicas.Min, obj.Spec.Replicas.Max
	if d := obj.Status.LastDecision; d != nil {
		out.decidedAt = d.At.Time
	}
	if t := obj.Status.LastScaleTime; t != nil {
		out.lastScaled = t.Time
	}
	if raw := obj.Status.Memory; raw != nil {
		var m engine.Memory
		if json.Unmarshal(raw.Raw, &m) == nil {
			out.memory = &m
		}
	}
	return out
}

// noteDecision decides again what was decided, and keeps what the promises are
// about.
func (c *Checker) noteDecision(at time.Time, d *trail.Decision) {
	c.judged[Reproduced]++
	for result := range record.Decode(d.Document) {
		if len(result.Faults) > 0 {
			c.violated(Reproduced, d.Object, at, "the document of %s cannot be read: %v", d.Who, result.Faults)
			return
		}
		answer := result.Call.Decide()
		line, err := answer.Line()
		if err != nil || !bytes.Equal(bytes.TrimSpace(line), bytes.TrimSpace(d.Answer)) {
			c.violated(Reproduced, d.Object, at, "%s wrote down\n%s\nand this is decided:\n%s", d.Who, d.Answer, line)
		}
		var recorded struct {
			Decision explain.View
			Memory   engine.Memory
		}
		if err := json.Unmarshal(d.Answer, &recorded); err != nil {
			c.violated(Reproduced, d.Object, at, "the answer of %s cannot be read: %v", d.Who, err)
			return
		}
		o, call := c.object(d.Object), &result.Call
		desired, informed := desiredBy(&recorded.Decision)
		o.looks = append(o.looks, &look{
			who: d.Who, seen: at, at: call.Observation.At, from: recorded.Decision.From.Replicas, want: recorded.Decision.Want.Replicas,
			desired: desired, informed: informed, gap: gapIn(d.Document), sampled: sampledAt(&call.Observation), limits: call.Policy.Limit,
			mode: call.Policy.Limit.Mode, bounds: answer.Decision.Bounds, sync: call.Policy.Sync, past: call.Memory, memory: recorded.Memory,
		})
	}
}

// desiredBy is what the metrics asked for, before anything limits it.
func desiredBy(d *explain.View) (desired int32, informed bool) {
	for _, s := range d.Steps {
		if s.Stage != scale.StageHorizontal {
			continue
		}
		if s.Reason == scale.NoData || s.Reason == scale.PartialData {
			return 0, false
		}
		desired, informed = s.Out.Replicas, true
	}
	return desired, informed
}
