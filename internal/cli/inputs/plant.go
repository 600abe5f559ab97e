package inputs

import (
	"errors"
	"fmt"
	"slices"

	"github.com/spf13/cobra"

	"github.com/tidemark/tidemark/internal/apply/plan"
	"github.com/tidemark/tidemark/internal/replay"
	"github.com/tidemark/tidemark/internal/replay/sim"
	"github.com/tidemark/tidemark/scale"
)

// Plant are the flags that describe the pods, and what happens to them. A
// setting of a plant is a line of Add, or of what it calls.
type Plant struct {
	cmd *cobra.Command
	out replay.Plant
	// These are flags whose text is read once all flags are known. What is wrong
	// with quantities is told first, then with shares, then with words.
	quantities, shares, words []text
}

// Add registers the flags. Defaults are those of the simulation.
func (in *Plant) Add(cmd *cobra.Command) {
	in.cmd, in.out = cmd, replay.Plant{Settings: sim.Default(), Names: replay.Names{}}
	p := &in.out
	in.addPods(p)
	in.flag(&p.MeanPods, "mean-pods", "scale the demand so that its mean needs this many pods")
	in.flag(&p.Interpolate, "interpolate", "draw straight lines between samples, instead of holding each until the next")
	in.flag(&p.Seed, "seed", "seed of all chance: the same seed gives the same result")
	in.flag(&p.Sync, "sync", "time between decisions, unless the object states its own")
	in.flag(&p.WarmUp, "warm-up", "time at the beginning that is replayed but not scored, so that a policy has learned")
	in.addMetrics(p)
	in.addWork(p)
	in.addResizes(p)
	in.addNodes(p)
}

func (in *Plant) addPods(p *replay.Plant) {
	in.flag(&p.Replicas, "replicas", "pods there are at first, within the policy's bounds; 0 is as many as the demand needs")
	in.resource(&p.Requests, scale.CPU, "pod-cpu", "cpu that each pod requests, and can use")
	in.resource(&p.Requests, scale.Memory, "pod-memory", "memory that each pod requests")
	in.resource(&p.Limits, scale.CPU, "pod-cpu-limit", "cpu that each pod can use, if that is more than it requests")
	in.resource(&p.Limits, scale.Memory, "pod-memory-limit", "memory at which a pod is killed, if that is more than it requests")
	in.flag(&p.StartUp, "startup", "time a pod takes to become ready")
	in.flag(&p.Jitter, "startup-jitter", "most that chance adds to a pod's start-up")
}

func (in *Plant) addMetrics(p *replay.Plant) {
	in.flag(&p.MetricDelay, "metric-delay", "age of the usage that a policy sees")
	in.flag(&p.Window, "metric-window", "time over which usage is averaged, as metrics-server does")
	in.flag(&p.Resolution, "metric-resolution", "time between two measurements of usage")
	in.flag(&p.Lost, "lost-samples", "share of samples that never arrive, such as 2% or 0.02")
}

func (in *Plant) addWork(p *replay.Plant) {
	in.flag(&p.Crashes, "crash-share", "share of pod starts that fail, such as 5% or 0.05; they are repeated with back-off")
	in.flag(&p.Queue, "queue", "core-seconds of work that wait for a free pod before any is dropped")
	in.flag(&p.Memory.Base, "memory-base", "memory that a pod uses at rest")
	in.flag(&p.Memory.PerCore, "memory-per-core", "memory that a pod uses for each core of work")
	in.flag(&p.Memory.Leak, "memory-leak", "memory that a pod leaks each hour")
	in.flag(&p.Ceiling, "pod-cpu-ceiling", "most cpu that the application in a pod can use, such as 1 for a single thread")
}

func (in *Plant) addResizes(p *replay.Plant) {
	in.flag(&p.Resize.Delay, "resize-delay", "time a resize in place takes")
	in.flag(&p.Resize.Deferred, "resize-deferred", "share of resizes that a node defers, such as 10% or 0.1")
	in.flag(&p.Resize.DeferredFor, "resize-deferred-for", "time that a node defers them for")
	in.flag(&p.Resize.Infeasible, "resize-infeasible", "share of resizes that no node will ever have room for")
	in.flag(&p.Resize.Restarts, "resize-restarts", "a resize in place restarts the container, as its resizePolicy may say")
	in.flag(&p.Resize.TemplateSized, "without-webhook", "new pods begin with the size of the template, and are resized then")
	in.text(&in.words, "resize", "inplace", "how pods get new requests: inplace, or restart where the cluster cannot do that", func(flag, word string) error {
		switch word {
		case "inplace":
			return nil
		case "restart":
			p.Resize.Update = plan.Recreate
			return nil
		}
		return fmt.Errorf("%s must be inplace or restart, got %q", flag, word)
	})
}

func (in *Plant) addNodes(p *replay.Plant) {
	in.flag(&p.Nodes.Count, "nodes", "nodes that the pods have to fit on; 0 is no bound")
	in.flag(&p.Nodes.CPU, "node-cpu", "cpu that the pods of each node may request")
	in.flag(&p.Nodes.Memory, "node-memory", "memory that the pods of each node may request")
	in.flag(&p.Nodes.Taken, "node-taken", "share of each node that others have requested")
}

// Read returns the plant that the flags describe.
func (in *Plant) Read() (replay.Plant, error) {
	// What the texts do not say, pods do not have.
	in.out.Requests, in.out.Limits = scale.Resources{}, scale.Resources{}
	var faults []error
	for _, t := range slices.Concat(in.quantities, in.shares, in.words) {
		faults = append(faults, t.read(t.flag, *t.given))
	}
	return in.out, errors.Join(faults...)
}

// Seed is the seed of all chance.
func (in *Plant) Seed() uint64 { return in.out.Seed }
