package record

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/tidemark/tidemark/engine"
	"github.com/tidemark/tidemark/fault"
	"github.com/tidemark/tidemark/scale"
)

var noon = time.Date(2026, 1, 5, 12, 0, 0, 0, time.UTC)

const (
	specCPU      = "spec: {replicas: {max: 9}, metrics: [{type: Resource, resource: {name: cpu, target: {averageUtilization: 50}}}]}\n"
	specPods     = "spec: {replicas: {max: 9}, metrics: [{type: Pods, pods: {metric: {name: rps}, target: {averageValue: 10}}}]}\n"
	specExternal = "spec: {replicas: {max: 9}, metrics: [{type: External, external: {metric: {name: queue}, target: {value: 100}}}]}\n"
	specScaler   = "spec: {replicas: {max: 9}, metrics: [{type: External, external: {metric: {name: queue}, grpc: {address: 'scaler:6000'}}}]}\n"
	seenAtNoon   = "observation:\n  at: 2026-01-05T12:00:00Z\n  target: {specReplicas: 3}\n"
)

// one decodes an input of one document.
func one(t *testing.T, text string) (Call, fault.List) {
	t.Helper()
	var results []Result
	for r := range Decode([]byte(text)) {
		results = append(results, r)
	}
	if len(results) != 1 || results[0].Number != 1 || results[0].Of != 1 {
		t.Fatalf("want one result, got %+v", results)
	}
	return results[0].Call, results[0].Faults
}

func requests(cpu, memory scale.Amount) scale.Resources {
	return scale.Resources{}.With(scale.CPU, cpu).With(scale.Memory, memory)
}

const mebi = 1024 * 1024 * scale.Thousand

func TestObservations(t *testing.T) {
	target := scale.Target{SpecReplicas: 3, StatusReplicas: 3}
	cases := map[string]struct {
		text string
		want scale.Observation
	}{
		"the least there can be": {specCPU + seenAtNoon, scale.Observation{At: noon, Target: target}},
		"the target": {
			specCPU + "observation: {at: 2026-01-05T13:00:00+01:00, target: {specReplicas: 3, statusReplicas: 4, containers: [{name: app, requests: " +
				"{cpu: 1, memory: 1Mi}, limits: {cpu: 1500m}}]}}",
			scale.Observation{At: noon, Target: scale.Target{SpecReplicas: 3, StatusReplicas: 4, Containers: []scale.Container{
				{Name: "app", Requests: requests(1000, mebi), Limits: scale.Resources{}.With(scale.CPU, 1500)},
			}}},
		},
		"no pods is not the same as pods not listed": {
			specCPU + seenAtNoon + "  pods: []", scale.Observation{At: noon, Target: target, Pods: []scale.Pod{}},
		},
		"a whole pod": {
			specCPU + seenAtNoon + `  pods: [{name: a, phase: Running, ready: false, readyChangedAt: 2026-01-05T11:59:00Z, startedAt: 2026-01-05T11:58:00Z,
      deleting: true, requests: {cpu: 2}, containers: [{name: app, requests: {cpu: 1}, usage: {cpu: 300m, memory: 2Mi}}], usageAt: 2026-01-05T11:59:30Z, usageWindow: 30s}]`,
			scale.Observation{At: noon, Target: target, Pods: []scale.Pod{{
				Name: "a", Ready: scale.NotReady, Deleting: true,
				ReadyChangedAt: noon.Add(-time.Minute), StartedAt: noon.Add(-2 * time.Minute),
				Requests: scale.Resources{}.With(scale.CPU, 2000),
				Containers: []scale.PodContainer{{
					Name: "app", Requests: scale.Resources{}.With(scale.CPU, 1000), Usage: requests(300, 2*mebi),
				}},
				UsageAt: noon.Add(-30 * time.Second), UsageWindow: 30 * time.Second,
			}}},
		},
		"a pod is ready when it runs and nobody says otherwise": {
			specCPU + seenAtNoon + "  pods: [{}, {phase: Pending}, {phase: Succeeded}, {phase: Failed}, {phase: Unknown}, {phase: Unknown, ready: true}]",
			scale.Observation{At: noon, Target: target, Pods: []scale.Pod{
				{Phase: scale.Running, Ready: scale.Ready}, {Phase: scale.Pending}, {Phase: scale.Succeeded},
				{Phase: scale.Failed}, {Phase: scale.UnknownPhase}, {Phase: scale.UnknownPhase, Ready: scale.Ready},
			}},
		},
		"usage that cannot be used is unknown, zero is not": {
			specCPU + seenAtNoon + "  pods: [{containers: [{name: a, usage: {cpu: NaN, memory: 1e18}}, {name: b, usage: {cpu: 0, memory: .inf}}]}]",
			scale.Observation{At: noon, Target: target, Pods: []scale.Pod{{Ready: scale.Ready, Containers: []scale.PodContainer{
				{Name: "a", Usage: scale.Resources{}.WithUnusable(scale.CPU).WithUnusable(scale.Memory)},
				{Name: "b", Usage: scale.Resources{}.With(scale.CPU, 0).WithUnusable(scale.Memory)},
			}}}},
		},
		"samples are joined to the pods by name": {
			specPods + seenAtNoon + "  pods: [{name: b}, {name: a}, {name: c}, {name: d}]\n  metrics: [{samples: {a: 1, b: 2, c: NaN, z: 7, y: 6, x: " +
				"NaN}, at: 2026-01-05T11:59:00Z}]",
			scale.Observation{At: noon, Target: target,
				Pods: []scale.Pod{{Name: "b", Ready: scale.Ready}, {Name: "a", Ready: scale.Ready}, {Name: "c", Ready: scale.Ready}, {Name: "d", Ready: scale.Ready}},
				Samples: []scale.Sample{{
					At:        noon.Add(-time.Minute),
					PerPod:    []scale.PodValue{{Value: 2000, Known: true}, {Value: 1000, Known: true}, {Unusable: true}, {}},
					Strangers: []scale.Amount{6000, 7000}, // by name: y, z
				}},
			},
		},
		"samples of pods that were not listed": {
			specPods + seenAtNoon + "  metrics: [{samples: {b: 2, a: 1, c: .nan}}]",
			scale.Observation{At: noon, Target: target, Samples: []scale.Sample{{
				PerPod: []scale.PodValue{{Value: 1000, Known: true}, {Value: 2000, Known: true}, {Unusable: true}},
			}}},
		},
		"a value": {
			specExternal + seenAtNoon + "  metrics: [{value: 400m, at: 2026-01-05T11:59:00Z}]",
			scale.Observation{At: noon, Target: target, Samples: []scale.Sample{{At: noon.Add(-time.Minute), Series: []scale.Amount{400}}}},
		},
		"a value with the target of its source": {
			specScaler + seenAtNoon + "  metrics: [{value: 75, target: 30, active: true}]",
			scale.Observation{At: noon, Target: target, Samples: []scale.Sample{{Series: []scale.Amount{75_000}, Target: 30_000, Activity: scale.Active}}},
		},
		"a target that is not a number": {
			specScaler + seenAtNoon + "  metrics: [{value: 75, target: .nan, active: false}]",
			scale.Observation{At: noon, Target: target, Samples: []scale.Sample{{
				Series: []scale.Amount{75_000}, Activity: scale.Inactive, Problem: "the source's target is unusable: NaN is not a finite number",
			}}},
		},
		"a negative value is for the engine to judge": {
			specExternal + seenAtNoon + "  metrics: [{value: -1}]",
			scale.Observation{At: noon, Target: target, Samples: []scale.Sample{{Series: []scale.Amount{-1000}}}},
		},
		"an empty series is no sample": {
			specExternal + seenAtNoon + "  metrics: [{series: []}]",
			scale.Observation{At: noon, Target: target, Samples: []scale.Sample{{Series: []scale.Amount{}}}},
		},
		"a source's error": {
			specExternal + seenAtNoon + "  metrics: [{error: no data}]",
			scale.Observation{At: noon, Target: target, Samples: []scale.Sample{{Problem: "no data"}}},
		},
		"a value that is not a number is missing, and said so": {
			specExternal + seenAtNoon + "  metrics: [{value: .nan}]",
			scale.Observation{At: noon, Target: target, Samples: []scale.Sample{{Problem: "the source's value is unusable: NaN is not a finite number"}}},
		},
		"one unusable value spoils the sum, and it is said": {
			specExternal + seenAtNoon + "  metrics: [{series: [1, 1e30, 3]}]",
			scale.Observation{At: noon, Target: target, Samples: []scale.Sample{{
				Problem: "value 2 of the source's 3 is unusable: 1e30 is out of range: the largest quantity is about 9.2e15"}}},
		},
		"what is observed goes before what the spec requested": {
			"spec: {replicas: {max: 9, requested: 5}}\n" + seenAtNoon + "  recommendations: {replicas: 6}",
			scale.Observation{At: noon, Target: target, Requested: new(int32(6))},
		},
		"bounds of a recommendation have no effect": {
			"spec: {replicas: {max: 9}}\n" + seenAtNoon + "  recommendations: {containers: [{name: app, target: {cpu: 500m}, lowerBound: {cpu: 600m}, upperBound: {cpu: 400m}}]}",
			scale.Observation{At: noon, Target: target, Recommended: []scale.Recommendation{{Container: "app", PerPod: scale.Resources{}.With(scale.CPU, 500)}}},
		},
		"why nothing is recommended": {
			"spec: {replicas: {max: 9}}\n" + seenAtNoon + "  recommendations: {error: no answer}",
			scale.Observation{At: noon, Target: target, Unrecommended: "no answer"},
		},
		"the room of the nodes": {
			specCPU + seenAtNoon + "  room: {share: 0.25, at: 2026-01-05T11:59:40Z}",
			scale.Observation{At: noon, Target: target, Room: &scale.Room{Share: 250, At: noon.Add(-20 * time.Second)}},
		},
		"the room of now": {
			specCPU + seenAtNoon + "  room: {share: 250m}", scale.Observation{At: noon, Target: target, Room: &scale.Room{Share: 250, At: noon}},
		},
		"what there is for the pods": {
			specCPU + seenAtNoon + "  capacity: {quota: {pods: 3, cpu: 2500m, limits: {memory: 1Ki}}, largestNode: {cpu: 3920m}, " +
				"limitRange: {max: {cpu: 2}, min: {cpu: 100m}, podMax: {cpu: 4}}}",
			scale.Observation{At: noon, Target: target, Capacity: &scale.Capacity{
				Quota: scale.QuotaRoom{Pods: new(int32(3)), Requests: scale.Resources{}.With(scale.CPU, 2500), Limits: scale.Resources{}.With(scale.Memory, 1_024_000)},
				LimitRange: scale.AllowedRange{
					Max: scale.Resources{}.With(scale.CPU, 2000), Min: scale.Resources{}.With(scale.CPU, 100), PodMax: scale.Resources{}.With(scale.CPU, 4000),
				},
				LargestNode: scale.Resources{}.With(scale.CPU, 3920),
			}},
		},
		"what the spec requested": {
			"spec: {replicas: {max: 9, requested: 5}}\n" + seenAtNoon + "  recommendations: {}",
			scale.Observation{At: noon, Target: target, Requested: new(int32(5))},
		},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			call, faults := one(t, c.text)
			if len(faults) > 0 {
				t.Fatalf("unexpected faults: %v", faults)
			}
			call.Observation.At = call.Observation.At.UTC()
			if len(call.Observation.Samples) == 0 {
				call.Observation.Samples = nil // no entry is the same as no list
			}
			if diff := cmp.Diff(c.want, call.Observation, cmp.AllowUnexported(scale.Resources{})); diff != "" {
				t.Errorf("observation (-want +got):\n%s", diff)
			}
		})
	}
}

func TestDocumentsAreIndependent(t *testing.T) {
	text := specExternal + seenAtNoon + "---\nspec: [\n---\n" + specExternal + seenAtNoon + "  metrics: [{value: 1}, {value: 2}]\n---\n" +
		specExternal + seenAtNoon
	var got []string
	for r := range Decode([]byte(text)) {
		got = append(got, r.Faults.Error())
		if r.Of != 4 || r.Number != len(got) {
			t.Errorf("document %d of %d, want %d of 4", r.Number, r.Of, len(got))
		}
	}
	want := []string{
		"",
		"the document is not valid YAML: did not find expected node content (near line 6)",
		"observation.metrics[1]: belongs to no metric: there are 2 entries, and metrics in the spec: 1 (line 12)",
		"",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("faults by document (-want +got):\n%s", diff)
	}
}

func TestDecodingStopsWhenTheReaderDoes(t *testing.T) {
	for range Decode([]byte(strings.Repeat("{}\n", 3))) {
		break
	}
}

// TestMemoryRoundTrips decides twice and passes the memory on as text.
func TestMemoryRoundTrips(t *testing.T) {
	call, faults := one(t, specExternal+seenAtNoon+"  metrics: [{value: 200}]")
	if len(faults) > 0 {
		t.Fatal(faults)
	}
	answer := call.Decide()
	line, err := answer.Line()
	if err != nil {
		t.Fatal(err)
	}
	_, memory, ok := strings.Cut(strings.TrimSuffix(string(line), "}\n"), `"memory":`)
	if !ok {
		t.Fatalf("no memory in %s", line)
	}
	again, faults := one(t, specExternal+seenAtNoon+"memory: "+memory)
	if len(faults) > 0 {
		t.Fatal(faults)
	}
	if diff := cmp.Diff(answer.Memory, again.Memory); diff != "" {
		t.Errorf("memory (-want +got):\n%s", diff)
	}
	if cmp.Equal(answer.Memory, engine.Memory{}) {
		t.Error("the first decision left nothing to remember")
	}
}
