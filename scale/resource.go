package scale

// Resource is a compute resource whose usage Kubernetes measures for every
// pod and whose request can be changed.
type Resource uint8

// The resources.
const (
	CPU Resource = iota
	Memory
	resourceCount
)

// EveryResource lists the resources in the order they are shown.
var EveryResource = [...]Resource{CPU, Memory}

// String returns the resource's name in Kubernetes.
func (r Resource) String() string {
	if r == CPU {
		return "cpu"
	}
	return "memory"
}

// Format prints an amount of the resource the way its users write it.
func (r Resource) Format(a Amount) string {
	if r == Memory {
		return a.Bytes()
	}
	return a.String()
}

// RoundUp rounds an amount up to what Kubernetes can express of the resource: a
// thousandth of a core, a whole byte.
func (r Resource) RoundUp(a Amount) Amount {
	if r == Memory && a%Thousand != 0 {
		return a.Add(Thousand - a%Thousand)
	}
	return a
}

// ParseResource returns the resource of a name.
func ParseResource(name string) (Resource, bool) {
	for _, r := range EveryResource {
		if r.String() == name {
			return r, true
		}
	}
	return 0, false
}

// Resources holds an amount for some of the resources. The zero value holds
// none. It is a plain value: it can be copied and compared.
type Resources struct {
	amounts  [resourceCount]Amount
	known    [resourceCount]bool
	unusable [resourceCount]bool
}

// Get returns the amount of a resource and whether it is known.
func (rs Resources) Get(r Resource) (Amount, bool) { return rs.amounts[r], rs.known[r] }

// States tells whether the amount of a resource is known. It and Usable copy
// nothing: every decision asks them of every pod.
func (rs *Resources) States(r Resource) bool { return rs.known[r] }

// Usable returns the amount of a resource, and whether it is known and can be
// used: it is neither negative nor marked as unusable.
func (rs *Resources) Usable(r Resource) (Amount, bool) {
	return rs.amounts[r], rs.known[r] && !rs.unusable[r] && rs.amounts[r] >= 0
}

// With returns a copy in which the resource has this amount.
func (rs Resources) With(r Resource, a Amount) Resources {
	rs.amounts[r], rs.known[r] = a, true
	return rs
}

// WithUnusable returns a copy that knows of an amount nobody can use, such as
// a usage that is not a number.
func (rs Resources) WithUnusable(r Resource) Resources {
	rs.unusable[r] = true
	return rs
}

// Unusable tells whether there was an amount that nobody can use.
func (rs Resources) Unusable(r Resource) bool { return rs.unusable[r] }

// Empty tells whether no resource is known.
func (rs *Resources) Empty() bool { return rs.known == [resourceCount]bool{} }

// Share is an absolute amount, a percentage, or both: the larger counts.
type Share struct {
	Value   Amount
	Percent int32
}

// Of returns the share of an amount, rounded up.
func (s Share) Of(amount Amount) Amount {
	if s.Percent == 0 {
		return s.Value
	}
	return max(s.Value, amount.Share(int64(s.Percent), 100))
}

// Shares holds a share for each resource.
type Shares [resourceCount]Share
