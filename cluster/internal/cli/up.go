package cli

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/tidemark/tidemark/cluster/internal/plane"
	"github.com/tidemark/tidemark/cluster/internal/process"
)

// kubernetesVariable lets whoever starts tests choose the version, and not each
// test.
const kubernetesVariable = "TIDEMARK_KUBERNETES"

// upFlags are the flags of `up`, as the user gave them.
type upFlags struct {
	nodes      int
	with       []string
	flags      []string
	kubernetes string
	detach     bool
}

func (f *upFlags) register(set *pflag.FlagSet) {
	set.IntVar(&f.nodes, "nodes", 2, "number of fake nodes")
	set.StringSliceVar(&f.with, "with", []string{"metrics-server", "adapter", "demand"}, "add-ons, out of: "+strings.Join(plane.AddOns(), ", "))
	set.StringVar(&f.kubernetes, "kubernetes", os.Getenv(kubernetesVariable),
		"another program for API server, controller manager and scheduler, of another version (default $"+kubernetesVariable+")")
	set.StringArrayVar(&f.flags, "flag", nil, "a further flag for a component, as COMPONENT=--name=value; may be repeated")
}

func (f *upFlags) options() (plane.Options, error) {
	opts := plane.Options{Nodes: f.nodes, Flags: map[string][]string{}}
	for _, name := range f.with {
		if name != "" {
			opts.AddOns = append(opts.AddOns, name)
		}
	}
	for _, text := range f.flags {
		component, flag, err := plane.ParseFlag(text)
		if err != nil {
			return opts, usageError{err}
		}
		opts.Flags[component] = append(opts.Flags[component], flag)
	}
	if f.kubernetes != "" {
		path, err := exec.LookPath(f.kubernetes)
		if err == nil {
			path, err = filepath.Abs(path)
		}
		if err != nil {
			return opts, usageError{fmt.Errorf("--kubernetes: %w", err)}
		}
		opts.Kubernetes = path
	}
	if err := opts.Validate(); err != nil {
		return opts, usageError{err}
	}
	return opts, nil
}

func newUp(find locate) *cobra.Command {
	var flags upFlags
	cmd := &cobra.Command{
		Use:   "up",
		Short: "Start a cluster and keep it until Ctrl-C, or with --detach until `cluster down`",
		Args:  exactly(0, "no arguments"),
		RunE: func(cmd *cobra.Command, _ []string) error {
			opts, err := flags.options()
			if err != nil {
				return err
			}
			layout, err := find()
			if err != nil {
				return err
			}
			if err := layout.Prepare(); err != nil {
				return err
			}
			if flags.detach {
				return detach(cmd.Context(), layout, flags, cmd.OutOrStdout())
			}
			return plane.Run(cmd.Context(), layout, opts, cmd.OutOrStdout())
		},
	}
	flags.register(cmd.Flags())
	cmd.Flags().BoolVar(&flags.detach, "detach", false, "return when the cluster is up and leave it running")
	return cmd
}

// newSupervise is what runs behind `up --detach`.
func newSupervise(find locate) *cobra.Command {
	var flags upFlags
	cmd := &cobra.Command{
		Use:    "supervise",
		Hidden: true,
		Args:   exactly(0, "no arguments"),
		RunE: func(cmd *cobra.Command, _ []string) error {
			opts, err := flags.options()
			if err != nil {
				return err
			}
			layout, err := find()
			if err != nil {
				return err
			}
			return plane.Run(cmd.Context(), layout, opts, cmd.OutOrStdout())
		},
	}
	flags.register(cmd.Flags())
	return cmd
}

// detach starts a supervisor that outlives this process, shows its progress,
// and returns when the cluster is up.
func detach(ctx context.Context, layout plane.Layout, flags upFlags, out io.Writer) error {
	path := layout.Log("cluster")
	log, err := os.Create(path)
	if err != nil {
		return fmt.Errorf("opening the log of the cluster: %w", err)
	}
	defer log.Close()
	args := []string{"--data=" + layout.Dir, "supervise", "--nodes=" + strconv.Itoa(flags.nodes), "--with=" + strings.Join(flags.with, ","),
		"--kubernetes=" + flags.kubernetes}
	for _, flag := range flags.flags {
		args = append(args, "--flag="+flag)
	}
	cmd := process.Command("cluster", args...)
	cmd.Stdout, cmd.Stderr = log, log
	process.Detach(cmd)
	if err := cmd.Start(); err != nil {
		return fmt.Errorf("starting the cluster: %w", err)
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	return follow(ctx, layout, ended, out)
}

// follow copies the supervisor's log to out until the cluster is up.
func follow(ctx context.Context, layout plane.Layout, ended <-chan error, out io.Writer) error {
	log, err := os.Open(layout.Log("cluster"))
	if err != nil {
		return fmt.Errorf("following the start of the cluster: %w", err)
	}
	defer log.Close()
	for {
		up := false
		if client, err := plane.Connect(layout); err == nil {
			up = client.Up()
		}
		if _, err := io.Copy(out, log); err != nil {
			return fmt.Errorf("following the start of the cluster: %w", err)
		}
		if up {
			return nil
		}
		select {
		case <-ended:
			_, _ = io.Copy(out, log) // The log ends with the reason.
			return exitCode(1)
		case <-ctx.Done():
			return interrupt(layout, ended)
		case <-time.After(50 * time.Millisecond):
		}
	}
}

// interrupt ends a cluster that is still starting.
func interrupt(layout plane.Layout, ended <-chan error) error {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	client, err := plane.Connect(layout)
	if err != nil {
		return err
	}
	if err := client.Down(ctx); err != nil {
		return err
	}
	<-ended
	return exitCode(1)
}
