package synth

import (
	"testing"

	"github.com/tidemark/tidemark/internal/cli/golden"
)

// synth runs the verb as the root command does.
var synth = golden.Verb(New)

func TestGolden(t *testing.T) { golden.Test(t, "*.txtar", synth, nil) }
