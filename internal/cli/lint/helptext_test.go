package lint

import (
	"fmt"
	"strings"
	"testing"

	"github.com/tidemark/tidemark/internal/lint"
)

// TestHelpIsTrue: what the help says of sizes and words is what the code does.
func TestHelpIsTrue(t *testing.T) {
	help, _, code := run("", "--help")
	if code != 0 {
		t.Fatalf("exit %d", code)
	}
	for _, want := range []string{fmt.Sprintf("%d MiB", lint.MaxDocument>>20), lint.Ignore + ": TM013", "--fail-on error|warning|info|never"} {
		if !strings.Contains(help, want) {
			t.Errorf("the help lacks %q", want)
		}
	}
}
