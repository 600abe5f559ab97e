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
	out.StartUp = time.Duration(l.StartUp)
	if out.StartUp < 0 {
		faults.Add(path.Field("startUp"), "must not be negative, got %s", out.StartUp)
	}
	out.Targets = targets(faults, path.Field("targets"), l.Targets)
	for i := range l.Headroom {
		out.Headroom = append(out.Headroom, headroom(faults, path.Field("headroom").Index(i), &l.Headroom[i]))
	}
	for i := range l.Peaks {
		out.Peaks = append(out.Peaks, peak(faults, path.Field("peaks").Index(i), &l.Peaks[i]))
	}
	tunedFaults(faults, path.Field("tuned"), l.Tuned)
	out.Tuned = l.Tuned
	return out
}

// targets reads target utilizations, sorted by their containers' names.
func targets(faults *fault.List, path fault.Path, all map[string]LearnedTarget) []scale.LearnedTarget {
	var out []scale.LearnedTarget
	for _, name := range slices.Sorted(maps.Keys(all)) {
		target := all[name]
		for _, t := range []struct {
			resource scale.Resource
			percent  *int32
		}{{scale.CPU, target.CPU}, {scale.Memory, target.Memory}} {
			if t.percent == nil {
				continue
			}
			if *t.percent < 1 {
				faults.Add(path.Key(name).Field(t.resource.String()), "must be at least 1 percent, got %d", *t.percent)
			}
			out = append(out, scale.LearnedTarget{Container: name, Resource: t.resource, Percent: *t.percent})
		}
	}
	return out
}

// peak reads how busy a container was.
func peak(faults *fault.List, path fault.Path, p *LearnedPeak) scale.LearnedPeak {
	resource, known := scale.ParseResource(p.Resource)
	if !known {
		faults.Add(path.Field("resource"), "must be cpu or memory, got %.64q", p.Resource)
	}
	if p.Under < 1 {
		faults.Add(path.Field("under"), "must be the target in percent that the usage was seen under, got %d", p.Under)
	}
	notNegative(faults, path.Field("percent"), p.Percent)
	notNegative(faults, path.Field("days"), p.Days)
	return scale.LearnedPeak{Container: p.Container, Resource: resource, Percent: p.Percent, Under: p.Under, Days: p.Days}
}

// tuned reads the HPA that is kept tuned.
func tuned(faults *fault.List, path fault.Path, h *HPA) *scale.HPA {
	if h == nil {
		return nil
	}
	out := &scale.HPA{Min: 1, Max: count(faults, path.Field("maxReplicas"), h.MaxReplicas),
		Targets: targets(faults, path.Field("targets"), h.Targets), Untuned: h.Untuned}
	if h.MinReplicas != nil {
		out.Min = count(faults, path.Field("minReplicas"), h.MinReplicas)
	}
	switch {
	case h.MaxReplicas == nil || out.Max == 0:
		faults.Add(path.Field("maxReplicas"), "is required: the largest count that the HPA may reach")
	case out.Min > out.Max:
		faults.Add(path.Field("minReplicas"), "must not be above maxReplicas: %d > %d", out.Min, out.Max)
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
	out.Headroom, _ = h.Extra.into(scale.Resources{}, scale.CPU).Get(scale.CPU)
	out.Expected, _ = h.Expected.into(scale.Resources{}, scale.CPU).Get(scale.CPU)
	out.Ceiling, _ = h.Ceiling.into(scale.Resources{}, scale.CPU).Get(scale.CPU)
	out.PerPod, _ = h.PerPod.into(scale.Resources{}, scale.CPU).Get(scale.CPU)
	if h.Risk != "" {
		parts, err := scale.ParseParts(string(h.Risk))
		if err != nil || parts <= 0 || parts >= scale.Parts {
			faults.Add(path.Field("risk"), "must be above 0 and below 1, got %s", h.Risk)
		}
		out.Risk = parts
	}
	out.Demand = likely(faults, path.Field("demand"), h.Demand)
	out.Room = likely(faults, path.Field("room"), h.Room)
	return out
}

// likely reads what something may come to. Chances that do not come to a whole would
// make everything look cheaper, or dearer, than it is.
func likely(faults *fault.List, path fault.Path, all []Likely) (out []scale.Likely) {
	const whole = 1_000_000
	sum := int64(0)
	for i, one := range all {
		amount, _ := one.Amount.into(scale.Resources{}, scale.CPU).Get(scale.CPU)
		if amount < 0 || one.Chance < 0 || one.Chance > whole {
			faults.Add(path.Index(i), "needs an amount that is not negative, and a chance in millionths")
			return nil
		}
		out, sum = append(out, scale.Likely{Amount: amount, Chance: one.Chance}), sum+one.Chance
	}
	if len(all) > 0 && sum != whole {
		faults.Add(path, "has chances of %d millionths in all: they must come to a million", sum)
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
