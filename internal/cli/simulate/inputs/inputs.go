package inputs

import (
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/spf13/cobra"

	"github.com/tidemark/tidemark/internal/replay"
	"github.com/tidemark/tidemark/scale"
)

// Inputs are the flags.
type Inputs struct {
	demand                         string
	repair, interpolate            bool
	podCPU, podMemory, meanPods    string
	startUp, jitter, metrics, sync time.Duration
	seed                           uint64
}

// Add registers the flags.
func (in *Inputs) Add(cmd *cobra.Command) {
	f := cmd.Flags()
	f.StringVar(&in.demand, "demand", "", "recording of the demand, - for standard input")
	f.BoolVar(&in.repair, "repair", false, "sort and drop samples that cannot be used, instead of refusing them")
	f.BoolVar(&in.interpolate, "interpolate", false, "draw straight lines between samples, instead of holding each until the next")
	f.StringVar(&in.podCPU, "pod-cpu", "1", "cpu that each pod requests, and can use")
	f.StringVar(&in.podMemory, "pod-memory", "1Gi", "memory that each pod requests")
	f.StringVar(&in.meanPods, "mean-pods", "", "scale the demand so that its mean needs this many pods")
	f.DurationVar(&in.startUp, "startup", 30*time.Second, "time a pod takes to become ready")
	f.DurationVar(&in.jitter, "startup-jitter", 0, "most that chance adds to a pod's start-up")
	f.DurationVar(&in.metrics, "metric-delay", 30*time.Second, "age of the usage that a policy sees")
	f.DurationVar(&in.sync, "sync", 15*time.Second, "time between decisions, unless the object states its own")
	f.Uint64Var(&in.seed, "seed", 1, "seed of all chance: the same seed gives the same result")
}

// Stdin tells whether the demand is read from standard input.
func (in *Inputs) Stdin() bool { return in.demand == "-" }

// Replay reads the demand and returns it with the plant.
func (in *Inputs) Replay(cmd *cobra.Command) (*replay.Replay, error) {
	plant, err := in.plant()
	if err != nil {
		return nil, err
	}
	if in.demand == "" {
		return nil, errors.New("--demand FILE is required: CSV with a header, time,value, or the answer of a Prometheus range query")
	}
	source := cmd.InOrStdin()
	if !in.Stdin() {
		file, err := os.Open(in.demand)
		if err != nil {
			return nil, err
		}
		defer file.Close()
		source = file
	}
	read, notes, err := replay.ReadDemand(source, in.repair)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", in.demand, err)
	}
	Tell(cmd.ErrOrStderr(), in.demand, notes)
	return replay.New(read, plant)
}

func (in *Inputs) plant() (replay.Plant, error) {
	p := replay.Plant{StartUp: in.startUp, Jitter: in.jitter, MetricDelay: in.metrics, Sync: in.sync, Seed: in.seed, Interpolate: in.interpolate}
	var faults []error
	for _, q := range []struct {
		flag, text string
		into       *scale.Amount
	}{{"--pod-cpu", in.podCPU, &p.CPU}, {"--pod-memory", in.podMemory, &p.Memory}, {"--mean-pods", in.meanPods, &p.MeanPods}} {
		if q.text == "" && q.into == &p.MeanPods {
			continue
		}
		amount, err := scale.ParseAmount(q.text)
		switch {
		case err != nil:
			faults = append(faults, fmt.Errorf("%s: %q %w", q.flag, q.text, err))
		case amount <= 0 && q.into != &p.Memory:
			faults = append(faults, fmt.Errorf("%s must be above 0, got %s", q.flag, q.text))
		}
		*q.into = amount
	}
	return p, errors.Join(faults...)
}

// Tell prints what a user should know, a line each.
func Tell(stderr io.Writer, about string, notes []string) {
	for _, n := range notes {
		fmt.Fprintf(stderr, "warning: %s: %s\n", about, n)
	}
}
