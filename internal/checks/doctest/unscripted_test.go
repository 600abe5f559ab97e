package doctest

import (
	"fmt"
	"testing"
	"time"

	"github.com/tidemark/tidemark/api/v1alpha1"
	"github.com/tidemark/tidemark/engine"
	"github.com/tidemark/tidemark/explain"
	"github.com/tidemark/tidemark/internal/strict"
	"github.com/tidemark/tidemark/policy"
	"github.com/tidemark/tidemark/scale"
)

var noon = time.Date(2026, 1, 5, 12, 0, 0, 0, time.UTC)

// compile reads a spec as a script would.
func compile(t *testing.T, text string) engine.Policy {
	t.Helper()
	var spec v1alpha1.WorkloadAutoscalerSpec
	if faults := strict.Unmarshal([]byte(text), &spec); len(faults) > 0 {
		t.Fatal(faults)
	}
	p, err := policy.Compile(spec, v1alpha1.AdminSettings{})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// asHPA is the same spec with every deliberate difference off.
func asHPA(t *testing.T, text string) engine.Policy {
	t.Helper()
	return compile(t, "compatibility: HPA\n"+text)
}

// pod returns a pod that has been ready for an hour and requests one core. A
// negative usage means that it has no sample.
func pod(cpu scale.Amount) scale.Pod {
	p := scale.Pod{
		Ready: scale.Ready, StartedAt: noon.Add(-time.Hour), ReadyChangedAt: noon.Add(-time.Hour), UsageAt: noon,
		Containers: []scale.PodContainer{{Name: "app", Requests: scale.Resources{}.With(scale.CPU, 1000)}},
	}
	if cpu >= 0 {
		p.Containers[0].Usage = scale.Resources{}.With(scale.CPU, cpu)
	}
	return p
}

func pods(n int, cpu scale.Amount) []scale.Pod {
	out := make([]scale.Pod, n)
	for i := range out {
		out[i] = pod(cpu)
	}
	return out
}

// seen is an observation of so many replicas and these pods.
func seen(replicas int32, all ...[]scale.Pod) scale.Observation {
	o := scale.Observation{At: noon, Target: scale.Target{SpecReplicas: replicas, StatusReplicas: replicas}, Pods: []scale.Pod{}}
	for _, some := range all {
		o.Pods = append(o.Pods, some...)
	}
	for i := range o.Pods {
		o.Pods[i].Name = fmt.Sprintf("app-%d", i)
	}
	return o
}

// want checks a count and its reasons, as a row of a script does.
func want(t *testing.T, p engine.Policy, o scale.Observation, count int32, because string) {
	t.Helper()
	d, _ := engine.Decide(p, o, engine.Memory{})
	if d.Want.Replicas != count || explain.Because(d) != because {
		t.Errorf("want %d %s, got %s", count, because, explain.Text(d))
	}
}
