package doctest

import (
	"testing"
	"time"

	"github.com/tidemark/tidemark/scale"
)

const cpuAtHalf = `
replicas: {min: 1, max: 50}
metrics: [{type: Resource, resource: {name: cpu, target: {averageUtilization: 50}}}]
behavior: {scaleDown: {stabilizationWindowSeconds: 0}}
`

const qpsAt2000 = `
replicas: {min: 1, max: 50}
metrics: [{type: Pods, pods: {metric: {name: zdns_vanguard_qps}, target: {averageValue: 2000}}}]
behavior: {scaleDown: {stabilizationWindowSeconds: 0}}
`

// TestSurgePodsBelowTarget is defect E1: during a rollout there are more pods
// than the spec asks for. The HPA multiplies them all: usage below the target
// scales up (kubernetes/kubernetes#72775).
func TestSurgePodsBelowTarget(t *testing.T) {
	o := seen(10, pods(20, 400)) // 40 % of a 50 % target: ceil(20 x 0.8) = 16
	want(t, compile(t, cpuAtHalf), o, 10, "DirectionGuard")
	want(t, asHPA(t, cpuAtHalf), o, 16, "BelowTarget")
}

// TestPodsThatDoNotCount is reading Z1 and defect E9: pods being deleted,
// failed or finished are no part of the workload. To the HPA a finished pod is
// one whose metrics are missing.
func TestPodsThatDoNotCount(t *testing.T) {
	gone := pods(3, -1)
	for i := range gone {
		gone[i].Phase = scale.Succeeded
	}
	o := seen(3, pods(3, 100), gone) // 10 % of 50 %: ceil(3 x 0.2) = 1
	want(t, compile(t, cpuAtHalf), o, 1, "BelowTarget")
	// (300m + 3 x 100 %) over six pods is 55 %: the direction flips.
	want(t, asHPA(t, cpuAtHalf), o, 3, "WithinTolerance")

	out := pods(2, 1000)
	out[0].Deleting, out[1].Phase = true, scale.Failed
	want(t, compile(t, cpuAtHalf), seen(3, pods(3, 100), out), 1, "BelowTarget")
}

// TestMissingPods is reading Z1 for pods without a sample, with the zcloud HPA
// design's metric and its rules: idle on the way up, exactly at the target on
// the way down, and never a change of direction.
func TestMissingPods(t *testing.T) {
	p := compile(t, qpsAt2000)
	for name, c := range map[string]struct {
		value   scale.Amount
		samples int
		count   int32
		because string
	}{
		"up: 3 x 4000 over 4 pods is 3000, ratio 1.5":             {4_000_000, 3, 6, "AboveTarget"},
		"up: 2 x 4000 over 4 pods is exactly the target":          {4_000_000, 2, 4, "WithinTolerance"},
		"up: one of 4 pods is too little to go by":                {4_000_000, 1, 4, "PartialData"},
		"down: (3 x 500 + 2000) over 4 pods is 875, ratio 0.4375": {500_000, 3, 2, "BelowTarget"},
		"down: (2 x 0 + 2 x 2000) over 4 pods is 1000":            {0, 2, 2, "BelowTarget"},
		"down: nor is the count lowered by one of 4 pods":         {0, 1, 4, "PartialData"},
		"nothing is known": {0, 0, 4, "NoData"},
	} {
		t.Run(name, func(t *testing.T) {
			o := seen(4, pods(4, -1))
			s := scale.Sample{PerPod: make([]scale.PodValue, 4)}
			for i := range c.samples {
				s.PerPod[i] = scale.PodValue{Value: c.value, Known: true}
			}
			o.Samples = []scale.Sample{s}
			want(t, p, o, c.count, c.because)
		})
	}
}

// TestMissingPodsOnTheWayDown: a pod without a cpu sample is taken to be at the
// target; the HPA takes it to use all it requests.
func TestMissingPodsOnTheWayDown(t *testing.T) {
	o := seen(4, pods(3, 100), pods(1, -1))
	// (3 x 10 % + 50 %) over four is 20 %, ratio 0.4; ceil(1.6) = 2.
	want(t, compile(t, cpuAtHalf), o, 2, "BelowTarget")
	// (3 x 10 % + 100 %) over four is 32 %, ratio 0.64; ceil(2.56) = 3.
	want(t, asHPA(t, cpuAtHalf), o, 3, "BelowTarget")
}

// TestPendingPods: a pod that is not scheduled counts as not ready, and so as
// idle on the way up.
func TestPendingPods(t *testing.T) {
	waiting := pods(1, -1)
	waiting[0].Phase, waiting[0].Ready = scale.Pending, scale.NotReady
	// 3 cores over four pods: 75 %, ratio 1.5.
	want(t, compile(t, cpuAtHalf), seen(4, pods(3, 1000), waiting), 6, "AboveTarget")
}

// TestPodsThatCannotHaveBeenMeasured is reading Z1: a wave of new pods does not
// make the others too few to go by. Pods of the same age as those do.
func TestPodsThatCannotHaveBeenMeasured(t *testing.T) {
	old, young, restarted := pods(3, -1), pods(3, -1), pods(3, -1)
	for i := range young {
		young[i].StartedAt = noon.Add(-time.Minute)
		restarted[i].RestartedAt = noon.Add(-time.Minute)
	}
	p := compile(t, cpuAtHalf)
	// 2 cores over five pods: 40 %, and never fewer while two are at 100 %.
	want(t, p, seen(5, pods(2, 1000), young), 5, "DirectionGuard")
	want(t, p, seen(5, pods(2, 1000), restarted), 5, "DirectionGuard")
	want(t, p, seen(5, pods(2, 1000), old), 5, "PartialData")
}

// TestRestartedAndReady is reading Z1: a pod that was restarted and is ready again
// serves, as soon as its sample is of that time.
func TestRestartedAndReady(t *testing.T) {
	again := pods(2, 1000)
	for i := range again {
		again[i].RestartedAt, again[i].ReadyChangedAt = noon.Add(-time.Minute), noon.Add(-50*time.Second)
		again[i].UsageWindow = 30 * time.Second
	}
	p := compile(t, cpuAtHalf)
	want(t, p, seen(4, pods(2, 1000), again), 8, "AboveTarget")
	for i := range again {
		again[i].UsageAt = noon.Add(-30 * time.Second) // The window begins before the pod was ready.
	}
	want(t, p, seen(4, pods(2, 1000), again), 4, "WithinTolerance") // 2 cores over four pods: 50 %
}

// TestNoPodThatServesIsMeasured is reading Z1: pods that do not serve speak only
// where no pod serves, not where nobody measured those that do.
func TestNoPodThatServesIsMeasured(t *testing.T) {
	lost := pods(3, 1000)
	for i := range lost {
		lost[i].Ready, lost[i].ReadyChangedAt = scale.NotReady, noon.Add(-10*time.Minute)
	}
	p := compile(t, cpuAtHalf)
	want(t, p, seen(4, lost, pods(1, -1)), 4, "NoData")
	want(t, p, seen(3, lost), 6, "AboveTarget")
}

// TestUnknownReadiness: a young pod whose node does not answer counts as not
// ready; the HPA believes its sample.
func TestUnknownReadiness(t *testing.T) {
	young := pods(1, 1000)
	young[0].Ready = scale.ReadinessUnknown
	young[0].StartedAt, young[0].ReadyChangedAt = noon.Add(-time.Minute), noon.Add(-30*time.Second)
	o := seen(4, pods(3, 1000), young)
	want(t, compile(t, cpuAtHalf), o, 6, "AboveTarget") // 3 cores over four pods: 75 %
	want(t, asHPA(t, cpuAtHalf), o, 8, "AboveTarget")   // four cores
}

// TestStrangers is defects E10 and E30: samples of pods that are not the
// target's. The HPA averages them in, the WPA sums them up.
func TestStrangers(t *testing.T) {
	const spec = `
replicas: {min: 1, max: 50}
metrics: [{type: Pods, pods: {metric: {name: qps}, target: {averageValue: 10}}}]
behavior: {scaleUp: {policies: [{type: Pods, value: 50, periodSeconds: 15}]}}
`
	o := seen(2, pods(2, -1))
	own := scale.PodValue{Value: 10_000, Known: true}
	o.Samples = []scale.Sample{{PerPod: []scale.PodValue{own, own}, Strangers: []scale.Amount{90_000, 90_000}}}
	want(t, compile(t, spec), o, 2, "WithinTolerance")
	// (2 x 10 + 2 x 90) / 4 = 50, ratio 5, times two ready pods.
	want(t, asHPA(t, spec), o, 10, "AboveTarget")
}

// TestOnePodWithoutRequest is defect E11: one pod that requests nothing, or
// whose container has another name, fails the HPA's whole metric. Here it is
// one pod of which nothing is known.
func TestOnePodWithoutRequest(t *testing.T) {
	odd := pods(1, 1000)
	odd[0].Containers[0].Requests = scale.Resources{}
	// 3 cores over four pods: 75 %, ratio 1.5.
	o := seen(4, pods(3, 1000), odd)
	want(t, compile(t, cpuAtHalf), o, 6, "AboveTarget")
	want(t, asHPA(t, cpuAtHalf), o, 4, "NoData")

	const ofApp = `
replicas: {min: 1, max: 50}
metrics: [{type: ContainerResource, containerResource: {name: cpu, container: app, target: {averageUtilization: 50}}}]
`
	renamed := pods(1, 1000)
	renamed[0].Containers[0].Name = "old-name"
	o = seen(4, pods(3, 1000), renamed)
	want(t, compile(t, ofApp), o, 6, "AboveTarget")
	want(t, asHPA(t, ofApp), o, 4, "NoData")
}

// TestStaleSamples is reading Z5 and defect E12: the HPA never looks at the age
// of a sample.
func TestStaleSamples(t *testing.T) {
	const spec = `
replicas: {min: 1, max: 50}
metrics: [{type: External, external: {metric: {name: queue}, target: {averageValue: 10}}}]
behavior: {staleAfterSeconds: 60, scaleDown: {stabilizationWindowSeconds: 0}}
`
	o := seen(4, pods(4, -1))
	for age, because := range map[time.Duration]string{
		0: "BelowTarget", 60 * time.Second: "BelowTarget", 61 * time.Second: "NoData",
		-30 * time.Second: "BelowTarget", -31 * time.Second: "NoData", // from the future
	} {
		o.Samples = []scale.Sample{{Series: []scale.Amount{20_000}, At: noon.Add(-age)}}
		count := int32(2)
		if because == "NoData" {
			count = 4
		}
		want(t, compile(t, spec), o, count, because)
		want(t, asHPA(t, spec), o, 2, "BelowTarget")
	}

	// A pod's stale sample is a missing one: 3 cores over four pods.
	old := pods(1, 1000)
	old[0].UsageAt = noon.Add(-time.Hour)
	want(t, compile(t, cpuAtHalf), seen(4, pods(3, 1000), old), 6, "AboveTarget")
}

// TestAverageOfSpecReplicas is part of defect E20: the HPA divides a total by
// status.replicas, which counts surge pods (kubernetes/kubernetes#123296).
func TestAverageOfSpecReplicas(t *testing.T) {
	const spec = `
replicas: {min: 1, max: 50}
metrics: [{type: External, external: {metric: {name: queue}, target: {averageValue: 10}}}]
`
	o := seen(10, pods(12, -1))
	o.Target.StatusReplicas = 12
	o.Samples = []scale.Sample{{Series: []scale.Amount{110_000}}}
	want(t, compile(t, spec), o, 10, "WithinTolerance") // 11 a pod, ratio 1.1
	want(t, asHPA(t, spec), o, 12, "WithinTolerance")   // 9.2 a pod: stays at the status's count
}

// TestSeries is reading S3: series are summed, one unusable series makes the
// metric missing, and no series is not zero.
func TestSeries(t *testing.T) {
	p := compile(t, `
replicas: {min: 1, max: 50}
metrics: [{type: External, external: {metric: {name: queue}, target: {averageValue: 10}}}]
`)
	for name, c := range map[string]struct {
		sample  scale.Sample
		count   int32
		because string
	}{
		"summed":           {scale.Sample{Series: []scale.Amount{30_000, 30_000}}, 6, "AboveTarget"},
		"zero is a value":  {scale.Sample{Series: []scale.Amount{0}}, 1, "BelowTarget, limited by MinReplicas"},
		"one is negative":  {scale.Sample{Series: []scale.Amount{30_000, -1}}, 4, "NoData"},
		"no series":        {scale.Sample{Series: []scale.Amount{}}, 4, "NoData"},
		"the source fails": {scale.Sample{Series: []scale.Amount{30_000}, Problem: "timeout"}, 4, "NoData"},
	} {
		t.Run(name, func(t *testing.T) {
			o := seen(4, pods(4, -1))
			o.Samples = []scale.Sample{c.sample}
			want(t, p, o, c.count, c.because)
		})
	}
}
