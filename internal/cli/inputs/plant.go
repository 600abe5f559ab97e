package inputs

import (
	"errors"
	"fmt"
	"slices"

	"github.com/spf13/cobra"

	"github.com/tidemark/tidemark/internal/apply/plan"
	"github.com/tidemark/tidemark/internal/replay"
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
	// plant is the name of the plant that unstated flags are of.
	plant string
	// bound are the fields of the other flags, by the flags' names.
	bound map[string]string
}

// Add registers the flags. Defaults are those of the honest plant.
func (in *Plant) Add(cmd *cobra.Command) {
	in.cmd, in.out, in.bound = cmd, replay.Honest(), map[string]string{}
	in.out.Names = replay.Names{}
	p := &in.out
	cmd.Flags().StringVar(&in.plant, "plant", "honest",
		"what the pods are like where no other flag says it: honest, as in a cluster, or ideal, which is kinder than any")
	in.addPods(p)
	in.flag(&p.MeanPods, "mean-pods", "scale the demand so that its mean needs this many pods")
	in.flag(&p.Interpolate, "interpolate", "draw straight lines between samples, instead of holding each until the next")
	in.flag(&p.Noise, "noise", "noise on those lines, as a share of a demand of 10 cores; 0 is none")
	in.flag(&p.Grain, "grain", "how long noise and neighbors stay as they are, a multiple of 5s; 0 is 5s")
	in.flag(&p.Seed, "seed", "seed of all chance: the same seed gives the same result")
	in.flag(&p.Sync, "sync", "time between decisions, unless the object states its own")
	in.flag(&p.WarmUp, "warm-up", "time at the beginning that is replayed but not scored, so that a policy has learned")
	in.addMetrics(p)
	in.addWork(p)
	in.addWaits(p)
	in.addResizes(p)
	in.addNodes(p)
	in.addNamespace(p)
	in.addMeasure(p)
	in.price(&p.PriceCPU, "price-cpu", "what a core-hour costs, in any currency; the score then has a sum of money")
	in.price(&p.PriceMemory, "price-memory", "what a GiB-hour costs")
}

func (in *Plant) addMeasure(p *replay.Plant) {
	in.flag(&p.Measured, "score", "measure policies against the best HPA in hindsight, for which many are replayed: what they gain of what could be gained")
	in.price(&p.Prices.Unserved, "score-unserved", "core-hours that the measure counts for one of work that is not done")
	in.price(&p.Prices.Late, "score-late", "core-hours that the measure counts for one of work that is late")
	in.flag(&p.Prices.Start, "score-start", "core-seconds that the measure counts for a pod that starts or stops")
	in.flag(&p.Prices.Resize, "score-resize", "core-seconds that the measure counts for a pod that is resized")
}

func (in *Plant) addPods(p *replay.Plant) {
	in.flag(&p.Replicas, "replicas", "pods there are at first, within the policy's bounds; 0 is as many as the demand needs")
	in.resource(&p.Requests, scale.CPU, "pod-cpu", "cpu that each pod requests")
	in.resource(&p.Requests, scale.Memory, "pod-memory", "memory that each pod requests")
	in.limit(p, "pod-cpu-limit",
		"most cpu that each pod can use: a quantity, a multiple of the request such as 2x, or none; with none and no neighbors it is the request")
	in.resource(&p.Limits, scale.Memory, "pod-memory-limit", "memory at which a pod is killed, if that is more than it requests")
	in.flag(&p.StartUp, "startup", "time a pod takes to become ready")
	in.flag(&p.Jitter, "startup-jitter", "most that chance adds to a pod's start-up")
	in.flag(&p.Boost.StartUpCPU, "startup-cpu", "share of a start-up that is work for the cpu, which a boost shortens; what is not is waiting")
}

func (in *Plant) addWaits(p *replay.Plant) {
	in.flag(&p.Uneven, "uneven", "standard deviation of the load between pods; 0 is that they share it evenly")
	in.flag(&p.Waiting.Most, "queue-per-pod", "time that work waits at a pod before it is dropped; 0 is that nothing waits")
	in.flag(&p.Waiting.Service, "service", "time that a core works on a request, on average")
	in.flag(&p.Waiting.Fixed, "service-fixed", "every request takes as long (M/D/1), instead of a random time (M/M/1)")
	in.flag(&p.Waiting.Late, "late", "wait from which on work is late")
}

func (in *Plant) addMetrics(p *replay.Plant) {
	in.flag(&p.MetricDelay, "metric-delay", "age of the usage that a policy sees")
	in.flag(&p.Window, "metric-window", "time over which usage is averaged, as metrics-server does")
	in.flag(&p.Resolution, "metric-resolution", "time between two measurements of usage")
	in.flag(&p.Phase, "metric-phase", "time of the first of them: decisions and measurements are not in step")
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
	inPlace := func(*replay.Plant) string { return "inplace" }
	in.text(&in.words, "resize", inPlace, "how pods get new requests: inplace, or restart where the cluster cannot do that", func(flag, word string) error {
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
	in.flag(&p.Tenants.Use, "tenants-use",
		"share of their requests that others on the nodes use on average, the rest is there for bursts; 0 is no others, and limits alone bound a pod")
	in.flag(&p.Tenants.Correlation, "tenants-correlation", "correlation of that with the demand: they are busy when we are")
	in.flag(&p.Reserve, "reserve", "share of the requests that is kept free on the nodes for bursts, and billed")
}

func (in *Plant) addNamespace(p *replay.Plant) {
	in.flag(&p.Namespace.Pods, "quota-pods", "pods that a ResourceQuota of the namespace leaves to the workload; 0 is no bound")
	in.flag(&p.Namespace.CPU, "quota-cpu", "cpu that a ResourceQuota lets all of its pods request together")
	in.flag(&p.Namespace.Memory, "quota-memory", "memory that a ResourceQuota lets all of its pods request together")
	in.flag(&p.Namespace.MostCPU, "limit-range-cpu", "most cpu that a LimitRange lets a container request, or have as its limit")
	in.flag(&p.Namespace.MostMemory, "limit-range-memory", "most memory that a LimitRange lets a container request, or have as its limit")
}

// Read returns the plant that the flags describe.
func (in *Plant) Read() (replay.Plant, error) {
	named, known := replay.Plants[in.plant]
	if !known {
		return in.out, fmt.Errorf("--plant must be honest or ideal, got %q", in.plant)
	}
	usual, given := named(), in.cmd.Flags().Changed
	for name, field := range in.bound {
		if !given(name) {
			fieldIn(&in.out, field).Set(fieldIn(&usual, field))
		}
	}
	// What the texts do not say, pods do not have.
	in.out.Requests, in.out.Limits = scale.Resources{}, scale.Resources{}
	var faults []error
	for _, t := range slices.Concat(in.quantities, in.shares, in.words) {
		text := t.usual(&usual)
		if given(t.name) {
			text = *t.given
		}
		faults = append(faults, t.read("--"+t.name, text))
	}
	return in.out, errors.Join(faults...)
}

// HourlyPrices are what the flags say that a core-hour and a GiB-hour cost, in
// billionths, for those who replay nothing.
func (in *Plant) HourlyPrices() (cpu, memory int64, err error) {
	var faults []error
	for _, t := range in.quantities {
		if t.name != "price-cpu" && t.name != "price-memory" {
			continue
		}
		if err := t.read("--"+t.name, *t.given); err != nil {
			faults = append(faults, err)
		}
	}
	cpu, memory = in.out.PriceCPU, in.out.PriceMemory
	if cpu < 0 || memory < 0 {
		faults = append(faults, errors.New("--price-cpu and --price-memory must not be negative"))
	}
	return cpu, memory, errors.Join(faults...)
}

// Seed is the seed of all chance.
func (in *Plant) Seed() uint64 { return in.out.Seed }
