package horizontal

import "github.com/tidemark/tidemark/scale"

// Wish is what the metrics want, before any limit.
type Wish struct {
	Replicas int32
	Reason   scale.Reason
	// Informed is false when nothing usable was known. Such a wish only keeps
	// the current count and must not be remembered as one.
	Informed bool
}

// proposal is one source's answer.
type proposal struct {
	replicas int32
	reason   scale.Reason
	state    state
}

type state uint8

const (
	missing  state = iota // no usable sample
	answered              // a proposal of its own
	fallback              // no sample, but a count to fall back to
)

// Propose asks every metric, and whoever requested a count, and returns the
// largest proposal. It appends one step per source to steps.
func Propose(rules *Rules, seen *scale.Observation, from scale.Size, steps []scale.Step) (Wish, []scale.Step) {
	current := from.Replicas
	facts := make([]scale.MetricFacts, len(rules.Metrics), len(rules.Metrics)+1)
	proposals := make([]proposal, len(rules.Metrics), len(rules.Metrics)+1)
	for i := range rules.Metrics {
		metric := &rules.Metrics[i]
		facts[i] = scale.MetricFacts{
			Index: i, Name: metric.Name, Type: metric.Type, Band: metric.Band,
			Bytes: metric.Kind < Pods && metric.Resource == scale.Memory,
		}
		if rules.Upstream {
			proposals[i] = upstream{rules, metric, seen, &facts[i]}.propose()
		} else {
			proposals[i] = reader{rules, metric, seen, &facts[i]}.propose()
		}
		if proposals[i].state == missing {
			proposals[i] = withoutSample(metric.OnMissing, current)
		}
	}
	if seen.Requested != nil {
		facts = append(facts, scale.MetricFacts{Index: -1, Name: "requested replicas", Value: scale.Amount(*seen.Requested) * scale.Thousand, Known: true})
		proposals = append(proposals, proposal{replicas: max(*seen.Requested, 0), reason: scale.Requested, state: answered})
	}
	for i := range proposals {
		steps = append(steps, scale.Step{
			Stage: scale.StageHorizontal, Reason: proposals[i].reason, Metric: &facts[i],
			In: from, Out: from.WithReplicas(proposals[i].replicas),
		})
	}
	return largest(rules, proposals, current), steps
}

// withoutSample applies onMissing. Falling back never lowers the count: that
// would be scaling down while blind.
func withoutSample(on OnMissing, current int32) proposal {
	p := proposal{replicas: current, reason: scale.NoData, state: missing}
	if on.Policy == FallBack {
		p.replicas, p.state = max(current, on.Replicas), fallback
	}
	return p
}

// largest picks the largest proposal; the first wins a tie. A missing metric
// stands for the current count unless it is to be ignored, so it forbids
// scaling down and nothing else.
func largest(rules *Rules, proposals []proposal, current int32) Wish {
	wish := Wish{Replicas: current, Reason: scale.NoData}
	blocked := false
	for i, p := range proposals {
		if p.state == missing {
			blocked = blocked || i >= len(rules.Metrics) || rules.Metrics[i].OnMissing.Policy != Ignore
			continue
		}
		if !wish.Informed || p.replicas > wish.Replicas {
			wish = Wish{Replicas: p.replicas, Reason: p.reason, Informed: true}
		}
	}
	if blocked && wish.Replicas < current {
		return Wish{Replicas: current, Reason: scale.NoData}
	}
	return wish
}
