package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/tidemark/tidemark/api/v1alpha1"
	"github.com/tidemark/tidemark/internal/history"
	"github.com/tidemark/tidemark/internal/learner"
	"github.com/tidemark/tidemark/test/live"
)

const (
	namespace = "demo"
	// experienced is the workload that brings a history along, and usual how many
	// pods it had at this time of the last weeks.
	experienced = "shop"
	usual       = 12
)

// world is the control plane and the controller on it.
type world struct {
	*live.Cluster
	out        io.Writer
	controller *live.Controller
}

func (w *world) say(format string, args ...any) { fmt.Fprintf(w.out, "\n"+format+"\n", args...) }

// start brings the control plane up.
func (w *world) start(ctx context.Context, folder string) (err error) {
	w.say("Starting a Kubernetes control plane: etcd, API server, controller manager, scheduler, metrics-server, VPA recommender.")
	shape := live.Tests
	shape.Nodes, shape.Out = 2, w.out
	shape.Flags = append(shape.Flags, "vpa-recommender=--recommender-interval=10s")
	w.Cluster, err = live.Up(ctx, filepath.Join(folder, "cluster"), shape)
	return err
}

// stop ends the controller and the control plane.
func (w *world) stop() {
	if w.controller != nil {
		if err := w.controller.Stop(); err != nil {
			fmt.Fprintln(w.out, err)
		}
	}
	w.Down()
}

// install brings the definitions, the controller's rights and the sample
// workloads into the cluster.
func (w *world) install() error {
	w.say("Installing the definitions, the controller's rights and the workloads of examples/demo.")
	if err := w.Install(); err != nil {
		return err
	}
	for _, file := range []string{"examples/demo/namespace.yaml", "examples/demo"} {
		if _, err := w.Kubectl("apply", "-f", file); err != nil {
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

// control starts the controller with a token of its own service account.
func (w *world) control(folder string) (err error) {
	w.say("Starting the controller under its own rights.")
	home := filepath.Join(folder, "controller")
	if err := os.Mkdir(home, 0o700); err != nil {
		return err
	}
	w.controller, err = w.Start(home, live.Options{})
	return err
}
