package cli

import (
	"bytes"
	"strings"
	"testing"

	"github.com/tidemark/tidemark/internal/cli/golden"
)

// TestGolden runs every testdata/*/*.txtar; expect_test.go reads their facts.
func TestGolden(t *testing.T) {
	run := func(stdin string, args ...string) (string, string, int) {
		var stdout, stderr bytes.Buffer
		code := Main(append([]string{"tidemark"}, args...), strings.NewReader(stdin), &stdout, &stderr)
		return stdout.String(), stderr.String(), code
	}
	golden.Test(t, "*/*.txtar", run, checkFacts)
}
