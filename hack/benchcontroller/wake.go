package main

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/wait"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/tidemark/tidemark/manifest"
)

const (
	// awake is how many pods each workload needs once the metric has risen, and
	// depth the metric: ten for each pod.
	awake, perPod, depth = 2, 10, "depth"
	// wakeTime bounds the time until all pods are ready.
	wakeTime = 30 * time.Minute
)

// woken is how long after the step of the metric workloads that slept were scaled, in
// seconds: the first, half of them, 99 of 100, and the last. Ready is when all pods were,
// and Load that of the machine when the metric rose.
type woken struct {
	Objects                int
	First, Half, P99, Last float64
	Ready                  float64
	Load                   string
}

// wakes measures every size in a fresh cluster.
func wakes(ctx context.Context, o options, sizes []int, out io.Writer) error {
	var all []woken
	for _, n := range sizes {
		one, err := wake(ctx, o, n)
		if err != nil {
			return fmt.Errorf("waking %d workloads: %w", n, err)
		}
		all = append(all, one)
	}
	if o.output == "json" {
		encoder := json.NewEncoder(out)
		encoder.SetIndent("", "  ")
		return encoder.Encode(all)
	}
	fmt.Fprintln(out, "| objects | first scale write | half of them | 99 of 100 | the last | all pods ready | load of the machine |")
	fmt.Fprintln(out, "|--:|--:|--:|--:|--:|--:|--:|")
	for _, w := range all {
		fmt.Fprintf(out, "| %d | %.1f s | %.1f s | %.1f s | %.1f s | %.1f s | %s |\n", w.Objects, w.First, w.Half, w.P99, w.Last, w.Ready, w.Load)
	}
	return nil
}

// wake lets one metric rise that all of n sleeping workloads scale by, and reads from the
// audit log when each of them was given its pods.
func wake(ctx context.Context, o options, n int) (woken, error) {
	folder, err := os.MkdirTemp("", "tidemark-bench-")
	if err != nil {
		return woken{}, err
	}
	defer os.RemoveAll(folder)
	f := fleet{objects: n, pods: awake, perNamespace: o.perNamespace, perNode: perNode, used: atRest, sleeps: true}
	p, err := start(ctx, folder, f) // 1. the control plane
	if err != nil {
		return woken{}, err
	}
	defer p.stop()
	if err := p.install(); err != nil { // 2. definitions, rights
		return woken{}, err
	}
	if err := p.rise(ctx, 0); err != nil {
		return woken{}, err
	}
	if err := p.makeWorkloads(ctx, f); err != nil { // 3. workloads without pods
		return woken{}, err
	}
	m, s := measurement{plane: p, fleet: f}, tidemarkSide("Tidemark, defaults")
	s.objects, s.object = "workload autoscalers that sleep", sleeper
	if err := m.own(ctx, s, f); err != nil {
		return woken{}, err
	}
	all, err := s.start(p, s, false) // 4. the controller, until it has looked at all of them
	if err != nil {
		return woken{}, err
	}
	defer all.end(p)
	if _, err := m.warm(ctx, s, all, time.Now()); err != nil {
		return woken{}, fmt.Errorf("warming up: %w\n%s", err, all[0].tail())
	}
	return p.step(ctx, f, s.user) // 5. the step
}

// step raises the metric and waits until every workload has its pods.
func (p *plane) step(ctx context.Context, f fleet, user string) (woken, error) {
	out := woken{Objects: f.objects, Load: loadOfMachine()}
	p.say("Raising the metric; the load of the machine is %s.", out.Load)
	began := time.Now()
	if err := p.rise(ctx, awake*perPod); err != nil {
		return out, err
	}
	limited, cancel := context.WithTimeout(ctx, wakeTime)
	defer cancel()
	err := wait.PollUntilContextCancel(limited, time.Second, true, func(ctx context.Context) (bool, error) {
		var list appsv1.DeploymentList
		if err := p.List(ctx, &list); err != nil {
			return false, err
		}
		ready := 0
		for i := range list.Items {
			if list.Items[i].Status.ReadyReplicas == awake {
				ready++
			}
		}
		return ready == f.objects, nil
	})
	if err != nil {
		return out, fmt.Errorf("waiting for the pods: %w", err)
	}
	out.Ready = time.Since(began).Seconds()
	asked, err := readAudit(p.audit(), user, span{began, time.Now()})
	if err != nil {
		return out, err
	}
	return out, out.read(asked, began)
}

// read takes the times of the first scale write of each workload.
func (w *woken) read(a asked, began time.Time) error {
	var after []float64
	for _, writes := range a.scaled {
		after = append(after, slices.MinFunc(writes, time.Time.Compare).Sub(began).Seconds())
	}
	if len(after) != w.Objects {
		return fmt.Errorf("%d workloads were scaled, of %d", len(after), w.Objects)
	}
	slices.SortFunc(after, cmp.Compare[float64])
	at := func(percent int) float64 { return after[(len(after)*percent+99)/100-1] }
	w.First, w.Half, w.P99, w.Last = after[0], at(50), at(99), after[len(after)-1]
	return nil
}

// sleeper is the object of a workload that has no pods while the metric is 0.
func sleeper(key client.ObjectKey, f fleet) (client.Object, error) {
	return manifest.Autoscaler{
		Name: key.Name, Namespace: key.Namespace, Target: manifest.Deployment(workload(key, f)), MinReplicas: new(int32(0)), MaxReplicas: 10,
		Metrics: []manifest.Metric{manifest.External(depth, manifest.AverageValue(fmt.Sprint(perPod)))},
	}.WorkloadAutoscaler()
}

// rise gives the metric, in every namespace, a value.
func (p *plane) rise(ctx context.Context, value int) error {
	script := &corev1.ConfigMap{}
	script.Namespace, script.Name = "kube-system", "metrics-adapter"
	text, err := json.Marshal(map[string]any{"data": map[string]string{depth: fmt.Sprintf("external: %s\nvalue: %q\n", depth, fmt.Sprint(value))}})
	if err != nil {
		return err
	}
	if err := p.Patch(ctx, script, client.RawPatch("application/merge-patch+json", text)); err != nil {
		return fmt.Errorf("scripting the metric: %w", err)
	}
	return nil
}

// loadOfMachine is how many processes want to run, in the mean of the last minute.
func loadOfMachine() string {
	text, err := os.ReadFile("/proc/loadavg")
	if err != nil {
		return "unknown"
	}
	first, _, _ := strings.Cut(string(text), " ")
	return first
}
