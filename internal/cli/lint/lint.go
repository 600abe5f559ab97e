package lint

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/tidemark/tidemark/internal/cli/exit"
	"github.com/tidemark/tidemark/internal/cli/flags"
	"github.com/tidemark/tidemark/internal/lint"
)

const long = `Find what is wrong with autoscalers and the workloads they point to.

A path is a file, a folder (its *.yaml, *.yml and *.json, and those below), or -
for standard input, where Helm's output may come from. Understood are
HorizontalPodAutoscaler in all its versions, VerticalPodAutoscaler, KEDA's
ScaledObject, WatermarkPodAutoscaler, Hvpa, Tortoise and WorkloadAutoscaler,
with Deployments and other workloads, PodDisruptionBudgets and LimitRanges.
Lint them together: many rules need to see both sides. Objects without a
namespace are matched within their folder.

With --cluster the objects are read from the cluster instead. Secrets are never
read.

Each rule has a stable id; --rules lists them. To silence one, write above the
line, or behind it, the comment

  # lint.tidemark.dev/ignore: TM013

or give the object the annotation lint.tidemark.dev/ignore with ids or names.

What cannot be read is told on standard error, and the rest is still checked.
Documents may have 16 MiB; files may be as long as they like.

Exit codes: 1 if there are findings at or above --fail-on, else 2 if something
could not be read, else 0.`

const example = `  # Check a folder of manifests.
  tidemark lint deploy/

  # Check what Helm would apply.
  helm template shop ./chart | tidemark lint -

  # Fix what can be fixed safely; look at the changes first.
  tidemark lint deploy/ --fix --dry-run
  tidemark lint deploy/ --fix

  # In a pipeline: results for code scanning, and fail on warnings too.
  tidemark lint deploy/ -o sarif --fail-on warning > lint.sarif

  # Check what runs in every namespace.
  tidemark lint --cluster -A`

// options are the flags of the verb.
type options struct {
	output  flags.Output
	failOn  failOn
	disable []string
	rules   bool
	fix     bool
	dryRun  bool
	cluster cluster
}

// New returns the verb.
func New() *cobra.Command {
	o := &options{failOn: "error"}
	cmd := &cobra.Command{
		Use:     "lint PATH... [-o table|json|sarif] [--fail-on error|warning|info|never] [--fix [--dry-run]]",
		Short:   "Find what is wrong with autoscalers and their workloads",
		Long:    long,
		Example: example,
		RunE:    o.run,
	}
	o.output.Add(cmd, "table", "json", "sarif")
	f := cmd.Flags()
	f.Var(&o.failOn, "fail-on", "exit 1 if there are findings of this severity or above")
	_ = cmd.RegisterFlagCompletionFunc("fail-on", cobra.FixedCompletions(failWords, cobra.ShellCompDirectiveNoFileComp))
	f.StringSliceVar(&o.disable, "disable", nil, "rules to leave out, by id or name, separated by commas")
	f.BoolVar(&o.rules, "rules", false, "list the rules and do nothing else")
	f.BoolVar(&o.fix, "fix", false, "fix the files where that is safe, and report the rest")
	f.BoolVar(&o.dryRun, "dry-run", false, "with --fix: print the changes instead of making them")
	o.cluster.add(cmd)
	return cmd
}

func (o *options) run(cmd *cobra.Command, paths []string) error {
	if o.rules {
		return writeRules(cmd.OutOrStdout())
	}
	if err := o.check(paths); err != nil {
		return err
	}
	set, err := o.read(cmd, paths)
	if err != nil {
		return err
	}
	findings := lint.Check(set, o.disable...)
	tellUnreadable(cmd.ErrOrStderr(), findings)
	if o.fix {
		if findings, err = o.applyFixes(cmd, findings); err != nil {
			return err
		}
	}
	if !o.dryRun {
		if err := render[o.output.String()](cmd.OutOrStdout(), findings); err != nil {
			return err
		}
		summarize(cmd.ErrOrStderr(), findings, set.Documents)
	}
	return o.failOn.verdict(findings)
}

// check refuses flags that contradict each other.
func (o *options) check(paths []string) error {
	for _, word := range o.disable {
		if _, ok := lint.Find(word); !ok {
			return fmt.Errorf("--disable: there is no rule %q: --rules lists them", word)
		}
	}
	for _, path := range paths {
		if path == "-" && o.fix {
			return errors.New("--fix needs files: standard input cannot be changed")
		}
	}
	switch {
	case o.dryRun && !o.fix:
		return errors.New("--dry-run goes with --fix")
	case o.cluster.on && len(paths) > 0:
		return errors.New("give either paths or --cluster")
	case o.cluster.on && o.fix:
		return errors.New("--fix needs files: a cluster is not changed")
	case !o.cluster.on && o.cluster.qualified():
		return errors.New("--namespace, --all-namespaces, --context and --kubeconfig go with --cluster")
	case !o.cluster.on && len(paths) == 0:
		return errors.New("name files or folders, or - for standard input, or say --cluster")
	}
	return nil
}

func (o *options) read(cmd *cobra.Command, paths []string) (*lint.Set, error) {
	if o.cluster.on {
		return o.cluster.read(cmd)
	}
	return readPaths(cmd, paths), nil
}

// failOn is the flag --fail-on.
type failOn string

var failWords = []string{"error", "warning", "info", "never"}

func (f *failOn) String() string { return string(*f) }

// Set refuses words that are not offered.
func (f *failOn) Set(word string) error {
	if slices.Contains(failWords, word) {
		*f = failOn(word)
		return nil
	}
	return errors.New("must be " + strings.Join(failWords, " or "))
}

// Type names the value in the help.
func (f *failOn) Type() string { return strings.Join(failWords, "|") }

// verdict turns findings into an exit code. What could not be read counts as
// bad input, and only where nothing worse was found.
func (f *failOn) verdict(findings []lint.Finding) error {
	threshold, err := lint.ParseSeverity(string(*f))
	never := err != nil
	unreadable := false
	for _, finding := range findings {
		switch {
		case finding.Rule == lint.Unreadable:
			unreadable = true
		case !never && finding.Severity >= threshold:
			return exit.Code(exit.Failed)
		}
	}
	if unreadable {
		return exit.Code(exit.Refused)
	}
	return nil
}

// tellUnreadable says on standard error what could not be read, so that it is
// seen whatever form the answer has.
func tellUnreadable(stderr io.Writer, findings []lint.Finding) {
	for _, f := range findings {
		if f.Rule == lint.Unreadable {
			fmt.Fprintf(stderr, "%s: %s\n", where(f), oneLine(f.Message))
		}
	}
}
