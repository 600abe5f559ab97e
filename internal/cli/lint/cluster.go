package lint

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"

	"github.com/spf13/cobra"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/tools/clientcmd"

	"github.com/tidemark/tidemark/internal/lint"
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
	rules := clientcmd.NewDefaultClientConfigLoadingRules()
	rules.ExplicitPath = c.kubeconfig
	config := clientcmd.NewNonInteractiveDeferredLoadingClientConfig(rules, &clientcmd.ConfigOverrides{CurrentContext: c.context})
	namespace, _, err := config.Namespace()
	if err != nil {
		return nil, fmt.Errorf("reading the kubeconfig: %w", err)
	}
	rest, err := config.ClientConfig()
	if err != nil {
		return nil, fmt.Errorf("reading the kubeconfig: %w", err)
	}
	client, err := dynamic.NewForConfig(rest)
	if err != nil {
		return nil, fmt.Errorf("connecting to the cluster: %w", err)
	}
	switch {
	case c.all:
		namespace = ""
	case c.namespace != "":
		namespace = c.namespace
	}
	return readCluster(cmd.Context(), listing(client), namespace)
}

// lister lists one page of the objects of a kind in a namespace, or in all.
type lister func(ctx context.Context, kind schema.GroupVersionResource, namespace string, options metav1.ListOptions) (*unstructured.UnstructuredList, error)

// listing lists with a client.
func listing(client dynamic.Interface) lister {
	return func(ctx context.Context, kind schema.GroupVersionResource, namespace string, options metav1.ListOptions) (*unstructured.UnstructuredList, error) {
		return client.Resource(kind).Namespace(namespace).List(ctx, options)
	}
}

// kinds are what is read from a cluster. Secrets are not among them.
var kinds = []schema.GroupVersionResource{
	{Group: "autoscaling", Version: "v2", Resource: "horizontalpodautoscalers"},
	{Group: "autoscaling.k8s.io", Version: "v1", Resource: "verticalpodautoscalers"},
	{Group: "keda.sh", Version: "v1alpha1", Resource: "scaledobjects"},
	{Group: "datadoghq.com", Version: "v1alpha1", Resource: "watermarkpodautoscalers"},
	{Group: "autoscaling.k8s.io", Version: "v1alpha1", Resource: "hvpas"},
	{Group: "autoscaling.mercari.com", Version: "v1beta3", Resource: "tortoises"},
	{Group: "autoscaling.tidemark.dev", Version: "v1alpha1", Resource: "workloadautoscalers"},
	{Group: "apps", Version: "v1", Resource: "deployments"},
	{Group: "apps", Version: "v1", Resource: "statefulsets"},
	{Group: "apps", Version: "v1", Resource: "replicasets"},
	{Group: "policy", Version: "v1", Resource: "poddisruptionbudgets"},
	{Group: "", Version: "v1", Resource: "limitranges"},
}

// pageSize is how many objects are asked for at a time.
const pageSize = 500

// readCluster reads the objects of a namespace, or of all. Kinds that the
// cluster does not have are passed over; anything else that fails ends it,
// because rules that need two objects would be wrong with half of them.
func readCluster(ctx context.Context, list lister, namespace string) (*lint.Set, error) {
	all := &lint.Set{}
	for _, kind := range kinds {
		options := metav1.ListOptions{Limit: pageSize}
		for {
			page, err := list(ctx, kind, namespace, options)
			if apierrors.IsNotFound(err) {
				break
			}
			if err != nil {
				return nil, fmt.Errorf("reading %s: %w", kind.Resource, err)
			}
			for i := range page.Items {
				set, err := readObject(&page.Items[i])
				if err != nil {
					return nil, err
				}
				all.Add(set)
			}
			if options.Continue = page.GetContinue(); options.Continue == "" {
				break
			}
		}
	}
	return all, nil
}

// readObject reads one object as if it stood in a file, without the parts that
// only the cluster writes.
func readObject(object *unstructured.Unstructured) (*lint.Set, error) {
	object.SetManagedFields(nil)
	delete(object.Object, "status")
	text, err := json.Marshal(object.Object)
	if err != nil {
		return nil, fmt.Errorf("reading %s %s: %w", object.GetKind(), object.GetName(), err)
	}
	return lint.Read("", bytes.NewReader(text)), nil
}
