package history

import "github.com/tidemark/tidemark/scale"

// Bumps is how much more memory containers need that ran out of it, by their names.
// The name "*" stands for those that have none of their own.
type Bumps map[string]scale.Share

// DefaultBump is the VPA's: a fifth more, and at least 100 MiB.
func DefaultBump() scale.Share { return scale.Share{Value: 100 << 20 * scale.Thousand, Percent: 20} }

// of is the bump of a container.
func (b Bumps) of(container string) scale.Share {
	for _, name := range []string{container, "*"} {
		if stated, ok := b[name]; ok {
			return stated
		}
	}
	return DefaultBump()
}
