package policy

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/tidemark/tidemark/api/v1alpha1"
	"github.com/tidemark/tidemark/scale"
)

// TestPauseByAnnotation: the annotation wins over the field, for as long as it
// holds, and one that nobody can understand pauses everything.
func TestPauseByAnnotation(t *testing.T) {
	const by = "the annotation " + v1alpha1.PausedAnnotation
	noon := time.Date(2026, 1, 5, 12, 0, 0, 0, time.UTC)
	field := &scale.Pause{By: "spec.pause", Replicas: new(int32(7)), In: true, Out: true}
	for text, want := range map[string]*scale.Pause{
		"true":                             {By: by, In: true, Out: true},
		"false":                            nil,
		"in":                               {By: by, In: true},
		"out":                              {By: by, Out: true},
		"0":                                {By: by, Replicas: new(int32(0)), In: true, Out: true},
		"5":                                {By: by, Replicas: new(int32(5)), In: true, Out: true},
		"5 until=2026-01-05T13:00:00Z":     {By: by, Replicas: new(int32(5)), In: true, Out: true, Until: noon.Add(time.Hour)},
		"until=2026-01-05T14:00:00+01:00":  {By: by, In: true, Out: true, Until: noon.Add(time.Hour)},
		"in until=2026-01-05T12:00:00Z":    field, // over at this moment
		"false until=2026-01-05T12:00:01Z": nil,
		"false until=2026-01-05T11:00:00Z": field,
	} {
		t.Run(text, func(t *testing.T) {
			if diff := cmp.Diff(want, paused(t, text, noon)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
	for _, text := range []string{
		"", " ", "yes", "True", "-1", "5.5", "99999999999", "in out", "true true", "until=tomorrow", "true until=2026-02-30T00:00:00Z",
		"until=2026-01-05T13:00:00Z true", "5 until=", strings.Repeat("x", 1000),
	} {
		t.Run("unreadable "+text[:min(len(text), 32)], func(t *testing.T) {
			got := paused(t, text, noon)
			if got == nil || !got.Whole() || got.Replicas != nil || !got.Until.IsZero() || got.Problem == "" || len(got.Problem) > 300 {
				t.Errorf("got %+v", got)
			}
		})
	}
	if got := paused(t, "not there", noon); got == nil {
		t.Error("text of any kind is a pause")
	}
}

// paused is the pause of an object with a field, under an annotation.
func paused(t *testing.T, text string, at time.Time) *scale.Pause {
	t.Helper()
	spec := v1alpha1.WorkloadAutoscalerSpec{
		Replicas: v1alpha1.ReplicaSpec{Max: new(int32(9))}, Pause: &v1alpha1.Pause{Replicas: new(int32(7))},
	}
	p, err := Compile(spec, v1alpha1.AdminSettings{})
	if err != nil {
		t.Fatal(err)
	}
	under := Annotated(p, map[string]string{v1alpha1.PausedAnnotation: text})
	got := under.Limit.PausedAt(at)

	// A spec that is kept instead of the annotation says the same.
	kept, err := Compile(AsAnnotated(spec, map[string]string{v1alpha1.PausedAnnotation: text}, at), v1alpha1.AdminSettings{})
	if err != nil {
		t.Fatal(err)
	}
	again := kept.Limit.PausedAt(at)
	if (got == nil) != (again == nil) {
		t.Fatalf("as a spec: %+v, want %+v", again, got)
	}
	if got != nil {
		without := *got
		without.By, without.Problem = again.By, ""
		if diff := cmp.Diff(&without, again); diff != "" {
			t.Errorf("as a spec (-want +got):\n%s", diff)
		}
	}
	return got
}

// TestAnHPAIsNotPausedAtACount: it scales by itself, so that its tuning is all
// there is to pause.
func TestAnHPAIsNotPausedAtACount(t *testing.T) {
	spec := v1alpha1.WorkloadAutoscalerSpec{Replicas: v1alpha1.ReplicaSpec{Max: new(int32(9))}, Actuator: v1alpha1.ActuatorHPA, HPAName: "web"}
	p, err := Compile(spec, v1alpha1.AdminSettings{})
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{"5", "in", "out", "true"} {
		t.Run(text, func(t *testing.T) {
			annotations := map[string]string{v1alpha1.PausedAnnotation: text}
			under := Annotated(p, annotations)
			if got := under.Limit.PausedAt(time.Time{}); got == nil || !got.Whole() || got.Replicas != nil {
				t.Errorf("got %+v", got)
			}
			if _, err := Compile(AsAnnotated(spec, annotations, time.Time{}), v1alpha1.AdminSettings{}); err != nil {
				t.Error(err)
			}
		})
	}
}
