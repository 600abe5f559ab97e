package checker

import (
	"encoding/json"
	"fmt"
	"testing"
	"time"

	"sigs.k8s.io/yaml"

	"github.com/tidemark/tidemark/internal/record"
)

// TestGapOfPods: half of the pods have to be measured. A pod that has just begun to run
// need not be, but counts where it is.
func TestGapOfPods(t *testing.T) {
	at, ready := time.Date(2026, 1, 5, 10, 0, 0, 0, time.UTC), true
	pod := func(age time.Duration, cpu record.Reading) record.Pod {
		return record.Pod{
			Phase: "Running", Ready: &ready, StartedAt: at.Add(-age), UsageAt: at,
			Containers: []record.PodContainer{{Name: "app", Usage: record.Usage{CPU: cpu}}},
		}
	}
	old, young := time.Hour, grown-time.Second
	for _, tc := range []struct {
		name string
		pods []record.Pod
		gap  bool
	}{
		{"half of them", []record.Pod{pod(old, "1m"), pod(old, "")}, false},
		{"less than half", []record.Pod{pod(old, "1m"), pod(old, ""), pod(old, "")}, true},
		{"one that is young and unknown", []record.Pod{pod(old, "1m"), pod(old, ""), pod(young, "")}, false},
		{"half with one that is young", []record.Pod{pod(old, ""), pod(young, "1m")}, false},
		{"no number", []record.Pod{pod(old, "NaN")}, true},
		{"less than nothing", []record.Pod{pod(old, "-1m")}, true},
	} {
		t.Run(tc.name, func(t *testing.T) {
			obs := seen{&record.Observation{At: at, Pods: tc.pods}, staleAfter}
			if got := obs.gapOfPods(obs.usageOf("cpu", "")); (got != "") != tc.gap {
				t.Errorf("got %q, want a gap: %t", got, tc.gap)
			}
		})
	}
}

// TestGapIn: what is missing or worthless, kind by kind.
func TestGapIn(t *testing.T) {
	const (
		external = `{type: External, external: {metric: {name: load}, target: {averageValue: 10}}}`
		object   = `{type: Object, object: {describedObject: {kind: Ingress, name: web}, metric: {name: load}, target: {averageValue: 10}}}`
		perPod   = `{type: Pods, pods: {metric: {name: load}, target: {averageValue: 10}}}`
		memory   = `{type: Resource, resource: {name: memory, target: {averageValue: 10}}}`
		sidecar  = `{type: ContainerResource, containerResource: {name: cpu, container: sidecar, target: {averageUtilization: 50}}}`
	)
	one := func(m string) string { return "metrics: [" + m + "]" }
	pods := func(usage string) string {
		return `pods: [{name: a, phase: Running, ready: true, startedAt: "2026-01-05T09:00:00Z", containers: [{name: app, usage: {cpu: 1m}}, ` + usage + `]}]`
	}
	for _, tc := range []struct {
		name, metric, observed string
		gap                    bool
	}{
		{"a value", external, one(`{value: "20"}`), false},
		{"a series", external, one(`{series: ["20", "30m"]}`), false},
		{"nothing", external, one(`{}`), true},
		{"an error", external, one(`{error: down}`), true},
		{"not asked for", external, one(``), true},
		{"no number", external, one(`{value: NaN}`), true},
		{"without end", external, one(`{value: "+Inf"}`), true},
		{"negative", external, one(`{value: "-5"}`), true},
		{"negative with a unit", external, one(`{series: ["20", "-5m"]}`), true},
		{"as old as may be", external, one(`{value: "20", at: "2026-01-05T09:55:00Z"}`), false},
		{"too old", external, one(`{value: "20", at: "2026-01-05T09:54:55Z"}`), true},
		{"a little ahead", external, one(`{value: "20", at: "2026-01-05T10:00:30Z"}`), false},
		{"of tomorrow", external, one(`{value: "20", at: "2026-01-05T10:00:35Z"}`), true},
		{"of an object", object, one(`{value: "20"}`), false},
		{"nothing of an object", object, one(`{error: down}`), true},
		{"of each pod", perPod, pods("{name: b}") + ", " + one(`{samples: {a: "20"}}`), false},
		{"of no pod", perPod, pods("{name: b}") + ", " + one(`{samples: {}}`), true},
		{"of each pod, and too old", perPod, pods("{name: b}") + ", " + one(`{samples: {a: "20"}, at: "2026-01-05T09:50:00Z"}`), true},
		{"memory", memory, pods("{name: b, usage: {memory: 1Mi}}"), false},
		{"cpu in place of memory", memory, pods("{name: b}"), true},
		{"the container", sidecar, pods("{name: sidecar, usage: {cpu: 1m}}"), false},
		{"the other container", sidecar, pods("{name: sidecar}"), true},
		{"one that may be ignored", external[:len(external)-1] + ", onMissing: Ignore}", one(`{error: down}`), false},
	} {
		t.Run(tc.name, func(t *testing.T) {
			text := fmt.Sprintf(`{spec: {metrics: [%s]}, observation: {at: "2026-01-05T10:00:00Z", %s}}`, tc.metric, tc.observed)
			document, err := yaml.YAMLToJSON([]byte(text))
			if err != nil {
				t.Fatal(err)
			}
			if got := gapIn(document); (got != "") != tc.gap {
				t.Errorf("got %q, want a gap: %t", got, tc.gap)
			}
		})
	}
	if gapIn(json.RawMessage(`{"spec": {"behavior": {"staleAfterSeconds": 60}, "metrics": [{"external": {}}]},
		"observation": {"at": "2026-01-05T10:00:00Z", "metrics": [{"value": "1", "at": "2026-01-05T09:58:00Z"}]}}`)) == "" {
		t.Error("what the object says of age does not count")
	}
}
