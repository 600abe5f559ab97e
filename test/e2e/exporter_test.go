//go:build e2e

package e2e

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
)

// exporter serves series that tests set, and that the Prometheus server scrapes every
// second.
type exporter struct {
	server *httptest.Server

	mu     sync.Mutex
	series map[string]string
}

func newExporter() *exporter {
	e := &exporter{series: map[string]string{}}
	e.server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		e.mu.Lock()
		defer e.mu.Unlock()
		for name, value := range e.series {
			fmt.Fprintf(w, "%s %s\n", name, value)
		}
	}))
	return e
}

// set gives a series, with its labels, a value from now on.
func (e *exporter) set(series, value string) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.series[series] = value
}

// job is the configuration of a Prometheus server that scrapes it.
func (e *exporter) job() string {
	return fmt.Sprintf("scrape_configs:\n- {job_name: tests, scrape_interval: 1s, scrape_timeout: 1s, static_configs: [{targets: [%q]}]}\n",
		strings.TrimPrefix(e.server.URL, "http://"))
}
