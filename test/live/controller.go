package live

import (
	"cmp"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"syscall"
	"time"

	clientcmdapi "k8s.io/client-go/tools/clientcmd/api"
	"sigs.k8s.io/yaml"

	"github.com/tidemark/tidemark/api/v1alpha1"
	"github.com/tidemark/tidemark/internal/controller/config"
)

// Namespace and Account are those that the controller is installed with.
const Namespace, Account = "tidemark-system", "tidemark"

// Controller is the built program, running under the installed role.
type Controller struct {
	Options
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

// Options are what a test may choose of a controller.
type Options struct {
	// Through stands between the controller and the API server, if anything.
	Through *clientcmdapi.Cluster
	// Change adjusts the configuration file.
	Change func(*config.Controller)
	// Flags stand above the configuration file.
	Flags []string
	// Authority is a file with a certificate that the controller's system
	// trusts, besides those of the machine.
	Authority string
	// Binary is another program in bin than tidemark, and Environment is what it
	// has beside that of the test.
	Binary      string
	Environment []string
}

// Start starts a controller with its files in a folder, and waits until it is
// ready.
func (c *Cluster) Start(folder string, o Options) (*Controller, error) {
	ports, err := FreePorts(2)
	if err != nil {
		return nil, err
	}
	settings := config.Default()
	settings.LeaderElection.Namespace = Namespace
	settings.Metrics.Address, settings.Health.Address = fmt.Sprintf("127.0.0.1:%d", ports[0]), fmt.Sprintf("127.0.0.1:%d", ports[1])
	no := false
	settings.Metrics.Authenticate = &no // Tests read them by the hundred; one test asks for tokens.
	if o.Change != nil {
		o.Change(&settings)
	}
	p := &Controller{Options: o, folder: folder, metrics: "http://" + settings.Metrics.Address + "/metrics", config: settings, ended: make(chan struct{})}
	if err := p.configure(); err != nil {
		return nil, err
	}
	if err := c.Credentials(p.File("kubeconfig"), Namespace, Account, o.Through); err != nil {
		return nil, err
	}
	if err := p.start(); err != nil {
		return nil, err
	}
	if err := p.awaitReady("http://" + settings.Health.Address + "/readyz"); err != nil {
		p.Kill()
		return nil, err
	}
	return p, nil
}

// File is the path of a file in the controller's folder.
func (p *Controller) File(name string) string { return filepath.Join(p.folder, name) }

// configure writes the configuration file. It is replaced as a whole, because
// the controller may look at it at any moment.
func (p *Controller) configure() error {
	text, err := yaml.Marshal(p.config)
	if err != nil {
		return err
	}
	if err := os.WriteFile(p.File("config.next"), text, 0o600); err != nil {
		return err
	}
	return os.Rename(p.File("config.next"), p.File("config.yaml"))
}

// Administer changes the administrator's settings while the controller runs.
func (p *Controller) Administer(change func(*v1alpha1.AdminSettings)) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	change(&p.config.Admin)
	if err := p.configure(); err != nil {
		return err
	}
	return p.cmd.Process.Signal(syscall.SIGHUP)
}

func (p *Controller) start() error {
	log, err := os.OpenFile(p.File("log"), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	defer log.Close()
	args := []string{"controller", "--config", p.File("config.yaml"), "--kubeconfig", p.File("kubeconfig")}
	p.cmd = exec.Command(filepath.Join(root(), "bin", cmp.Or(p.Binary, "tidemark")), append(args, p.Flags...)...)
	p.cmd.Stdout, p.cmd.Stderr = log, log
	// A Ctrl-C on the terminal reaches every program in the foreground: this one
	// is ended by us, and ends with us however we end.
	p.cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
	p.cmd.Env = append(os.Environ(), p.Environment...)
	if p.Authority != "" {
		p.cmd.Env = append(p.cmd.Env, "SSL_CERT_FILE="+p.Authority)
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

// Again starts a controller that has ended once more, as the kubelet does: with
// its files, and without waiting for anything.
func (p *Controller) Again(flags ...string) (*Controller, error) {
	next := &Controller{Options: p.Options, folder: p.folder, metrics: p.metrics, config: p.config, ended: make(chan struct{})}
	next.Flags = flags
	return next, next.start()
}

// Signal sends the process a signal.
func (p *Controller) Signal(signal syscall.Signal) error { return p.cmd.Process.Signal(signal) }

// Done is closed when the process has ended.
func (p *Controller) Done() <-chan struct{} { return p.ended }

// Ended tells how the controller ended; nil while it runs.
func (p *Controller) Ended() error {
	select {
	case <-p.ended:
		return fmt.Errorf("the controller ended: %w\n%s", p.result, p.Log())
	default:
		return nil
	}
}

func (p *Controller) awaitReady(address string) error {
	return Poll(Patience, func() error {
		if err := p.Ended(); err != nil {
			return Fatal{err}
		}
		_, err := Fetch(address)
		return err
	})
}

// Stop ends the controller as Kubernetes does, and tells how it took it.
func (p *Controller) Stop() error {
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
	case <-time.After(Patience):
		p.Kill()
		return fmt.Errorf("the controller did not end within %s of SIGTERM", Patience)
	}
}

// Kill ends the controller without a warning.
func (p *Controller) Kill() {
	p.killed = true
	_ = p.cmd.Process.Kill()
	<-p.ended
}

// Log is what the controller has logged so far.
func (p *Controller) Log() string {
	text, err := os.ReadFile(p.File("log"))
	if err != nil {
		return err.Error()
	}
	return string(text)
}

// Series is what the controller says to Prometheus.
func (p *Controller) Series() (string, error) { return Fetch(p.metrics) }
