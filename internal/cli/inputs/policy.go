package inputs

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/tidemark/tidemark/fault"
	"github.com/tidemark/tidemark/internal/cli/exit"
	"github.com/tidemark/tidemark/internal/cli/flags"
	"github.com/tidemark/tidemark/internal/object"
	"github.com/tidemark/tidemark/internal/replay"
	"github.com/tidemark/tidemark/internal/strict"
)

// One are the flags of a replay of one policy over one demand, and what they say.
type One struct {
	file flags.Input
	Inputs
	Report

	// named is the policy where that is not a file's.
	named string
	// Name is the policy's file, Source what it holds.
	Name   string
	Source []byte
	Policy replay.Policy
	Replay *replay.Replay
}

// Add registers the flags, and refuses those that do not go together before
// anything is read.
func (one *One) Add(cmd *cobra.Command) {
	one.file.Add(cmd)
	one.Inputs.Add(cmd)
	one.Report.Add(cmd)
	cmd.PreRunE = func(cmd *cobra.Command, _ []string) error {
		one.Name = cmd.Flag("filename").Value.String()
		switch {
		case one.named != "" && cmd.Flags().Changed("filename"):
			return errors.New("-f and --policy cannot be used together: both say what to replay")
		case one.named == "" && one.Name == "-" && one.Stdin():
			return errors.New("-f and --demand cannot both be standard input")
		}
		return nil
	}
}

// AddNamed registers the flag that names a policy, instead of a file of one.
func (one *One) AddNamed(cmd *cobra.Command) {
	cmd.Flags().StringVar(&one.named, "policy", "", "policy to replay, instead of -f: a file, "+replay.Yardsticks)
	CompletePolicies(cmd)
}

// Read reads the policy and the demand, and tells what to know before a score is
// believed.
func (one *One) Read(cmd *cobra.Command) (err error) {
	if err = one.readPolicy(cmd); err != nil {
		return err
	}
	if one.Replay, err = one.Open(cmd); err != nil {
		return err
	}
	one.Tell(cmd, one.Name, one.Replay.Warnings(one.Policy))
	return nil
}

func (one *One) readPolicy(cmd *cobra.Command) (err error) {
	if one.named != "" {
		one.Name = one.named
		one.Policy, err = Named(cmd, one.named)
		return err
	}
	if one.Source, err = one.file.Read(cmd, strict.MaxInput); err != nil {
		return err
	}
	if one.Policy, err = Policy(cmd, one.Name, one.Source); err != nil {
		return err
	}
	one.Source, _, _ = object.Ours(one.Source) // it has been read, so it can be
	return nil
}

// Policy reads a WorkloadAutoscaler, a bare spec, or an object that convert knows, as a
// policy to replay, and tells what to know of it.
func Policy(cmd *cobra.Command, name string, data []byte) (replay.Policy, error) {
	var out replay.Policy
	read, faults := object.Read(data, func(o object.Object) fault.List {
		var err error
		out, err = replay.FromSpec(name, o.Spec)
		return fault.Of(err)
	})
	if len(faults) > 0 {
		return out, exit.Refuse(cmd.ErrOrStderr(), name+": ", faults)
	}
	for _, note := range read.Notes {
		fmt.Fprintf(cmd.ErrOrStderr(), "%s: %s\n", name, note)
	}
	return out, nil
}
