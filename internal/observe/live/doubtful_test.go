package live_test

import (
	"strings"
	"testing"

	"github.com/tidemark/tidemark/engine"
	"github.com/tidemark/tidemark/scale"
)

const (
	byUsage    = `metrics: [{type: Resource, resource: {name: cpu, target: {averageUtilization: 60}}}]`
	byPods     = `metrics: [{type: Pods, pods: {metric: {name: rps}, target: {averageValue: 10}}}]`
	byQueue    = `metrics: [{type: External, external: {metric: {name: queue}, target: {value: 10}}}]`
	podsPath   = "/apis/custom.metrics.k8s.io/v1beta2/namespaces/shop/pods/*/rps"
	queuePath  = "/apis/external.metrics.k8s.io/v1beta1/namespaces/shop/queue"
	timestamp  = `"timestamp":"2026-01-05T09:59:40Z",`
	usageList  = `{"kind":"PodMetricsList","apiVersion":"metrics.k8s.io/v1beta1","items":[`
	valueList  = `{"kind":"MetricValueList","apiVersion":"custom.metrics.k8s.io/v1beta2","items":[`
	seriesList = `{"kind":"ExternalMetricValueList","apiVersion":"external.metrics.k8s.io/v1beta1","items":[`
)

func usageOfPod(pod, at, cpu string) string {
	return `{"metadata":{"name":"` + pod + `"},` + at + `"window":"30s","containers":[{"name":"app","usage":{"cpu":"` + cpu + `"}}]}`
}

func valueOfPod(pod, at, value string) string {
	return `{"describedObject":{"kind":"Pod","name":"` + pod + `"},` + at + `"value":"` + value + `"}`
}

func list(head string, items ...string) string { return head + strings.Join(items, ",") + "]}" }

// TestDoubtfulSamplesScaleNothingDown: the target has three replicas and all that
// is said of its pods is that they are idle. Where that is in doubt the count
// stays; as an HPA it goes down, as upstream's does.
func TestDoubtfulSamplesScaleNothingDown(t *testing.T) {
	idleUsage, idleValue := usageOfPod("web-1-b", timestamp, "1m"), valueOfPod("web-1-b", timestamp, "0")
	for name, tt := range map[string]struct {
		spec, path, answer string
		// want is 0 where it must go down.
		want   int32
		reason scale.Reason
		words  string
	}{
		"usage, certain": {spec: byUsage, path: usagePath, answer: list(usageList, idleUsage, usageOfPod("web-1-a", timestamp, "1m"))},
		"usage of one pod twice, the same": {spec: byUsage, path: usagePath,
			answer: list(usageList, idleUsage, usageOfPod("web-1-a", timestamp, "1m"), usageOfPod("web-1-a", timestamp, "1m"))},
		"usage of one pod twice": {spec: byUsage, path: usagePath,
			answer: list(usageList, idleUsage, usageOfPod("web-1-a", timestamp, "600m"), usageOfPod("web-1-a", timestamp, "1m")),
			want:   3, reason: scale.NoData, words: "pod web-1-a that contradict each other"},
		"usage of one pod three times": {spec: byUsage, path: usagePath,
			answer: list(usageList, idleUsage, usageOfPod("web-1-a", timestamp, "600m"), usageOfPod("web-1-a", timestamp, "1m"), usageOfPod("web-1-a", timestamp, "1m")),
			want:   3, reason: scale.NoData, words: "contradict"},
		"usage of another workload's pod twice": {spec: byUsage, path: usagePath,
			answer: list(usageList, idleUsage, usageOfPod("web-1-a", timestamp, "1m"), usageOfPod("x", timestamp, "1"), usageOfPod("x", timestamp, "2"))},
		"usage without a time": {spec: byUsage, path: usagePath,
			answer: list(usageList, usageOfPod("web-1-b", "", "1m"), usageOfPod("web-1-a", "", "1m")), want: 3, reason: scale.NoData},
		"values, certain": {spec: byPods, path: podsPath, answer: list(valueList, idleValue, valueOfPod("web-1-a", timestamp, "0"))},
		"values of one pod twice": {spec: byPods, path: podsPath,
			answer: list(valueList, idleValue, valueOfPod("web-1-a", timestamp, "50"), valueOfPod("web-1-a", timestamp, "0")),
			want:   3, reason: scale.NoData, words: "pod web-1-a that contradict each other"},
		"values without a time": {spec: byPods, path: podsPath,
			answer: list(valueList, valueOfPod("web-1-b", "", "0"), valueOfPod("web-1-a", "", "0")), want: 3, reason: scale.NoData},
		"a series, certain":       {spec: byQueue, path: queuePath, answer: list(seriesList, `{"metricName":"queue",`+timestamp+`"value":"0"}`)},
		"a series without a time": {spec: byQueue, path: queuePath, answer: list(seriesList, `{"metricName":"queue","value":"0"}`), want: 3, reason: scale.NoData, words: "timestamp"},
		"one of two series without a time": {spec: byQueue, path: queuePath,
			answer: list(seriesList, `{"metricName":"queue",`+timestamp+`"value":"0"}`, `{"metricName":"queue","value":"0"}`), want: 3, reason: scale.NoData, words: "timestamp"},
		"as an HPA, usage of one pod twice": {spec: byUsage + "\ncompatibility: HPA", path: usagePath,
			answer: list(usageList, idleUsage, usageOfPod("web-1-a", timestamp, "600m"), usageOfPod("web-1-a", timestamp, "1m"))},
		"as an HPA, usage without a time": {spec: byUsage + "\ncompatibility: HPA", path: usagePath,
			answer: list(usageList, usageOfPod("web-1-b", "", "1m"), usageOfPod("web-1-a", "", "1m"))},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			w.changed[tt.path] = tt.answer
			spec := "replicas: {max: 10}\nbehavior: {scaleDown: {stabilizationWindowSeconds: 0}}\n" + tt.spec
			request, seen := w.question(spec), w.look(spec)
			got, _ := engine.Decide(request.Policy, seen.Observation, engine.Memory{})
			if tt.want == 0 {
				if got.Want.Replicas >= 3 {
					t.Errorf("want less than 3 replicas, got %d: %+v", got.Want.Replicas, got.Steps)
				}
				return
			}
			if got.Want.Replicas != tt.want || got.Reason != tt.reason || !strings.Contains(seen.Observation.Samples[0].Problem, tt.words) {
				t.Errorf("want %d, %s, %q; got %d, %s: %q", tt.want, tt.reason, tt.words, got.Want.Replicas, got.Reason, seen.Observation.Samples[0].Problem)
			}
		})
	}
}
