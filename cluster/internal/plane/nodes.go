package plane

import (
	"context"
	"fmt"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/tools/clientcmd"
)

// The size of a fake node: large enough that nobody has to think of it, small
// enough that a request no node can hold is easy to write.
const (
	nodeCPU    = "64"
	nodeMemory = "256Gi"
	nodePods   = "250"
)

// makeNodes creates the fake nodes and waits until pods can be made: the nodes
// are ready, and the controllers have made the service account of the default
// namespace, without which every pod is refused.
func (c *Cluster) makeNodes(ctx context.Context) error {
	began := time.Now()
	ctx, cancel := context.WithTimeout(ctx, readyTimeout)
	defer cancel()
	config, err := clientcmd.BuildConfigFromFlags("", c.site.layout.Kubeconfig())
	if err != nil {
		return fmt.Errorf("reading the cluster's kubeconfig: %w", err)
	}
	config.QPS, config.Burst = 200, 400
	client, err := kubernetes.NewForConfig(config)
	if err != nil {
		return fmt.Errorf("connecting to the cluster: %w", err)
	}
	for i := range c.site.opts.Nodes {
		_, err := client.CoreV1().Nodes().Create(ctx, fakeNode(fmt.Sprintf("node-%d", i)), metav1.CreateOptions{})
		if err != nil && !apierrors.IsAlreadyExists(err) {
			return fmt.Errorf("creating a node: %w", err)
		}
	}
	for {
		ready, err := readyNodes(ctx, client)
		if err == nil && ready >= c.site.opts.Nodes {
			err = serviceAccount(ctx, client)
		}
		if err == nil && ready >= c.site.opts.Nodes {
			c.said(fmt.Sprintf("%d nodes", ready), began)
			return nil
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("%d of %d nodes became ready (%w); see %s and %s",
				ready, c.site.opts.Nodes, err, c.site.layout.Log("kwok"), c.site.layout.Log("kube-controller-manager"))
		case <-time.After(probeInterval):
		}
	}
}

func readyNodes(ctx context.Context, client kubernetes.Interface) (int, error) {
	list, err := client.CoreV1().Nodes().List(ctx, metav1.ListOptions{ResourceVersion: "0"})
	if err != nil {
		return 0, fmt.Errorf("listing nodes: %w", err)
	}
	ready := 0
	for _, node := range list.Items {
		for _, condition := range node.Status.Conditions {
			if condition.Type == corev1.NodeReady && condition.Status == corev1.ConditionTrue {
				ready++
			}
		}
	}
	return ready, nil
}

func serviceAccount(ctx context.Context, client kubernetes.Interface) error {
	_, err := client.CoreV1().ServiceAccounts(metav1.NamespaceDefault).Get(ctx, "default", metav1.GetOptions{})
	if err != nil {
		return fmt.Errorf("waiting for the service account of the default namespace: %w", err)
	}
	return nil
}

func fakeNode(name string) *corev1.Node {
	size := corev1.ResourceList{
		corev1.ResourceCPU:    resource.MustParse(nodeCPU),
		corev1.ResourceMemory: resource.MustParse(nodeMemory),
		corev1.ResourcePods:   resource.MustParse(nodePods),
	}
	return &corev1.Node{
		ObjectMeta: metav1.ObjectMeta{
			Name:   name,
			Labels: map[string]string{"kubernetes.io/hostname": name, "kubernetes.io/os": "linux", "type": "kwok"},
			// All fake kubelets share one address, so metrics-server is told the path.
			Annotations: map[string]string{
				"metrics.k8s.io/resource-metrics-path": "/metrics/nodes/" + name + "/metrics/resource",
			},
		},
		Status: corev1.NodeStatus{Capacity: size, Allocatable: size},
	}
}
