//go:build e2e

package e2e

import (
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"syscall"
	"testing"
	"time"

	"sigs.k8s.io/yaml"

	"github.com/tidemark/tidemark/api/v1alpha1"
	"github.com/tidemark/tidemark/internal/config"
)

// controllerProcess is the built program, running under the installed role.
type controllerProcess struct {
	options
	cmd     *exec.Cmd
	folder  string
	metrics string
	// mu guards config, which is what the file says.
	mu     sync.Mutex
	config config.Controller
	// ended is closed when the process has ended, with this result.
	ended  chan struct{}
	result error
	killed bool
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
		if err := p.stop(); err != nil {
			t.Error(err)
		}
		if t.Failed() {
			t.Logf("the log of the controller:\n%s", p.log())
		}
	})
	return p
}

func newController(folder string, o options) (*controllerProcess, error) {
	ports, err := freePorts(2)
	if err != nil {
		return nil, err
	}
	c := config.Default()
	c.LeaderElection.Namespace = "tidemark-system"
	c.Metrics.Address, c.Health.Address = fmt.Sprintf("127.0.0.1:%d", ports[0]), fmt.Sprintf("127.0.0.1:%d", ports[1])
	if o.change != nil {
		o.change(&c)
	}
	p := &controllerProcess{options: o, folder: folder, metrics: "http://" + c.Metrics.Address + "/metrics", config: c, ended: make(chan struct{})}
	if err := p.configure(); err != nil {
		return nil, err
	}
	if err := world.credentials(p.file("kubeconfig"), o.through); err != nil {
		return nil, err
	}
	if err := p.start(); err != nil {
		return nil, err
	}
	if err := p.awaitReady("http://" + c.Health.Address + "/readyz"); err != nil {
		p.kill()
		return nil, err
	}
	return p, nil
}

func (p *controllerProcess) file(name string) string { return filepath.Join(p.folder, name) }

// configure writes the configuration file. It is replaced as a whole, because
// the controller may look at it at any moment.
func (p *controllerProcess) configure() error {
	text, err := yaml.Marshal(p.config)
	if err != nil {
		return err
	}
	if err := os.WriteFile(p.file("config.next"), text, 0o600); err != nil {
		return err
	}
	return os.Rename(p.file("config.next"), p.file("config.yaml"))
}

// administer changes the administrator's settings while the controller runs.
func (p *controllerProcess) administer(t *testing.T, change func(*v1alpha1.AdminSettings)) {
	t.Helper()
	p.mu.Lock()
	defer p.mu.Unlock()
	change(&p.config.Admin)
	if err := p.configure(); err != nil {
		t.Fatal(err)
	}
	if err := p.cmd.Process.Signal(syscall.SIGHUP); err != nil {
		t.Fatal(err)
	}
}

func (p *controllerProcess) start() error {
	log, err := os.Create(p.file("log"))
	if err != nil {
		return err
	}
	defer log.Close()
	args := []string{"controller", "--config", p.file("config.yaml"), "--kubeconfig", p.file("kubeconfig")}
	p.cmd = exec.Command("../../bin/tidemark", append(args, p.flags...)...)
	p.cmd.Stdout, p.cmd.Stderr = log, log
	if p.authority != "" {
		p.cmd.Env = append(os.Environ(), "SSL_CERT_FILE="+p.authority)
	}
	if err := p.cmd.Start(); err != nil {
		return err
	}
	go func() {
		p.result = p.cmd.Wait()
		close(p.ended)
	}()
	return nil
}

func (p *controllerProcess) running() bool {
	select {
	case <-p.ended:
		return false
	default:
		return true
	}
}

func (p *controllerProcess) awaitReady(address string) error {
	return poll(patience, func() error {
		if !p.running() {
			return fatal{fmt.Errorf("the controller ended: %v\n%s", p.result, p.log())}
		}
		_, err := fetch(address)
		return err
	})
}

// stop ends the controller as Kubernetes does, and tells how it took it.
func (p *controllerProcess) stop() error {
	if p.killed {
		return nil
	}
	// A process that has ended already cannot be told to.
	_ = p.cmd.Process.Signal(syscall.SIGTERM)
	select {
	case <-p.ended:
		if p.result != nil {
			return fmt.Errorf("the controller did not end well: %w", p.result)
		}
		return nil
	case <-time.After(patience):
		p.kill()
		return fmt.Errorf("the controller did not end within %s of SIGTERM", patience)
	}
}

// kill ends the controller without a warning.
func (p *controllerProcess) kill() {
	p.killed = true
	_ = p.cmd.Process.Kill()
	<-p.ended
}

// log is what the controller has logged so far.
func (p *controllerProcess) log() string {
	text, err := os.ReadFile(p.file("log"))
	if err != nil {
		return err.Error()
	}
	return string(text)
}

// series is what the controller says to Prometheus.
func (p *controllerProcess) series() (string, error) { return fetch(p.metrics) }

// fetch returns the body of an answer that must be 200.
func fetch(address string) (string, error) {
	answer, err := http.Get(address)
	if err != nil {
		return "", err
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err == nil && answer.StatusCode != http.StatusOK {
		err = fmt.Errorf("%s: %s", address, answer.Status)
	}
	return string(text), err
}
