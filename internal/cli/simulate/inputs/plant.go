package inputs

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/tidemark/tidemark/internal/apply/plan"
	"github.com/tidemark/tidemark/internal/replay"
	"github.com/tidemark/tidemark/scale"
)

// Plant are the flags that describe the pods, and what happens to them.
type Plant struct {
	cmd    *cobra.Command
	out    replay.Plant
	resize string
	// quantities and shares are flags in the units of Kubernetes.
	quantities, shares []quantity
}

// quantity is a flag whose text becomes a number once all flags are known.
type quantity struct {
	flag string
	text *string
	into *int64
}

// Add registers the flags.
func (in *Plant) Add(cmd *cobra.Command) {
	in.cmd = cmd
	f, p := cmd.Flags(), &in.out
	f.BoolVar(&p.Interpolate, "interpolate", false, "draw straight lines between samples, instead of holding each until the next")
	f.Int32Var(&p.Replicas, "replicas", 0, "pods there are at first, within the policy's bounds; 0 is as many as the demand needs")
	in.amount(&p.CPU, "pod-cpu", "1", "cpu that each pod requests, and can use")
	in.amount(&p.Memory, "pod-memory", "1Gi", "memory that each pod requests")
	in.amount(&p.CPULimit, "pod-cpu-limit", "", "cpu that each pod can use, if that is more than it requests")
	in.amount(&p.MemoryLimit, "pod-memory-limit", "", "memory at which a pod is killed, if that is more than it requests")
	in.amount(&p.MeanPods, "mean-pods", "", "scale the demand so that its mean needs this many pods")
	f.DurationVar(&p.StartUp, "startup", 30*time.Second, "time a pod takes to become ready")
	f.DurationVar(&p.Jitter, "startup-jitter", 0, "most that chance adds to a pod's start-up")
	f.DurationVar(&p.MetricDelay, "metric-delay", 30*time.Second, "age of the usage that a policy sees")
	f.DurationVar(&p.Sync, "sync", 15*time.Second, "time between decisions, unless the object states its own")
	f.DurationVar(&p.WarmUp, "warm-up", 0, "time at the beginning that is replayed but not scored, so that a policy has learned")
	f.Uint64Var(&p.Seed, "seed", 1, "seed of all chance: the same seed gives the same result")
	in.addTroubles()
}

func (in *Plant) addTroubles() {
	f, t := in.cmd.Flags(), &in.out.Troubles
	f.DurationVar(&t.Window, "metric-window", 0, "time over which usage is averaged, as metrics-server does")
	f.DurationVar(&t.Resolution, "metric-resolution", 0, "time between two measurements of usage")
	in.share(&t.Lost, "lost-samples", "share of samples that never arrive, such as 2% or 0.02")
	in.share(&t.Crashes, "crash-share", "share of pod starts that fail, such as 5% or 0.05; they are repeated with back-off")
	in.amount(&t.Queue, "queue", "", "core-seconds of work that wait for a free pod before any is dropped")
	in.amount(&t.Uses.Base, "memory-base", "", "memory that a pod uses at rest")
	in.amount(&t.Uses.PerCore, "memory-per-core", "", "memory that a pod uses for each core of work")
	in.amount(&t.Uses.Leak, "memory-leak", "", "memory that a pod leaks each hour")
	f.StringVar(&in.resize, "resize", "inplace", "how pods get new requests: inplace, or restart where the cluster cannot do that")
	f.DurationVar(&t.Resize.Delay, "resize-delay", 0, "time a resize in place takes")
	in.share(&t.Resize.Deferred, "resize-deferred", "share of resizes that a node defers, such as 10% or 0.1")
	f.DurationVar(&t.Resize.DeferredFor, "resize-deferred-for", 5*time.Minute, "time that a node defers them for")
	in.share(&t.Resize.Infeasible, "resize-infeasible", "share of resizes that no node will ever have room for")
	f.BoolVar(&t.Resize.Restarts, "resize-restarts", false, "a resize in place restarts the container, as its resizePolicy may say")
	f.BoolVar(&t.Resize.TemplateSized, "without-webhook", false, "new pods begin with the size of the template, and are resized then")
	in.amount(&t.Ceiling, "pod-cpu-ceiling", "", "most cpu that the application in a pod can use, such as 1 for a single thread")
	f.Int32Var(&t.Nodes.Count, "nodes", 0, "nodes that the pods have to fit on; 0 is no bound")
	in.amount(&t.Nodes.CPU, "node-cpu", "", "cpu that the pods of each node may request")
	in.amount(&t.Nodes.Memory, "node-memory", "", "memory that the pods of each node may request")
	in.share(&t.Nodes.Taken, "node-taken", "share of each node that others have requested")
}

func (in *Plant) amount(into *scale.Amount, name, usual, usage string) {
	in.quantities = append(in.quantities, quantity{"--" + name, in.cmd.Flags().String(name, usual, usage), (*int64)(into)})
}

func (in *Plant) share(into *int64, name, usage string) {
	in.shares = append(in.shares, quantity{"--" + name, in.cmd.Flags().String(name, "", usage), into})
}

// Read returns the plant that the flags describe.
func (in *Plant) Read() (replay.Plant, error) {
	var faults []error
	for _, q := range in.quantities {
		amount, err := scale.ParseAmount(*q.text)
		switch {
		case *q.text == "":
			continue
		case err != nil:
			faults = append(faults, fmt.Errorf("%s: %q %w", q.flag, *q.text, err))
		case amount <= 0 && (q.flag == "--pod-cpu" || q.flag == "--mean-pods"):
			faults = append(faults, fmt.Errorf("%s must be above 0, got %s", q.flag, *q.text))
		}
		*q.into = int64(amount)
	}
	for _, q := range in.shares {
		parts, err := parseShare(*q.text)
		if err != nil {
			faults = append(faults, fmt.Errorf("%s: %w", q.flag, err))
		}
		*q.into = parts
	}
	switch in.resize {
	case "inplace":
	case "restart":
		in.out.Resize.Update = plan.Recreate
	default:
		faults = append(faults, fmt.Errorf("--resize must be inplace or restart, got %q", in.resize))
	}
	return in.out, errors.Join(faults...)
}

// Seed is the seed of all chance.
func (in *Plant) Seed() uint64 { return in.out.Seed }

// parseShare reads a share of one, or a percentage, in billionths.
func parseShare(text string) (int64, error) {
	if text == "" {
		return 0, nil
	}
	number, percent := strings.CutSuffix(text, "%")
	parts, err := scale.ParseParts(number)
	if percent {
		parts /= 100
	}
	if err != nil || parts < 0 || parts > scale.Parts {
		return 0, fmt.Errorf("%q is not a share: write a number between 0 and 1, or a percentage", text)
	}
	return parts, nil
}
