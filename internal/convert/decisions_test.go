package convert

import (
	"fmt"
	"testing"
	"time"

	"github.com/tidemark/tidemark/api/v1alpha1"
	"github.com/tidemark/tidemark/engine"
	"github.com/tidemark/tidemark/policy"
	"github.com/tidemark/tidemark/scale"
)

var noon = time.Date(2026, 1, 5, 12, 0, 0, 0, time.UTC)

// TestDecisionsStay compares what a converted HPA decides with what an HPA
// decides, worked out by hand, and with what the same object decides without
// compatibility. The target is 60 %, every pod requests one core.
func TestDecisionsStay(t *testing.T) {
	cases := map[string]struct {
		replicas       int
		cpu            scale.Amount
		want, improved int32
	}{
		"half more load is half more pods":                        {10, 900, 15, 15},
		"an HPA cuts 66.5 % to 66 %, which it tolerates":          {10, 665, 10, 12},
		"from two pods at most four":                              {2, 3000, 4, 4},
		"within the tolerance nothing happens":                    {10, 630, 10, 10},
		"the maximum holds":                                       {30, 1200, 40, 40},
		"what an HPA sees for the first time it does not shrink":  {10, 100, 10, 2},
		"below the minimum it grows at once, whatever the metric": {1, 600, 2, 2},
	}
	spec, _ := converted(t, `{apiVersion: autoscaling/v2, kind: HorizontalPodAutoscaler, spec: {`+target+`, minReplicas: 2, maxReplicas: 40,
  metrics: [{type: Resource, resource: {name: cpu, target: {type: Utilization, averageUtilization: 60}}}]}}`)
	plain := spec
	plain.Compatibility = ""
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			if got := decided(t, spec, c.replicas, c.cpu); got != c.want {
				t.Errorf("want %d as an HPA, got %d", c.want, got)
			}
			if got := decided(t, plain, c.replicas, c.cpu); got != c.improved {
				t.Errorf("want %d without compatibility, got %d", c.improved, got)
			}
		})
	}
}

// TestAnHvpaGrowsWhereItsCountCannot: all four pods there may be are full, so
// they grow, until they are as big as they may be.
func TestAnHvpaGrowsWhereItsCountCannot(t *testing.T) {
	spec, _ := converted(t, `{apiVersion: autoscaling.k8s.io/v1alpha1, kind: Hvpa, spec: {targetRef: {apiVersion: apps/v1, kind: Deployment, name: web},
  hpa: {deploy: true, template: {spec: {minReplicas: 1, maxReplicas: 4, metrics: [{type: Resource, resource: {name: cpu, targetAverageUtilization: 80}}]}}},
  vpa: {deploy: true, template: {spec: {resourcePolicy: {containerPolicies: [{containerName: app, maxAllowed: {cpu: "2"}}]}}}},
  weightBasedScalingIntervals: [{vpaWeight: 0, startReplicaCount: 1, lastReplicaCount: 3}, {vpaWeight: 100, startReplicaCount: 4, lastReplicaCount: 4}]}}`)
	for _, c := range []struct {
		replicas  int
		cpu       scale.Amount
		want      int32
		request   scale.Amount
		limitedBy scale.Reason
	}{
		{2, 1500, 4, 1000, ""},
		{4, 850, 4, 1000, ""},
		{4, 990, 4, 1250, scale.MaxReplicas},
		{4, 3000, 4, 2000, scale.MaxReplicas},
	} {
		t.Run(fmt.Sprintf("%+v", c), func(t *testing.T) {
			d := decision(t, spec, c.replicas, c.cpu)
			if got, _ := d.Want.Containers[0].Requests.Get(scale.CPU); d.Want.Replicas != c.want || got != c.request || d.LimitedBy != c.limitedBy {
				t.Errorf("%d pods at %s: want %d of %s, limited by %q; got %d of %s, limited by %q", c.replicas, c.cpu, c.want, c.request, c.limitedBy,
					d.Want.Replicas, got, d.LimitedBy)
			}
		})
	}
}

func decided(t *testing.T, spec v1alpha1.WorkloadAutoscalerSpec, replicas int, cpu scale.Amount) int32 {
	t.Helper()
	return decision(t, spec, replicas, cpu).Want.Replicas
}

func decision(t *testing.T, spec v1alpha1.WorkloadAutoscalerSpec, replicas int, cpu scale.Amount) scale.Decision {
	t.Helper()
	compiled, err := policy.Compile(spec, v1alpha1.AdminSettings{})
	if err != nil {
		t.Fatal(err)
	}
	pods := make([]scale.Pod, replicas)
	for i := range pods {
		pods[i] = scale.Pod{
			Name: fmt.Sprintf("web-%d", i), Ready: scale.Ready, StartedAt: noon.Add(-time.Hour), ReadyChangedAt: noon.Add(-time.Hour),
			UsageAt: noon, UsageWindow: 30 * time.Second,
			Containers: []scale.PodContainer{{
				Name: "app", Requests: scale.Resources{}.With(scale.CPU, 1000), Usage: scale.Resources{}.With(scale.CPU, cpu),
			}},
		}
	}
	app := scale.Container{Name: "app", Requests: scale.Resources{}.With(scale.CPU, 1000)}
	obs := scale.Observation{At: noon, Target: scale.Target{SpecReplicas: int32(replicas), StatusReplicas: int32(replicas),
		Containers: []scale.Container{app}}, Pods: pods}
	out, _ := engine.Decide(compiled, obs, engine.Memory{})
	return out
}
