package metrics

import (
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"sigs.k8s.io/yaml"
)

func TestAlertsSayWhatToDo(t *testing.T) {
	seen := map[string]bool{}
	for _, a := range Alerts {
		if seen[a.Name] || !strings.HasPrefix(a.Name, "Tidemark") || a.Summary == "" || a.Action == "" {
			t.Errorf("%+v", a)
		}
		seen[a.Name] = true
		if _, err := time.ParseDuration(a.For); err != nil {
			t.Errorf("%s: %v", a.Name, err)
		}
		if !slices.Contains([]string{"info", "warning", "critical"}, a.Severity) {
			t.Errorf("%s has the severity %q", a.Name, a.Severity)
		}
	}
}

// alertCases is what promtool checks of the alerts, in TestAlerts of test/e2e.
const alertCases = "../../../test/e2e/testdata/alerts.yaml"

// TestEveryAlertHasCases: for each there is a moment at which it has to fire, and one
// at which it must not.
func TestEveryAlertHasCases(t *testing.T) {
	var cases struct {
		Tests []struct {
			Moments []struct {
				Name string `json:"alertname"`
				Want []any  `json:"exp_alerts"`
			} `json:"alert_rule_test"`
		} `json:"tests"`
	}
	text, err := os.ReadFile(alertCases)
	if err == nil {
		err = yaml.Unmarshal(text, &cases)
	}
	if err != nil {
		t.Fatal(err)
	}
	fires, rests := map[string]bool{}, map[string]bool{}
	for _, one := range cases.Tests {
		for _, m := range one.Moments {
			if len(m.Want) > 0 {
				fires[m.Name] = true
			} else {
				rests[m.Name] = true
			}
		}
	}
	for _, a := range Alerts {
		if !fires[a.Name] {
			t.Errorf("%s has no case in %s in which it fires", a.Name, alertCases)
		}
		if !rests[a.Name] {
			t.Errorf("%s has no case in %s in which it does not fire", a.Name, alertCases)
		}
	}
}
