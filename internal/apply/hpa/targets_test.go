package hpa_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tidemark/tidemark/internal/apply"
	"github.com/tidemark/tidemark/internal/apply/hpa"
	"github.com/tidemark/tidemark/scale"
)

var (
	appCPU            = scale.LearnedTarget{Container: "app", Resource: scale.CPU, Percent: 65}
	appMemory         = scale.LearnedTarget{Container: "app", Resource: scale.Memory, Percent: 75}
	memoryAppCPU      = scale.LearnedTarget{Container: "memory-app", Resource: scale.CPU, Percent: 85}
	utilizationChange = []apply.Change{{Path: "spec.metrics[0].containerResource.target.averageUtilization", From: "70", To: "65"}}
	valueChange       = []apply.Change{{Path: "spec.metrics[0].external.target.value", From: "70", To: "65"}}
)

// cpuPrefix is the annotation that makes load-app a metric of container app.
const cpuPrefix = `autoscaling.tidemark.dev/container-based-cpu-metric-prefix: load-`

// targetCases have one metric in each HPA, and say what it becomes and which
// targets are told to be missing. A metric that stays as it is is given once.
var targetCases = map[string]struct {
	annotations string
	metric      string
	targets     []scale.LearnedTarget
	wantMetric  string
	wantChanges []apply.Change
	wantMissing []scale.LearnedTarget
}{
	"a container's utilization is set": {
		metric:      `{type: ContainerResource, containerResource: {name: cpu, container: app, target: {type: Utilization, averageUtilization: 70}}}`,
		targets:     []scale.LearnedTarget{appCPU},
		wantMetric:  `{type: ContainerResource, containerResource: {name: cpu, container: app, target: {type: Utilization, averageUtilization: 65}}}`,
		wantChanges: utilizationChange,
	},
	"the smallest of several percentages for the same counts": {
		metric:      `{type: ContainerResource, containerResource: {name: cpu, container: app, target: {type: Utilization, averageUtilization: 70}}}`,
		targets:     []scale.LearnedTarget{{Container: "app", Percent: 80}, appCPU, {Container: "app", Percent: 90}},
		wantMetric:  `{type: ContainerResource, containerResource: {name: cpu, container: app, target: {type: Utilization, averageUtilization: 65}}}`,
		wantChanges: utilizationChange,
	},
	"another resource of the container is left alone": {
		metric:      `{type: ContainerResource, containerResource: {name: memory, container: app, target: {type: Utilization, averageUtilization: 70}}}`,
		targets:     []scale.LearnedTarget{appCPU},
		wantMissing: []scale.LearnedTarget{appCPU},
	},
	"another container is left alone": {
		metric:      `{type: ContainerResource, containerResource: {name: cpu, container: sidecar, target: {type: Utilization, averageUtilization: 70}}}`,
		targets:     []scale.LearnedTarget{appCPU},
		wantMissing: []scale.LearnedTarget{appCPU},
	},
	"an average amount is not a percentage": {
		metric:      `{type: ContainerResource, containerResource: {name: cpu, container: app, target: {type: AverageValue, averageValue: 700m}}}`,
		targets:     []scale.LearnedTarget{appCPU},
		wantMissing: []scale.LearnedTarget{appCPU},
	},
	"a target without an opinion changes nothing and is not missing": {
		metric:  `{type: ContainerResource, containerResource: {name: cpu, container: app, target: {type: Utilization, averageUtilization: 70}}}`,
		targets: []scale.LearnedTarget{{Container: "app"}, {Container: "gone", Percent: -3}},
	},
	"the utilization of whole pods is neither removed nor touched": {
		metric:      `{type: Resource, resource: {name: cpu, target: {type: Utilization, averageUtilization: 70}}}`,
		targets:     []scale.LearnedTarget{appCPU},
		wantMissing: []scale.LearnedTarget{appCPU},
	},
	"an External metric with a prefix and the container's name is set": {
		annotations: cpuPrefix,
		metric:      `{type: External, external: {metric: {name: load-app, selector: {matchLabels: {a: b}}}, target: {type: Value, value: 70}}}`,
		targets:     []scale.LearnedTarget{appCPU},
		wantMetric:  `{type: External, external: {metric: {name: load-app, selector: {matchLabels: {a: b}}}, target: {type: Value, value: 65}}}`,
		wantChanges: valueChange,
	},
	"a prefix for one resource says nothing of the other": {
		annotations: cpuPrefix,
		metric:      `{type: External, external: {metric: {name: load-app}, target: {type: Value, value: 70}}}`,
		targets:     []scale.LearnedTarget{appMemory},
		wantMissing: []scale.LearnedTarget{appMemory},
	},
	"a name that only begins like a target's is another metric": {
		annotations: cpuPrefix,
		metric:      `{type: External, external: {metric: {name: load-app-2}, target: {type: Value, value: 70}}}`,
		targets:     []scale.LearnedTarget{appCPU},
		wantMissing: []scale.LearnedTarget{appCPU},
	},
	"an External metric is nothing special without the annotation": {
		metric:      `{type: External, external: {metric: {name: load-app}, target: {type: Value, value: 70}}}`,
		targets:     []scale.LearnedTarget{appCPU},
		wantMissing: []scale.LearnedTarget{appCPU},
	},
	"an empty prefix is no prefix": {
		annotations: `autoscaling.tidemark.dev/container-based-cpu-metric-prefix: ""`,
		metric:      `{type: External, external: {metric: {name: app}, target: {type: Value, value: 70}}}`,
		targets:     []scale.LearnedTarget{appCPU},
		wantMissing: []scale.LearnedTarget{appCPU},
	},
	"an External average per pod is not a percentage": {
		annotations: cpuPrefix,
		metric:      `{type: External, external: {metric: {name: load-app}, target: {type: AverageValue, averageValue: 70}}}`,
		targets:     []scale.LearnedTarget{appCPU},
		wantMissing: []scale.LearnedTarget{appCPU},
	},
	"an External value below 1 is a share and not a percentage": {
		annotations: cpuPrefix,
		metric:      `{type: External, external: {metric: {name: load-app}, target: {type: Value, value: 700m}}}`,
		targets:     []scale.LearnedTarget{appCPU},
		wantMissing: []scale.LearnedTarget{appCPU},
	},
	"one prefix for both resources leaves a metric of two targets alone": {
		annotations: cpuPrefix + `, tortoises.autoscaling.mercari.com/container-based-memory-metric-prefix: load-`,
		metric:      `{type: External, external: {metric: {name: load-app}, target: {type: Value, value: 70}}}`,
		targets:     []scale.LearnedTarget{appCPU, appMemory},
		wantMissing: []scale.LearnedTarget{appCPU, appMemory},
	},
	"a prefix that is the beginning of another leaves a metric of two targets alone": {
		annotations: cpuPrefix + `, autoscaling.tidemark.dev/container-based-memory-metric-prefix: load-memory-`,
		metric:      `{type: External, external: {metric: {name: load-memory-app}, target: {type: Value, value: 70}}}`,
		targets:     []scale.LearnedTarget{memoryAppCPU, appMemory},
		wantMissing: []scale.LearnedTarget{memoryAppCPU, appMemory},
	},
	"the same prefix in both annotations is one target": {
		annotations: cpuPrefix + `, tortoises.autoscaling.mercari.com/container-based-cpu-metric-prefix: load-`,
		metric:      `{type: External, external: {metric: {name: load-app}, target: {type: Value, value: 70}}}`,
		targets:     []scale.LearnedTarget{appCPU},
		wantMetric:  `{type: External, external: {metric: {name: load-app}, target: {type: Value, value: 65}}}`,
		wantChanges: valueChange,
	},
}

func TestTargets(t *testing.T) {
	for name, tc := range targetCases {
		t.Run(name, func(t *testing.T) {
			manifest := func(metric string) string {
				return `{metadata: {annotations: {` + tc.annotations + `}}, spec: {minReplicas: 2, maxReplicas: 9, metrics: [` + metric + `]}}`
			}
			if tc.wantMetric == "" {
				tc.wantMetric = tc.metric
			}
			tuning := scale.Tuning{Min: new(int32(2)), Max: new(int32(9)), Targets: tc.targets}
			got, changes := hpa.Tune(read(t, manifest(tc.metric)), tuning)
			if diff := cmp.Diff(read(t, manifest(tc.wantMetric)), got); diff != "" {
				t.Errorf("the tuned HPA (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(tc.wantChanges, changes); diff != "" {
				t.Errorf("changes (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(tc.wantMissing, hpa.Missing(read(t, manifest(tc.metric)), tuning)); diff != "" {
				t.Errorf("missing targets (-want +got):\n%s", diff)
			}
		})
	}
}
