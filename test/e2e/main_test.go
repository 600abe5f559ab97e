//go:build e2e

package e2e

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/go-logr/logr"
	ctrl "sigs.k8s.io/controller-runtime"
)

// world is the one cluster that the tests share. Each test has a namespace of
// its own in it.
var world *cluster

// Tests that disturb the whole cluster run one after the other, with controllers
// of their own. All others are parallel: they begin when those are done, and
// share one controller.
func TestMain(m *testing.M) {
	// They wait far more than they work.
	flag.Parse()
	if *lane != "" && *lane != "alone" && *lane != "shared" {
		os.Exit(fail(fmt.Errorf("-lane must be alone or shared, got %q", *lane)))
	}
	if err := flag.Set("test.parallel", "24"); err != nil {
		os.Exit(fail(err))
	}
	os.Exit(run(m))
}

func run(m *testing.M) int {
	ctrl.SetLogger(logr.Discard())
	folder, err := os.MkdirTemp("", "tidemark-e2e-")
	if err != nil {
		return fail(err)
	}
	defer os.RemoveAll(folder)
	world, err = newCluster(filepath.Join(folder, "cluster"))
	if err != nil {
		return fail(err)
	}
	defer world.Down()
	if err := world.Install(); err != nil {
		return fail(err)
	}
	code := m.Run()
	if err := together.end(); err != nil {
		return fail(err)
	}
	return code
}

func fail(err error) int {
	fmt.Fprintln(os.Stderr, err)
	return 1
}
