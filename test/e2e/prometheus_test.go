//go:build e2e

package e2e

import (
	"bytes"
	"encoding/pem"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"github.com/tidemark/tidemark/test/live"
)

// prometheusProcess is a real Prometheus server, behind a door that wants the
// token.
type prometheusProcess struct {
	address  string
	cmd      *exec.Cmd
	door     *httptest.Server
	exporter *exporter
}

// pastNamespace is where the Deployment web has run for weeks, if one asks the
// Prometheus server.
const pastNamespace = "e2e-past"

// startPrometheus starts a server that remembers three weeks: in the hours
// around the present one eight pods were ready, otherwise nothing is known.
func startPrometheus(folder string) (*prometheusProcess, error) {
	for _, name := range []string{"prometheus", "promtool"} {
		if _, err := exec.LookPath(name); err != nil {
			return nil, fmt.Errorf("%s is needed: install the package prometheus", name)
		}
	}
	past, settings, data := filepath.Join(folder, "past.om"), filepath.Join(folder, "prometheus.yml"), filepath.Join(folder, "prometheus")
	if err := os.WriteFile(past, []byte(readyInThePast(time.Now())), 0o600); err != nil {
		return nil, err
	}
	scraped := newExporter()
	if err := os.WriteFile(settings, []byte(scraped.job()), 0o600); err != nil {
		return nil, err
	}
	if _, err := live.Output(exec.Command("promtool", "tsdb", "create-blocks-from", "openmetrics", past, data)); err != nil {
		return nil, err
	}
	ports, err := live.FreePorts(1)
	if err != nil {
		return nil, err
	}
	address := fmt.Sprintf("127.0.0.1:%d", ports[0])
	p := &prometheusProcess{exporter: scraped, cmd: exec.Command("prometheus", "--config.file="+settings, "--storage.tsdb.path="+data,
		"--storage.tsdb.retention.time=100y", "--web.listen-address="+address)}
	p.cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL} // It ends with us, however we end.
	if err := p.cmd.Start(); err != nil {
		return nil, err
	}
	p.door = httptest.NewTLSServer(door(address))
	p.address = p.door.URL
	return p, live.Poll(live.Patience, func() error { _, err := live.Fetch("http://" + address + "/-/ready"); return err })
}

// readyInThePast is the series of kube-state-metrics, a point a minute.
func readyInThePast(now time.Time) string {
	var text strings.Builder
	text.WriteString("# TYPE kube_deployment_status_replicas_available gauge\n")
	for week := 3; week > 0; week-- {
		middle := now.Add(-time.Duration(week) * 7 * 24 * time.Hour)
		for at := middle.Add(-90 * time.Minute); at.Before(middle.Add(90 * time.Minute)); at = at.Add(time.Minute) {
			fmt.Fprintf(&text, "kube_deployment_status_replicas_available{namespace=%q,deployment=\"web\"} 8 %d\n", pastNamespace, at.Unix())
		}
	}
	text.WriteString("# EOF\n")
	return text.String()
}

// door lets those in who have the token. It is a careless one: who asks for
// something it does not like is told his own token.
func door(address string) http.Handler {
	inside := httputil.NewSingleHostReverseProxy(&url.URL{Scheme: "http", Host: address})
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked, err := io.ReadAll(r.Body)
		token := r.Header.Get("Authorization")
		if err != nil || token != "Bearer "+secret || bytes.Contains(asked, []byte("forbidden")) {
			http.Error(w, "not with "+token, http.StatusForbidden)
			return
		}
		r.Body = io.NopCloser(bytes.NewReader(asked))
		inside.ServeHTTP(w, r)
	})
}

// authority writes the certificate that the door is known by.
func (p *prometheusProcess) authority(path string) error {
	text := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: p.door.Certificate().Raw})
	return os.WriteFile(path, text, 0o600)
}

func (p *prometheusProcess) stop() {
	p.door.Close()
	p.exporter.server.Close()
	_ = p.cmd.Process.Kill()
	_ = p.cmd.Wait()
}
