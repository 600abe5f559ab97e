package lint

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"

	"github.com/spf13/cobra"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/client-go/dynamic"

	"github.com/tidemark/tidemark/internal/cli/flags"
	"github.com/tidemark/tidemark/internal/lint"
	"github.com/tidemark/tidemark/internal/listing"
)

// cluster are the flags that lead to a live cluster.
type cluster struct {
	on                             bool
	kubeconfig, context, namespace string
	all                            bool
}

func (c *cluster) add(cmd *cobra.Command) {
	f := cmd.Flags()
	f.BoolVar(&c.on, "cluster", false, "read the objects of a live cluster instead of files")
	f.StringVar(&c.kubeconfig, "kubeconfig", "", "with --cluster: the kubeconfig file to use")
	f.StringVar(&c.context, "context", "", "with --cluster: the kubeconfig's context to use")
	f.StringVarP(&c.namespace, "namespace", "n", "", "with --cluster: the namespace to read; the context's own without it")
	f.BoolVarP(&c.all, "all-namespaces", "A", false, "with --cluster: read every namespace")
}

func (c *cluster) qualified() bool {
	return c.kubeconfig != "" || c.context != "" || c.namespace != "" || c.all
}

func (c *cluster) read(cmd *cobra.Command) (*lint.Set, error) {
	named := flags.Named(c.kubeconfig, c.context, c.namespace, c.all)
	rest, namespace, err := named.Load()
	if err != nil {
		return nil, err
	}
	client, err := dynamic.NewForConfig(rest)
	if err != nil {
		return nil, fmt.Errorf("connecting to the cluster: %w", err)
	}
	return readCluster(cmd.Context(), listing.With(client), namespace)
}

// readCluster reads the objects of a namespace, or of all.
func readCluster(ctx context.Context, list listing.Lister, namespace string) (*lint.Set, error) {
	all := &lint.Set{}
	err := listing.Each(ctx, list, namespace, func(object *unstructured.Unstructured) error {
		set, err := readObject(object)
		if err == nil {
			all.Add(set)
		}
		return err
	})
	return all, err
}

// readObject reads one object as if it stood in a file.
func readObject(object *unstructured.Unstructured) (*lint.Set, error) {
	text, err := json.Marshal(object.Object)
	if err != nil {
		return nil, fmt.Errorf("reading %s %s: %w", object.GetKind(), object.GetName(), err)
	}
	return lint.Read("", bytes.NewReader(text)), nil
}
