package decide

import (
	"bufio"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/tidemark/tidemark/explain"
	"github.com/tidemark/tidemark/internal/cli/exit"
	"github.com/tidemark/tidemark/internal/cli/flags"
	"github.com/tidemark/tidemark/internal/record"
	"github.com/tidemark/tidemark/internal/strict"
)

const long = `Make one decision for each document of the input, without a cluster.

A document is YAML or JSON with four parts:
  spec         a WorkloadAutoscaler's spec
  observation  what was seen: the moment, the target, its pods and metrics
  memory       optional: what the answer before this one returned
  admin        optional: the administrator's settings

The answer is one line of JSON for each document: the decision with every step
that led to it, and the memory to pass on. With -o text it is the explanation a
person would read. A document that cannot be understood is refused as a whole,
with one line for each fault on standard error; the other documents are still
answered.`

const example = `  # Three pods at twice the wanted value: how many should there be, and why?
  echo '{spec: {replicas: {min: 2, max: 20}, metrics: [
      {type: External, external: {metric: {name: queue}, target: {value: "100"}}}]},
    observation: {at: "2026-01-05T10:00:00Z", target: {specReplicas: 3},
      metrics: [{value: "200"}]}}' | tidemark decide -o text

  # Decide recorded documents again and look at the sizes alone.
  tidemark decide -f recorded.jsonl | jq .decision.want`

// New returns the verb.
func New() *cobra.Command {
	var input flags.Input
	var output flags.Output
	cmd := &cobra.Command{
		Use:     "decide [-f FILE] [-o json|text]",
		Short:   "Make decisions offline, from documents",
		Long:    long,
		Example: example,
		Args:    flags.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			data, err := input.Read(cmd, strict.MaxInput)
			if err != nil {
				return err
			}
			render := asJSON
			if output.Is("text") {
				render = asText
			}
			return run(data, render, cmd)
		},
	}
	input.Add(cmd)
	output.Add(cmd, "json", "text")
	return cmd
}

// run answers every document in order. Nothing is printed for a bad one but
// its faults.
func run(data []byte, render renderer, cmd *cobra.Command) error {
	out, answered, bad := bufio.NewWriter(cmd.OutOrStdout()), 0, false
	for result := range record.Decode(data) {
		if len(result.Faults) > 0 {
			bad = true
			_ = exit.Refuse(cmd.ErrOrStderr(), exit.Numbered(result.Number, result.Of), result.Faults)
			continue
		}
		text, err := render(result.Call.Decide(), answered)
		if err != nil {
			return fmt.Errorf("document %d: encoding the answer: %w", result.Number, err)
		}
		// A failed write is remembered by the buffer until it is flushed.
		_, _ = out.Write(text)
		answered++
	}
	if err := out.Flush(); err != nil {
		return fmt.Errorf("writing the answers: %w", err)
	}
	if bad {
		return exit.Code(exit.Refused)
	}
	return nil
}

// renderer turns an answer, which comes after so many others, into what is
// printed.
type renderer func(a record.Answer, before int) ([]byte, error)

func asJSON(a record.Answer, _ int) ([]byte, error) { return a.Line() }

// asText puts an empty line between explanations, which have several lines.
func asText(a record.Answer, before int) ([]byte, error) {
	text := explain.Text(a.Decision)
	if before > 0 {
		text = "\n" + text
	}
	return []byte(text), nil
}
