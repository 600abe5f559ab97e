package engine_test

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
	"sigs.k8s.io/yaml"

	"github.com/tidemark/tidemark/api/v1alpha1"
	"github.com/tidemark/tidemark/engine"
	"github.com/tidemark/tidemark/internal/checks/draw"
	"github.com/tidemark/tidemark/policy"
	"github.com/tidemark/tidemark/scale"
)

// TestTheMemoryOfACallerIsNotChanged: stages share the lists of the memory they
// are given and of each other. Whoever holds the memory of an earlier decision
// still holds the same after a later one, and gets the same from it again.
func TestTheMemoryOfACallerIsNotChanged(t *testing.T) {
	for name, text := range map[string]string{
		"intervals": `{replicas: {max: 9}, intervals: {ranges: [{maxReplicas: 2, maxResources: {cpu: 500m}}, {maxReplicas: 9, maxResources: {cpu: "2"}}]},
			metrics: [{type: Resource, resource: {name: cpu, target: {type: Utilization, averageUtilization: 50}}}]}`,
		"right sizes": `{replicas: {min: 2, max: 9}, containers: [{name: app, cpu: {scaling: Horizontal}, memory: {scaling: Vertical}}],
			metrics: [{type: Resource, resource: {name: cpu, target: {type: Utilization, averageUtilization: 50}}}]}`,
		"resizes in place": `{replicas: {max: 9}, learn: {headroom: {resize: {usual: 500m}}}, metrics: [{type: Resource, resource: {name: cpu}}]}`,
		"learned targets": `{replicas: {max: 9}, learn: {targets: true},
			metrics: [{type: Resource, resource: {name: cpu, target: {type: Utilization, averageUtilization: 50}}}]}`,
	} {
		t.Run(name, func(t *testing.T) {
			var spec v1alpha1.WorkloadAutoscalerSpec
			if err := yaml.UnmarshalStrict([]byte(text), &spec); err != nil {
				t.Fatal(err)
			}
			p, err := policy.Compile(spec, v1alpha1.AdminSettings{})
			if err != nil {
				t.Fatal(err)
			}
			draw.Check(t, func(t *rapid.T) { followed(t, p) })
		})
	}
}

// followed makes decisions, each twice, and follows them.
func followed(t *rapid.T, p engine.Policy) {
	written := func(m engine.Memory) string {
		text, err := json.Marshal(m)
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	at, memory := noon, engine.Memory{}
	size := scale.Size{Replicas: 3, Containers: []scale.Container{{Name: "app", Requests: amountsOf("1", "1Gi")}}}
	for range rapid.IntRange(1, 20).Draw(t, "decisions") {
		// Now and then the clock is set back.
		at = at.Add(time.Duration(rapid.IntRange(-10, 60).Draw(t, "pause")) * time.Second)
		pods := make([]scale.Pod, size.Replicas)
		for i := range pods {
			usage := size.Containers[0].Requests.With(scale.CPU, scale.Amount(rapid.IntRange(0, 2000).Draw(t, "usage")))
			pods[i] = scale.Pod{Ready: scale.Ready, Containers: []scale.PodContainer{{Name: "app", Requests: size.Containers[0].Requests, Usage: usage}}}
		}
		obs := scale.Observation{
			At: at, Target: scale.Target{SpecReplicas: size.Replicas, StatusReplicas: size.Replicas, Containers: size.Containers}, Pods: pods,
			Recommended: []scale.Recommendation{{Container: "app", PerPod: amountsOf("900m", "2Gi")}},
			Learned:     &scale.Learned{Headroom: []scale.LearnedHeadroom{{Headroom: scale.Amount(rapid.IntRange(0, 2000).Draw(t, "headroom")), Risk: 1}}},
		}
		before := written(memory)
		d, next := engine.Decide(p, obs, memory)
		if diff := cmp.Diff(before, written(memory)); diff != "" {
			t.Fatalf("the caller's memory was changed (-before +after):\n%s", diff)
		}
		after := written(next)
		if _, again := engine.Decide(p, obs, memory); after != written(again) || after != written(next) {
			t.Fatalf("another memory the second time (-first +second):\n%s", cmp.Diff(after, written(again)))
		}
		memory, size = next, d.Want
	}
}
