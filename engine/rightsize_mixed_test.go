package engine_test

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/tidemark/tidemark/api/v1alpha1"
	"github.com/tidemark/tidemark/engine"
	"github.com/tidemark/tidemark/engine/limit"
	"github.com/tidemark/tidemark/policy"
	"github.com/tidemark/tidemark/scale"
)

// TestPodsAreNotMadeSmallerForWhatWasMeasuredBefore: of four pods that used 75m
// each one has just gone. Three times 75m is not what there is to do.
func TestPodsAreNotMadeSmallerForWhatWasMeasuredBefore(t *testing.T) {
	p := rightsizing(t)
	for name, c := range map[string]struct {
		measured, window time.Duration
		want             string
	}{
		"before the change":            {20 * time.Second, 0, "200m"},
		"a part of it before":          {5 * time.Second, 10 * time.Second, "200m"},
		"after it":                     {5 * time.Second, 4 * time.Second, "150m"},
		"the whole of it, just so":     {0, 10 * time.Second, "150m"},
		"nobody knows when it was":     {-1, 0, "150m"},
		"a window longer than the day": {0, 24 * time.Hour, "200m"},
	} {
		t.Run(name, func(t *testing.T) {
			obs := twoPods(scale.Resources{})
			obs.Recommended, obs.Pods = nil, nil
			obs.Target = scale.Target{SpecReplicas: 3, StatusReplicas: 3, Containers: []scale.Container{{Name: "app", Requests: amountsOf("200m", "")}}}
			for range 3 {
				pod := scale.Pod{Ready: scale.Ready, UsageAt: noon.Add(-c.measured), UsageWindow: c.window, Containers: []scale.PodContainer{
					{Name: "app", Requests: amountsOf("200m", ""), Usage: amountsOf("75m", "")},
				}}
				if c.measured < 0 {
					pod.UsageAt = time.Time{}
				}
				obs.Pods = append(obs.Pods, pod)
			}
			past := engine.Memory{Seen: true, Replicas: 3, Past: limit.Past{LastEventAt: noon.Add(-10 * time.Second)}}
			got, _ := engine.Decide(p, obs, past)
			want := scale.Size{Replicas: 3, Containers: []scale.Container{{Name: "app", Requests: amountsOf(c.want, "")}}}
			if diff := cmp.Diff(want, got.Want); diff != "" {
				t.Errorf("%s (-want +got):\n%s", name, diff)
			}
		})
	}
}

// rightsizing is the policy of at least three pods at a target of 50 %.
func rightsizing(t *testing.T) engine.Policy {
	t.Helper()
	half := int32(50)
	p, err := policy.Compile(v1alpha1.WorkloadAutoscalerSpec{
		Replicas: v1alpha1.ReplicaSpec{Min: new(int32(3)), Max: new(int32(9))},
		Metrics: []v1alpha1.MetricSpec{{Type: "Resource", Resource: &v1alpha1.ResourceMetric{Name: "cpu",
			Target: &v1alpha1.MetricTarget{AverageUtilization: &half}}}},
		Containers: []v1alpha1.ContainerPolicy{{Name: "app", CPU: &v1alpha1.ResourcePolicy{Scaling: v1alpha1.ResourceScalingHorizontal}}},
		Behavior:   &v1alpha1.Behavior{ScaleDown: &v1alpha1.ScalingRules{StabilizationWindowSeconds: new(int32(0))}},
	}, v1alpha1.AdminSettings{})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// TestRightSizingIsTheSameInTheMiddleOfARound: three pods at their minimum use
// 303m in all, and half of what they request should be used: 202m each. The pods
// get there one after the other, and what is decided stays the same meanwhile,
// whichever of the two sizes counts as the workload's.
func TestRightSizingIsTheSameInTheMiddleOfARound(t *testing.T) {
	p := rightsizing(t)
	for name, c := range map[string]struct {
		pods   [3]string
		target string
	}{
		"before":                        {[3]string{"400m", "400m", "400m"}, "400m"},
		"the first one is resized":      {[3]string{"202m", "400m", "400m"}, "400m"},
		"the first one, and that leads": {[3]string{"202m", "400m", "400m"}, "202m"},
		"two of them":                   {[3]string{"202m", "202m", "400m"}, "202m"},
		"after":                         {[3]string{"202m", "202m", "202m"}, "202m"},
	} {
		t.Run(name, func(t *testing.T) {
			obs := twoPods(scale.Resources{})
			obs.Recommended, obs.Pods = nil, nil
			obs.Target = scale.Target{SpecReplicas: 3, StatusReplicas: 3, Containers: []scale.Container{{Name: "app", Requests: amountsOf(c.target, "")}}}
			for _, request := range c.pods {
				obs.Pods = append(obs.Pods, scale.Pod{Ready: scale.Ready, UsageAt: noon, Containers: []scale.PodContainer{
					{Name: "app", Requests: amountsOf(request, ""), Usage: amountsOf("101m", "")},
				}})
			}
			got, _ := engine.Decide(p, obs, engine.Memory{})
			want := scale.Size{Replicas: 3, Containers: []scale.Container{{Name: "app", Requests: amountsOf("202m", "")}}}
			if diff := cmp.Diff(want, got.Want); diff != "" {
				t.Errorf("%s (-want +got):\n%s", name, diff)
			}
		})
	}
}
