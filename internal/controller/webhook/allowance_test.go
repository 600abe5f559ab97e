package webhook

import (
	"context"
	"errors"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/tools/events"
	"sigs.k8s.io/yaml"

	"github.com/tidemark/tidemark/internal/observe/allowance"
	"github.com/tidemark/tidemark/internal/observe/pods"
)

// allows is what every namespace allows, or why that is not known.
type allows struct {
	allowance.Allowance
	err error
}

func (a allows) Of(context.Context, string) (allowance.Allowance, error) { return a.Allowance, a.err }

func parsed[T any](t *testing.T, text string) T {
	t.Helper()
	var out T
	if err := yaml.UnmarshalStrict([]byte(text), &out); err != nil {
		t.Fatal(err)
	}
	return out
}

// limited is a pod whose container asks for half a core and may use one.
const limited = `{metadata: {generateName: web-}, spec: {containers: [{name: app, resources: {requests: {cpu: 500m}, limits: {cpu: "1"}}}]}}`

const whole = `{metadata: {generateName: web-}, spec: {resources: {requests: {cpu: 600m}, limits: {cpu: "1"}},
  containers: [{name: app, resources: {requests: {cpu: 500m}}}]}}`

// TestAPodThatCouldNotBeCreatedKeepsTheSizeOfItsTemplate: the decided size is two
// cores where nothing else is said.
func TestAPodThatCouldNotBeCreatedKeepsTheSizeOfItsTemplate(t *testing.T) {
	for name, tc := range map[string]struct {
		pod, cpu      string
		limits, quota string
		err           error
		// reason is that of the event, empty where the pod gets its size.
		reason, words string
	}{
		"nothing is in the way":         {pod: limited},
		"a container's most":            {pod: limited, limits: `[{type: Container, max: {cpu: "1"}}]`, reason: "LimitRange", words: "no more cpu than 1"},
		"room below a container's most": {pod: limited, limits: `[{type: Container, max: {cpu: "2"}}]`},
		"a pod's most":                  {pod: limited, limits: `[{type: Pod, max: {cpu: 1500m}}]`, reason: "LimitRange", words: "a pod no more cpu than 1500m"},
		"a container's least":           {pod: limited, cpu: "100m", limits: `[{type: Container, min: {cpu: 250m}}]`, reason: "LimitRange", words: "no less cpu than 250m"},
		"a ratio":                       {pod: limited, cpu: "100m", limits: `[{type: Container, maxLimitRequestRatio: {cpu: "4"}}]`, reason: "LimitRange", words: "4 times"},
		"a ratio that is kept":          {pod: limited, cpu: "250m", limits: `[{type: Container, maxLimitRequestRatio: {cpu: "4"}}]`},
		"a claim's most":                {pod: limited, limits: `[{type: PersistentVolumeClaim, max: {storage: 1Gi}}]`},
		"a quota is used up":            {pod: limited, quota: `{status: {hard: {requests.cpu: "10"}, used: {requests.cpu: 9500m}}}`, reason: "Quota", words: "allows 10 of requests.cpu"},
		"a quota by its short name":     {pod: limited, quota: `{status: {hard: {cpu: "10"}, used: {cpu: 8500m}}}`, reason: "Quota", words: "allows 10 of cpu"},
		"a quota of limits":             {pod: limited, quota: `{status: {hard: {limits.cpu: "10"}, used: {limits.cpu: 8500m}}}`, reason: "Quota", words: "limits.cpu"},
		"room in a quota":               {pod: limited, quota: `{status: {hard: {requests.cpu: "10"}, used: {requests.cpu: "8"}}}`},
		"less than by the template":     {pod: limited, cpu: "100m", quota: `{status: {hard: {requests.cpu: "10"}, used: {requests.cpu: "12"}}}`},
		"a quota of other things":       {pod: limited, quota: `{status: {hard: {pods: "10"}, used: {pods: "10"}}}`},
		"a quota without a status":      {pod: limited, quota: `{spec: {hard: {requests.cpu: "1"}}}`, reason: "Quota", words: "allows 1 of"},
		"a quota of pods that end":      {pod: limited, quota: `{spec: {scopes: [Terminating]}, status: {hard: {cpu: "1"}}}`},
		"a quota of pods that ask":      {pod: limited, quota: `{spec: {scopes: [NotBestEffort, NotTerminating]}, status: {hard: {cpu: "1"}}}`, reason: "Quota"},
		"a quota of another class": {pod: limited, quota: `{spec: {scopeSelector: {matchExpressions: [{scopeName: PriorityClass, operator: In, values: [high]}]}},
		  status: {hard: {cpu: "1"}}}`},
		"a quota of no class": {pod: limited, quota: `{spec: {scopeSelector: {matchExpressions: [{scopeName: PriorityClass, operator: NotIn, values: [high]}]}},
		  status: {hard: {cpu: "1"}}}`, reason: "Quota"},
		"the pod as a whole":    {pod: whole, reason: "ApplyFailed", words: "the pod as a whole 600m"},
		"nobody knows":          {pod: limited, err: allowance.ErrUnknown, reason: "Waiting", words: "not known yet"},
		"a LimitRange and more": {pod: limited, limits: `[{type: Container, min: {cpu: 10m}, max: {cpu: "1"}}]`, reason: "LimitRange", words: "LimitRange tight allows container app"},
	} {
		t.Run(name, func(t *testing.T) {
			cpu := tc.cpu
			if cpu == "" {
				cpu = "2"
			}
			s := sizer(t, object("web", want(cpu)))
			recorder := events.NewFakeRecorder(10)
			allowed := allows{err: tc.err}
			if tc.limits != "" {
				allowed.LimitRanges = []corev1.LimitRange{parsed[corev1.LimitRange](t, `{metadata: {name: tight}, spec: {limits: `+tc.limits+`}}`)}
			}
			if tc.quota != "" {
				allowed.Quotas = []corev1.ResourceQuota{parsed[corev1.ResourceQuota](t, tc.quota)}
			}
			s.Allowances, s.Events = allowed, recorder
			created, response := review(t, s, tc.pod)
			pod, template := parsed[corev1.Pod](t, created), parsed[corev1.Pod](t, tc.pod)
			if tc.reason == "" {
				if got := pod.Spec.Containers[0].Resources.Requests.Cpu().String(); got != cpu || len(recorder.Events) > 0 {
					t.Errorf("want %s, got %s: %s", cpu, got, response.Result.Message)
				}
				return
			}
			was, is := template.Spec.Containers[0].Resources.Requests.Cpu(), pod.Spec.Containers[0].Resources.Requests.Cpu()
			if was.Cmp(*is) != 0 || !strings.Contains(pod.Annotations[NotSized], tc.words) || pod.Annotations[SizedBy] != "" {
				t.Errorf("want %s as in the template, got %s, annotated %v", was, is, pod.Annotations)
			}
			select {
			case told := <-recorder.Events:
				if !strings.HasPrefix(told, "Warning "+tc.reason+" ") || !strings.Contains(told, tc.words) {
					t.Errorf("the object is told %q", told)
				}
			default:
				t.Error("the object is told nothing")
			}
		})
	}
}

// owners answers in its own way.
type owners func(ctx context.Context) error

func (o owners) OwnerOf(ctx context.Context, _ *corev1.Pod) (pods.Owner, bool, error) {
	return pods.Owner{}, false, o(ctx)
}

func (o owners) Confirm(context.Context, pods.Owner) error { return nil }

// TestAPodPassesWhateverHappens: an owner that is never found and does not even
// look at the time, and one that panics.
func TestAPodPassesWhateverHappens(t *testing.T) {
	forever := make(chan struct{})
	defer close(forever)
	for name, tc := range map[string]struct {
		owners owners
		want   string
	}{
		"its owner is never found": {func(context.Context) error { <-forever; return errors.New("too late") }, "not found in time"},
		"its owner ends the world": {func(context.Context) error { panic("no owner") }, "cannot be found"},
	} {
		t.Run(name, func(t *testing.T) {
			s := sizer(t, object("web"))
			s.Owners = tc.owners
			created, response := review(t, s, limited)
			if !strings.Contains(response.Result.Message, tc.want) || strings.Contains(created, "annotations") {
				t.Errorf("got %q, %s", response.Result.Message, created)
			}
		})
	}
}
