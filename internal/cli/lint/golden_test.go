package lint

import (
	"testing"

	"github.com/tidemark/tidemark/internal/cli/golden"
)

// run runs the verb as the root command does.
var run = golden.Verb(New)

func TestGolden(t *testing.T) { golden.Test(t, "*.txtar", run, nil) }
