package cli

import (
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/tidemark/tidemark/internal/cli/advise"
	"github.com/tidemark/tidemark/internal/cli/backtest"
	"github.com/tidemark/tidemark/internal/cli/controller"
	"github.com/tidemark/tidemark/internal/cli/convert"
	"github.com/tidemark/tidemark/internal/cli/decide"
	"github.com/tidemark/tidemark/internal/cli/exit"
	"github.com/tidemark/tidemark/internal/cli/explain"
	"github.com/tidemark/tidemark/internal/cli/flags"
	"github.com/tidemark/tidemark/internal/cli/generate"
	"github.com/tidemark/tidemark/internal/cli/get"
	"github.com/tidemark/tidemark/internal/cli/learn"
	"github.com/tidemark/tidemark/internal/cli/lint"
	"github.com/tidemark/tidemark/internal/cli/record"
	"github.com/tidemark/tidemark/internal/cli/serve"
	"github.com/tidemark/tidemark/internal/cli/simulate"
	"github.com/tidemark/tidemark/internal/cli/synth"
	"github.com/tidemark/tidemark/internal/cli/test"
	"github.com/tidemark/tidemark/internal/cli/tune"
	"github.com/tidemark/tidemark/internal/cli/ui"
	"github.com/tidemark/tidemark/internal/cli/version"
)

// verbs are the subcommands. A new one is a folder beside this file and a line
// in this list.
var verbs = []func() *cobra.Command{
	advise.New,
	backtest.New,
	controller.New,
	convert.New,
	decide.New,
	explain.New,
	generate.New,
	get.New,
	learn.New,
	lint.New,
	record.New,
	serve.New,
	simulate.New,
	synth.New,
	test.New,
	tune.New,
	ui.New,
	version.New,
}

const long = `Tidemark decides how many pods a workload has and how big they are, says why,
and can be tried on recorded history before it is trusted.

Exit codes: 0 all is well, 1 the check failed, 2 bad input or usage.`

const example = `  # Make one decision offline and read why.
  tidemark decide -f document.yaml -o text

  # Run the decision scripts of a folder.
  tidemark test spec

  # Complete commands and flags in this shell.
  source <(tidemark completion bash)`

// Main runs the command line and returns the exit code. The first of args is
// the name the program was called by.
func Main(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	root := newRoot(args[0])
	root.SetArgs(longFlags(args[1:]))
	root.SetIn(stdin)
	root.SetOut(stdout)
	root.SetErr(stderr)
	refuseUnknownWords(root)
	started := false
	root.PersistentPreRun = func(*cobra.Command, []string) { started = true }
	cmd, err := root.ExecuteC()
	code, untold := exit.Of(err)
	if untold {
		fmt.Fprintf(stderr, "Error: %v\n", err)
	}
	if untold && !started {
		// The command was not even understood, so its help may be wanted.
		fmt.Fprintf(stderr, "See '%s --help'.\n", cmd.CommandPath())
	}
	return code
}

// longFlags lets -update be written with one dash, as Go's own tests have it.
func longFlags(args []string) []string {
	out := slices.Clone(args)
	for i, arg := range out {
		if arg == "-update" {
			out[i] = "--update"
		}
	}
	return out
}

// Commands is the whole command line, for whoever writes its manual.
func Commands() *cobra.Command {
	root := newRoot("tidemark")
	root.InitDefaultCompletionCmd()
	for _, cmd := range append(root.Commands(), root) {
		cmd.InitDefaultHelpFlag()
	}
	root.InitDefaultVersionFlag()
	return root
}

func newRoot(calledBy string) *cobra.Command {
	root := &cobra.Command{
		Use:           "tidemark",
		Short:         "A pod autoscaler that says why",
		Long:          long,
		Example:       example,
		SilenceErrors: true,
		SilenceUsage:  true,
		Version:       version.Current().String(),
	}
	root.SetVersionTemplate("{{.Version}}\n")
	if name, _, _ := strings.Cut(filepath.Base(calledBy), "."); name == "kubectl-tidemark" {
		// As a plug-in of kubectl we are called by another name than the user typed.
		root.Annotations = map[string]string{cobra.CommandDisplayNameAnnotation: "kubectl tidemark"}
	}
	for _, verb := range verbs {
		root.AddCommand(verb())
	}
	flags.Once(root)
	return root
}

// refuseUnknownWords makes cobra's own commands fail where they would show
// help and call it a success: for an unknown topic and for an unknown shell.
// They remember where to print when they are made, so that is set before.
func refuseUnknownWords(root *cobra.Command) {
	root.InitDefaultHelpCmd()
	root.InitDefaultCompletionCmd()
	for _, cmd := range root.Commands() {
		switch cmd.Name() {
		case "help":
			cmd.Args = func(_ *cobra.Command, topic []string) error {
				_, _, err := root.Find(topic)
				return err
			}
		case "completion":
			// Only a command that can run checks its arguments.
			cmd.RunE = func(cmd *cobra.Command, _ []string) error { return cmd.Help() }
		}
	}
}
