package record

import (
	"cmp"

	"github.com/tidemark/tidemark/engine"
	"github.com/tidemark/tidemark/fault"
	"github.com/tidemark/tidemark/scale"
)

// observation turns the observation into the engine's. Without a compiled policy the
// metrics' entries cannot be judged and are left out.
func (d *Document) observation(compiled *engine.Policy) (scale.Observation, fault.List) {
	o := &d.Observation
	var faults fault.List
	if o.At.IsZero() {
		faults.Add("at", "is required: the moment of the observation, such as 2026-01-05T10:00:00Z")
	}
	obs := scale.Observation{
		At:        o.At,
		Target:    target(&faults, "target", &o.Target),
		Pods:      pods(&faults, "pods", o.Pods),
		Requested: d.requested(&faults),
	}
	if o.Recommendations != nil {
		obs.Unrecommended = o.Recommendations.Error
	}
	obs.Recommended = recommended(&faults, "recommendations.containers", o.Recommendations)
	obs.Learned = learned(&faults, "learned", o.Learned)
	obs.HPA = tuned(&faults, "hpa", o.HPA)
	obs.Room = room(&faults, "room", o.Room, o.At)
	obs.Capacity = capacity(&faults, "capacity", o.Capacity)
	if compiled != nil {
		obs.Samples = samples(&faults, "metrics", o, compiled.Horizontal.Metrics)
	}
	return obs, faults
}

// requested is the count someone else asks for. What the observation says
// goes before what the spec said when it was written.
func (d *Document) requested(faults *fault.List) *int32 {
	r := d.Observation.Recommendations
	if r == nil || r.Replicas == nil {
		return d.Spec.Replicas.Requested
	}
	notNegative(faults, "recommendations.replicas", *r.Replicas)
	return r.Replicas
}

func notNegative(faults *fault.List, path fault.Path, n int32) {
	if n < 0 {
		faults.Add(path, "must not be negative, got %d", n)
	}
}

func target(faults *fault.List, path fault.Path, t *Target) scale.Target {
	if t.SpecReplicas == nil {
		faults.Add(path.Field("specReplicas"), "is required: how many replicas the workload asks for now")
		return scale.Target{}
	}
	out := scale.Target{SpecReplicas: *t.SpecReplicas, StatusReplicas: *cmp.Or(t.StatusReplicas, t.SpecReplicas)}
	notNegative(faults, path.Field("specReplicas"), out.SpecReplicas)
	if t.StatusReplicas != nil {
		notNegative(faults, path.Field("statusReplicas"), out.StatusReplicas)
	}
	out.Containers = containers(faults, path.Field("containers"), t.Containers)
	out.Template = containers(faults, path.Field("template"), t.Template)
	return out
}

func containers(faults *fault.List, path fault.Path, all []Container) (out []scale.Container) {
	names := names{}
	for i := range all {
		c, at := &all[i], path.Index(i)
		if c.Name == "" {
			faults.Add(at.Field("name"), "is required: the answer calls the container by its name")
		}
		names.once(faults, at, c.Name, i)
		out = append(out, scale.Container{Name: c.Name, Requests: c.Requests.amounts(), Limits: c.Limits.amounts()})
	}
	return out
}

// names remembers where in a list each name stands.
type names map[string]int

// once refuses a name that an earlier entry has. Entries without a name cannot
// be mixed up with one another by name, so they may be many.
func (n names) once(faults *fault.List, entry fault.Path, name string, i int) {
	if name == "" {
		return
	}
	if first, twice := n[name]; twice {
		faults.Add(entry.Field("name"), "%.64q is the name of entry %d already: names must differ", name, first)
		return
	}
	n[name] = i
}
