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
	return &Desk{Read: func(context.Context) (Input, error) {
		return Input{
			Manifests: bytes.Split(examples, []byte("---\n"))[1:],
			Notes:     []string{"These objects are examples: there is no cluster to look at."},
		}, nil
	}}
}
