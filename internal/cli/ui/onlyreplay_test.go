package ui

import (
	"testing"
	"time"

	"github.com/spf13/cobra"
	"sigs.k8s.io/controller-runtime/pkg/client/fake"

	"github.com/tidemark/tidemark/internal/cli/flags"
	"github.com/tidemark/tidemark/internal/ui/feed"
	"github.com/tidemark/tidemark/internal/ui/watched"
)

// priced is the verb with some flags of a price.
func priced(t *testing.T, args ...string) (*verb, *cobra.Command) {
	t.Helper()
	v, cmd := &verb{}, &cobra.Command{}
	v.given.Add(cmd)
	if err := cmd.ParseFlags(args); err != nil {
		t.Fatal(err)
	}
	return v, cmd
}

// TestPrices: a price counts in the demo and in a cluster.
func TestPrices(t *testing.T) {
	v, cmd := priced(t, "--price-cpu", "0", "--price-memory", "0")
	free, err := v.town(cmd)
	if err != nil {
		t.Fatal(err)
	}
	defer free.Stop()
	if free.Advance(time.Date(2026, 1, 5, 1, 0, 0, 0, time.UTC)); free.Fleet()[0].Money != nil {
		t.Errorf("what costs nothing comes to %v", *free.Fleet()[0].Money)
	}
	v, cmd = priced(t, "--price-cpu", "0.03")
	f, err := v.watch(t.Context(), cmd, flags.Connection{Client: fake.NewClientBuilder().Build(), Namespace: "shop"})
	if err != nil {
		t.Fatal(err)
	}
	if got := f.(*watched.Feed).Prices; got != (feed.Prices{CPU: 0.03}) {
		t.Errorf("the prices of a cluster are %+v", got)
	}
}
