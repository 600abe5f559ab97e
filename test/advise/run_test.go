//go:build e2e

package advise_test

import (
	"bytes"
	"strings"

	"github.com/tidemark/tidemark/internal/cli"
)

// execute runs the verb and returns what it printed, and the exit code.
func execute(args ...string) (stdout, stderr string, code int) {
	var out, errs bytes.Buffer
	code = cli.Main(append([]string{"tidemark", "advise"}, args...), strings.NewReader(""), &out, &errs)
	return out.String(), errs.String(), code
}
