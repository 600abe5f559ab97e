//go:build e2e

package e2e

import (
	"context"
	"os"
	"slices"
	"testing"

	"github.com/tidemark/tidemark/test/live"
)

// cluster is a running control plane, seen by its administrator.
type cluster struct{ *live.Cluster }

// withoutResize is set where the cluster is to have no resizing in place. Only
// versions in which that can be turned off can be started so.
var withoutResize = os.Getenv("TIDEMARK_WITHOUT_RESIZE") != ""

// newCluster starts a control plane with everything there is.
func newCluster(data string) (*cluster, error) {
	shape := live.Tests
	if withoutResize {
		for _, component := range []string{"kube-apiserver", "kube-controller-manager", "kube-scheduler"} {
			shape.Flags = append(slices.Clone(shape.Flags), component+"=--feature-gates=InPlacePodVerticalScaling=false")
		}
	}
	c, err := live.Up(context.Background(), data, shape)
	return &cluster{c}, err
}

// must is for what a test cannot go on without.
func (c *cluster) must(t *testing.T, args ...string) string {
	t.Helper()
	out, err := c.Run(args...)
	if err != nil {
		t.Fatal(err)
	}
	return out
}
