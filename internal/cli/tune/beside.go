package tune

import (
	"github.com/spf13/cobra"

	"github.com/tidemark/tidemark/internal/cli/inputs"
	"github.com/tidemark/tidemark/internal/replay"
)

// beside is a policy that is not searched, and how it did on both parts.
type beside struct {
	policy replay.Policy

	Policy  string        `json:"policy"`
	Score   replay.Score  `json:"score"`
	HeldOut *replay.Score `json:"heldOut,omitempty"`
}

// yardsticks reads the policies to compare with.
func (c *choices) yardsticks(cmd *cobra.Command) ([]replay.Policy, error) {
	var out []replay.Policy
	for _, name := range c.beside {
		p, err := inputs.Named(cmd, name)
		if err != nil {
			return nil, err
		}
		out = append(out, p)
	}
	return out, nil
}

// compare scores policies on the part that the search saw and on the part that it
// did not.
func (c *choices) compare(r *replay.Replay, policies []replay.Policy) ([]beside, error) {
	if len(policies) == 0 {
		return nil, nil
	}
	first, last := r, (*replay.Replay)(nil)
	if c.holdOut > 0 {
		var err error
		if first, last, err = r.Split(c.holdOut); err != nil {
			return nil, err
		}
	}
	var out []beside
	for _, p := range policies {
		score, err := first.Score(p)
		if err != nil {
			return nil, err
		}
		one := beside{policy: p, Policy: p.Name, Score: score}
		if last != nil {
			held, err := last.Score(p)
			if err != nil {
				return nil, err
			}
			one.HeldOut = &held
		}
		out = append(out, one)
	}
	return out, nil
}
