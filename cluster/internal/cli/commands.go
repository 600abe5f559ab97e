package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"github.com/tidemark/tidemark/cluster/internal/plane"
	"github.com/tidemark/tidemark/cluster/internal/process"
	"github.com/tidemark/tidemark/cluster/internal/program"
)

// downTimeout bounds how long a cluster may take to end.
const downTimeout = 2 * time.Minute

func newDown(find locate) *cobra.Command {
	return &cobra.Command{
		Use:   "down",
		Short: "End the cluster and remove its data folder",
		Args:  exactly(0, "no arguments"),
		RunE: func(cmd *cobra.Command, _ []string) error {
			layout, err := find()
			if err != nil {
				return err
			}
			ctx, cancel := context.WithTimeout(cmd.Context(), downTimeout)
			defer cancel()
			client, err := plane.Connect(layout)
			switch {
			case err == nil:
				return client.Down(ctx)
			case errors.Is(err, plane.ErrNotRunning) && layout.Exists():
				return layout.Remove() // What a killed supervisor left.
			case errors.Is(err, plane.ErrNotRunning):
				return nil
			default:
				return err
			}
		},
	}
}

func newStatus(find locate) *cobra.Command {
	var output string
	cmd := &cobra.Command{
		Use:   "status",
		Short: "Show every component; exit code 1 unless all are ready",
		Args:  exactly(0, "no arguments"),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if output != "table" && output != "json" {
				return usageError{fmt.Errorf("--output %q: choose table or json", output)}
			}
			client, err := connect(find)
			if err != nil {
				return err
			}
			status, err := client.Status(cmd.Context())
			if err != nil {
				return err
			}
			if err := printStatus(cmd.OutOrStdout(), status, output); err != nil {
				return err
			}
			if !status.Ready {
				return exitCode(1)
			}
			return nil
		},
	}
	cmd.Flags().StringVarP(&output, "output", "o", "table", "table or json")
	return cmd
}

func printStatus(out io.Writer, status plane.Status, format string) error {
	if format == "json" {
		encoder := json.NewEncoder(out)
		encoder.SetIndent("", "  ")
		return encoder.Encode(status)
	}
	table := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "COMPONENT\tSTATE\tREADY\tPID\tURL\tMESSAGE")
	for _, one := range status.Components {
		fmt.Fprintf(table, "%s\t%s\t%t\t%d\t%s\t%s\n", one.Name, one.State, one.Ready, one.PID, one.URL, one.Message)
	}
	fmt.Fprintf(table, "\nkubeconfig\t%s\n", status.Kubeconfig)
	return table.Flush()
}

func newOrder(find locate, order, short string) *cobra.Command {
	return &cobra.Command{
		Use:   order + " COMPONENT",
		Short: short,
		Args:  exactly(1, "the name of one component; `cluster status` lists them"),
		RunE: func(cmd *cobra.Command, args []string) error {
			client, err := connect(find)
			if err != nil {
				return err
			}
			return client.Order(cmd.Context(), order, args[0])
		},
	}
}

func newLogs(find locate) *cobra.Command {
	return &cobra.Command{
		Use:   "logs [COMPONENT]",
		Short: "Print a component's log, or the names of all logs",
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) > 1 {
				return usageError{errors.New("`cluster logs` takes the name of one component, or nothing")}
			}
			layout, err := find()
			if err != nil {
				return err
			}
			if len(args) == 0 {
				return listLogs(layout, cmd.OutOrStdout())
			}
			file, err := os.Open(layout.Log(args[0]))
			if err != nil {
				return fmt.Errorf("no log of %q; `cluster logs` lists them", args[0])
			}
			defer file.Close()
			_, err = io.Copy(cmd.OutOrStdout(), file)
			return err
		},
	}
}

func listLogs(layout plane.Layout, out io.Writer) error {
	files, err := filepath.Glob(layout.Log("*"))
	if err != nil {
		return fmt.Errorf("listing logs: %w", err)
	}
	if len(files) == 0 {
		return fmt.Errorf("data folder %s: %w", layout.Dir, plane.ErrNotRunning)
	}
	for _, file := range files {
		fmt.Fprintf(out, "%s\t%s\n", strings.TrimSuffix(filepath.Base(file), ".log"), file)
	}
	return nil
}

func newKubeconfig(find locate) *cobra.Command {
	return &cobra.Command{
		Use:   "kubeconfig",
		Short: "Print the path of the administrator's kubeconfig",
		Args:  exactly(0, "no arguments"),
		RunE: func(cmd *cobra.Command, _ []string) error {
			layout, err := running(find)
			if err != nil {
				return err
			}
			fmt.Fprintln(cmd.OutOrStdout(), layout.Kubeconfig())
			return nil
		},
	}
}

func newKubectl(find locate) *cobra.Command {
	return &cobra.Command{
		Use:                "kubectl ...",
		Short:              "Run kubectl against the cluster",
		DisableFlagParsing: true,
		RunE: func(cmd *cobra.Command, args []string) error {
			layout, err := running(find)
			if err != nil {
				return err
			}
			return runProgram("kubectl", args, layout.KubectlEnv()...)
		},
	}
}

func newRun() *cobra.Command {
	return &cobra.Command{
		Use:                "run PROGRAM ...",
		Short:              "Run one of the programs inside: " + strings.Join(program.Names(), ", "),
		DisableFlagParsing: true,
		RunE: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 || !slices.Contains(program.Names(), args[0]) {
				return usageError{fmt.Errorf("`cluster run` needs one of: %s", strings.Join(program.Names(), ", "))}
			}
			return runProgram(args[0], args[1:])
		},
	}
}

// runProgram runs this binary under another name, in place of the command.
func runProgram(name string, args []string, env ...string) error {
	cmd := process.Command(name, args...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stdout, os.Stderr
	cmd.Env = append(os.Environ(), env...)
	err := cmd.Run()
	if failed, ok := errors.AsType[*exec.ExitError](err); ok {
		return exitCode(max(1, failed.ExitCode()))
	}
	return err
}

// running finds the data folder and makes sure that a cluster runs there.
func running(find locate) (plane.Layout, error) {
	layout, err := find()
	if err == nil && !layout.Running() {
		err = fmt.Errorf("data folder %s: %w", layout.Dir, plane.ErrNotRunning)
	}
	return layout, err
}

func connect(find locate) (*plane.Client, error) {
	layout, err := find()
	if err != nil {
		return nil, err
	}
	return plane.Connect(layout)
}
