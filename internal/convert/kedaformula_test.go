package convert

import (
	"encoding/json"
	"strings"
	"testing"

	"sigs.k8s.io/yaml"
)

// TestFormulasStayWhole: KEDA refuses a formula over a trigger that is not there, so
// what stays with it has the formula with all that it names, or no formula.
func TestFormulasStayWhole(t *testing.T) {
	const (
		query = `{type: prometheus, name: p, metadata: {serverAddress: "http://p", query: up, threshold: "5"}}`
		cron  = `{type: cron, name: day, metadata: {timezone: UTC, start: 0 8 * * *, end: 0 9 * * *, desiredReplicas: "9"}}`
		kafka = `{type: kafka, name: lag, metadata: {lagThreshold: "5"}}`
	)
	for name, tt := range map[string]struct {
		formula, triggers string
		// kept are the names of the triggers that stay with KEDA.
		kept string
	}{
		"a formula over a cron trigger":     {"day > 0 ? p : 0", query + ", " + cron, "p day"},
		"one that does not name it":         {"p ** 2", query + ", " + cron, "p"},
		"one that is ours":                  {"p * 2", query + ", " + kafka + ", " + cron, ""},
		"one over what only KEDA measures":  {"p + lag", query + ", " + kafka + ", " + cron, "p lag"},
		"one with a query that is not ours": {"p * 2", strings.Replace(query, "threshold", `queryParameters: a=b, threshold`, 1) + ", " + kafka, "p"},
	} {
		t.Run(name, func(t *testing.T) {
			text, err := yaml.YAMLToJSON([]byte(`{apiVersion: keda.sh/v1alpha1, kind: ScaledObject, metadata: {name: web}, spec: {scaleTargetRef: {name: web}, minReplicaCount: 1,
				advanced: {scalingModifiers: {formula: "` + tt.formula + `", target: "5"}}, triggers: [` + tt.triggers + `]}}`))
			if err != nil {
				t.Fatal(err)
			}
			got := mustConvert(t, string(text))
			var kept keda
			document, err := json.Marshal(got.Beside)
			if err == nil {
				err = json.Unmarshal(document, &kept)
			}
			if err != nil {
				t.Fatal(err)
			}
			var names []string
			for _, trigger := range kept.Spec.Triggers {
				names = append(names, trigger.Name)
			}
			if all := strings.Join(names, " "); all != tt.kept {
				t.Errorf("%q stay with KEDA, want %q", all, tt.kept)
			}
			if formula := kept.Spec.Advanced.ScalingModifiers.Formula; (formula != "") != (tt.kept != "") {
				t.Errorf("KEDA is left the formula %q", formula)
			}
		})
	}
}

// TestFallbackOfAFormula: no note says that a fallback stays with KEDA where nothing does.
func TestFallbackOfAFormula(t *testing.T) {
	got := mustConvert(t, `{"apiVersion": "keda.sh/v1alpha1", "kind": "ScaledObject", "metadata": {"name": "web"}, "spec": {"scaleTargetRef": {"name": "web"}, "minReplicaCount": 1,
		"fallback": {"failureThreshold": 3, "replicas": 6}, "advanced": {"scalingModifiers": {"formula": "p * 2", "target": "5"}},
		"triggers": [{"type": "prometheus", "name": "p", "metadata": {"serverAddress": "http://p", "query": "up", "threshold": "5"}}]}}`)
	lost := got.Report.Losses()
	if len(lost) != 1 || lost[0].Path != "spec.fallback" || !strings.Contains(lost[0].Note, "orValue") || got.Beside != nil {
		t.Errorf("want a word of the fallback and nothing for KEDA, got %+v and %v", lost, got.Beside)
	}
}
