package lint

import (
	"bytes"
	"encoding/json"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/tidemark/tidemark/internal/lint"
)

// TestSARIF checks what code scanning demands of a result file: a version, a
// driver with its rules, and for each result a rule that exists, a level, a
// message, a relative place with a line, and a fingerprint of its own.
func TestSARIF(t *testing.T) {
	var findings []lint.Finding
	for _, rule := range lint.Rules() {
		for _, file := range []string{"deploy/web.yaml", "", "-", "my apps/50%.yaml"} {
			findings = append(findings, lint.Finding{Rule: rule.ID, Severity: rule.Severity, File: file, Line: 3, Object: "HorizontalPodAutoscaler web",
				Path: "spec", Message: "is wrong"})
		}
	}
	findings = append(findings, findings[0], lint.Finding{Rule: lint.Unreadable, Severity: lint.Error, File: "a.yaml", Message: "is broken"})
	var out bytes.Buffer
	if err := writeSARIF(&out, findings); err != nil {
		t.Fatal(err)
	}
	var log sarifLog
	if err := json.Unmarshal(out.Bytes(), &log); err != nil {
		t.Fatal(err)
	}
	if log.Version != "2.1.0" || log.Schema == "" || len(log.Runs) != 1 {
		t.Fatalf("version %q, schema %q, %d runs", log.Version, log.Schema, len(log.Runs))
	}
	rules := log.Runs[0].Tool.Driver.Rules
	for _, rule := range rules {
		if _, err := url.Parse(rule.HelpURI); err != nil || !strings.HasSuffix(rule.HelpURI, "#"+strings.ToLower(rule.ID)+"-"+rule.Name) {
			t.Errorf("%s has the help %q", rule.ID, rule.HelpURI)
		}
	}
	seen := map[string]bool{}
	for _, r := range log.Runs[0].Results {
		if r.RuleIndex >= len(rules) || rules[r.RuleIndex].ID != r.RuleID {
			t.Errorf("%s has the index of another rule", r.RuleID)
		}
		checkResult(t, r)
		if mark := r.Fingerprints[fingerprint]; mark == "" || seen[mark] {
			t.Errorf("%s shares its fingerprint %q", r.RuleID, mark)
		} else {
			seen[mark] = true
		}
	}
	if len(log.Runs[0].Results) != len(findings) {
		t.Errorf("%d results of %d findings", len(log.Runs[0].Results), len(findings))
	}
}

func checkResult(t *testing.T, r sarifResult) {
	t.Helper()
	if !slices.Contains([]string{"error", "warning", "note"}, r.Level) || r.Message.Text == "" || len(r.Locations) != 1 {
		t.Fatalf("%s lacks a level, a message or a place: %+v", r.RuleID, r)
	}
	place := r.Locations[0].Physical
	address, err := url.Parse(place.Artifact.URI)
	if err != nil || address.IsAbs() || address.Path == "" || place.Region.StartLine < 1 {
		t.Errorf("%s has no relative place: %+v, %v", r.RuleID, place, err)
	}
}
