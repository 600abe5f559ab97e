package inputs

import (
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/tidemark/tidemark/internal/replay"
)

// Inputs are the flags of a replay of one demand.
type Inputs struct {
	Demand
	Plant
}

// Add registers the flags.
func (in *Inputs) Add(cmd *cobra.Command) {
	in.Demand.Add(cmd)
	in.Plant.Add(cmd)
}

// Open reads the demand and returns it with the plant.
func (in *Inputs) Open(cmd *cobra.Command) (*replay.Replay, error) {
	plant, err := in.Plant.Read()
	if err != nil {
		return nil, err
	}
	read, err := in.Demand.Read(cmd)
	if err != nil {
		return nil, err
	}
	return replay.New(read, plant)
}

// Tell prints what a user should know, a line each.
func Tell(stderr io.Writer, about string, notes []string) {
	for _, n := range notes {
		fmt.Fprintf(stderr, "warning: %s: %s\n", about, n)
	}
}
