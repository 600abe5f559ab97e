package record

import (
	"maps"
	"slices"
	"time"

	"github.com/tidemark/tidemark/fault"
	"github.com/tidemark/tidemark/scale"
)

// recommended turns recommendations for containers into the engine's. Their
// bounds say how sure the recommender is; a decision looks at the target.
func recommended(faults *fault.List, path fault.Path, r *Recommendations) []scale.Recommendation {
	if r == nil {
		return nil
	}
	var out []scale.Recommendation
	names := names{}
	for i := range r.Containers {
		c, at := &r.Containers[i], path.Index(i)
		if c.Name == "" {
			faults.Add(at.Field("name"), "is required: name the container the recommendation is for")
		}
		names.once(faults, at, c.Name, i)
		out = append(out, scale.Recommendation{Container: c.Name, PerPod: c.Target.amounts(), Total: c.Total.amounts()})
	}
	return out
}

// learned turns what history knows into the engine's.
func learned(faults *fault.List, path fault.Path, l *Learned) *scale.Learned {
	if l == nil {
		return nil
	}
	out := &scale.Learned{Min: count(faults, path.Field("minReplicas"), l.MinReplicas), Max: count(faults, path.Field("maxReplicas"), l.MaxReplicas)}
	if out.Min > 0 && out.Max > 0 && out.Min > out.Max {
		faults.Add(path.Field("minReplicas"), "must not be above maxReplicas: %d > %d", out.Min, out.Max)
	}
	for _, name := range slices.Sorted(maps.Keys(l.Targets)) {
		target := l.Targets[name]
		for _, t := range []struct {
			resource scale.Resource
			percent  *int32
		}{{scale.CPU, target.CPU}, {scale.Memory, target.Memory}} {
			if t.percent == nil {
				continue
			}
			if *t.percent < 1 {
				faults.Add(path.Field("targets").Key(name).Field(t.resource.String()), "must be at least 1 percent, got %d", *t.percent)
			}
			out.Targets = append(out.Targets, scale.LearnedTarget{Container: name, Resource: t.resource, Percent: *t.percent})
		}
	}
	for i := range l.Headroom {
		out.Headroom = append(out.Headroom, headroom(faults, path.Field("headroom").Index(i), &l.Headroom[i]))
	}
	return out
}

// headroom reads the growth of one resource's usage.
func headroom(faults *fault.List, path fault.Path, h *LearnedHeadroom) scale.LearnedHeadroom {
	out := scale.LearnedHeadroom{Container: h.Container, Full: h.Full, Within: time.Duration(h.Within), Risk: scale.Parts / 1000}
	var known bool
	if out.Resource, known = scale.ParseResource(h.Resource); !known {
		faults.Add(path.Field("resource"), "must be cpu or memory, got %.64q", h.Resource)
	}
	if h.Extra == "" {
		faults.Add(path.Field("extra"), "is required: by how much the usage may grow")
	}
	out.Extra, _ = h.Extra.into(scale.Resources{}, scale.CPU).Get(scale.CPU)
	out.Expected, _ = h.Expected.into(scale.Resources{}, scale.CPU).Get(scale.CPU)
	out.Ceiling, _ = h.Ceiling.into(scale.Resources{}, scale.CPU).Get(scale.CPU)
	if h.Risk != "" {
		parts, err := scale.ParseParts(string(h.Risk))
		if err != nil || parts <= 0 || parts >= scale.Parts {
			faults.Add(path.Field("risk"), "must be above 0 and below 1, got %s", h.Risk)
		}
		out.Risk = parts
	}
	return out
}

// count reads a replica count that may be left out, which is no opinion.
func count(faults *fault.List, path fault.Path, n *int32) int32 {
	if n == nil {
		return 0
	}
	notNegative(faults, path, *n)
	return *n
}
