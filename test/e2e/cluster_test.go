//go:build e2e

package e2e

import (
	"context"
	"testing"

	"github.com/tidemark/tidemark/test/live"
)

// cluster is a running control plane, seen by its administrator.
type cluster struct{ *live.Cluster }

// newCluster starts a control plane with everything there is.
func newCluster(data string) (*cluster, error) {
	c, err := live.Up(context.Background(), data, live.Tests)
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
