package advise

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/tidemark/tidemark/internal/advise"
	"github.com/tidemark/tidemark/scale"
)

// prices are the flags of what is paid.
type prices struct{ cpu, memory float64 }

func (p *prices) add(cmd *cobra.Command) {
	cmd.Flags().Float64Var(&p.cpu, "price-cpu", 0, "what a core-hour costs, in any currency; with it money is shown")
	cmd.Flags().Float64Var(&p.memory, "price-memory", 0, "what a GiB-hour costs")
}

// mostPrice keeps a price an exact number of billionths.
const mostPrice = 1_000_000

func (p *prices) read(to *advise.Options) error {
	for flag, price := range map[string]float64{"--price-cpu": p.cpu, "--price-memory": p.memory} {
		if !(price >= 0 && price <= mostPrice) {
			return fmt.Errorf("%s must be between 0 and %d, got %v", flag, mostPrice, price)
		}
	}
	to.PriceCPU, to.PriceMemory = int64(p.cpu*scale.Parts), int64(p.memory*scale.Parts)
	return nil
}
