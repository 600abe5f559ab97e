//go:build e2e

package e2e

import (
	"errors"
	"flag"
	"fmt"
	"net/http"
	"net/http/httptest"
	"sync/atomic"
	"testing"
	"time"

	"github.com/tidemark/tidemark/api/v1alpha1"
	"github.com/tidemark/tidemark/internal/controller/config"
)

// away is how long something is away. What is promised holds for any time; what
// would come back ever later shows best after ten minutes.
var (
	away    = flag.Duration("away", 30*time.Second, "how long a source, and the API server, are away")
	elected = flag.Bool("elected", true, "the controller is elected: it ends meanwhile, and is started again")
)

// twoPeriods is what is promised: an object is looked at every fifteen seconds.
const twoPeriods = 2 * 15 * time.Second

// loaded is a policy that follows a number of the test's own.
func loaded(query string) string {
	return fmt.Sprintf(`{replicas: {min: 1, max: 9}, behavior: {syncPeriodSeconds: 15},
		metrics: [{type: External, external: {metric: {name: load}, prometheus: {query: %s}, target: {averageValue: 10}}}]}`, query)
}

// numbers is a Prometheus server that answers queries with a number each, and fails
// those whose number is negative.
type numbers struct{ fine, failing atomic.Int64 }

func (n *numbers) serve(t *testing.T) string {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		says := n.fine.Load()
		if r.FormValue("query") == "failing" {
			says = n.failing.Load()
		}
		if says < 0 {
			http.Error(w, "away", http.StatusServiceUnavailable)
			return
		}
		fmt.Fprintf(w, `{"status":"success","data":{"resultType":"vector","result":[{"value":[%d,"%d"]}]}}`, time.Now().Unix(), says)
	}))
	t.Cleanup(server.Close)
	return server.URL
}

// TestWorkGoesOnWithinTwoPeriods: a source goes away, and then the API server. What is
// there when they are back is acted on within two sync periods: by an object that was
// there, by one that is new, which nothing but a watch tells of, and by one whose
// source was away.
func TestWorkGoesOnWithinTwoPeriods(t *testing.T) {
	alone(t)
	var load numbers
	load.fine.Store(20)
	load.failing.Store(20)
	p := newPlace(t)
	for _, name := range []string{"web", "late", "blind"} {
		p.workload(name, 2)
	}
	p.autoscaler("web", loaded("fine"))
	p.autoscaler("blind", loaded("failing"))
	server := load.serve(t)
	controller, err := newController(t.TempDir(), options{change: func(c *config.Controller) {
		c.LeaderElection.Enabled, c.Admin.Prometheus = elected, &v1alpha1.PrometheusSettings{Address: server}
	}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(controller.Kill)
	eventually(t, patience, p.shows("web", "ScalingActive", "True", "WithinTolerance"))
	eventually(t, patience, p.shows("blind", "ScalingActive", "True", "WithinTolerance"))
	load.failing.Store(-1)
	eventually(t, patience, p.shows("blind", "ScalingActive", "False", "NoData"))

	world.must(t, "stop", "kube-apiserver")
	back := time.Now().Add(*away)
	if *elected {
		p.startedAgain(controller)
	}
	time.Sleep(time.Until(back))
	world.must(t, "start", "kube-apiserver")
	back = time.Now()
	load.fine.Store(60)
	p.soonHas("web", 6, back, "the API server")
	p.autoscaler("late", loaded("fine"))
	p.soonHas("late", 6, time.Now(), "what watches the API server")
	if err := p.has("blind", 2)(); err != nil {
		t.Error(err)
	}
	load.failing.Store(40)
	p.soonHas("blind", 4, time.Now(), "a source")
	if err := controller.Ended(); err != nil && !*elected {
		t.Error(err)
	}
}

// startedAgain waits for the end of a leader that cannot renew its lease, and does what
// the kubelet does.
func (p *place) startedAgain(c *controllerProcess) {
	p.t.Helper()
	eventually(p.t, patience, func() error {
		if c.Ended() == nil {
			return errors.New("the leader runs on")
		}
		return nil
	})
	next, err := c.Again()
	if err != nil {
		p.t.Fatal(err)
	}
	p.t.Cleanup(func() {
		if err := next.Ended(); err != nil {
			p.t.Errorf("started again while the API server was away, %v", err)
		}
		next.Kill()
	})
}

// soonHas waits for two periods since something is back, and says how long it took.
func (p *place) soonHas(name string, want int32, back time.Time, what string) {
	p.t.Helper()
	eventually(p.t, patience, p.has(name, want))
	took := time.Since(back).Round(time.Second / 10)
	p.t.Logf("%s was away for %s, and back for %s when the workload was scaled", what, *away, took)
	if took > twoPeriods {
		p.t.Errorf("%s was back for %s, want no more than %s", what, took, twoPeriods)
	}
}
