//go:build e2e

package e2e

import (
	"fmt"
	"net/http"
	"net/url"
	"os/exec"
	"syscall"
	"testing"
	"time"

	"github.com/tidemark/tidemark/api/v1alpha1"
	"github.com/tidemark/tidemark/test/live"
)

// scalerProcess is an external scaler that is built on KEDA's own package.
type scalerProcess struct{ address, control string }

// startScaler starts one whose queue has this length and target.
func startScaler(t *testing.T, length, target int) *scalerProcess {
	t.Helper()
	ports, err := live.FreePorts(2)
	if err != nil {
		t.Fatal(err)
	}
	s := &scalerProcess{address: fmt.Sprintf("127.0.0.1:%d", ports[0]), control: fmt.Sprintf("127.0.0.1:%d", ports[1])}
	cmd := exec.Command("../../bin/external-scaler", "-listen", s.address, "-control", s.control)
	cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL} // It ends with us, however we end.
	if err := cmd.Start(); err != nil {
		t.Fatalf("%v: make e2e builds it", err)
	}
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	})
	eventually(t, patience, func() error { return s.put(length, target, false) })
	return s
}

func (s *scalerProcess) put(length, target int, hang bool) error {
	form := url.Values{"length": {fmt.Sprint(length)}, "target": {fmt.Sprint(target)}, "hang": {fmt.Sprint(hang)}}
	answer, err := http.PostForm("http://"+s.control+"/queue", form)
	if err != nil {
		return err
	}
	defer answer.Body.Close()
	if answer.StatusCode != http.StatusOK {
		return fmt.Errorf("the scaler answers %s", answer.Status)
	}
	return nil
}

func (s *scalerProcess) becomes(t *testing.T, length, target int, hang bool) {
	t.Helper()
	if err := s.put(length, target, hang); err != nil {
		t.Fatal(err)
	}
}

// allowScaler lets the controller ask it.
func (s *sharedController) allowScaler(t *testing.T, scaler *scalerProcess) {
	t.Helper()
	s.administer(t, func(a *v1alpha1.AdminSettings) { a.AllowedScalerHosts = append(a.AllowedScalerHosts, scaler.address) })
}

// TestAnExternalScaler scales a workload by its own target, once the administrator
// allows it. While it hangs the count is held and the object says why, and nothing
// is lost.
func TestAnExternalScaler(t *testing.T) {
	controller := share(t)
	p := newPlace(t)
	scaler := startScaler(t, 40, 10)
	p.workload("web", 1)
	p.autoscaler("web", fmt.Sprintf(`{replicas: {min: 0, max: 10}, metrics: [{type: External, external: {
		metric: {name: invoices}, grpc: {address: %q, metadata: {queue: invoices}}}}]}`, scaler.address))
	eventually(t, patience, p.shows("web", "ScalingActive", "False", "NoData", "external.grpc.address: "+scaler.address+" is not allowed", "allowedScalerHosts"))
	always(t, 4*time.Second, p.has("web", 1))

	controller.allowScaler(t, scaler)
	p.eventuallyHas("web", 4)
	scaler.becomes(t, 0, 10, true)
	eventually(t, patience, p.shows("web", "ScalingActive", "False", "NoData", scaler.address, "it gives no answer within 5s"))
	always(t, 6*time.Second, p.has("web", 4))
	scaler.becomes(t, 20, 10, false)
	p.eventuallyHas("web", 2)
	// A target of nothing says nothing.
	scaler.becomes(t, 0, 0, false)
	eventually(t, patience, p.shows("web", "ScalingActive", "False", "NoData", "the source states no target above 0"))
	always(t, 6*time.Second, p.has("web", 2))
	scaler.becomes(t, 0, 10, false)
	p.eventuallyHas("web", 0)
}

// TestAnExternalScalerThatPushes wakes a workload from zero long before its next
// look is due.
func TestAnExternalScalerThatPushes(t *testing.T) {
	controller := share(t)
	p := newPlace(t)
	scaler := startScaler(t, 0, 10)
	controller.allowScaler(t, scaler)
	p.workload("web", 0)
	p.autoscaler("web", fmt.Sprintf(`{replicas: {min: 0, max: 10}, behavior: {syncPeriodSeconds: 3600}, metrics: [{type: External, external: {
		metric: {name: invoices}, grpc: {address: %q, metadata: {queue: invoices}, push: true}}}]}`, scaler.address))
	eventually(t, patience, p.shows("web", "AbleToScale", "True", "Ready"))
	scaler.becomes(t, 30, 10, false)
	p.eventuallyHas("web", 3)
}
