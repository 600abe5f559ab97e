package live

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
)

// Prometheus is a real one that was started.
type Prometheus struct {
	Address string
	process *exec.Cmd
}

// StartPrometheus starts a Prometheus on the blocks of a folder, which scrapes
// nothing. It returns once it answers.
func StartPrometheus(data string) (*Prometheus, error) {
	if _, err := exec.LookPath("prometheus"); err != nil {
		return nil, errors.New("prometheus is needed: install the package prometheus")
	}
	settings := filepath.Join(data, "prometheus.yml")
	if err := os.WriteFile(settings, []byte("global: {}\n"), 0o600); err != nil {
		return nil, err
	}
	ports, err := FreePorts(1)
	if err != nil {
		return nil, err
	}
	listen := fmt.Sprintf("127.0.0.1:%d", ports[0])
	p := &Prometheus{Address: "http://" + listen, process: exec.Command("prometheus", "--config.file="+settings, "--storage.tsdb.path="+data,
		"--storage.tsdb.retention.time=100y", "--web.listen-address="+listen)}
	if err := p.process.Start(); err != nil {
		return nil, err
	}
	err = Poll(Patience, func() error {
		_, err := Fetch(p.Address + "/-/ready")
		return err
	})
	if err != nil {
		p.Stop()
		return nil, fmt.Errorf("Prometheus does not become ready: %w", err)
	}
	return p, nil
}

// Stop ends it, and returns what it used.
func (p *Prometheus) Stop() *os.ProcessState {
	_ = p.process.Process.Kill()
	_ = p.process.Wait()
	return p.process.ProcessState
}
