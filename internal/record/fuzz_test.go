package record

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/tidemark/tidemark/engine/limit"
)

// FuzzDecode states what holds for any input: it is refused with faults, each
// of one line, or it makes a decision that stays within the spec's bounds,
// leads to the same bytes each time and leaves a memory that can be read.
func FuzzDecode(f *testing.F) {
	for _, text := range []string{
		specCPU + seenAtNoon + "  pods: [{name: a, containers: [{name: x, requests: {cpu: 1}, usage: {cpu: 2}}]}, {phase: Pending}]",
		specPods + seenAtNoon + "  metrics: [{samples: {a: 30, b: NaN, c: -1}}]",
		specPods + seenAtNoon + "  pods: [{name: a, deleting: true}, {name: b}]\n  metrics: [{samples: {a: 30, b: 40, c: 9e15}}]",
		specExternal + seenAtNoon + "  metrics: [{series: [1, 2, 9e15, 9e15]}]",
		specExternal + seenAtNoon + "  metrics: [{value: 0}]\n  recommendations: {replicas: 2147483647}",
		strings.Replace(specExternal, "spec: {", "spec: {mode: Recommend, compatibility: HPA, ", 1) + seenAtNoon + "  metrics: [{value: 1e15}]",
		"spec: {replicas: {min: 0, max: 2147483647, step: 7}, metrics: [{type: External, external: {metric: {name: q}, watermarks: {low: 1m, high: 9e12}}}], " +
			"behavior: {converge: LowWatermark, scaleUp: {tolerance: 0, limitPercent: 50, delaySeconds: 60, forbiddenWindowSeconds: 30}, scaleDown: {selectPolicy: Disabled}}}\n" +
			seenAtNoon + "  metrics: [{value: 5}]\nmemory: {seen: true, replicas: 9, lastEventAt: 2027-01-05T12:00:00Z, events: [{at: " +
			"2026-01-05T11:59:55Z, change: -2147483648}]}",
		specExternal + "admin: {paused: true}\n" + seenAtNoon + "---\n{}\n---\n" + specCPU + seenAtNoon,
	} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		for result := range Decode(data) {
			for _, fault := range result.Faults {
				if fault.Message == "" {
					t.Fatalf("a fault without words at %q", fault.Path)
				}
			}
			if len(result.Faults) == 0 {
				checkDecision(t, result.Call)
			}
		}
	})
}

func checkDecision(t *testing.T, call Call) {
	t.Helper()
	answer := call.Decide()
	line, err := answer.Line()
	if err != nil {
		t.Fatalf("the answer cannot be written: %v", err)
	}
	if again, _ := call.Decide().Line(); string(again) != string(line) {
		t.Fatalf("the same call, two answers:\n%s%s", line, again)
	}
	if !json.Valid(line) || strings.Count(string(line), "\n") != 1 {
		t.Fatalf("the answer is not one line of JSON: %q", line)
	}
	rules := &call.Policy.Limit
	// As upstream does, compatibility HPA leaves a workload alone that someone
	// else has put to sleep.
	asleep := rules.Upstream && call.Observation.Target.SpecReplicas == 0
	if want := answer.Decision.Want.Replicas; rules.Mode == limit.Auto && !rules.Paused && !asleep && (want < rules.Min || want > rules.Max) {
		t.Fatalf("want %d, outside %d..%d: %s", want, rules.Min, rules.Max, line)
	}
	if faults := memoryFaults(&answer.Memory); len(faults) > 0 {
		t.Fatalf("the memory would be refused: %v", faults)
	}
}
