package get

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os/signal"
	"syscall"
	"time"

	"github.com/spf13/cobra"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/watch"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/yaml"

	"github.com/tidemark/tidemark/api/v1alpha1"
	"github.com/tidemark/tidemark/internal/cli/flags"
)

const long = `List the WorkloadAutoscalers of a cluster: what they scale, within which
bounds, how many pods there are and should be, and why.

A line whose REASON begins with ! is one that needs a look: the object cannot
scale, and "tidemark explain" says what to do.`

const example = `  # The objects of a namespace.
  tidemark get -n shop

  # All of them, with the size of the pods and the mode, and again on each change.
  tidemark get -A -o wide -w`

// New returns the verb.
func New() *cobra.Command { return command((*flags.Cluster).Connect) }

// command is the verb, with the way to a cluster left open.
func command(connect func(*flags.Cluster) (flags.Connection, error)) *cobra.Command {
	var cluster flags.Cluster
	var output flags.Output
	var watch bool
	cmd := &cobra.Command{
		Use:     "get [NAME] [-n NAMESPACE | -A] [-o table|wide|json|yaml] [-w]",
		Short:   "List the objects of a cluster",
		Long:    long,
		Example: example,
		Args:    cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if watch && !output.Is("table") && !output.Is("wide") {
				return errors.New("-w shows a table: leave -o out, or choose wide")
			}
			connection, err := connect(&cluster)
			if err != nil {
				return err
			}
			ctx, stop := signal.NotifyContext(cmd.Context(), syscall.SIGINT, syscall.SIGTERM)
			defer stop()
			question := question{Connection: connection, wide: output.Is("wide")}
			if len(args) == 1 {
				question.name = args[0]
			}
			return question.answer(ctx, cmd.OutOrStdout(), output.String(), watch)
		},
	}
	cluster.Add(cmd)
	cluster.AddEverywhere(cmd)
	output.Add(cmd, "table", "wide", "json", "yaml")
	cmd.Flags().BoolVarP(&watch, "watch", "w", false, "after listing, print a line on each change")
	return cmd
}

// question is what was asked for.
type question struct {
	flags.Connection
	name string
	wide bool
}

func (q question) answer(ctx context.Context, out io.Writer, form string, watch bool) error {
	list, err := q.list(ctx)
	if err != nil {
		return err
	}
	switch form {
	case "json":
		return writeJSON(out, list)
	case "yaml":
		return writeYAML(out, list)
	}
	if len(list.Items) == 0 && !watch {
		_, err := fmt.Fprintln(out, "No WorkloadAutoscalers found.")
		return err
	}
	table := newTable(q.wide, q.Namespace == "")
	if err := table.write(out, list.Items, time.Now()); err != nil {
		return err
	}
	if !watch {
		return nil
	}
	return q.follow(ctx, out, table, list)
}

// list asks for one object or for all of them.
func (q question) list(ctx context.Context) (*v1alpha1.WorkloadAutoscalerList, error) {
	out := &v1alpha1.WorkloadAutoscalerList{}
	if q.name == "" {
		err := q.Client.List(ctx, out, client.InNamespace(q.Namespace))
		return out, wrapped(err)
	}
	if q.Namespace == "" {
		return nil, errors.New("a name is looked for in one namespace: leave -A out")
	}
	var one v1alpha1.WorkloadAutoscaler
	err := q.Client.Get(ctx, client.ObjectKey{Namespace: q.Namespace, Name: q.name}, &one)
	out.Items = append(out.Items, one)
	return out, wrapped(err)
}

func wrapped(err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("reading WorkloadAutoscalers: %w", err)
}

// follow prints a line for each change, until it is interrupted. A watch begins
// with the objects as they are, which the list has shown already.
func (q question) follow(ctx context.Context, out io.Writer, table *table, list *v1alpha1.WorkloadAutoscalerList) error {
	watcher, err := q.Client.Watch(ctx, list, client.InNamespace(q.Namespace))
	if err != nil {
		return wrapped(err)
	}
	defer watcher.Stop()
	shown := map[client.ObjectKey]string{}
	for i := range list.Items {
		shown[client.ObjectKeyFromObject(&list.Items[i])] = list.Items[i].ResourceVersion
	}
	for {
		select {
		case <-ctx.Done():
			return nil
		case e, open := <-watcher.ResultChan():
			if !open {
				return errors.New("the API server has ended the watch: run the command again")
			}
			if e.Type == watch.Error {
				return wrapped(apierrors.FromObject(e.Object))
			}
			obj, ok := e.Object.(*v1alpha1.WorkloadAutoscaler)
			if !ok || (q.name != "" && obj.Name != q.name) || (e.Type == watch.Added && shown[client.ObjectKeyFromObject(obj)] == obj.ResourceVersion) {
				continue
			}
			if err := table.add(out, obj, time.Now()); err != nil {
				return err
			}
		}
	}
}

func writeJSON(out io.Writer, list *v1alpha1.WorkloadAutoscalerList) error {
	encoder := json.NewEncoder(out)
	encoder.SetIndent("", "  ")
	return encoder.Encode(typed(list))
}

func writeYAML(out io.Writer, list *v1alpha1.WorkloadAutoscalerList) error {
	text, err := yaml.Marshal(typed(list))
	if err != nil {
		return err
	}
	_, err = out.Write(text)
	return err
}

// typed gives the list and its entries their kinds, which a client takes away.
func typed(list *v1alpha1.WorkloadAutoscalerList) *v1alpha1.WorkloadAutoscalerList {
	list.SetGroupVersionKind(v1alpha1.GroupVersion.WithKind(v1alpha1.Kind + "List"))
	for i := range list.Items {
		list.Items[i].SetGroupVersionKind(v1alpha1.GroupVersion.WithKind(v1alpha1.Kind))
		list.Items[i].ManagedFields = nil
	}
	return list
}
