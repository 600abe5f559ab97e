package podsize_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/yaml"

	"github.com/tidemark/tidemark/internal/apply"
	"github.com/tidemark/tidemark/internal/apply/podsize"
	"github.com/tidemark/tidemark/scale"
)

// pod returns a pod with a spec.
func pod(t *testing.T, spec string) *corev1.Pod {
	t.Helper()
	var p corev1.Pod
	if err := yaml.UnmarshalStrict([]byte(spec), &p.Spec); err != nil {
		t.Fatalf("reading a spec: %v", err)
	}
	return &p
}

const gi = scale.Amount(1<<30) * scale.Thousand

func cpu(a scale.Amount) scale.Resources { return scale.Resources{}.With(scale.CPU, a) }

// app is a wanted size of container app.
func app(requests, limits scale.Resources) []scale.Container {
	return []scale.Container{{Name: "app", Requests: requests, Limits: limits}}
}

const (
	burstable  = `{containers: [{name: app, resources: {requests: {cpu: 500m, memory: 1Gi}, limits: {memory: 2Gi}}}, {name: proxy, resources: {requests: {cpu: 100m}}}]}`
	guaranteed = `{containers: [{name: app, resources: {requests: {cpu: 500m, memory: 1Gi}, limits: {cpu: 500m, memory: 1Gi}}}]}`
	nearly     = `{containers: [{name: app, resources: {requests: {cpu: 500m, memory: 1Gi}, limits: {cpu: "1", memory: 1Gi}}}]}`
	sidecar    = `{initContainers: [{name: app, restartPolicy: Always, resources: {requests: {cpu: 500m}}}], containers: [{name: main}]}`
	onceOnly   = `{initContainers: [{name: app, resources: {requests: {cpu: 500m}}}], containers: [{name: main}]}`
	bare       = `{containers: [{name: app}]}`
)

const appPath = "spec.containers[app].resources."

var fitCases = map[string]struct {
	spec string
	want []scale.Container
	// wantChanges are the fields that differ.
	wantChanges []apply.Change
	wantClass   corev1.PodQOSClass
}{
	"a request changes and nothing else": {
		burstable, app(cpu(750), scale.Resources{}),
		[]apply.Change{{Path: appPath + "requests.cpu", From: "500m", To: "750m"}}, corev1.PodQOSBurstable,
	},
	"the same amount in another form is no change": {
		burstable, app(cpu(500).With(scale.Memory, gi), scale.Resources{}.With(scale.Memory, 2*gi)), nil, corev1.PodQOSBurstable,
	},
	"a limit that was decided is set": {
		burstable, app(cpu(500), scale.Resources{}.With(scale.Memory, 3*gi)),
		[]apply.Change{{Path: appPath + "limits.memory", From: "2Gi", To: "3Gi"}}, corev1.PodQOSBurstable,
	},
	"a request above its limit takes the limit along": {
		burstable, app(scale.Resources{}.With(scale.Memory, 4*gi), scale.Resources{}),
		[]apply.Change{{Path: appPath + "requests.memory", From: "1Gi", To: "4Gi"}, {Path: appPath + "limits.memory", From: "2Gi", To: "4Gi"}},
		corev1.PodQOSBurstable,
	},
	"a limit below its request is raised to it": {
		burstable, app(scale.Resources{}, scale.Resources{}.With(scale.Memory, gi/2)),
		[]apply.Change{{Path: appPath + "limits.memory", From: "2Gi", To: "1Gi"}}, corev1.PodQOSBurstable,
	},
	"a Guaranteed pod stays Guaranteed, whatever limit was decided": {
		guaranteed, app(cpu(250), cpu(900)),
		[]apply.Change{{Path: appPath + "requests.cpu", From: "500m", To: "250m"}, {Path: appPath + "limits.cpu", From: "500m", To: "250m"}}, corev1.PodQOSGuaranteed,
	},
	"a Burstable pod does not become Guaranteed": {
		nearly, app(cpu(1000), scale.Resources{}),
		[]apply.Change{{Path: appPath + "requests.cpu", From: "500m", To: "999m"}}, corev1.PodQOSBurstable,
	},
	"a sidecar is sized": {
		sidecar, app(cpu(600), scale.Resources{}),
		[]apply.Change{{Path: "spec.initContainers[app].resources.requests.cpu", From: "500m", To: "600m"}}, corev1.PodQOSBurstable,
	},
	"an init container that ends is not": {onceOnly, app(cpu(600), scale.Resources{}), nil, corev1.PodQOSBurstable},
	"a request where none was": {
		bare, app(cpu(600), scale.Resources{}), []apply.Change{{Path: appPath + "requests.cpu", To: "600m"}}, corev1.PodQOSBurstable,
	},
	"a container the pod does not have":     {burstable, []scale.Container{{Name: "gone", Requests: cpu(1)}}, nil, corev1.PodQOSBurstable},
	"nothing and less than that is no size": {burstable, app(cpu(0), scale.Resources{}.With(scale.Memory, -gi)), nil, corev1.PodQOSBurstable},
	"a part of a byte is rounded up": {
		burstable, app(scale.Resources{}.With(scale.Memory, gi+1), scale.Resources{}),
		[]apply.Change{{Path: appPath + "requests.memory", From: "1Gi", To: "1073741825"}}, corev1.PodQOSBurstable,
	},
}

func TestFit(t *testing.T) {
	for name, tc := range fitCases {
		t.Run(name, func(t *testing.T) {
			p := pod(t, tc.spec)
			fitted := podsize.Fit(p, tc.want)
			var got []apply.Change
			for _, f := range fitted {
				got = append(got, f.Changes...)
			}
			if diff := cmp.Diff(tc.wantChanges, got); diff != "" {
				t.Errorf("changes (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(pod(t, tc.spec), p); diff != "" {
				t.Errorf("the pod itself changed (-before +after):\n%s", diff)
			}
			sized := &corev1.Pod{Spec: *podsize.Sized(&p.Spec, fitted)}
			if again := podsize.Fit(sized, tc.want); len(again) > 0 {
				t.Errorf("once sized, it is sized again: %+v", again)
			}
			if got := podsize.Class(&sized.Spec); got != tc.wantClass {
				t.Errorf("the sized pod is %s, want %s", got, tc.wantClass)
			}
		})
	}
}

func TestClass(t *testing.T) {
	for name, tc := range map[string]struct {
		spec string
		want corev1.PodQOSClass
	}{
		"nothing is asked for":                    {bare, corev1.PodQOSBestEffort},
		"requests equal limits":                   {guaranteed, corev1.PodQOSGuaranteed},
		"an absent request is its limit":          {`{containers: [{name: app, resources: {limits: {cpu: 500m, memory: 1Gi}}}]}`, corev1.PodQOSGuaranteed},
		"one container without limits":            {burstable, corev1.PodQOSBurstable},
		"an init container without limits":        {`{initContainers: [{name: once}], containers: [{name: app, resources: {limits: {cpu: 500m, memory: 1Gi}}}]}`, corev1.PodQOSBurstable},
		"memory alone":                            {`{containers: [{name: app, resources: {limits: {memory: 1Gi}}}]}`, corev1.PodQOSBurstable},
		"zero is nothing":                         {`{containers: [{name: app, resources: {requests: {cpu: "0"}}}]}`, corev1.PodQOSBestEffort},
		"another resource does not count":         {`{containers: [{name: app, resources: {limits: {example.com/gpu: "1"}}}]}`, corev1.PodQOSBestEffort},
		"the pod as a whole decides where it can": {`{resources: {requests: {cpu: "1", memory: 1Gi}, limits: {cpu: "1", memory: 1Gi}}, containers: [{name: app}]}`, corev1.PodQOSGuaranteed},
	} {
		t.Run(name, func(t *testing.T) {
			if got := podsize.Class(&pod(t, tc.spec).Spec); got != tc.want {
				t.Errorf("got %s, want %s", got, tc.want)
			}
		})
	}
}
