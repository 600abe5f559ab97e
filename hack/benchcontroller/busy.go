package main

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"time"

	"golang.org/x/sync/errgroup"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// changing is in how many periods every workload of a busy fleet changes once.
const changing = 10

// keepBusy has the pods of a tenth of the workloads use more, or less again, in each
// period, until it is stopped: each of them then needs another count.
func (p *plane) keepBusy(ctx context.Context, f fleet) (stop func(), err error) {
	var list corev1.PodList
	if err := p.List(ctx, &list); err != nil {
		return nil, fmt.Errorf("listing pods: %w", err)
	}
	var first []client.ObjectKey
	for i := range list.Items {
		if list.Items[i].Labels["app"] != "" {
			first = append(first, client.ObjectKeyFromObject(&list.Items[i]))
		}
	}
	if len(first) != f.objects {
		return nil, fmt.Errorf("there are %d pods of %d workloads: a busy fleet has one each, so use -pods 1", len(first), f.objects)
	}
	ctx, cancel := context.WithCancel(ctx)
	done := make(chan struct{})
	go func() {
		defer close(done)
		for turn := 0; ; turn++ {
			began := time.Now()
			if err := p.turn(ctx, first, turn); err != nil {
				p.say("The fleet is not as busy as it should be: %v", err)
			}
			if sleep(ctx, period-time.Since(began)) != nil {
				return
			}
		}
	}()
	return func() { cancel(); <-done }, nil
}

// turn changes what a tenth of the pods use. The first pod of each workload stays,
// so that it is the second that comes and goes.
func (p *plane) turn(ctx context.Context, first []client.ObjectKey, turn int) error {
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(makers)
	used := []appetite{high, low}[turn/changing%2]
	annotations := map[string]string{"controller.kubernetes.io/pod-deletion-cost": "1000"}
	maps.Copy(annotations, used.annotations())
	patch, err := json.Marshal(map[string]any{"metadata": map[string]any{"annotations": annotations}})
	if err != nil {
		return err
	}
	for i := turn % changing; i < len(first); i += changing {
		group.Go(func() error {
			pod := &corev1.Pod{}
			pod.Namespace, pod.Name = first[i].Namespace, first[i].Name
			return p.Patch(ctx, pod, client.RawPatch(types.MergePatchType, patch))
		})
	}
	return group.Wait()
}
