package flags

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"k8s.io/apimachinery/pkg/runtime"
	clientgoscheme "k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/tidemark/tidemark/api/v1alpha1"
)

// Cluster is the flags that say which cluster, as whom, and where in it. They
// are kubectl's, with the same names and defaults.
type Cluster struct {
	kubeconfig, context, namespace string
	everywhere                     bool
}

// Named is a cluster whose flags a verb has words of its own for.
func Named(kubeconfig, context, namespace string, everywhere bool) Cluster {
	return Cluster{kubeconfig, context, namespace, everywhere}
}

// Add registers the flags.
func (c *Cluster) Add(cmd *cobra.Command) {
	c.AddConfig(cmd)
	cmd.Flags().StringVarP(&c.namespace, "namespace", "n", "", "namespace; the default is that of the kubeconfig's context")
}

// AddConfig registers the flags that choose the cluster alone.
func (c *Cluster) AddConfig(cmd *cobra.Command) {
	cmd.Flags().StringVar(&c.kubeconfig, "kubeconfig", "", "kubeconfig file; the default is $KUBECONFIG, ~/.kube/config or the cluster of one's own pod")
	cmd.Flags().StringVar(&c.context, "context", "", "context of the kubeconfig file")
}

// Chosen tells whether a cluster was named.
func (c *Cluster) Chosen() bool { return c.kubeconfig != "" || c.context != "" }

// AddEverywhere registers the flag for all namespaces.
func (c *Cluster) AddEverywhere(cmd *cobra.Command) {
	cmd.Flags().BoolVarP(&c.everywhere, "all-namespaces", "A", false, "look in all namespaces")
}

// Connection is a cluster that can be talked to.
type Connection struct {
	Client client.WithWatch
	Config *rest.Config
	// Namespace is where to look; empty is everywhere.
	Namespace string
}

// Connect reads the kubeconfig. It does not talk to the cluster yet.
func (c *Cluster) Connect() (Connection, error) {
	config, namespace, err := c.Load()
	if err != nil {
		return Connection{}, err
	}
	scheme := runtime.NewScheme()
	for _, add := range []func(*runtime.Scheme) error{clientgoscheme.AddToScheme, v1alpha1.AddToScheme} {
		if err := add(scheme); err != nil {
			return Connection{}, fmt.Errorf("preparing the client: %w", err)
		}
	}
	api, err := client.NewWithWatch(config, client.Options{Scheme: scheme})
	if err != nil {
		return Connection{}, fmt.Errorf("preparing the client: %w", err)
	}
	return Connection{Client: api, Config: config, Namespace: namespace}, nil
}

// Load returns how to reach the cluster, and the namespace; empty is everywhere.
func (c *Cluster) Load() (*rest.Config, string, error) {
	rules := clientcmd.NewDefaultClientConfigLoadingRules()
	rules.ExplicitPath = c.kubeconfig
	overrides := &clientcmd.ConfigOverrides{CurrentContext: c.context}
	overrides.Context.Namespace = c.namespace
	loader := clientcmd.NewNonInteractiveDeferredLoadingClientConfig(rules, overrides)
	config, err := loader.ClientConfig()
	if err != nil {
		return nil, "", c.without(loader, err)
	}
	namespace, _, err := loader.Namespace()
	if err != nil {
		return nil, "", c.without(loader, err)
	}
	if c.everywhere {
		namespace = ""
	}
	return config, namespace, nil
}

// without says what to do when no cluster is known.
func (c *Cluster) without(loader clientcmd.ClientConfig, err error) error {
	raw, unread := loader.RawConfig()
	switch contexts := slices.Sorted(maps.Keys(raw.Contexts)); {
	case errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("reading the kubeconfig: --kubeconfig %s: there is no such file", c.kubeconfig)
	case unread != nil:
		return fmt.Errorf("reading the kubeconfig: %w", err)
	case len(contexts) == 0:
		return errors.New("no cluster is known, since there is no kubeconfig: name one with --kubeconfig FILE or $KUBECONFIG, or put it at ~/.kube/config")
	case c.context != "" && raw.Contexts[c.context] == nil:
		return fmt.Errorf("reading the kubeconfig: there is no --context %s, there is %s", c.context, strings.Join(contexts, ", "))
	case raw.CurrentContext == "" && c.context == "":
		return fmt.Errorf("reading the kubeconfig: it has no current context: choose one with --context, there is %s", strings.Join(contexts, ", "))
	}
	return fmt.Errorf("reading the kubeconfig: %w", err)
}
