//go:build e2e

package e2e

import (
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"sigs.k8s.io/yaml"

	"github.com/tidemark/tidemark/internal/controller/config"
	"github.com/tidemark/tidemark/test/live"
)

// TestItIsAlertedWhenLooksStop: a real Prometheus server reads the controller, under
// the rules that are installed, with shorter times. First a look hangs in a write
// that is not answered, then the whole process stands still.
func TestItIsAlertedWhenLooksStop(t *testing.T) {
	alone(t)
	ports, err := live.FreePorts(1)
	if err != nil {
		t.Fatal(err)
	}
	address, way := fmt.Sprintf("127.0.0.1:%d", ports[0]), gateOf(t)
	p := newPlace(t)
	p.queue("20")
	p.workload("web", 2)
	p.autoscaler("web", byQueue)
	controller := startController(t, options{through: way, change: func(c *config.Controller) {
		// Who stands still loses the leadership, which is not what is looked at here.
		c.LeaderElection.Enabled, c.Metrics.Address = new(bool), address
	}})
	watch := watchedBy(t, address)
	eventually(t, patience, p.shows("web", "ScalingActive", "True", "WithinTolerance"))
	eventually(t, patience, watch.silent)

	way.disturb(p.name, func(r *http.Request) (int, time.Duration) {
		if r.Method == http.MethodPut && strings.HasSuffix(r.URL.Path, "/scale") {
			return http.StatusInternalServerError, 20 * time.Second
		}
		return 0, 0
	})
	p.queue("40")
	eventually(t, patience, watch.fires("TidemarkLooksStopped"))
	way.disturb(p.name, nil)
	p.eventuallyHas("web", 4)
	eventually(t, patience, watch.silent)

	if err := controller.Pause(); err != nil {
		t.Fatal(err)
	}
	eventually(t, patience, watch.fires("TidemarkAbsent"))
	if err := controller.Resume(); err != nil {
		t.Fatal(err)
	}
	eventually(t, patience, watch.silent)
	p.queue("20")
	p.eventuallyHas("web", 2)
}

// alarms is a Prometheus server that reads a controller.
type alarms struct{ address string }

// forLooks are the alerts that tell that nothing is looked at any more, and why: a look
// or all of them hang, nobody leads, or nobody is there.
var forLooks = []string{"TidemarkLooksStopped", "TidemarkNobodyLeads", "TidemarkAbsent"}

// watchedBy starts the server with what config/monitoring has for looks that stop.
// The times are shorter: what takes minutes there takes seconds.
func watchedBy(t *testing.T, controllers ...string) *alarms {
	t.Helper()
	type rule struct {
		Alert  string            `json:"alert"`
		Expr   string            `json:"expr"`
		For    string            `json:"for"`
		Labels map[string]string `json:"labels"`
	}
	type group struct {
		Name  string `json:"name"`
		Rules []rule `json:"rules"`
	}
	var all struct {
		Groups []group `json:"groups"`
	}
	folder := t.TempDir()
	text, err := os.ReadFile("../../config/monitoring/alerts.yaml")
	if err == nil {
		err = yaml.Unmarshal(text, &all)
	}
	if err != nil {
		t.Fatal(err)
	}
	rules := slices.DeleteFunc(all.Groups[0].Rules, func(r rule) bool { return !slices.Contains(forLooks, r.Alert) })
	for i := range rules {
		rules[i].For, rules[i].Expr = "2s", strings.NewReplacer("> 120", "> 8", "[5m]", "[5s]").Replace(rules[i].Expr)
	}
	all.Groups[0].Rules = rules
	if text, err = yaml.Marshal(all); err != nil {
		t.Fatal(err)
	}
	settings := fmt.Sprintf("{global: {scrape_interval: 1s, scrape_timeout: 1s, evaluation_interval: 1s}, rule_files: [alerts.yaml], "+
		"scrape_configs: [{job_name: tidemark, static_configs: [{targets: [%s]}]}]}", strings.Join(controllers, ", "))
	for name, content := range map[string]string{"alerts.yaml": string(text), "prometheus.yml": settings} {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	ports, err := live.FreePorts(1)
	if err != nil {
		t.Fatal(err)
	}
	a := &alarms{fmt.Sprintf("127.0.0.1:%d", ports[0])}
	cmd := exec.Command("prometheus", "--config.file="+filepath.Join(folder, "prometheus.yml"), "--storage.tsdb.path="+filepath.Join(folder, "data"),
		"--web.listen-address="+a.address)
	cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	})
	eventually(t, patience, func() error { _, err := live.Fetch("http://" + a.address + "/-/ready"); return err })
	return a
}

// firing are the alerts that fire now, each with its shard if it is about one. Before the controller was read once, one
// cannot tell.
func (a *alarms) firing() (names []string, err error) {
	text, err := live.Fetch("http://" + a.address + "/api/v1/alerts")
	if err != nil {
		return nil, err
	}
	var answer struct {
		Data struct {
			Alerts []struct {
				State  string            `json:"state"`
				Labels map[string]string `json:"labels"`
			} `json:"alerts"`
		} `json:"data"`
	}
	if err := json.Unmarshal([]byte(text), &answer); err != nil {
		return nil, err
	}
	for _, one := range answer.Data.Alerts {
		if one.State == "firing" {
			names = append(names, strings.TrimSpace(one.Labels["alertname"]+" "+one.Labels["shard"]))
		}
	}
	return names, nil
}

// fires is a check that an alert does.
func (a *alarms) fires(name string) func() error {
	return func() error {
		names, err := a.firing()
		if err == nil && !slices.Contains(names, name) {
			err = fmt.Errorf("%v fire, want %s", names, name)
		}
		return err
	}
}

// silent is an error while an alert fires, or the controller was never read.
func (a *alarms) silent() error {
	names, err := a.firing()
	if err == nil && len(names) > 0 {
		return fmt.Errorf("%v fire", names)
	}
	if err != nil {
		return err
	}
	text, err := live.Fetch("http://" + a.address + "/api/v1/query?query=tidemark_overdue_seconds")
	if err == nil && !strings.Contains(text, `"value"`) {
		err = fmt.Errorf("the controller was not read: %s", text)
	}
	return err
}
