package install_test

import (
	"testing"

	"helm.sh/helm/v4/pkg/chart/v2/lint"
	"helm.sh/helm/v4/pkg/chart/v2/lint/support"
)

// TestHelmLint runs Helm's own linter.
func TestHelmLint(t *testing.T) {
	result := lint.RunAll(chartFolder, map[string]any{}, namespace)
	for _, message := range result.Messages {
		if message.Severity >= support.WarningSev {
			t.Error(message)
		}
	}
}
