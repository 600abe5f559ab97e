package program

import (
	"fmt"
	"maps"
	"os"
	"slices"

	"github.com/tidemark/tidemark/cluster/internal/adapter"
	"github.com/tidemark/tidemark/cluster/internal/demand"
)

// Main runs one program with the arguments in os.Args and returns its exit code.
type Main func() int

var mains = map[string]Main{
	"etcd":                    etcd,
	"kube-apiserver":          apiServer,
	"kube-controller-manager": controllerManager,
	"kube-scheduler":          scheduler,
	"kubectl":                 kubectl,
	"kwok":                    kwok,
	"metrics-server":          metricsServer,
	"metrics-adapter":         failing("metrics-adapter", adapter.Run),
	"demand":                  failing("demand", demand.Run),
}

// Lookup finds the program with the given name.
func Lookup(name string) (Main, bool) {
	run, ok := mains[name]
	return run, ok
}

// Names lists every program, sorted.
func Names() []string {
	return slices.Sorted(maps.Keys(mains))
}

// failing turns a function that returns an error into a program that prints it.
func failing(name string, run func(args []string) error) Main {
	return func() int {
		if err := run(os.Args[1:]); err != nil {
			fmt.Fprintf(os.Stderr, "%s: %v\n", name, err)
			return 1
		}
		return 0
	}
}
