package allowance

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/yaml"

	"github.com/tidemark/tidemark/scale"
)

func parsed[T any](t *testing.T, text string) *T {
	t.Helper()
	out := new(T)
	if err := yaml.UnmarshalStrict([]byte(text), out); err != nil {
		t.Fatal(err)
	}
	return out
}

func TestRoom(t *testing.T) {
	const pod = `{spec: {priorityClassName: high, containers: [{name: app, resources: {requests: {cpu: 500m}}}]}}`
	cpu, memory := scale.Resources{}.With(scale.CPU, 2500), scale.Resources{}.With(scale.Memory, 512<<20*1000)
	pods := func(n int32) *int32 { return &n }
	for name, tc := range map[string]struct {
		quotas []string
		seen   []string
		noPod  bool
		want   scale.QuotaRoom
	}{
		"none":           {},
		"pods":           {quotas: []string{`{status: {hard: {pods: "10"}, used: {pods: "7"}}}`}, want: scale.QuotaRoom{Pods: pods(3)}},
		"counted pods":   {quotas: []string{`{status: {hard: {count/pods: "10"}, used: {count/pods: "7"}}}`}, want: scale.QuotaRoom{Pods: pods(3)}},
		"nothing used":   {quotas: []string{`{status: {hard: {pods: "10"}}}`}, want: scale.QuotaRoom{Pods: pods(10)}},
		"it was lowered": {quotas: []string{`{status: {hard: {pods: "5"}, used: {pods: "7"}}}`}, want: scale.QuotaRoom{Pods: pods(0)}},
		"the tightest": {
			quotas: []string{`{status: {hard: {pods: "10", cpu: "4"}, used: {pods: "1", cpu: 1500m}}}`, `{status: {hard: {pods: "8", requests.cpu: "9"}, used: {pods: "6"}}}`},
			want:   scale.QuotaRoom{Pods: pods(2), Requests: cpu},
		},
		"memory":              {quotas: []string{`{status: {hard: {requests.memory: 1Gi}, used: {requests.memory: 512Mi}}}`}, want: scale.QuotaRoom{Requests: memory}},
		"limits":              {quotas: []string{`{status: {hard: {limits.memory: 1Gi}, used: {limits.memory: 512Mi}}}`}, want: scale.QuotaRoom{Limits: memory}},
		"other things":        {quotas: []string{`{status: {hard: {services: "1", requests.storage: 1Gi}}}`}},
		"nobody has counted":  {quotas: []string{`{spec: {hard: {pods: "10"}}}`}},
		"pods that end":       {quotas: []string{`{spec: {scopes: [Terminating]}, status: {hard: {pods: "10"}}}`}},
		"pods that ask":       {quotas: []string{`{spec: {scopes: [NotBestEffort]}, status: {hard: {pods: "10"}}}`}, want: scale.QuotaRoom{Pods: pods(10)}},
		"a scope, and no pod": {quotas: []string{`{spec: {scopes: [NotBestEffort]}, status: {hard: {pods: "10"}}}`}, noPod: true},
		"no scope, and no pod": {
			quotas: []string{`{status: {hard: {pods: "10"}}}`}, noPod: true, want: scale.QuotaRoom{Pods: pods(10)},
		},
		"a scope of the future": {quotas: []string{`{spec: {scopes: [OnTheMoon]}, status: {hard: {pods: "10"}}}`}},
		"the class of the pod": {
			quotas: []string{`{spec: {scopeSelector: {matchExpressions: [{scopeName: PriorityClass, operator: In, values: [high]}]}}, status: {hard: {pods: "10"}}}`},
			want:   scale.QuotaRoom{Pods: pods(10)},
		},
		"another class": {
			quotas: []string{`{spec: {scopeSelector: {matchExpressions: [{scopeName: PriorityClass, operator: In, values: [low]}]}}, status: {hard: {pods: "10"}}}`},
		},
		"a resize that was not counted yet": {
			quotas: []string{`{status: {hard: {requests.cpu: "3", limits.memory: 1Gi}, used: {requests.cpu: 300m}}}`},
			seen: []string{
				pod, `{spec: {containers: [{name: app, resources: {requests: {cpu: 1m}, limits: {memory: 512Mi}}}]}, status: {phase: Succeeded}}`,
				`{metadata: {deletionTimestamp: "2026-01-01T00:00:00Z"}, spec: {containers: [{name: app, resources: {requests: {cpu: "1"}}}]}}`,
				`{spec: {containers: [{name: app, resources: {limits: {memory: 512Mi}}}]}}`,
			},
			want: scale.QuotaRoom{Requests: cpu, Limits: memory},
		},
		"pods that were not counted yet": {
			quotas: []string{`{status: {hard: {pods: "4", count/pods: "9"}, used: {pods: "1", count/pods: "8"}}}`}, seen: []string{pod, pod},
			want: scale.QuotaRoom{Pods: pods(1)},
		},
		"seen pods of others": {
			quotas: []string{`{spec: {scopes: [NotTerminating]}, status: {hard: {pods: "4"}, used: {pods: "1"}}}`},
			seen:   []string{pod, `{spec: {activeDeadlineSeconds: 60, containers: [{name: app}]}}`}, want: scale.QuotaRoom{Pods: pods(3)},
		},
		"more than anyone has": {quotas: []string{`{status: {hard: {cpu: "1e30", pods: "1e15"}}}`}, want: scale.QuotaRoom{Pods: pods(1<<31 - 1)}},
	} {
		t.Run(name, func(t *testing.T) {
			var a Allowance
			for _, text := range tc.quotas {
				a.Quotas = append(a.Quotas, *parsed[corev1.ResourceQuota](t, text))
			}
			for _, text := range tc.seen {
				a.Pods = append(a.Pods, *parsed[corev1.Pod](t, text))
			}
			like := parsed[corev1.Pod](t, pod)
			if tc.noPod {
				like = nil
			}
			if diff := cmp.Diff(tc.want, a.Room(like), cmp.AllowUnexported(scale.Resources{})); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
		})
	}
}

func TestRange(t *testing.T) {
	for name, tc := range map[string]struct {
		limits []string
		want   scale.AllowedRange
	}{
		"none": {},
		"the tightest": {
			limits: []string{`[{type: Container, max: {cpu: "4"}, min: {cpu: 50m}}]`, `[{type: Container, max: {cpu: "2"}, min: {cpu: 100m}}]`},
			want:   scale.AllowedRange{Max: scale.Resources{}.With(scale.CPU, 2000), Min: scale.Resources{}.With(scale.CPU, 100)},
		},
		"a pod": {limits: []string{`[{type: Pod, max: {cpu: "4"}, min: {cpu: "1"}}]`}, want: scale.AllowedRange{
			PodMax: scale.Resources{}.With(scale.CPU, 4000), PodMin: scale.Resources{}.With(scale.CPU, 1000),
		}},
		"a claim":       {limits: []string{`[{type: PersistentVolumeClaim, max: {storage: 1Gi}}]`}},
		"only defaults": {limits: []string{`[{type: Container, default: {cpu: "1"}, defaultRequest: {cpu: 100m}}]`}},
	} {
		t.Run(name, func(t *testing.T) {
			var a Allowance
			for _, text := range tc.limits {
				a.LimitRanges = append(a.LimitRanges, *parsed[corev1.LimitRange](t, "{spec: {limits: "+text+"}}"))
			}
			if diff := cmp.Diff(tc.want, a.Range(), cmp.AllowUnexported(scale.Resources{})); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
		})
	}
}
