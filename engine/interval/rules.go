package interval

import "github.com/tidemark/tidemark/scale"

// Rules is the compiled policy of the stage.
type Rules struct {
	Table Table
	// Containers are the policies by name; Default is for the rest.
	Containers []Container
	Default    Container
	// Unadvised is set when nobody recommends requests. Then a resource that no
	// metric is about is not unknown for a while: nobody will ever speak of it.
	Unadvised bool
	// Base is what a replica uses before it does any work.
	Base scale.Shares
}

// Container is how one container may be sized.
type Container struct {
	Name      string
	Resources [len(scale.EveryResource)]Resource
	// KeepLimits leaves limits as they are; requests stay below them.
	KeepLimits bool
	// Gap is what limits stand above requests, on totals.
	Gap scale.Shares
}

// Resource is how one resource of a container may be sized.
type Resource struct {
	// Sized resources get new requests; Counted ones follow recommendations at
	// least in the replica count.
	Sized, Counted bool
	// Min and Max bound the request; Max is 0 where there is none.
	Min, Max scale.Amount
}

// Counts tells whether recommendations for a container's resource count.
func (r *Rules) Counts(container string, res scale.Resource) bool {
	return r.container(container).Resources[res].Counted
}

// container returns the policy of a name: its own, or the default.
func (r *Rules) container(name string) *Container {
	for i := range r.Containers {
		if r.Containers[i].Name == name {
			return &r.Containers[i]
		}
	}
	return &r.Default
}
