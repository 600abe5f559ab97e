package metricsapi

import (
	"context"
	"fmt"
	"time"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/discovery"
	"k8s.io/client-go/rest"
	metricsclient "k8s.io/metrics/pkg/client/clientset/versioned"
	"k8s.io/metrics/pkg/client/custom_metrics"
	"k8s.io/metrics/pkg/client/external_metrics"

	"github.com/tidemark/tidemark/internal/observe/quantity"
	"github.com/tidemark/tidemark/internal/observe/snapshot"
	"github.com/tidemark/tidemark/scale"
)

// The sources, as requests to them are counted.
const (
	ResourceSource = "metrics.k8s.io"
	CustomSource   = "custom.metrics.k8s.io"
	ExternalSource = "external.metrics.k8s.io"
)

// Client reads the metrics APIs. It may be used from many goroutines.
type Client struct {
	usage    metricsclient.Interface
	custom   custom_metrics.CustomMetricsClient
	versions custom_metrics.AvailableAPIsGetter
	external external_metrics.ExternalMetricsClient
	answers  *snapshot.Store
	together together
}

// New returns a client. The mapper finds the resource of a kind that has
// metrics.
func New(config *rest.Config, mapper meta.RESTMapper, answers *snapshot.Store) (*Client, error) {
	// The clients of the custom and the external API take no context, so that
	// the timeout has to be the connection's.
	plain := rest.CopyConfig(config)
	plain.Timeout = snapshot.DefaultTimeout
	// Lists of usage are large, and Protocol Buffers are read in a fraction of
	// the time. A server that does not speak them answers in JSON.
	compact := rest.CopyConfig(plain)
	compact.ContentType = runtime.ContentTypeProtobuf
	compact.AcceptContentTypes = runtime.ContentTypeProtobuf + "," + runtime.ContentTypeJSON
	usage, err := metricsclient.NewForConfig(compact)
	if err != nil {
		return nil, fmt.Errorf("setting up %s: %w", ResourceSource, err)
	}
	groups, err := discovery.NewDiscoveryClientForConfig(plain)
	if err != nil {
		return nil, fmt.Errorf("setting up %s: %w", CustomSource, err)
	}
	external, err := external_metrics.NewForConfig(plain)
	if err != nil {
		return nil, fmt.Errorf("setting up %s: %w", ExternalSource, err)
	}
	versions := custom_metrics.NewAvailableAPIsGetter(groups)
	return &Client{
		usage: usage, custom: custom_metrics.NewForConfig(plain, mapper, versions), versions: versions, external: external, answers: answers,
	}, nil
}

// Usage is what the pods of a namespace use, by their names.
type Usage map[string]PodUsage

// PodUsage is what one pod used, on average over a window.
type PodUsage struct {
	At         time.Time
	Window     time.Duration
	Containers []ContainerUsage
	// Contradicts is set where the pod was listed more than once, and not with
	// the same every time.
	Contradicts bool
}

// ContainerUsage is what one container used.
type ContainerUsage struct {
	Name  string
	Usage scale.Resources
}

// NodeUsage is what everything on a node used of the cpu, on average over a while.
type NodeUsage struct {
	At  time.Time
	CPU scale.Amount
}

// everyNode is no name of a namespace.
const everyNode = "/nodes"

// Nodes returns what all nodes of the cluster use, by their names. A node whose
// usage is not a usable number is left out.
func (c *Client) Nodes(ctx context.Context, maxAge time.Duration) (map[string]NodeUsage, error) {
	return snapshot.Get(ctx, c.answers, snapshot.Query[map[string]NodeUsage]{
		Key: snapshot.Key{Source: ResourceSource, Query: everyNode}, MaxAge: maxAge, Valid: snapshot.ValidFor(maxAge), Fetch: c.listNodes,
	})
}

func (c *Client) listNodes(ctx context.Context) (map[string]NodeUsage, error) {
	list, err := c.usage.MetricsV1beta1().NodeMetricses().List(ctx, metav1.ListOptions{})
	if err != nil {
		return nil, explained("reading what nodes use", nodesAdvice, err)
	}
	out := make(map[string]NodeUsage, len(list.Items))
	for i := range list.Items {
		m := &list.Items[i]
		if cpu, known := quantity.Usage(m.Usage).Get(scale.CPU); known && cpu >= 0 && !m.Timestamp.IsZero() {
			out[m.Name] = NodeUsage{At: m.Timestamp.Time, CPU: cpu}
		}
	}
	return out, nil
}
