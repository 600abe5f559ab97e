package advise

import (
	"fmt"
	"time"

	"github.com/tidemark/tidemark/api/v1alpha1"
	"github.com/tidemark/tidemark/internal/replay"
	"github.com/tidemark/tidemark/internal/replay/trace"
	"github.com/tidemark/tidemark/scale"
)

// Judge replays what runs now, the recommended policy and the best HPA on a
// workload's past, and says what is worth doing. An error is why nothing can be
// said of it.
func Judge(w Workload, past Past, o Options) (Advice, error) {
	out := Advice{Namespace: w.Namespace, Kind: w.Kind, Name: w.Name, Problems: w.Problems, OOMKills: past.OOMKills}
	plant, err := plantOf(&past, o)
	if err != nil {
		return out, err
	}
	runs, err := replay.New(past.Demand, plant)
	if err != nil {
		return out, err
	}
	t := trial{demand: past.Demand, plant: plant, runs: runs, from: past.Demand.Points[0].At.Add(plant.WarmUp), options: o}
	out.From, out.Until = past.Demand.Points[0].At, past.Demand.Points[len(past.Demand.Points)-1].At
	is := presentOf(&w)
	within := boundsOf(&w, is, past)
	out.Scaled = scaledBy(is)
	if out.Now, err = t.now(is, past, &out); err != nil {
		return out, fmt.Errorf("replaying what runs now: %w", err)
	}
	spec := recommended(within, is)
	if out.Recommended, err = t.spec("recommended", t.looked(spec)); err != nil {
		return out, fmt.Errorf("replaying the recommended policy: %w", err)
	}
	if out.BestHPA, err = t.bestHPA(within); err != nil {
		return out, fmt.Errorf("replaying HPAs: %w", err)
	}
	out.Object, out.Unwritten = objectFor(w, is, spec)
	out.doubt(is, past, o)
	out.conclude(is)
	return out, nil
}

// trial replays policies on one past.
type trial struct {
	demand  trace.Trace
	plant   replay.Plant
	runs    *replay.Replay
	from    time.Time
	options Options
}

// spec replays a spec.
func (t *trial) spec(name string, spec v1alpha1.WorkloadAutoscalerSpec) (Outcome, error) {
	p, err := replay.FromSpec(name, spec)
	if err != nil {
		return Outcome{}, err
	}
	return t.run(p, nil)
}

// looked is the recommended policy as it is replayed: in a hurry it looks half as
// often, since weighing takes longest. HPAs look as often as they do: they may grow by
// so much in each look, so fewer looks would be unfair to them alone.
func (t *trial) looked(spec v1alpha1.WorkloadAutoscalerSpec) v1alpha1.WorkloadAutoscalerSpec {
	if !t.options.Quick || spec.Behavior != nil && spec.Behavior.SyncPeriodSeconds != nil {
		return spec
	}
	every := int32(2 * t.plant.Sync / time.Second)
	out := *spec.DeepCopy()
	if out.Behavior == nil {
		out.Behavior = &v1alpha1.Behavior{}
	}
	out.Behavior.SyncPeriodSeconds = &every
	return out
}

// run replays a policy, and tells each decision that is scored to somebody who wants
// to know.
func (t *trial) run(p replay.Policy, told func(replay.Moment)) (Outcome, error) {
	var mean means
	each := func(m replay.Moment) {
		if m.At.Before(t.from) {
			return
		}
		mean.add(m)
		if told != nil {
			told(m)
		}
	}
	results, err := t.runs.Run([]replay.Policy{p}, replay.Options{Each: each, Course: t.options.Course, WithoutOracle: true})
	if err != nil {
		return Outcome{}, err
	}
	out := Outcome{Policy: p.Name, Score: results[0].Score, Cost: results[0].Score.Total, Result: &results[0]}
	out.Replicas, out.CPU = mean.of()
	return out, nil
}

// now replays the present autoscaler where cpu alone decides what it does, and
// compares that with what the replicas really did. Otherwise what they did is
// repeated.
func (t *trial) now(is present, past Past, a *Advice) (Outcome, error) {
	a.RecordedReplicas = meanCount(past.Replicas, t.from)
	if is.spec != nil && is.byCPU {
		p, err := replay.FromSpec("now", *is.spec)
		var out Outcome
		apart := mismatch{recorded: cursor{points: past.Replicas.Points}}
		if err == nil {
			out, err = t.run(p, apart.add)
		}
		if err == nil {
			if by, known := apart.share(); known {
				a.ReplayError = &by
			}
			return out, nil
		}
		a.Notes = append(a.Notes, fmt.Sprintf("%s %s cannot be replayed, so what the replicas did is repeated: %v", is.from.Kind, is.from.Name, err))
	}
	return t.run(replay.Recorded("recorded", past.Replicas), nil)
}

func inUnits(a scale.Amount) float64 { return float64(a) / float64(scale.Thousand) }
