//go:build e2e

package e2e

import (
	"os/exec"
	"testing"
)

// TestAlerts lets Prometheus' own tool read the alert rules, and look whether
// each alerts when it should and only then. That there are cases for each is seen by
// TestEveryAlertHasCases in the package of the alerts.
func TestAlerts(t *testing.T) {
	beside(t)
	for _, args := range [][]string{
		{"check", "rules", "../../config/monitoring/alerts.yaml"},
		{"test", "rules", "testdata/alerts.yaml"},
	} {
		if text, err := exec.Command("promtool", args...).CombinedOutput(); err != nil {
			t.Errorf("promtool %v: %v\n%s", args, err, text)
		}
	}
}
