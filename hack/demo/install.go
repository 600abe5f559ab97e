package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/tools/clientcmd"
	clientcmdapi "k8s.io/client-go/tools/clientcmd/api"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/tidemark/tidemark/api/v1alpha1"
	"github.com/tidemark/tidemark/internal/history"
	"github.com/tidemark/tidemark/internal/learner"
)

const (
	namespace = "demo"
	home      = "tidemark-system"
	account   = "tidemark"
	// experienced is the workload that brings a history along, and usual how many
	// pods it had at this time of the last weeks.
	experienced = "shop"
	usual       = 12
)

// install brings the definitions, the controller's rights and the sample
// workloads into the cluster.
func (w *world) install(ctx context.Context) error {
	w.say("Installing the definitions, the controller's rights and the workloads of examples/demo.")
	for _, args := range [][]string{
		{"kubectl", "apply", "--server-side", "-k", "config/rights"},
		{"kubectl", "wait", "--for=condition=Established", "--timeout=60s", "crd", "--all"},
		{"kubectl", "apply", "-f", "examples/demo/namespace.yaml"},
		{"kubectl", "apply", "-f", "examples/demo"},
	} {
		if _, err := w.cluster(ctx, args...); err != nil {
			return err
		}
	}
	return nil
}

// teach gives the workload that learns the history it would have after four
// weeks: few pods at most hours, many at this one.
func (w *world) teach(ctx context.Context, now time.Time) error {
	var obj v1alpha1.WorkloadAutoscaler
	key := client.ObjectKey{Namespace: namespace, Name: experienced}
	if err := w.Get(ctx, key, &obj); err != nil {
		return fmt.Errorf("reading the workload that learns: %w", err)
	}
	past, err := history.New(learner.SettingsOf(obj.Spec))
	if err != nil {
		return err
	}
	for at := now.Add(-28 * 24 * time.Hour); at.Before(now); at = at.Add(10 * time.Minute) {
		pods := int32(2)
		if away := at.Sub(now).Abs() % (7 * 24 * time.Hour); away < time.Hour || away > (7*24-1)*time.Hour {
			pods = usual
		}
		past.Slots.Observe(at, pods)
	}
	owner := metav1.NewControllerRef(&obj, v1alpha1.GroupVersion.WithKind("WorkloadAutoscaler"))
	err = w.Create(ctx, &v1alpha1.WorkloadHistory{
		ObjectMeta: metav1.ObjectMeta{Namespace: namespace, Name: experienced, OwnerReferences: []metav1.OwnerReference{*owner}},
		History:    past.Encode(), UpdatedAt: metav1.NewTime(now),
	})
	if err != nil {
		return fmt.Errorf("bringing the history along: %w", err)
	}
	return nil
}

// configuration lets the controller run outside of the cluster, where no pod can
// be reached and nothing else should listen.
const configuration = `apiVersion: config.tidemark.dev/v1alpha1
kind: ControllerConfig
leaderElection: {enabled: false}
metrics: {address: 127.0.0.1:0}
health: {address: 127.0.0.1:0}
`

// control starts the controller with a token of its own service account.
func (w *world) control(ctx context.Context) error {
	w.say("Starting the controller under its own rights.")
	token, err := w.cluster(ctx, "kubectl", "create", "token", account, "-n", home)
	if err != nil {
		return err
	}
	config, err := clientcmd.LoadFromFile(w.kubeconfig)
	if err != nil {
		return err
	}
	for name := range config.AuthInfos {
		config.AuthInfos[name] = &clientcmdapi.AuthInfo{Token: token}
	}
	kubeconfig, settings := filepath.Join(w.folder, "kubeconfig"), filepath.Join(w.folder, "controller.yaml")
	if err := clientcmd.WriteToFile(*config, kubeconfig); err != nil {
		return err
	}
	if err := os.WriteFile(settings, []byte(configuration), 0o600); err != nil {
		return err
	}
	return w.launch("controller.log", tidemarkBinary, "controller", "--config", settings, "--kubeconfig", kubeconfig)
}
