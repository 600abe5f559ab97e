package metricsapi

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"sync"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/metrics/pkg/apis/metrics/v1beta1"

	"github.com/tidemark/tidemark/internal/observe/quantity"
	"github.com/tidemark/tidemark/internal/observe/snapshot"
)

const (
	// everyPod is no name of a namespace.
	everyPod = "/pods"
	// manyNamespaces is from how many namespaces on their pods are listed together:
	// two lists in a period are then less than one for each.
	manyNamespaces = 5
	// askedFor is for how long a namespace counts that was asked about.
	askedFor = time.Minute
	// A list of all pods is not worth while where it takes more than slowList, or has
	// more than fewPods of which less than a quarter are of interest. It is tried
	// again after apartFor.
	slowList = time.Second
	fewPods  = 1000
	apartFor = 5 * time.Minute
)

// Usage returns what the pods of a namespace use. Those of many namespaces are
// listed together, where that is allowed and worth while.
func (c *Client) Usage(ctx context.Context, namespace string, maxAge time.Duration) (Usage, error) {
	if c.together.wanted(namespace, c.answers.Now()) {
		all, err := snapshot.Get(ctx, c.answers, snapshot.Query[map[string]Usage]{
			Key: snapshot.Key{Source: ResourceSource, Query: everyPod}, MaxAge: maxAge, Valid: snapshot.ValidFor(maxAge), Fetch: c.listAllUsage,
		})
		if err == nil {
			return all[namespace], nil
		}
		if errors.As(err, new(*snapshot.UnderWay)) || ctx.Err() != nil {
			return nil, err
		}
		c.together.apart(c.answers.Now())
	}
	return snapshot.Get(ctx, c.answers, snapshot.Query[Usage]{
		Key: snapshot.Key{Source: ResourceSource, Tenant: namespace}, MaxAge: maxAge, Valid: snapshot.ValidFor(maxAge),
		Fetch: func(ctx context.Context) (Usage, error) { return c.listUsage(ctx, namespace) },
	})
}

func (c *Client) listUsage(ctx context.Context, namespace string) (Usage, error) {
	list, err := c.usage.MetricsV1beta1().PodMetricses(namespace).List(ctx, metav1.ListOptions{})
	if err != nil {
		return nil, explained(fmt.Sprintf("reading what pods of %s use", namespace), usageAdvice, err)
	}
	out := make(Usage, len(list.Items))
	for i := range list.Items {
		out.put(&list.Items[i])
	}
	return out, nil
}

// listAllUsage lists the pods of the cluster, by their namespaces.
func (c *Client) listAllUsage(ctx context.Context) (map[string]Usage, error) {
	began := c.answers.Now()
	list, err := c.usage.MetricsV1beta1().PodMetricses(metav1.NamespaceAll).List(ctx, metav1.ListOptions{})
	if err != nil {
		return nil, explained("reading what the pods of all namespaces use", usageAdvice, err)
	}
	out := map[string]Usage{}
	for i := range list.Items {
		of := out[list.Items[i].Namespace]
		if of == nil {
			of = Usage{}
			out[list.Items[i].Namespace] = of
		}
		of.put(&list.Items[i])
	}
	now := c.answers.Now()
	if wanted := c.together.among(out, now); now.Sub(began) > slowList || len(list.Items) > fewPods && 4*wanted < len(list.Items) {
		c.together.apart(now)
	}
	return out, nil
}

// put adds what a pod uses.
func (u Usage) put(m *v1beta1.PodMetrics) {
	pod := PodUsage{At: m.Timestamp.Time, Window: m.Window.Duration, Containers: make([]ContainerUsage, len(m.Containers))}
	for j := range m.Containers {
		pod.Containers[j] = ContainerUsage{Name: m.Containers[j].Name, Usage: quantity.Usage(m.Containers[j].Usage)}
	}
	if before, twice := u[m.Name]; twice {
		same := before
		same.Contradicts = false
		pod.Contradicts = before.Contradicts || !reflect.DeepEqual(same, pod)
	}
	u[m.Name] = pod
}

// together decides whether the pods of all namespaces are listed together.
type together struct {
	mu sync.Mutex
	// asked is when each namespace was last asked about.
	asked map[string]time.Time
	// until is how long each namespace is asked for by itself.
	until time.Time
}

// wanted notes that a namespace is asked about, and tells whether to list all.
func (t *together) wanted(namespace string, now time.Time) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.asked == nil {
		t.asked = map[string]time.Time{}
	}
	t.asked[namespace] = now
	return len(t.asked) >= manyNamespaces && !now.Before(t.until)
}

// apart has each namespace asked for by itself for a while.
func (t *together) apart(now time.Time) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.until = now.Add(apartFor)
}

// among counts the pods of the namespaces that were asked about lately, and forgets
// the other namespaces.
func (t *together) among(listed map[string]Usage, now time.Time) int {
	t.mu.Lock()
	defer t.mu.Unlock()
	pods := 0
	for namespace, at := range t.asked {
		if now.Sub(at) > askedFor {
			delete(t.asked, namespace)
			continue
		}
		pods += len(listed[namespace])
	}
	return pods
}
