package adapter

import (
	"context"
	"fmt"
	"os/signal"
	"syscall"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/fields"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/tools/cache"
	"sigs.k8s.io/custom-metrics-apiserver/pkg/cmd"

	"github.com/spf13/pflag"
)

// The ConfigMap with the script.
const (
	Namespace = "kube-system"
	Name      = "metrics-adapter"
)

// Run serves the metrics APIs until the process is told to end.
func Run(args []string) error {
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGINT, syscall.SIGTERM)
	defer stop()
	base := &cmd.AdapterBase{
		Name:              Name,
		FlagSet:           pflag.NewFlagSet(Name, pflag.ContinueOnError),
		DiscoveryInterval: time.Minute,
	}
	if err := base.Flags().Parse(args); err != nil {
		return err
	}
	script, err := watchScript(ctx, base)
	if err != nil {
		return err
	}
	client, err := base.DynamicClient()
	if err != nil {
		return err
	}
	mapper, err := base.RESTMapper()
	if err != nil {
		return err
	}
	provider := &Provider{script: script, client: client, mapper: mapper, now: time.Now}
	base.WithCustomMetrics(provider)
	base.WithExternalMetrics(provider)
	return base.Run(ctx)
}

// watchScript follows the ConfigMap. It returns when the first state is known.
func watchScript(ctx context.Context, base *cmd.AdapterBase) (*Script, error) {
	config, err := base.ClientConfig()
	if err != nil {
		return nil, err
	}
	client, err := kubernetes.NewForConfig(config)
	if err != nil {
		return nil, fmt.Errorf("connecting to the cluster: %w", err)
	}
	factory := informers.NewSharedInformerFactoryWithOptions(client, 0, informers.WithNamespace(Namespace),
		informers.WithTweakListOptions(func(o *metav1.ListOptions) {
			o.FieldSelector = fields.OneTermEqualSelector(metav1.ObjectNameField, Name).String()
		}))
	informer := factory.Core().V1().ConfigMaps().Informer()
	script := &Script{}
	load := func(object any) {
		if config, ok := object.(*corev1.ConfigMap); ok {
			script.Load(config)
		}
	}
	_, err = informer.AddEventHandler(cache.ResourceEventHandlerFuncs{
		AddFunc:    load,
		UpdateFunc: func(_, object any) { load(object) },
		DeleteFunc: func(any) { script.Load(&corev1.ConfigMap{}) },
	})
	if err != nil {
		return nil, fmt.Errorf("watching the script: %w", err)
	}
	factory.Start(ctx.Done())
	factory.WaitForCacheSync(ctx.Done())
	return script, nil
}
