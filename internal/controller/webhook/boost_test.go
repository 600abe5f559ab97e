package webhook

import (
	"context"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/tools/events"
	"sigs.k8s.io/yaml"

	"github.com/tidemark/tidemark/api/v1alpha1"
	"github.com/tidemark/tidemark/internal/observe/allowance"
	"github.com/tidemark/tidemark/scale"
)

// boosts makes an object boost its containers as the text says, and size nothing.
func boosts(containers string) func(*v1alpha1.WorkloadAutoscaler) {
	return func(obj *v1alpha1.WorkloadAutoscaler) {
		obj.Spec.Containers = nil
		if err := yaml.UnmarshalStrict([]byte(containers), &obj.Spec.Containers); err != nil {
			panic(err)
		}
	}
}

// booster is a webhook where there is room for everything.
func booster(t *testing.T, containers string) *Sizer {
	t.Helper()
	s := sizer(t, object("web", boosts(containers)))
	s.Resizes = func() bool { return true }
	s.Largest = func(context.Context) scale.Resources { return scale.Resources{} }
	return s
}

// resources are those of a pod's containers, in one line each.
func resources(t *testing.T, pod string) map[string]string {
	t.Helper()
	out := map[string]string{}
	for _, c := range parsed[corev1.Pod](t, pod).Spec.Containers {
		text := c.Resources.Requests.Cpu().String()
		if limit, limited := c.Resources.Limits[corev1.ResourceCPU]; limited {
			text += " of " + limit.String()
		}
		out[c.Name] = text
	}
	return out
}

// two is a pod of two containers.
const two = `{metadata: {generateName: web-}, spec: {containers: [
  {name: app, resources: {requests: {cpu: 500m}, limits: {cpu: "1"}}}, {name: proxy, resources: {requests: {cpu: 100m}}}]}}`

func TestANewPodGetsItsBoost(t *testing.T) {
	for name, tc := range map[string]struct {
		pod, containers string
		want            map[string]string
		note            string
	}{
		"on top of its template": {two, `[{name: app, boost: {factor: 2, forSeconds: 30}}]`, map[string]string{"app": "1 of 2", "proxy": "100m"},
			`{"by":"web","forSeconds":30,"containers":[{"name":"app","cpu":"1","cpuLimit":"2","settled":"500m","settledLimit":"1"}]}`},
		"on top of what was decided": {two, `[{name: app, cpu: {}, boost: {factor: 2}}]`, map[string]string{"app": "1500m of 3", "proxy": "100m"},
			`{"by":"web","containers":[{"name":"app","cpu":"1500m","cpuLimit":"3","settled":"750m","settledLimit":"1500m"}]}`},
		"every container": {two, `[{name: "*", boost: {quantity: 2}}]`, map[string]string{"app": "2 of 4", "proxy": "2"},
			`{"by":"web","containers":[{"name":"app","cpu":"2","cpuLimit":"4","settled":"500m","settledLimit":"1"},{"name":"proxy","cpu":"2","settled":"100m"}]}`},
		"a pod that is Guaranteed stays so": {
			`{metadata: {generateName: web-}, spec: {containers: [{name: app, resources: {requests: {cpu: 500m, memory: 1Gi}, limits: {cpu: 500m, memory: 1Gi}}}]}}`,
			`[{name: app, boost: {factor: 3}}]`, map[string]string{"app": "1500m of 1500m"},
			`{"by":"web","containers":[{"name":"app","cpu":"1500m","cpuLimit":"1500m","settled":"500m","settledLimit":"500m"}]}`},
	} {
		t.Run(name, func(t *testing.T) {
			got, response := review(t, booster(t, tc.containers), tc.pod)
			if diff := cmp.Diff(tc.want, resources(t, got)); diff != "" {
				t.Errorf("the pod (-want +got):\n%s\n%s", diff, response.Result.Message)
			}
			if diff := cmp.Diff(tc.note, parsed[corev1.Pod](t, got).Annotations[v1alpha1.BoostAnnotation]); diff != "" {
				t.Errorf("its note (-want +got):\n%s", diff)
			}
			// Another webhook changed something, so the API server asks again.
			if again, _ := review(t, booster(t, tc.containers), got); again != got {
				t.Errorf("asked again, it makes\n%s\nof\n%s", again, got)
			}
		})
	}
}

// TestABoostIsCutOrLeftOut: to what there is room for, or altogether, where it could
// not be taken back. The pod says which.
func TestABoostIsCutOrLeftOut(t *testing.T) {
	const twice = `[{name: app, boost: {factor: 4}}]`
	limits := func(spec string) func(*Sizer) {
		return func(s *Sizer) {
			s.Allowances = allows{Allowance: allowance.Allowance{LimitRanges: []corev1.LimitRange{parsed[corev1.LimitRange](t, `{spec: {limits: `+spec+`}}`)}}}
		}
	}
	quota := func(status string) func(*Sizer) {
		return func(s *Sizer) {
			s.Allowances = allows{Allowance: allowance.Allowance{Quotas: []corev1.ResourceQuota{parsed[corev1.ResourceQuota](t, `{status: `+status+`}`)}}}
		}
	}
	for name, tc := range map[string]struct {
		pod    string
		change func(*Sizer)
		want   string
		// note is a part of what the pod says.
		note string
	}{
		"a LimitRange": {limited, limits(`[{type: Container, max: {cpu: 1500m}}]`), "750m of 1500m", `"cutBy":"LimitRange"`},
		"the largest node": {two, func(s *Sizer) {
			s.Largest = func(context.Context) scale.Resources { return scale.Resources{}.With(scale.CPU, 1100) }
		}, "1 of 2", `"cutBy":"NodeSize"`},
		"a quota":            {two, quota(`{hard: {requests.cpu: "10"}, used: {requests.cpu: "9"}}`), "900m of 1800m", `"cutBy":"Quota"`},
		"no room in a quota": {two, quota(`{hard: {requests.cpu: "10"}, used: {requests.cpu: 9400m}}`), "500m of 1", "web: there is no room for it"},
		"the administrator": {two, func(s *Sizer) {
			s.Permits.Admin = func() v1alpha1.AdminSettings {
				return parsed[v1alpha1.AdminSettings](t, `{maximumResources: {cpu: "1"}}`)
			}
		}, "1 of 2", `"cutBy":"MaximumResource"`},
		"an API server that cannot resize": {two, func(s *Sizer) { s.Resizes = func() bool { return false } }, "500m of 1", "web: the API server does not resize"},
		"what is allowed is not known":     {two, func(s *Sizer) { s.Allowances = allows{err: allowance.ErrUnknown} }, "500m of 1", "web: what the namespace allows is not known"},
		"a container that would restart": {`{metadata: {generateName: web-}, spec: {containers: [{name: app, resizePolicy: [{resourceName: cpu, restartPolicy: RestartContainer}],
			resources: {requests: {cpu: 500m}, limits: {cpu: "1"}}}]}}`, func(*Sizer) {}, "500m of 1", "web: the container's resizePolicy restarts it"},
		"the resources of the whole pod": {whole, func(*Sizer) {}, "500m", "web: its containers request 2 of cpu"},
		"no cpu is stated":               {`{metadata: {generateName: web-}, spec: {containers: [{name: app}]}}`, func(*Sizer) {}, "0", ""},
	} {
		t.Run(name, func(t *testing.T) {
			s := booster(t, twice)
			tc.change(s)
			got, _ := review(t, s, tc.pod)
			pod := parsed[corev1.Pod](t, got)
			if has := resources(t, got)["app"]; has != tc.want {
				t.Errorf("the pod has %s, want %s", has, tc.want)
			}
			if note := pod.Annotations[v1alpha1.BoostAnnotation] + pod.Annotations[NotBoosted]; !strings.Contains(note, tc.note) || (tc.note == "") != (note == "") {
				t.Errorf("it says %q, want %q", note, tc.note)
			}
			told := len(s.Events.(*events.FakeRecorder).Events) > 0
			if left := pod.Annotations[NotBoosted] != ""; told != left {
				t.Errorf("an event %v, left out %v", told, left)
			}
		})
	}
}
