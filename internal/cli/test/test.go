package test

import (
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/tidemark/tidemark/internal/cli/exit"
	"github.com/tidemark/tidemark/internal/cli/flags"
	"github.com/tidemark/tidemark/scaletest"
)

const long = `Run decision scripts: policies, workloads and loads, with what must happen.

Each argument is a .scale file, or a folder that is searched for them. A
statement that does not come true is shown with its place in the script, the
wanted line, the line that came, and the decision's full explanation.

With --update the texts below "explain at" are rewritten to what they are now.`

const example = `  # Run every script of a folder.
  tidemark test spec

  # Accept new wording.
  tidemark test --update spec/watermarks/canonical.scale`

// New returns the verb.
func New() *cobra.Command {
	r := runner{}
	var output flags.Output
	cmd := &cobra.Command{
		Use:     "test FILE... [--update] [-o text|json]",
		Short:   "Run decision scripts",
		Long:    long,
		Example: example,
		Args:    cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, paths []string) error {
			files, err := scripts(paths)
			if err != nil {
				return err
			}
			r.out = cmd.OutOrStdout()
			r.asJSON = output.Is("json")
			return r.run(files)
		},
	}
	cmd.Flags().BoolVar(&r.update, "update", false, "rewrite the explanations in the scripts")
	output.Add(cmd, "text", "json")
	return cmd
}

// scripts finds the .scale files below the paths.
func scripts(paths []string) ([]string, error) {
	var files []string
	for _, path := range paths {
		err := filepath.WalkDir(path, func(file string, entry fs.DirEntry, err error) error {
			if err == nil && !entry.IsDir() && (file == path || filepath.Ext(file) == ".scale") {
				files = append(files, file)
			}
			return err
		})
		if err != nil {
			return nil, err
		}
	}
	if len(files) == 0 {
		return nil, fmt.Errorf("no .scale file in %s", strings.Join(paths, ", "))
	}
	return files, nil
}

// runner runs scripts and keeps the count.
type runner struct {
	out            io.Writer
	update, asJSON bool
}

// summary is what became of all scripts.
type summary struct {
	Scripts  int                 `json:"scripts"`
	Checks   int                 `json:"checks"`
	Failures []scaletest.Failure `json:"failures"`
}

func (r runner) run(files []string) error {
	sum := summary{Scripts: len(files), Failures: []scaletest.Failure{}}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		result, err := scaletest.Run(file, text, scaletest.Tidemark)
		if err != nil {
			return err
		}
		if r.update && string(result.Updated) != string(text) {
			if err := os.WriteFile(file, result.Updated, 0o644); err != nil {
				return err
			}
			if result, err = scaletest.Run(file, result.Updated, scaletest.Tidemark); err != nil {
				return err
			}
		}
		sum.Checks += result.Checks
		sum.Failures = append(sum.Failures, result.Failures...)
	}
	return r.report(sum)
}

func (r runner) report(sum summary) error {
	if r.asJSON {
		if err := json.NewEncoder(r.out).Encode(sum); err != nil {
			return err
		}
	} else {
		for _, f := range sum.Failures {
			fmt.Fprintln(r.out, f)
		}
		fmt.Fprintf(r.out, "%d scripts, %d checks: %d passed, %d failed\n", sum.Scripts, sum.Checks, sum.Checks-len(sum.Failures), len(sum.Failures))
	}
	if len(sum.Failures) > 0 {
		return exit.Code(exit.Failed)
	}
	return nil
}
