package record

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestFaults(t *testing.T) {
	const seen = seenAtNoon
	cases := map[string]struct {
		text string
		want string
	}{
		"nothing":           {"", "the input is empty: write a document with spec and observation"},
		"an empty map":      {"{}", "spec.replicas.max: is required: state the largest number of pods that may ever run (line 1)\nobservation.at: is required: the moment of the observation, such as 2026-01-05T10:00:00Z (line 1)\nobservation.target.specReplicas: is required: how many replicas the workload asks for now (line 1)"},
		"a misspelled part": {specCPU + "observations: {}", "observations: unknown field, did you mean observation? (line 2)"},
		"a whole object":    {"kind: WorkloadAutoscaler\n" + specCPU + seen, "kind: unknown field: the fields here are spec, admin, observation, memory (line 1)"},

		"faults of spelling and of meaning, in parts that do not touch": {
			"spec: {replicas: {min: 5, max: 2}}\n" + seen + "  podz: []", "observation.podz: unknown field, did you mean pods? (line 5)\nspec.replicas.min: must not be above replicas.max: 5 > 2 (line 1)"},
		"an unknown field of the memory": {specCPU + seen + "memory: {evnets: []}", "memory.evnets: unknown field, did you mean events? (line 5)"},

		"no count":                          {specCPU + "observation: {at: 2026-01-05T12:00:00Z, target: {}}", "observation.target.specReplicas: is required: how many replicas the workload asks for now (line 2)"},
		"a negative count":                  {specCPU + "observation: {at: 2026-01-05T12:00:00Z, target: {specReplicas: -1, statusReplicas: -2}}", "observation.target.specReplicas: must not be negative, got -1 (line 2)\nobservation.target.statusReplicas: must not be negative, got -2 (line 2)"},
		"a negative recommendation":         {specCPU + seen + "  recommendations: {replicas: -1}", "observation.recommendations.replicas: must not be negative, got -1 (line 5)"},
		"a pod's name given twice":          {specCPU + seen + "  pods: [{name: a}, {name: b},\n  {name: a}]", `observation.pods[2].name: "a" is the name of entry 0 already: names must differ (line 6)`},
		"a container's name twice":          {specCPU + "observation: {at: 2026-01-05T12:00:00Z, target: {specReplicas: 1, containers: [{name: a}, {name: a}]}}", `observation.target.containers[1].name: "a" is the name of entry 0 already: names must differ (line 2)`},
		"a container's name twice in a pod": {specCPU + seen + "  pods: [{name: a, containers: [{name: x}, {name: x}]}]", `observation.pods[0].containers[1].name: "x" is the name of entry 0 already: names must differ (line 5)`},
		"a container without a name":        {specCPU + "observation: {at: 2026-01-05T12:00:00Z, target: {specReplicas: 1, containers: [{}]}}", "observation.target.containers[0].name: is required: the answer calls the container by its name (line 2)"},
		"a phase nobody knows":              {specCPU + seen + "  pods: [{phase: running}]", `observation.pods[0].phase: must be one of Running, Pending, Succeeded, Failed, Unknown: got "running" (line 5)`},
		"a negative window":                 {specCPU + seen + "  pods: [{usageWindow: -30s}]", "observation.pods[0].usageWindow: must not be negative, got -30s (line 5)"},

		"garbage as usage":            {specCPU + seen + "  pods: [{containers: [{usage: {cpu: lots}}]}]", `observation.pods[0].containers[0].usage.cpu: "lots" is not a quantity: write a number with an optional suffix, such as 500m, 2, 1.5 or 4Gi (line 5)`},
		"a resource nobody measures":  {specCPU + seen + "  pods: [{requests: {storage: 1}}]", "observation.pods[0].requests.storage: unknown field: the fields here are cpu, memory (line 5)"},
		"a request that is no number": {specCPU + seen + "  pods: [{requests: {cpu: .nan}}]", `observation.pods[0].requests.cpu: "NaN" is not a finite number (line 5)`},
		"a request out of range":      {specCPU + seen + "  pods: [{requests: {cpu: 1e18}}]", `observation.pods[0].requests.cpu: "1e18" is out of range: the largest quantity is about 9.2e15 (line 5)`},
		"a negative request":          {specCPU + seen + "  pods: [{requests: {cpu: -1}}]", `observation.pods[0].requests.cpu: must not be negative, got -1 (line 5)`},

		"samples of an External metric":     {specExternal + seen + "  metrics: [{samples: {a: 1}}]", "observation.metrics[0].samples: does not belong to a metric of type External: give a value or a series (line 5)"},
		"a target of a metric with its own": {specExternal + seen + "  metrics: [{value: 1, target: 2}]", "observation.metrics[0].target: belongs to metrics whose source states it: those with external.grpc and neither target nor watermarks (line 5)"},
		"activity of a Pods metric":         {specPods + seen + "  metrics: [{active: true}]", "observation.metrics[0].active: does not belong to a metric of type Pods: give samples by the pods' names (line 5)"},
		"a value of a Pods metric":          {specPods + seen + "  metrics: [{value: 1}]", "observation.metrics[0].value: does not belong to a metric of type Pods: give samples by the pods' names (line 5)"},
		"answers of a Resource metric":      {specCPU + seen + "  metrics: [{series: [1], at: 2026-01-05T12:00:00Z}]", "observation.metrics[0].series: does not belong to a metric of type Resource: its samples are the usage of the pods (line 5)\nobservation.metrics[0].at: does not belong to a metric of type Resource: its samples are the usage of the pods (line 5)"},
		"a value and a series":              {specExternal + seen + "  metrics: [{value: 1, series: [1]}]", "observation.metrics[0]: has both value and series: keep one of them (line 5)"},
		"an error beside an answer":         {specExternal + seen + "  metrics: [{value: 1, error: x}]", "observation.metrics[0].error: stands beside an answer: keep one of them (line 5)"},
		"an empty value":                    {specExternal + seen + `  metrics: [{value: ""}]`, `observation.metrics[0].value: "" is not a quantity: write a number with an optional suffix, such as 500m, 2, 1.5 or 4Gi (line 5)`},

		"no share of room": {specCPU + seen + "  room: {}", "observation.room.share: is required: the room in relation to the requests, such as 0.25 (line 5)"},
		"less than no pods": {
			specCPU + seen + "  capacity: {quota: {pods: -1}}", "observation.capacity.quota.pods: must not be negative, got -1 (line 5)",
		},
		"a negative quota": {specCPU + seen + "  capacity: {quota: {cpu: -1}}", "observation.capacity.quota.cpu: must not be negative, got -1 (line 5)"},
		"an unknown part of capacity": {
			specCPU + seen + "  capacity: {largestPod: {}}", "observation.capacity.largestPod: unknown field, did you mean largestNode? (line 5)",
		},
		"a negative room": {specCPU + seen + "  room: {share: -1}", "observation.room.share: must not be negative, got -1 (line 5)"},
		"an unknown field beside a fault of meaning": {"spec: {foo: 1, replicas: {min: 5, max: 2}}\n" + seen, "spec.foo: unknown field (line 1)\nspec.replicas.min: must not be above replicas.max: 5 > 2 (line 1)"},
		"a misspelled field is not also missing":     {"spec: {replicas: {min: 1, mx: 2}}\n" + seen, "spec.replicas.mx: unknown field, did you mean max? (line 1)"},
		"learned bounds that contradict":             {specCPU + seen + "  learned: {minReplicas: 5, maxReplicas: 4}", "observation.learned.minReplicas: must not be above maxReplicas: 5 > 4 (line 5)"},
		"a recommendation for nobody":                {specCPU + seen + "  recommendations: {containers: [{target: {cpu: 1}}]}", "observation.recommendations.containers[0].name: is required: name the container the recommendation is for (line 5)"},
		"misspelled parts":                           {specCPU + seen + "  learned: {targets: {app: {gpus: 80}}}", "observation.learned.targets[\"app\"].gpus: unknown field: the fields here are cpu, memory (line 5)"},

		"a negative count in the memory": {specCPU + seen + "memory: {replicas: -1, highs: [{at: 2026-01-05T12:00:00Z, value: -2}]}", "memory.highs[0].value: must not be negative, got -2 (line 5)\nmemory.replicas: must not be negative, got -1 (line 5)"},
		"a memory too long": {specCPU + seen + "memory: {events: [" + strings.Repeat("{at: 2026-01-05T12:00:00Z, change: 1},", 2561) + "], lows: [" + strings.Repeat("{at: 2026-01-05T12:00:00Z, value: 1},", 2561) + "]}",
			"memory.lows: must have at most 2560 entries, got 2561 (line 5)\nmemory.events: must have at most 2560 entries, got 2561 (line 5)"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			_, faults := one(t, c.text)
			if diff := cmp.Diff(c.want, faults.Error()); diff != "" {
				t.Errorf("faults (-want +got):\n%s", diff)
			}
		})
	}
}

func TestFaultsOfMeaningAreBoundedToo(t *testing.T) {
	var text strings.Builder
	text.WriteString(specCPU + seenAtNoon + "  pods:\n")
	for range 5000 {
		fmt.Fprintln(&text, "  - {name: same}")
	}
	_, faults := one(t, text.String())
	if len(faults) != 101 || !strings.HasPrefix(faults[100].Message, "and 4899 more: fix these first") {
		t.Errorf("want 100 faults and how many more, got %d, the last %v", len(faults), faults[len(faults)-1])
	}
}
