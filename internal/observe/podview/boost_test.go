package podview

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/tidemark/tidemark/api/v1alpha1"
	"github.com/tidemark/tidemark/engine/boost"
	"github.com/tidemark/tidemark/scale"
)

var born = time.Date(2026, 1, 5, 12, 0, 0, 0, time.UTC)

// boostedPod has so much cpu, may use 4, and says a note.
func boostedPod(cpu, note string) *corev1.Pod {
	return &corev1.Pod{
		ObjectMeta: metav1.ObjectMeta{Name: "web-1", CreationTimestamp: metav1.NewTime(born), Annotations: map[string]string{v1alpha1.BoostAnnotation: note}},
		Spec: corev1.PodSpec{Containers: []corev1.Container{{Name: "app", Resources: corev1.ResourceRequirements{
			Requests: corev1.ResourceList{"cpu": resource.MustParse(cpu), "memory": resource.MustParse("1Gi")},
			Limits:   corev1.ResourceList{"cpu": resource.MustParse("4")},
		}}}},
		Status: corev1.PodStatus{Phase: corev1.PodRunning, Conditions: []corev1.PodCondition{{
			Type: corev1.PodReady, Status: corev1.ConditionTrue, LastTransitionTime: metav1.NewTime(born.Add(time.Minute)),
		}}},
	}
}

const fromHalf = `{"by":"web","forSeconds":30,"containers":[{"name":"app","cpu":"2","cpuLimit":"4","settled":"500m","settledLimit":"1"}]}`

// TestABoostedPodIsSeenAsWhatItSettlesAt, and what it has is in force.
func TestABoostedPodIsSeenAsWhatItSettlesAt(t *testing.T) {
	cpu := func(m scale.Amount) scale.Resources { return scale.Resources{}.With(scale.CPU, m) }
	pod := boostedPod("2", fromHalf)
	want := scale.PodContainer{
		Name: "app", Requests: cpu(500).With(scale.Memory, 1<<30*scale.Thousand), Limits: cpu(1000), InForce: cpu(2000), LimitsInForce: cpu(4000),
	}
	got := Of(pod)
	if got.Containers[0] != want || !got.Boosted || !got.BoostEnds.Equal(born.Add(90*time.Second)) || got.Resizing() != scale.NoResize {
		t.Errorf("got %+v, want %+v until 90 s", got, want)
	}
	settled := []scale.Container{{Name: "app", Requests: want.Requests, Limits: want.Limits}}
	if diff := cmp.Diff(settled, Settled(pod), cmp.AllowUnexported(scale.Resources{})); diff != "" {
		t.Errorf("what it settles at (-want +got):\n%s", diff)
	}
}

// TestWhatIsNoBoost: a pod that was resized since has none, and a note that nobody can
// have written takes nothing from anybody.
func TestWhatIsNoBoost(t *testing.T) {
	for name, tc := range map[string]struct{ cpu, note string }{
		"it was taken back":           {"500m", fromHalf},
		"it was resized otherwise":    {"3", fromHalf},
		"a note that cannot be read":  {"2", `{"by"`},
		"of no container":             {"2", `{"by":"web"}`},
		"of another container":        {"2", `{"containers":[{"name":"proxy","cpu":"2","settled":"1"}]}`},
		"that settles at more":        {"2", `{"containers":[{"name":"app","cpu":"2","settled":"3"}]}`},
		"that settles at nothing":     {"2", `{"containers":[{"name":"app","cpu":"2","settled":"0"}]}`},
		"that settles at less":        {"2", `{"containers":[{"name":"app","cpu":"2","settled":"-1"}]}`},
		"that settles at no quantity": {"2", `{"containers":[{"name":"app","cpu":"2","settled":"NaN"}]}`},
	} {
		t.Run(name, func(t *testing.T) {
			if got := Of(boostedPod(tc.cpu, tc.note)); got.Boosted || BoostOf(boostedPod(tc.cpu, tc.note)) != nil {
				t.Errorf("it is taken for one: %+v", got)
			}
		})
	}
}

// TestABoostIsNotKeptForever, whatever the note says.
func TestABoostIsNotKeptForever(t *testing.T) {
	for note, want := range map[string]time.Time{
		`{"forSeconds":2000000000,"containers":[{"name":"app","cpu":"2","settled":"1"}]}`: born.Add(time.Minute + time.Hour),
		`{"forSeconds":-5,"containers":[{"name":"app","cpu":"2","settled":"1"}]}`:         born.Add(time.Minute),
	} {
		if got := Of(boostedPod("2", note)).BoostEnds; !got.Equal(want) {
			t.Errorf("%s ends at %s, want %s", note, got, want)
		}
	}
	never := boostedPod("2", fromHalf)
	never.Status.Conditions[0].Status = corev1.ConditionFalse
	if got := Of(never).BoostEnds; !got.Equal(born.Add(boost.Longest)) {
		t.Errorf("a pod that does not become ready keeps it until %s", got)
	}
}
