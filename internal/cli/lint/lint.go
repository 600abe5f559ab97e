package lint

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

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
with Deployments and other workloads, Services, PodDisruptionBudgets, LimitRanges
and ResourceQuotas. Lint them together: many rules need to see both sides. Objects
without a namespace are matched within their folder.

A folder is a cluster of its own, whose objects are matched with no others, if it
holds one of these:

  Chart.yaml           it is rendered with its own values, and with those that
                       the configuration names; one that cannot be is skipped
  kustomization.yaml   it is built, unless another one lists it; what would have
                       to be fetched or run is left out
  .tidemark-lint.yaml  rules, severities, excludes and roots for what is below,
                       and values for the chart beside it

Nothing is fetched and no other program is run for it. --no-render reads files as
they stand instead.

With --cluster the objects are read from the cluster instead. Secrets are never
read.

Each rule has a stable id; --rules lists them. To silence one, write above the
line, or behind it, the comment

  # lint.tidemark.dev/ignore: TM013

or give the object the annotation lint.tidemark.dev/ignore with ids or names.

What cannot be read is told on standard error, and the rest is still checked.
Templates that no chart renders are passed over.
Documents may have 16 MiB; files may be as long as they like.

Exit codes: 1 if there are findings at or above --fail-on, else 2 if something
could not be read, else 0. With --fail-on never it is 0,
unless a path is not there.`

const example = `  # Check a folder of manifests.
  tidemark lint deploy/

  # Check a whole repository, with its charts and kustomizations.
  tidemark lint . --exclude testdata --exclude 'vendor/**'

  # Check what Helm would apply with your values.
  helm template shop ./chart -f prod.yaml | tidemark lint -

  # Explain a rule.
  tidemark lint --rules TM070

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
	exclude []string
	files   []string
	plain   bool
	fix     bool
	dryRun  bool
	cluster cluster

	// missing tells that a named path is not there.
	missing bool
}

// New returns the verb.
func New() *cobra.Command {
	o := &options{failOn: "error"}
	cmd := &cobra.Command{
		Use:     "lint PATH... [--exclude PATTERN]... [-o table|json|sarif] [--fail-on error|warning|info|never] [--fix [--dry-run]]",
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
	f.BoolVar(&o.rules, "rules", false, "list the rules, or explain those that are named, and do nothing else")
	f.StringArrayVar(&o.exclude, "exclude", nil, "files and folders to leave out: a name, or a pattern of paths such as 'apps/*/test' or 'vendor/**'")
	f.StringArrayVarP(&o.files, "filename", "f", nil, "a path, the same as an argument")
	f.BoolVar(&o.plain, "no-render", false, "render no charts and build no kustomizations")
	f.BoolVar(&o.fix, "fix", false, "fix the files where that is safe, and report the rest")
	f.BoolVar(&o.dryRun, "dry-run", false, "with --fix: print the changes instead of making them")
	o.cluster.add(cmd)
	return cmd
}

func (o *options) run(cmd *cobra.Command, paths []string) error {
	if o.rules {
		return writeRules(cmd.OutOrStdout(), paths)
	}
	paths = slices.Concat(paths, o.files)
	if err := o.check(paths); err != nil {
		return err
	}
	set, settings, err := o.read(cmd, paths)
	if err != nil {
		return err
	}
	set.At = time.Now()
	findings := settings.settle(lint.Check(set, o.disable...))
	tellUnreadable(cmd.ErrOrStderr(), findings)
	if o.fix {
		if findings, err = o.applyFixes(cmd, findings); err != nil {
			return err
		}
	}
	if !o.dryRun {
		if err := writers[o.output.String()](cmd.OutOrStdout(), findings); err != nil {
			return err
		}
		summarize(cmd.ErrOrStderr(), findings, set)
	}
	if err := o.failOn.verdict(findings); err != nil || !o.missing {
		return err
	}
	return exit.Code(exit.Refused)
}

// check refuses flags that contradict each other.
func (o *options) check(paths []string) error {
	for _, word := range o.disable {
		if _, ok := lint.Find(word); !ok {
			return fmt.Errorf("--disable: there is no rule %q: --rules lists them", word)
		}
	}
	for _, pattern := range o.exclude {
		if err := checkPattern(pattern); err != nil {
			return fmt.Errorf("--exclude: %w", err)
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

func (o *options) read(cmd *cobra.Command, paths []string) (*lint.Set, configs, error) {
	if o.cluster.on {
		set, err := o.cluster.read(cmd)
		return set, nil, err
	}
	found, err := explore(paths, o.exclude)
	if err != nil {
		return nil, nil, err
	}
	if o.plain {
		found.charts, found.isChart, found.folders = nil, nil, nil
	}
	o.missing = found.missing
	return found.gather(cmd), found.configs, nil
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
	if unreadable && !never {
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
