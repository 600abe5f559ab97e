package migrate

import (
	"bytes"
	"context"
	_ "embed"
)

//go:embed examples.yaml
var examples []byte

// Examples is a desk for objects that are bundled: one of each kind that is converted,
// and the workloads of some of them.
func Examples() *Desk {
	return &Desk{Read: func(_ context.Context, see func([]byte) error) ([]string, error) {
		for _, manifest := range bytes.Split(examples, []byte("---\n"))[1:] {
			if err := see(manifest); err != nil {
				return nil, err
			}
		}
		return []string{"These objects are examples: there is no cluster to look at."}, nil
	}}
}
