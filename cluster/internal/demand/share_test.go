package demand

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// pod makes a pod with one container that has the given CPU request and limit.
func pod(name string, ready corev1.ConditionStatus, request, limit string) *corev1.Pod {
	container := corev1.Container{Resources: corev1.ResourceRequirements{Requests: corev1.ResourceList{}, Limits: corev1.ResourceList{}}}
	if request != "" {
		container.Resources.Requests[corev1.ResourceCPU] = resource.MustParse(request)
	}
	if limit != "" {
		container.Resources.Limits[corev1.ResourceCPU] = resource.MustParse(limit)
	}
	return &corev1.Pod{
		ObjectMeta: metav1.ObjectMeta{Name: name},
		Spec:       corev1.PodSpec{Containers: []corev1.Container{container}},
		Status:     corev1.PodStatus{Conditions: []corev1.PodCondition{{Type: corev1.PodReady, Status: ready}}},
	}
}

func TestShare(t *testing.T) {
	const yes, no = corev1.ConditionTrue, corev1.ConditionFalse
	two := pod("a", yes, "", "")
	two.Spec.Containers = append(two.Spec.Containers, corev1.Container{})
	leaving := pod("b", yes, "", "")
	leaving.DeletionTimestamp = &metav1.Time{}
	grown := pod("a", yes, "500m", "1")
	limits := corev1.ResourceList{corev1.ResourceCPU: resource.MustParse("700m")}
	grown.Status.ContainerStatuses = []corev1.ContainerStatus{{Resources: &corev1.ResourceRequirements{Limits: limits}}}
	tests := map[string]struct {
		demand string
		pods   []*corev1.Pod
		want   map[string]string
	}{
		"two ready pods get half each":       {"3", []*corev1.Pod{pod("a", yes, "", ""), pod("b", yes, "", "")}, map[string]string{"a": "1500m", "b": "1500m"}},
		"the parts add up to the total":      {"100m", []*corev1.Pod{pod("c", yes, "", ""), pod("b", yes, "", ""), pod("a", yes, "", "")}, map[string]string{"a": "34m", "b": "33m", "c": "33m"}},
		"a pod that is not ready gets none":  {"2", []*corev1.Pod{pod("a", yes, "", ""), pod("b", no, "", "")}, map[string]string{"a": "2", "b": "0"}},
		"a pod that is leaving gets none":    {"2", []*corev1.Pod{pod("a", yes, "", ""), leaving}, map[string]string{"a": "2", "b": "0"}},
		"a limit bounds the usage":           {"3", []*corev1.Pod{pod("a", yes, "500m", "1")}, map[string]string{"a": "1"}},
		"what is in force bounds the usage":  {"3", []*corev1.Pod{grown}, map[string]string{"a": "700m"}},
		"without a limit a pod bursts":       {"3", []*corev1.Pod{pod("a", yes, "500m", "")}, map[string]string{"a": "2"}},
		"containers share the pod's part":    {"1", []*corev1.Pod{two}, map[string]string{"a": "500m"}},
		"a negative demand is no demand":     {"-1", []*corev1.Pod{pod("a", yes, "", "")}, map[string]string{"a": "0"}},
		"a workload without pods has nobody": {"1", nil, map[string]string{}},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			shares, err := Share(map[string]string{CPU: test.demand}, test.pods)
			if err != nil {
				t.Fatal(err)
			}
			got := map[string]string{}
			for name, annotations := range shares {
				got[name] = annotations[usageCPU]
			}
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("usage (-want +got):\n%s", diff)
			}
		})
	}
}

func TestShareRefusesADemandThatIsNoQuantity(t *testing.T) {
	if _, err := Share(map[string]string{CPU: "plenty"}, nil); err == nil {
		t.Error("Share accepted the demand \"plenty\"")
	}
}

// TestOverload: two pods of one core under a demand of three cannot keep up. Those
// that lose readiness keep their part, and get it back with a third pod.
func TestOverload(t *testing.T) {
	const yes, no = corev1.ConditionTrue, corev1.ConditionFalse
	hit := func(name string) *corev1.Pod {
		p := pod(name, no, "500m", "1")
		p.Annotations = map[string]string{overloaded: "true"}
		return p
	}
	type shown struct{ usage, overloaded string }
	tests := map[string]struct {
		how  string
		pods []*corev1.Pod
		want map[string]shown
	}{
		"nothing is told":               {"", []*corev1.Pod{pod("a", yes, "500m", "1"), pod("b", yes, "500m", "1")}, map[string]shown{"a": {"1", ""}, "b": {"1", ""}}},
		"all lose readiness":            {"all", []*corev1.Pod{pod("a", yes, "500m", "1"), pod("b", yes, "500m", "1")}, map[string]shown{"a": {"1", "true"}, "b": {"1", "true"}}},
		"they keep their part":          {"all", []*corev1.Pod{hit("a"), hit("b")}, map[string]shown{"a": {"1", "true"}, "b": {"1", "true"}}},
		"the first one alone":           {"1", []*corev1.Pod{pod("b", yes, "500m", "1"), pod("a", yes, "500m", "1")}, map[string]shown{"a": {"1", "true"}, "b": {"1", ""}}},
		"a pod that starts has no part": {"all", []*corev1.Pod{hit("a"), hit("b"), pod("c", no, "500m", "1")}, map[string]shown{"a": {"1", "true"}, "b": {"1", "true"}, "c": {"0", ""}}},
		"with a third pod it fits":      {"all", []*corev1.Pod{hit("a"), hit("b"), pod("c", yes, "500m", "1")}, map[string]shown{"a": {"1", "false"}, "b": {"1", "false"}, "c": {"1", ""}}},
		"told no longer":                {"", []*corev1.Pod{hit("a"), hit("b")}, map[string]shown{"a": {"1", "false"}, "b": {"1", "false"}}},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			shares, err := Share(map[string]string{CPU: "3", Overload: test.how}, test.pods)
			if err != nil {
				t.Fatal(err)
			}
			got := map[string]shown{}
			for name, annotations := range shares {
				got[name] = shown{annotations[usageCPU], annotations[overloaded]}
			}
			if diff := cmp.Diff(test.want, got, cmp.AllowUnexported(shown{})); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
	if _, err := Share(map[string]string{CPU: "1", Overload: "some"}, nil); err == nil {
		t.Error("Share accepted the overload \"some\"")
	}
}
