package demand

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"net/http"
	"os/signal"
	"syscall"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/tools/clientcmd"
	"k8s.io/klog/v2"
)

// period is how often the demand is shared out again.
const period = 2 * time.Second

// sharer writes the shares onto the pods.
type sharer struct {
	client  kubernetes.Interface
	factory informers.SharedInformerFactory
}

// workload is what Deployments and StatefulSets have in common.
type workload struct {
	meta     *metav1.ObjectMeta
	selector *metav1.LabelSelector
}

// Run shares demand until the process is told to end.
func Run(args []string) error {
	flags := flag.NewFlagSet("demand", flag.ContinueOnError)
	kubeconfig := flags.String("kubeconfig", "", "kubeconfig of the cluster")
	listen := flags.String("listen", "", "address for /healthz")
	if err := flags.Parse(args); err != nil {
		return err
	}
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGINT, syscall.SIGTERM)
	defer stop()
	config, err := clientcmd.BuildConfigFromFlags("", *kubeconfig)
	if err != nil {
		return fmt.Errorf("reading --kubeconfig: %w", err)
	}
	config.QPS, config.Burst = 200, 400
	client, err := kubernetes.NewForConfig(config)
	if err != nil {
		return fmt.Errorf("connecting to the cluster: %w", err)
	}
	s := &sharer{client: client, factory: informers.NewSharedInformerFactory(client, 0)}
	s.factory.Apps().V1().Deployments().Informer()
	s.factory.Apps().V1().StatefulSets().Informer()
	s.factory.Core().V1().Pods().Informer()
	s.factory.Start(ctx.Done())
	s.factory.WaitForCacheSync(ctx.Done())
	go s.loop(ctx)
	return serveHealth(ctx, *listen)
}

func serveHealth(ctx context.Context, address string) error {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /healthz", func(http.ResponseWriter, *http.Request) {})
	server := &http.Server{Addr: address, Handler: mux, ReadHeaderTimeout: period}
	context.AfterFunc(ctx, func() { server.Close() })
	if err := server.ListenAndServe(); ctx.Err() == nil {
		return fmt.Errorf("serving /healthz: %w", err)
	}
	return nil
}

func (s *sharer) loop(ctx context.Context) {
	ticker := time.NewTicker(period)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
		}
		for _, w := range s.workloads() {
			if err := s.share(ctx, w); err != nil && ctx.Err() == nil {
				klog.ErrorS(err, "Sharing the demand of a workload", "workload", klog.KObj(w.meta))
			}
		}
	}
}

// workloads lists everything that has a demand.
func (s *sharer) workloads() []workload {
	var list []workload
	for _, object := range s.factory.Apps().V1().Deployments().Informer().GetStore().List() {
		if d, ok := object.(*appsv1.Deployment); ok && demanded(d.Annotations) {
			list = append(list, workload{meta: &d.ObjectMeta, selector: d.Spec.Selector})
		}
	}
	for _, object := range s.factory.Apps().V1().StatefulSets().Informer().GetStore().List() {
		if d, ok := object.(*appsv1.StatefulSet); ok && demanded(d.Annotations) {
			list = append(list, workload{meta: &d.ObjectMeta, selector: d.Spec.Selector})
		}
	}
	return list
}

func demanded(annotations map[string]string) bool {
	for _, kind := range kinds {
		if _, ok := annotations[kind.demand]; ok {
			return true
		}
	}
	return false
}

// share brings the usage of one workload's pods in line with its demand. Pods
// that are right already are not written.
func (s *sharer) share(ctx context.Context, w workload) error {
	selector, err := metav1.LabelSelectorAsSelector(w.selector)
	if err != nil {
		return fmt.Errorf("reading the selector: %w", err)
	}
	pods, err := s.pods(w.meta.Namespace, selector)
	if err != nil {
		return err
	}
	shares, err := Share(w.meta.Annotations, pods)
	if err != nil {
		return fmt.Errorf("reading the demand: %w", err)
	}
	for _, pod := range pods {
		if err := s.write(ctx, pod, shares[pod.Name]); err != nil {
			return err
		}
	}
	return nil
}

func (s *sharer) pods(namespace string, selector labels.Selector) ([]*corev1.Pod, error) {
	pods, err := s.factory.Core().V1().Pods().Lister().Pods(namespace).List(selector)
	if err != nil {
		return nil, fmt.Errorf("listing pods: %w", err)
	}
	return pods, nil
}

func (s *sharer) write(ctx context.Context, pod *corev1.Pod, annotations map[string]string) error {
	same := true
	for key, value := range annotations {
		same = same && pod.Annotations[key] == value
	}
	if same || pod.DeletionTimestamp != nil {
		return nil
	}
	patch, err := json.Marshal(map[string]any{"metadata": map[string]any{"annotations": annotations}})
	if err != nil {
		return fmt.Errorf("writing the usage of pod %s: %w", pod.Name, err)
	}
	_, err = s.client.CoreV1().Pods(pod.Namespace).Patch(ctx, pod.Name, types.MergePatchType, patch, metav1.PatchOptions{})
	if err != nil {
		return fmt.Errorf("writing the usage of pod %s: %w", pod.Name, err)
	}
	return nil
}
