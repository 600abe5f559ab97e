package lint

import (
	"path"
	"slices"

	"github.com/tidemark/tidemark/scale"
)

// World is everything that was read, with who belongs to whom. What rules look
// up is indexed, so that many objects in one namespace do not slow them down.
type World struct {
	*Set
	workloadsAt map[place][]*Workload
	// inScope holds the workloads of each scope, anywhere the kinds and names of all.
	inScope  map[string][]*Workload
	anywhere map[string]bool
	targets  map[*Scaler]*Workload
	// scaledBy holds the autoscalers that change a workload's count.
	scaledBy map[*Workload][]*Scaler
	// acting holds the autoscalers that do something, by what they do it to.
	acting map[place][]*Scaler
	// scalersAt holds the autoscalers by their own place.
	scalersAt map[place]bool
	families  map[place]int
	// named counts the objects of each kind and name.
	named     map[place]int
	budgetsAt map[label][]*Budget
	// What a scope has beside workloads.
	defaultOf  map[string][]*Defaults
	servicesOf map[string][]*Service
	quotasOf   map[string][]*Quota
}

// place is where something is: a scope, a kind and a name.
type place struct{ scope, kind, name string }

// label is a label's key and value in a scope.
type label struct{ scope, key, value string }

func newWorld(set *Set) *World {
	w := &World{
		Set: set, workloadsAt: map[place][]*Workload{}, inScope: map[string][]*Workload{}, anywhere: map[string]bool{}, targets: map[*Scaler]*Workload{},
		scaledBy: map[*Workload][]*Scaler{}, acting: map[place][]*Scaler{}, scalersAt: map[place]bool{}, families: map[place]int{}, named: map[place]int{},
		budgetsAt: map[label][]*Budget{}, defaultOf: map[string][]*Defaults{},
		servicesOf: map[string][]*Service{}, quotasOf: map[string][]*Quota{},
	}
	for _, wl := range set.workloads {
		at := place{wl.scope, wl.Kind, wl.Name}
		w.workloadsAt[at] = append(w.workloadsAt[at], wl)
		w.inScope[wl.scope] = append(w.inScope[wl.scope], wl)
		w.anywhere[wl.Kind+" "+wl.Name] = true
	}
	for _, s := range set.scalers {
		w.place(s)
	}
	for _, b := range set.budgets {
		at := b.anchor()
		w.budgetsAt[at] = append(w.budgetsAt[at], b)
	}
	for _, d := range set.defaults {
		w.defaultOf[d.scope] = append(w.defaultOf[d.scope], d)
	}
	for _, o := range w.objects() {
		w.named[o.key()]++
	}
	for _, q := range set.quotas {
		w.named[q.key()]++
	}
	for _, s := range set.services {
		w.servicesOf[s.scope] = append(w.servicesOf[s.scope], s)
	}
	for _, q := range set.quotas {
		w.quotasOf[q.scope] = append(w.quotasOf[q.scope], q)
	}
	return w
}

// place enters a scaler into the indexes.
func (w *World) place(s *Scaler) {
	w.scalersAt[place{s.scope, string(s.Family), s.Name}] = true
	w.families[place{scope: s.scope, kind: string(s.Family)}]++
	if target := nearest(s, w.workloadsAt[s.targetPlace()]); target != nil {
		w.targets[s] = target
		if s.counts {
			w.scaledBy[target] = append(w.scaledBy[target], s)
		}
	}
	paused := s.keda != nil && s.keda.paused
	if s.Target.Name != "" && !makers[s.owner] && s.acts() && !paused {
		w.acting[s.targetPlace()] = append(w.acting[s.targetPlace()], s)
	}
}

func (s *Scaler) targetPlace() place { return place{s.scope, s.Target.Kind, s.Target.Name} }

// nearest picks the workload that a scaler means where several have its name:
// the one in its file, then the one in its folder. Variants further away could
// each be meant, so then it is none.
func nearest(s *Scaler, candidates []*Workload) *Workload {
	if len(candidates) == 1 {
		return candidates[0]
	}
	for _, same := range []func(w *Workload) bool{
		func(w *Workload) bool { return w.File == s.File && w.Known },
		func(w *Workload) bool { return path.Dir(w.File) == path.Dir(s.File) && w.Known },
	} {
		var found []*Workload
		for _, w := range candidates {
			if same(w) {
				found = append(found, w)
			}
		}
		if len(found) == 1 {
			return found[0]
		}
	}
	return nil
}

// target is the workload a scaler points to, nil where it was not read.
func (w *World) target(s *Scaler) *Workload { return w.targets[s] }

// pods is the target with its template, nil where that was not read.
func (w *World) pods(s *Scaler) *Workload {
	if t := w.targets[s]; t != nil && t.Known {
		return t
	}
	return nil
}

// budgetsOf are the budgets that select a workload's pods.
func (w *World) budgetsOf(of *Workload) []*Budget {
	candidates := slices.Clone(w.budgetsAt[label{scope: of.scope}])
	for key, value := range of.Labels {
		candidates = append(candidates, w.budgetsAt[label{of.scope, key, value}]...)
	}
	return slices.DeleteFunc(candidates, func(b *Budget) bool { return !b.covers(of) })
}

// together tells whether two objects of a scope go out together as far as can be
// told. Where there are several of the name of one of them, they are variants, and
// only those of one file do.
func (w *World) together(a, b *Object) bool {
	return a.File == b.File || w.named[a.key()] < 2 && w.named[b.key()] < 2
}

func (o *Object) key() place { return place{o.scope, o.Kind, o.Name} }

// request is what a container asks for. Kubernetes copies a limit into a
// request that is left out, and a LimitRange fills in what is stated nowhere.
func (w *World) request(of *Workload, c *Container, r scale.Resource) *scale.Amount {
	if c.Requests[r] != nil {
		return c.Requests[r]
	}
	if c.Limits[r] != nil {
		return c.Limits[r]
	}
	for _, d := range w.defaultOf[of.scope] {
		if d.Requests[r] != nil {
			return d.Requests[r]
		}
		if d.Limits[r] != nil {
			return d.Limits[r]
		}
	}
	return nil
}

// limit is what a container may use at most, nil where it may use anything.
func (w *World) limit(of *Workload, c *Container, r scale.Resource) *scale.Amount {
	if c.Limits[r] != nil {
		return c.Limits[r]
	}
	for _, d := range w.defaultOf[of.scope] {
		if d.Limits[r] != nil {
			return d.Limits[r]
		}
	}
	return nil
}

// objects are all objects that were understood.
func (w *World) objects() []*Object {
	var out []*Object
	for _, s := range w.scalers {
		out = append(out, s.Object)
	}
	for _, wl := range w.workloads {
		out = append(out, wl.Object)
	}
	for _, b := range w.budgets {
		out = append(out, b.Object)
	}
	for _, s := range w.strays {
		out = append(out, s.Object)
	}
	return out
}
