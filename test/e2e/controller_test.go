//go:build e2e

package e2e

import (
	"testing"

	"github.com/tidemark/tidemark/api/v1alpha1"
	"github.com/tidemark/tidemark/internal/controller/config"
	"github.com/tidemark/tidemark/test/live"
)

// controllerProcess is the built program, running under the installed role.
type controllerProcess struct {
	options
	*live.Controller
}

// options are what a test may choose of a controller.
type options struct {
	// through stands between the controller and the API server, if anything.
	through *gate
	// change adjusts the configuration file.
	change func(*config.Controller)
	// flags stand above the configuration file.
	flags []string
	// authority is a file with a certificate that the controller's system
	// trusts, besides those of the machine.
	authority string
}

// startController starts a controller and waits until it is ready. It ends with
// the test, if it does not end before.
func startController(t *testing.T, o options) *controllerProcess {
	t.Helper()
	p, err := newController(t.TempDir(), o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := p.Stop(); err != nil {
			t.Error(err)
		}
		if t.Failed() {
			t.Logf("the log of the controller:\n%s", p.Log())
		}
	})
	return p
}

func newController(folder string, o options) (*controllerProcess, error) {
	chosen := live.Options{Change: o.change, Flags: o.flags, Authority: o.authority}
	if o.through != nil {
		chosen.Through = o.through.asServer()
	}
	p, err := world.Start(folder, chosen)
	return &controllerProcess{o, p}, err
}

// administer changes the administrator's settings while the controller runs.
func (p *controllerProcess) administer(t *testing.T, change func(*v1alpha1.AdminSettings)) {
	t.Helper()
	if err := p.Administer(change); err != nil {
		t.Fatal(err)
	}
}
