//go:build e2e

package e2e

import (
	"flag"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/tidemark/tidemark/api/v1alpha1"
	"github.com/tidemark/tidemark/internal/controller/config"
	"github.com/tidemark/tidemark/test/live"
)

// together is the controller that parallel tests share: with the webhook, with
// a Prometheus server that holds the past, and behind a gate.
var together sharedController

type sharedController struct {
	*controllerProcess
	gate *gate

	once    sync.Once
	err     error
	folder  string
	history *prometheusProcess
}

// secret is the token for Prometheus. Nobody may ever see it.
const secret = "a-token-that-nobody-may-see"

// lane is which tests run. Those that share a controller and those that disturb the
// whole cluster can run at the same time, on a cluster each.
var lane = flag.String("lane", "", "run only the tests that are alone, or shared; every test by default")

// alone is for tests that disturb the whole cluster, or have a controller of their own.
func alone(t *testing.T) {
	t.Helper()
	if *lane == "shared" {
		t.Skip("it runs in the other lane")
	}
}

// beside is for tests that disturb nobody: they run at the same time.
func beside(t *testing.T) {
	t.Helper()
	if *lane == "alone" {
		t.Skip("it runs in the other lane")
	}
	t.Parallel()
}

// share makes a test parallel and gives it the shared controller. A test with
// subtests that share is parallel itself: else they would begin before the tests
// that disturb the cluster are done, and the controller with them.
func share(t *testing.T) *sharedController {
	t.Helper()
	beside(t)
	together.once.Do(func() { together.err = together.begin() })
	if together.err != nil {
		t.Fatal(together.err)
	}
	return &together
}

// about is what the shared controller logged of a namespace, the end of it.
func (s *sharedController) about(namespace string) string {
	if s.controllerProcess == nil {
		return ""
	}
	lines := slices.DeleteFunc(strings.Split(s.Log(), "\n"), func(line string) bool { return !strings.Contains(line, namespace) })
	return strings.Join(lines[max(0, len(lines)-20):], "\n")
}

func (s *sharedController) begin() (err error) {
	if s.folder, err = os.MkdirTemp("", "tidemark-e2e-"); err != nil {
		return err
	}
	if s.history, err = startPrometheus(s.folder); err != nil {
		return err
	}
	if s.gate, err = newGate(world.Config); err != nil {
		return err
	}
	ports, err := live.FreePorts(1)
	if err != nil {
		return err
	}
	if err := world.InstallWebhook(ports[0]); err != nil {
		return err
	}
	token, authority := filepath.Join(s.folder, "token"), filepath.Join(s.folder, "authority")
	if err := s.history.authority(authority); err != nil {
		return err
	}
	if err := os.WriteFile(token, []byte(secret+"\n"), 0o600); err != nil {
		return err
	}
	s.controllerProcess, err = newController(s.folder, options{through: s.gate, authority: world.Certificate("ca.crt"), change: func(c *config.Controller) {
		c.Admin.Prometheus = &v1alpha1.PrometheusSettings{Address: s.history.address, TokenFile: token, CAFile: authority}
		c.Webhook.Enabled, c.Webhook.Port = true, ports[0]
		c.Admin.PreferredMaxReplicas = new(int32(10))
	}})
	return err
}

// end stops what was begun.
func (s *sharedController) end() (err error) {
	if s.controllerProcess != nil {
		err = s.Stop()
	}
	if s.history != nil {
		s.history.stop()
	}
	if s.gate != nil {
		s.gate.server.Close()
	}
	_ = os.RemoveAll(s.folder)
	return err
}
