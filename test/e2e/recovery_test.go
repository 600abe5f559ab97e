//go:build e2e

package e2e

import (
	"flag"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/tidemark/tidemark/api/v1alpha1"
	"github.com/tidemark/tidemark/internal/controller/config"
)

// away is how long something is away. What is promised holds for any time; what
// would come back ever later shows best after ten minutes.
var away = flag.Duration("away", 45*time.Second, "how long a source, and the API server, are away")

// twoPeriods is what is promised: an object is looked at every fifteen seconds.
const twoPeriods = 2 * 15 * time.Second

const byLoad = `{replicas: {min: 1, max: 9}, behavior: {syncPeriodSeconds: 15},
	metrics: [{type: External, external: {metric: {name: load}, prometheus: {query: load}, target: {averageValue: 10}}}]}`

// prometheusThatSays is a server that answers every query with a number, or not at
// all while that is negative.
func prometheusThatSays(t *testing.T, value *atomic.Int64) string {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		says := value.Load()
		if says < 0 {
			http.Error(w, "away", http.StatusServiceUnavailable)
			return
		}
		fmt.Fprintf(w, `{"status":"success","data":{"resultType":"vector","result":[{"value":[%d,"%d"]}]}}`, time.Now().Unix(), says)
	}))
	t.Cleanup(server.Close)
	return server.URL
}

// TestWorkGoesOnWithinTwoPeriods: a source is away, and then the API server. What is
// there when they are back is acted on within two sync periods: an object that was
// there, and one that is new, which nothing but a watch tells of.
func TestWorkGoesOnWithinTwoPeriods(t *testing.T) {
	var load atomic.Int64
	load.Store(20)
	p := newPlace(t)
	p.workload("web", 2)
	p.workload("late", 2)
	p.autoscaler("web", byLoad)
	server := prometheusThatSays(t, &load)
	controller := startController(t, options{change: func(c *config.Controller) {
		// Whoever leads ends when the API server is away, and is started again.
		c.LeaderElection.Enabled, c.Admin.Prometheus = new(bool), &v1alpha1.PrometheusSettings{Address: server}
	}})
	eventually(t, patience, p.shows("web", "ScalingActive", "True", "WithinTolerance"))

	load.Store(-1)
	eventually(t, patience, p.shows("web", "ScalingActive", "False", "NoData"))
	time.Sleep(*away)
	load.Store(40)
	p.soonHas("web", 4, "a source")

	world.must(t, "stop", "kube-apiserver")
	time.Sleep(*away)
	world.must(t, "start", "kube-apiserver")
	load.Store(60)
	p.soonHas("web", 6, "the API server")
	p.autoscaler("late", byLoad)
	p.soonHas("late", 6, "what watches the API server")
	if err := controller.Ended(); err != nil {
		t.Error(err)
	}
}

// soonHas waits for two periods from now on, and says how long it took.
func (p *place) soonHas(name string, want int32, what string) {
	p.t.Helper()
	back := time.Now()
	eventually(p.t, patience, p.has(name, want))
	took := time.Since(back).Round(time.Second / 10)
	p.t.Logf("%s was away for %s, and back for %s when the workload was scaled", what, *away, took)
	if took > twoPeriods {
		p.t.Errorf("%s was back for %s, want no more than %s: %s", what, took, twoPeriods, strings.TrimSpace(p.name))
	}
}
