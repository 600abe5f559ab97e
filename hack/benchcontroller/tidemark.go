package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/tidemark/tidemark/api/v1alpha1"
	"github.com/tidemark/tidemark/internal/controller/metrics"
	"github.com/tidemark/tidemark/internal/learner"
	"github.com/tidemark/tidemark/policy"
	"github.com/tidemark/tidemark/scale"
	"github.com/tidemark/tidemark/test/live"
)

// sides are those that the options ask for, in their order.
func (o options) sides() []side {
	out := append([]side{}, beside...)
	if o.shards > 0 {
		s := tidemarkSide(fmt.Sprintf("Tidemark, %d shards", o.shards))
		s.shards = o.shards
		out = append(out, s)
	}
	if o.learned {
		s := tidemarkSide("Tidemark, four weeks of history")
		s.objects, s.object, s.with = "workload autoscalers that learn", learningAutoscaler, fourWeeks
		out = append(out, s)
	}
	return out
}

func tidemarkSide(name string) side {
	return side{
		name: name, user: tidemarkUser, objects: "workload autoscalers", kind: &v1alpha1.WorkloadAutoscaler{},
		object: workloadAutoscaler, start: startTidemark, active: activeAutoscalers,
		looks: metrics.Decisions, queue: "workloadautoscaler", lag: metrics.ReconcileLag,
	}
}

func workloadAutoscaler(key client.ObjectKey, f fleet) (client.Object, error) {
	return autoscaler(key, f).WorkloadAutoscaler()
}

func learningAutoscaler(key client.ObjectKey, f fleet) (client.Object, error) {
	out, err := autoscaler(key, f).WorkloadAutoscaler()
	if err == nil {
		out.Spec.Learn = &v1alpha1.Learn{}
	}
	return out, err
}

// fourWeeks returns what makes the history of an object: four weeks of a workload
// that has between one and eight pods, a look every minute.
func fourWeeks(f fleet) (func(client.Object) client.Object, error) {
	made, err := learningAutoscaler(f.key(0), f)
	if err != nil {
		return nil, err
	}
	spec := made.(*v1alpha1.WorkloadAutoscaler).Spec
	compiled, err := policy.Compile(spec, v1alpha1.AdminSettings{})
	if err != nil {
		return nil, err
	}
	plan, _ := learner.PlanOf(spec, compiled)
	l, err := learner.New(plan)
	if err != nil {
		return nil, err
	}
	now, chance := time.Now().Truncate(time.Minute), rand.New(rand.NewPCG(1, 2))
	for at := now.Add(-4 * 7 * 24 * time.Hour); at.Before(now); at = at.Add(time.Minute) {
		l.Learn(seen(at, 1+at.Hour()/5+chance.IntN(4), scale.Amount(80+chance.IntN(50))), nil)
	}
	text := l.History.Encode()
	return func(of client.Object) client.Object {
		return &v1alpha1.WorkloadHistory{
			ObjectMeta: metav1.ObjectMeta{
				Namespace: of.GetNamespace(), Name: of.GetName(), OwnerReferences: []metav1.OwnerReference{of.(*v1alpha1.WorkloadAutoscaler).OwnerReference()},
			},
			History: text, UpdatedAt: metav1.NewTime(now),
		}
	}, nil
}

// seen is a workload with so many pods that use so much.
func seen(at time.Time, pods int, cpu scale.Amount) *scale.Observation {
	requests := scale.Resources{}.With(scale.CPU, 200).With(scale.Memory, 128<<20*1000)
	out := &scale.Observation{At: at, Target: scale.Target{SpecReplicas: int32(pods), StatusReplicas: int32(pods),
		Containers: []scale.Container{{Name: "app", Requests: requests}}}}
	for i := range pods {
		out.Pods = append(out.Pods, scale.Pod{
			Name: fmt.Sprint("web-", i), Phase: scale.Running, Ready: scale.Ready, ReadyChangedAt: at.Add(-time.Hour), StartedAt: at.Add(-time.Hour),
			UsageAt: at, UsageWindow: 15 * time.Second,
			Containers: []scale.PodContainer{{Name: "app", Requests: requests,
				Usage: scale.Resources{}.With(scale.CPU, cpu).With(scale.Memory, 64<<20*1000)}},
		})
	}
	return out
}

const configuration = `apiVersion: config.tidemark.dev/v1alpha1
kind: ControllerConfig
leaderElection: {enabled: %t, namespace: ` + live.Namespace + `}
metrics: {address: "127.0.0.1:%d", authenticate: false}
health: {address: "0"}
pprof: {enabled: %t, port: %d}
%s
`

// startTidemark runs our controller under its own rights, or that of each shard.
func startTidemark(p *plane, s side, profiled bool) (programs, error) {
	if s.shards == 0 {
		one, err := p.tidemark("tidemark", s, false, profiled)
		return programs{one}, err
	}
	var all programs
	for i := range s.shards {
		one, err := p.tidemark(fmt.Sprint("shard-", i), s, false, profiled && i == 0, "--shard", fmt.Sprintf("%d/%d", i, s.shards))
		if err != nil {
			all.end(p)
			return nil, err
		}
		all = append(all, one)
	}
	return all, nil
}

// tidemark runs one controller.
func (p *plane) tidemark(name string, s side, elects, profiled bool, flags ...string) (*program, error) {
	kubeconfig := filepath.Join(p.folder, name+".kubeconfig")
	if err := p.credentials(kubeconfig, live.Namespace, live.Account); err != nil {
		return nil, err
	}
	ports, err := live.FreePorts(2)
	if err != nil {
		return nil, err
	}
	settings := filepath.Join(p.folder, name+".yaml")
	if err := os.WriteFile(settings, fmt.Appendf(nil, configuration, elects, ports[0], profiled, ports[1], s.settings), 0o600); err != nil {
		return nil, err
	}
	out, err := p.launch(name+".log", tidemarkBinary, append([]string{"tidemark", "controller", "--config", settings, "--kubeconfig", kubeconfig}, flags...)...)
	if err != nil {
		return nil, err
	}
	out.metrics = fmt.Sprintf("http://127.0.0.1:%d/metrics", ports[0])
	if profiled {
		out.pprof = fmt.Sprintf("http://127.0.0.1:%d", ports[1])
	}
	return out, nil
}

// failOver kills a leader that has a replica that stands by, and measures how long it
// takes until the first and until the last object is looked at again.
func (m *measurement) failOver(ctx context.Context) error {
	s := tidemarkSide("Tidemark, after the death of a leader")
	if err := m.own(ctx, s, m.fleet); err != nil {
		return err
	}
	first, err := m.tidemark("first", s, true, false)
	if err != nil {
		return err
	}
	defer m.end(first)
	if _, err := m.warm(ctx, s, programs{first}, time.Now()); err != nil {
		return fmt.Errorf("%w\n%s", err, first.tail())
	}
	second, err := m.tidemark("second", s, true, false)
	if err != nil {
		return err
	}
	defer m.end(second)
	if err := sleep(ctx, settle*period); err != nil { // its caches fill
		return err
	}
	m.say("Killing the leader.")
	killed := time.Now()
	if err := first.cmd.Process.Kill(); err != nil {
		return err
	}
	took, err := programs{second}.looked(ctx, s, m.fleet.objects, killed)
	if err != nil {
		return fmt.Errorf("%w\n%s", err, second.tail())
	}
	m.results = append(m.results, result{Objects: m.fleet.objects, PodsEach: m.fleet.pods, PerNamespace: m.fleet.perNamespace, Side: s.name,
		First: took.first.Seconds(), All: took.all.Seconds()})
	return nil
}
