//go:build e2e

package e2e

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	dto "github.com/prometheus/client_model/go"
	"github.com/prometheus/common/expfmt"
	"github.com/prometheus/common/model"

	"github.com/tidemark/tidemark/internal/controller/config"
	"github.com/tidemark/tidemark/internal/controller/metrics"
)

// TestKubeletsAreFresher looks at the same workload every five seconds, first
// with what metrics-server says, then with what the kubelets do: without the
// rights for it, where all stays as it was and the object says so, and with them,
// where usage is seconds old. The installed role is what the program runs under.
func TestKubeletsAreFresher(t *testing.T) {
	alone(t)
	p := newPlace(t)
	p.workload("web", 4)
	p.demand("web", "0.2")
	const spec = `{replicas: {min: 1, max: 10}, behavior: {syncPeriodSeconds: 5, scaleDown: {stabilizationWindowSeconds: 60}},
		metrics: [{type: Resource, resource: {name: cpu, target: {averageUtilization: 50}}}]}`
	p.autoscaler("web", spec)

	before := startController(t, options{})
	eventually(t, patience, p.shows("web", "ScalingActive", "True", "WithinTolerance"))
	listed := agesOf(t, before, "metrics.k8s.io")
	if err := before.Stop(); err != nil {
		t.Fatal(err)
	}

	fresh := options{change: func(c *config.Controller) { c.FreshMetrics.Enabled = true }}
	refused := startController(t, fresh)
	eventually(t, patience, p.shows("web", "ScalingActive", "True", "WithinTolerance", "kubelets are not asked", "grant"))
	agesOf(t, refused, "metrics.k8s.io")
	if n := strings.Count(refused.Log(), "fresh metrics are off"); n != 1 {
		t.Errorf("the log tells %d times that fresh metrics are off, want once:\n%s", n, refused.Log())
	}
	if err := refused.Stop(); err != nil {
		t.Fatal(err)
	}

	if _, err := world.Kubectl("apply", "-k", "../../config/kubelets"); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if _, err := world.Kubectl("delete", "-k", "../../config/kubelets"); err != nil {
			t.Error(err)
		}
	})
	asked := startController(t, fresh)
	direct := agesOf(t, asked, "kubelet")
	t.Logf("age of usage from metrics-server: %s; from the kubelets: %s", listed, direct)
	// Metrics-server reads every ten seconds here, so every other look finds what is
	// older than five; a kubelet's answer is never shown for more than four.
	if listed.older < 0.25 || direct.older > 0.05 {
		t.Errorf("age of usage from metrics-server: %s; from the kubelets: %s", listed, direct)
	}
	eventually(t, patience, p.shows("web", "ScalingActive", "True", "WithinTolerance"))
	if status, err := p.status("web"); err != nil || strings.Contains(fmt.Sprint(status.Conditions), "kubelets are not asked") {
		t.Errorf("with the rights the object still shows %s, error %v", summary(status), err)
	}

	// 290m in all, and half of a request of 100m a pod, make 6 pods.
	p.demand("web", "0.29")
	p.eventuallyHas("web", 6)
	p.demand("web", "0.095")
	p.eventuallyHas("web", 2)
}

// aged is how old usage was at the looks that found it: on average, and which
// share of it was older than five seconds.
type aged struct {
	mean  time.Duration
	older float64
}

func (a aged) String() string { return fmt.Sprintf("%s, %.0f %% older than 5 s", a.mean, 100*a.older) }

// agesOf takes the ages of usage of a source over thirty seconds.
func agesOf(t *testing.T, c *controllerProcess, source string) aged {
	t.Helper()
	var before, after *dto.Histogram
	eventually(t, patience, func() error {
		var err error
		if before, err = ages(c, source); err == nil && before.GetSampleCount() == 0 {
			err = errors.New("no usage was found of " + source)
		}
		return err
	})
	time.Sleep(30 * time.Second)
	after, err := ages(c, source)
	found := float64(after.GetSampleCount() - before.GetSampleCount())
	if err != nil || found == 0 {
		t.Fatalf("no usage was found of %s in thirty seconds, error %v", source, err)
	}
	sum := after.GetSampleSum() - before.GetSampleSum()
	return aged{time.Duration(sum / found * float64(time.Second)), 1 - float64(young(after)-young(before))/found}
}

// young counts what was no more than five seconds old.
func young(h *dto.Histogram) uint64 {
	for _, b := range h.GetBucket() {
		if b.GetUpperBound() == 5 {
			return b.GetCumulativeCount()
		}
	}
	return 0
}

// ages are those of all usage of a source so far.
func ages(c *controllerProcess, source string) (*dto.Histogram, error) {
	text, err := c.Series()
	if err != nil {
		return nil, err
	}
	parser := expfmt.NewTextParser(model.UTF8Validation)
	families, err := parser.TextToMetricFamilies(strings.NewReader(text))
	if err != nil {
		return nil, err
	}
	for _, m := range families[metrics.UsageAge].GetMetric() {
		if m.GetLabel()[0].GetValue() == source {
			return m.GetHistogram(), nil
		}
	}
	return nil, nil
}
