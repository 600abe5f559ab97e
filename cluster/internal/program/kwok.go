package program

import (
	"fmt"
	"os"

	"github.com/spf13/pflag"
	"sigs.k8s.io/kwok/pkg/config"
	kwokcmd "sigs.k8s.io/kwok/pkg/kwok/cmd"
	"sigs.k8s.io/kwok/pkg/log"
	"sigs.k8s.io/kwok/pkg/utils/signals"
)

// kwok runs the fake kubelets. Its configuration files are read before its
// flags, because they set the defaults of the flags.
func kwok() int {
	// The Kubernetes programs in this binary register global flags, and one of
	// them, --version, is of another kind than KWOK's.
	pflag.CommandLine = pflag.NewFlagSet("kwok", pflag.ContinueOnError)
	early := pflag.NewFlagSet("kwok", pflag.ContinueOnError)
	early.ParseErrorsAllowlist.UnknownFlags = true
	early.Usage = func() {}
	ctx, _ := log.InitFlags(signals.SetupSignalContext(), early)
	ctx, err := config.InitFlags(ctx, early)
	if err == nil {
		cmd := kwokcmd.NewCommand(ctx)
		cmd.PersistentFlags().AddFlagSet(early)
		err = cmd.ExecuteContext(ctx)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "kwok:", err)
		return 1
	}
	return 0
}
