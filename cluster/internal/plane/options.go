package plane

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
)

// Options says what a cluster consists of.
type Options struct {
	// Nodes is how many fake nodes there are.
	Nodes int
	// AddOns names what runs beside the control plane; see AddOns.
	AddOns []string
	// Flags are further flags for components, by component name.
	Flags map[string][]string
	// Kubernetes is another program that is the API server, the controller manager
	// and the scheduler, of another version; this one is all of them when it is empty.
	Kubernetes string
}

// addOns maps the name of an add-on to its component.
var addOns = map[string]string{
	"metrics-server": "metrics-server",
	"adapter":        "metrics-adapter",
	"demand":         "demand",
	"vpa":            "vpa-recommender",
}

// AddOns lists the add-ons there are, sorted.
func AddOns() []string { return slices.Sorted(maps.Keys(addOns)) }

// ParseFlag splits COMPONENT=--flag=value.
func ParseFlag(text string) (component, flag string, err error) {
	component, flag, found := strings.Cut(text, "=")
	if !found || component == "" || !strings.HasPrefix(flag, "-") {
		return "", "", fmt.Errorf("flag %q: write COMPONENT=--name=value, for example kube-apiserver=--v=4", text)
	}
	return component, flag, nil
}

// Validate names every fault of the options.
func (o Options) Validate() error {
	var faults []error
	if o.Nodes < 1 || o.Nodes > 5000 {
		faults = append(faults, fmt.Errorf("nodes: %d is not between 1 and 5000", o.Nodes))
	}
	for _, name := range o.AddOns {
		if addOns[name] == "" {
			faults = append(faults, fmt.Errorf("add-on %q is unknown; there are: %s", name, strings.Join(AddOns(), ", ")))
		}
	}
	if _, err := os.Stat(vpaBinary()); o.runs("vpa-recommender") && err != nil {
		faults = append(faults, fmt.Errorf("add-on vpa: %w; `make cluster` builds it", err))
	}
	return errors.Join(faults...)
}

// runs tells whether a component is part of the cluster.
func (o Options) runs(component string) bool {
	return slices.ContainsFunc(o.AddOns, func(name string) bool { return addOns[name] == component })
}
