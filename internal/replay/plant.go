package replay

import (
	"cmp"
	"errors"
	"maps"
	"slices"
	"strings"

	"github.com/tidemark/tidemark/fault"
	"github.com/tidemark/tidemark/internal/replay/sim"
	"github.com/tidemark/tidemark/scale"
)

// Plant says what meets a demand. Its Demand is the one that is replayed. No
// Replicas are as many as the demand needs, and a pod without a limit for cpu
// uses no more than it requests, unless its neighbors leave it room.
type Plant struct {
	sim.Settings
	// MeanPods, where it is set, is how many pods the mean of the demand needs,
	// in thousandths: the demand is scaled to it.
	MeanPods scale.Amount
	// Interpolate draws straight lines between the samples of the demand,
	// instead of holding each value until the next.
	Interpolate bool
	// Noise is what is added to those lines: its standard deviation as a share of
	// a demand of 10 cores, in billionths.
	Noise int64
	// PriceCPU and PriceMemory are what a core-hour and a GiB-hour cost, in
	// billionths of whatever is paid with.
	PriceCPU, PriceMemory int64
	// Measured adds what a policy gains of what could be gained at all to its score,
	// by Prices.
	Measured bool
	Prices   Prices
	// Names are what messages call the fields.
	Names Names
}

// Honest is a plant as a cluster is, and Ideal one that is kinder than any.
func Honest() Plant {
	return Plant{Settings: sim.Honest(), Noise: scale.Parts * 3 / 100, Prices: UsualPrices()}
}

// Ideal is a plant in which pods have at once what they are given, and nothing
// waits.
func Ideal() Plant { return Plant{Settings: sim.Ideal(), Prices: UsualPrices()} }

// Plants are the plants by their names.
var Plants = map[string]func() Plant{"honest": Honest, "ideal": Ideal}

// Names are what the fields of a plant and of a Reading are called by whoever
// fills them, such as the flags of a command line. A field that is not among
// them has its own name.
type Names map[string]string

// in puts the names into a text of ours, the longest first: some fields' names
// begin with another's.
func (n Names) in(text string) string {
	fields := slices.SortedFunc(maps.Keys(n), func(a, b string) int {
		return cmp.Or(cmp.Compare(len(b), len(a)), cmp.Compare(a, b))
	})
	var pairs []string
	for _, f := range fields {
		pairs = append(pairs, f, n[f])
	}
	return strings.NewReplacer(pairs...).Replace(text)
}

// told returns an error with the names that the caller has for its fields.
func (n Names) told(err error) error {
	var faults fault.List
	if !errors.As(err, &faults) {
		return err
	}
	var lines []string
	for _, f := range faults {
		lines = append(lines, n.in(strings.TrimSpace(string(f.Path)+" "+f.Message)))
	}
	return errors.New(strings.Join(lines, "\n"))
}

// cpu is what each pod requests.
func (p *Plant) cpu() scale.Amount {
	cpu, _ := p.Requests.Get(scale.CPU)
	return cpu
}
