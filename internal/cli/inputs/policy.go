package inputs

import (
	"github.com/spf13/cobra"

	"github.com/tidemark/tidemark/fault"
	"github.com/tidemark/tidemark/internal/cli/exit"
	"github.com/tidemark/tidemark/internal/cli/object"
	"github.com/tidemark/tidemark/internal/replay"
)

// Policy reads a WorkloadAutoscaler, or a bare spec, as a policy to replay.
func Policy(cmd *cobra.Command, name string, data []byte) (replay.Policy, error) {
	var out replay.Policy
	_, faults := object.Read(data, func(o object.Object) fault.List {
		var err error
		if out, err = replay.FromSpec(name, o.Spec); err != nil {
			return fault.Of(err)
		}
		return nil
	})
	if len(faults) > 0 {
		return out, exit.Refuse(cmd.ErrOrStderr(), name+": ", faults)
	}
	return out, nil
}
