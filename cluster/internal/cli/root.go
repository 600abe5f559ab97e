package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"syscall"

	"github.com/spf13/cobra"

	"github.com/tidemark/tidemark/cluster/internal/plane"
)

// dataEnv names the data folder when --data does not.
const dataEnv = "TIDEMARK_CLUSTER"

// usageError marks a fault of the command line.
type usageError struct{ error }

// exitCode carries the exit code of a program that has already said why.
type exitCode int

func (e exitCode) Error() string { return fmt.Sprintf("exit code %d", int(e)) }

// Main runs the command line and returns the exit code.
func Main(args []string, stdout, stderr io.Writer) int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	root := newRoot()
	root.SetArgs(args)
	root.SetOut(stdout)
	root.SetErr(stderr)
	err := root.ExecuteContext(ctx)
	var usage usageError
	var code exitCode
	switch {
	case err == nil:
		return 0
	case errors.As(err, &code):
		return int(code)
	case errors.As(err, &usage):
		fmt.Fprintf(stderr, "cluster: %v\n", err)
		return 2
	default:
		fmt.Fprintf(stderr, "cluster: %v\n", err)
		return 1
	}
}

func newRoot() *cobra.Command {
	root := &cobra.Command{
		Use:   "cluster",
		Short: "A real Kubernetes control plane on this machine, without containers",
		Long: `A real Kubernetes control plane on this machine, without containers: etcd, API
server, controller manager, scheduler, metrics-server and fake nodes by KWOK,
all on the loopback address and below one data folder.`,
		SilenceErrors: true,
		SilenceUsage:  true,
		// Flags before a command's name are the root's, also before `kubectl`,
		// which reads all that follows itself.
		TraverseChildren: true,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) > 0 {
				return usageError{fmt.Errorf("command %q is unknown; `cluster --help` lists the commands", args[0])}
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	root.CompletionOptions.DisableDefaultCmd = true
	root.SetFlagErrorFunc(func(_ *cobra.Command, err error) error { return usageError{err} })
	data := root.PersistentFlags().String("data", "", "data folder (default $"+dataEnv+", or `cluster` below the user's cache folder)")
	layout := func() (plane.Layout, error) { return findLayout(*data) }
	root.AddCommand(
		newUp(layout), newSupervise(layout), newDown(layout), newStatus(layout), newLogs(layout),
		newKubeconfig(layout), newKubectl(layout), newRun(),
		newOrder(layout, "start", "Start a component that was stopped, and wait until it is ready"),
		newOrder(layout, "stop", "Stop a component and keep it stopped"),
		newOrder(layout, "restart", "Stop a component, start it again, and wait until it is ready"),
	)
	return root
}

// locate finds the data folder of a command.
type locate func() (plane.Layout, error)

func findLayout(flag string) (plane.Layout, error) {
	dir := flag
	if dir == "" {
		dir = os.Getenv(dataEnv)
	}
	if dir == "" {
		cache, err := os.UserCacheDir()
		if err != nil {
			return plane.Layout{}, usageError{fmt.Errorf("no data folder: %w; name one with --data", err)}
		}
		dir = filepath.Join(cache, "tidemark", "cluster")
	}
	absolute, err := filepath.Abs(dir)
	if err != nil {
		return plane.Layout{}, fmt.Errorf("data folder %s: %w", dir, err)
	}
	return plane.Layout{Dir: absolute}, nil
}

// exactly accepts a fixed number of arguments.
func exactly(n int, what string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) != n {
			return usageError{fmt.Errorf("`cluster %s` takes %s", cmd.Name(), what)}
		}
		return nil
	}
}
