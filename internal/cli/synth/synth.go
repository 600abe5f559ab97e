package synth

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/tidemark/tidemark/docs/schema"
	"github.com/tidemark/tidemark/internal/cli/exit"
	"github.com/tidemark/tidemark/internal/cli/flags"
	"github.com/tidemark/tidemark/internal/strict"
	"github.com/tidemark/tidemark/manifest"
)

const long = `Write an autoscaler's manifest from its compact form.

A target and maxReplicas are enough. A metric is one flat line, and the
quantity it has (averageUtilization, averageValue, value, or the watermarks low
and high) implies the type of its target. kind says what comes out: a
HorizontalPodAutoscaler, which is the default, or a WorkloadAutoscaler.

The workload may stand in the same input as a further document. Then the rules
about its containers and requests are checked too, and it is printed with the
autoscaler, without spec.replicas: the autoscaler owns that number.

What could not work is refused with one line for each fault on standard error.`

const example = `  # The smallest autoscaler there is.
  echo '{target: {kind: Deployment, name: web}, maxReplicas: 10}' | tidemark synth

  # Check it against its workload and bring both to the cluster.
  tidemark synth -f web.yaml | kubectl apply -f -

  # The same as an object of ours.
  tidemark synth -f web.yaml --kind WorkloadAutoscaler

  # Let an editor complete and check the compact form.
  tidemark synth --print-schema > synth.schema.json`

// New returns the verb.
func New() *cobra.Command {
	var input flags.Input
	var kind string
	var printSchema bool
	cmd := &cobra.Command{
		Use:     "synth [-f FILE] [--kind KIND]",
		Short:   "Write an autoscaler's manifest from its compact form",
		Long:    long,
		Example: example,
		Args:    flags.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if printSchema {
				_, err := cmd.OutOrStdout().Write(schema.Synth)
				return err
			}
			if err := checkKind(kind); err != nil {
				return err
			}
			data, err := input.Read(cmd, strict.MaxInput)
			if err != nil {
				return err
			}
			return run(cmd, data, manifest.Kind(kind))
		},
	}
	input.Add(cmd)
	cmd.Flags().StringVar(&kind, "kind", "", "what to write, whatever the input says: "+kinds)
	cmd.Flags().BoolVar(&printSchema, "print-schema", false, "print the JSON Schema of the compact form and end")
	// Registration fails only for a flag that does not exist.
	_ = cmd.RegisterFlagCompletionFunc("kind", cobra.FixedCompletions(
		[]string{string(manifest.HorizontalPodAutoscaler), string(manifest.WorkloadAutoscaler)}, cobra.ShellCompDirectiveNoFileComp))
	return cmd
}

const kinds = string(manifest.HorizontalPodAutoscaler + " or " + manifest.WorkloadAutoscaler)

func checkKind(kind string) error {
	switch manifest.Kind(kind) {
	case "", manifest.HorizontalPodAutoscaler, manifest.WorkloadAutoscaler:
		return nil
	}
	return fmt.Errorf("--kind must be %s, got %q", kinds, kind)
}

// run prints all the objects, or none of them: half a file must not reach a
// cluster.
func run(cmd *cobra.Command, data []byte, kind manifest.Kind) error {
	in, faults := read(data)
	if len(faults) > 0 {
		return exit.Refuse(cmd.ErrOrStderr(), "", faults)
	}
	in.connect()
	in.build(kind)
	in.refuseConflicts()
	if in.tell(cmd.ErrOrStderr()) {
		return exit.Code(exit.Refused)
	}
	text, err := manifest.YAML(in.objects()...)
	if err != nil {
		return err
	}
	if _, err := cmd.OutOrStdout().Write(text); err != nil {
		return fmt.Errorf("writing the manifests: %w", err)
	}
	return nil
}
