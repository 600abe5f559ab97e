package ui

import (
	"fmt"
	"slices"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/tidemark/tidemark/internal/cli/inputs"
	"github.com/tidemark/tidemark/internal/ui/town"
	"github.com/tidemark/tidemark/scale"
)

// everywhereHeeded are those of the flags of a replay that the demo and a cluster heed
// as well.
var everywhereHeeded = []string{"price-cpu", "price-memory"}

// onlyReplays refuses a flag that nobody heeds: the demo has pods of its own, and those
// of a cluster are what they are.
func onlyReplays(cmd *cobra.Command) (err error) {
	own := &cobra.Command{}
	new(inputs.Inputs).Add(own)
	own.Flags().VisitAll(func(f *pflag.Flag) {
		if err == nil && cmd.Flags().Changed(f.Name) && !slices.Contains(everywhereHeeded, f.Name) {
			err = fmt.Errorf("--%s is for a replay: give --demand, or leave it out", f.Name)
		}
	})
	return err
}

// town is the demo, with the prices that are given in the place of its own.
func (v *verb) town(cmd *cobra.Command) (*town.Town, error) {
	cpu, memory, err := v.given.HourlyPrices()
	if err != nil {
		return nil, err
	}
	usualCPU, usualMemory := town.Prices()
	if !cmd.Flags().Changed("price-cpu") {
		cpu = usualCPU
	}
	if !cmd.Flags().Changed("price-memory") {
		memory = usualMemory
	}
	return town.Priced(cpu, memory)
}

// inUnits is a price that is in billionths.
func inUnits(price int64) float64 { return float64(price) / float64(scale.Parts) }
