package advise

import (
	"bytes"

	"github.com/tidemark/tidemark/internal/cli/exit"
)

// execute runs the verb and returns what it printed, and the exit code.
func execute(args ...string) (stdout, stderr string, code int) {
	cmd := New()
	cmd.SilenceUsage, cmd.SilenceErrors = true, true
	var out, errs bytes.Buffer
	cmd.SetOut(&out)
	cmd.SetErr(&errs)
	cmd.SetArgs(args)
	err := cmd.Execute()
	code, untold := exit.Of(err)
	if untold {
		errs.WriteString(err.Error())
	}
	return out.String(), errs.String(), code
}
