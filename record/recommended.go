package record

import (
	"maps"
	"slices"

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
		out = append(out, scale.Recommendation{Container: c.Name, PerPod: c.Target.amounts()})
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
