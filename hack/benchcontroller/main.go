package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"regexp"
	"strconv"
	"syscall"
)

const usage = `Usage: benchcontroller [flags] N [N...]

Measures the controller and the HPA controller with N workloads each. Run it from
the root of the repository, after make build cluster; or just run
make bench-controller N=100.
`

// options say what is measured.
type options struct {
	pods, perNamespace, periods int
	resource, output, profiles  string
	// only is what the name of a side must match to be measured.
	only *regexp.Regexp
	// fresh compares sources of usage instead of controllers.
	fresh bool
	// busy has a tenth of the workloads change in each period. Shards, when it is
	// not 0, measures so many controllers beside each other as well. Learned gives
	// each object four weeks of history, and failover kills a leader.
	busy, learned, failover bool
	shards                  int
	// alone measures each side without a control plane.
	alone bool
	// wake measures how soon workloads that sleep are woken by one metric.
	wake bool
}

// errUsage is a call that makes no sense.
var errUsage = errors.New("see --help")

func main() {
	o := options{only: regexp.MustCompile("")}
	flag.IntVar(&o.pods, "pods", 1, "pods of each workload")
	flag.IntVar(&o.perNamespace, "per-namespace", 100, "workloads in each namespace")
	flag.IntVar(&o.periods, "periods", 8, "sync periods of 15 s that are measured on each side")
	flag.StringVar(&o.resource, "resource", "memory",
		"resource that both sides scale on: memory or cpu; the measured cpu of fake pods moves, so such workloads are not quite at rest")
	flag.BoolVar(&o.busy, "busy", false, "let a tenth of the workloads change in each period, and the usage of all move; with -resource cpu")
	flag.IntVar(&o.shards, "shards", 0, "measure Tidemark in so many shards as well")
	flag.BoolVar(&o.learned, "learned", false, "measure Tidemark with objects that learn, and four weeks of history each, as well")
	flag.BoolVar(&o.failover, "failover", false, "measure how long the death of a leader of Tidemark keeps decisions away as well")
	flag.BoolVar(&o.alone, "alone", false,
		"measure each side alone, before a stand-in for the API server: for fleets that no control plane on this machine sustains")
	flag.BoolVar(&o.wake, "wake", false, "wake N workloads from 0 to 2 pods by one step of a metric, and measure the time until each of them was scaled")
	flag.BoolVar(&o.fresh, "fresh", false, "compare where the usage of pods comes from: metrics-server, or the kubelets")
	flag.Func("only", "measure only the sides whose name matches this, such as 'raised|Tidemark'", func(text string) (err error) {
		o.only, err = regexp.Compile(text)
		return err
	})
	flag.StringVar(&o.output, "o", "markdown", "output: markdown or json")
	flag.StringVar(&o.profiles, "profiles", "", "folder for a CPU and a heap profile of Tidemark's controller")
	flag.Usage = func() {
		fmt.Fprint(os.Stderr, usage)
		flag.PrintDefaults()
	}
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	err := run(ctx, o, flag.Args())
	if err == nil {
		return
	}
	fmt.Fprintln(os.Stderr, "benchcontroller:", err)
	stop()
	if errors.Is(err, errUsage) {
		os.Exit(2)
	}
	os.Exit(1)
}

// run measures every N in a fresh cluster. What was measured before a failure is
// printed as well.
func run(ctx context.Context, o options, args []string) error {
	sizes, err := o.validate(args)
	if err != nil {
		return err
	}
	if o.wake {
		return wakes(ctx, o, sizes, os.Stdout)
	}
	var all []result
	for _, n := range sizes {
		measured := bench
		if o.alone {
			measured = alone
		}
		results, err := measured(ctx, o, n)
		all = append(all, results...)
		if err != nil {
			return errors.Join(fmt.Errorf("measuring %d workloads: %w", n, err), write(os.Stdout, o, all))
		}
	}
	return write(os.Stdout, o, all)
}

func (o options) validate(args []string) ([]int, error) {
	if len(args) == 0 {
		return nil, fmt.Errorf("no number of workloads: %w", errUsage)
	}
	if o.output != "markdown" && o.output != "json" {
		return nil, fmt.Errorf("output %q is not known: %w", o.output, errUsage)
	}
	if o.resource != "cpu" && o.resource != "memory" {
		return nil, fmt.Errorf("resource %q is not known: %w", o.resource, errUsage)
	}
	if o.pods < 1 || o.perNamespace < 1 || o.periods < 1 {
		return nil, fmt.Errorf("pods, per-namespace and periods are at least 1: %w", errUsage)
	}
	var sizes []int
	for _, arg := range args {
		n, err := strconv.Atoi(arg)
		if err != nil || n < 1 {
			return nil, fmt.Errorf("%q is not a number of workloads: %w", arg, errUsage)
		}
		sizes = append(sizes, n)
	}
	return sizes, nil
}

func write(out io.Writer, o options, all []result) error {
	if len(all) == 0 {
		return nil
	}
	if o.output == "json" {
		encoder := json.NewEncoder(out)
		encoder.SetIndent("", "  ")
		return encoder.Encode(all)
	}
	table := markdown
	if o.fresh {
		table = ages
	}
	_, err := io.WriteString(out, table(all))
	return err
}
