package stages_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"sigs.k8s.io/kwok/pkg/apis/internalversion"
	"sigs.k8s.io/kwok/pkg/config"
	"sigs.k8s.io/kwok/pkg/utils/lifecycle"
	"sigs.k8s.io/yaml"
)

var noon = time.Date(2026, 1, 5, 12, 0, 0, 0, time.UTC)

// pod was asked for 200m and has so much, with these annotations and conditions.
func pod(t *testing.T, has, annotations, conditions string) *lifecycle.Event {
	t.Helper()
	text := fmt.Sprintf(`{metadata: {generation: 3, annotations: {%s}}, spec: {containers: [{name: app, resources: {requests: {cpu: 200m}}}]},
		status: {phase: Running, conditions: [{type: Ready, status: "True"}%s], containerStatuses: [{name: app, resources: {requests: {cpu: %s}}}]}}`,
		annotations, conditions, has)
	object := &unstructured.Unstructured{}
	if err := yaml.Unmarshal([]byte(text), &object.Object); err != nil {
		t.Fatal(err)
	}
	return &lifecycle.Event{Annotations: object.GetAnnotations(), Data: object}
}

// TestResizes: what is next for a pod that was asked for another size, and when.
func TestResizes(t *testing.T) {
	objects, err := config.Load(t.Context(), "pod-resize.yaml")
	if err != nil {
		t.Fatal(err)
	}
	all, err := lifecycle.NewLifecycle(config.FilterWithType[*internalversion.Stage](objects))
	if err != nil {
		t.Fatal(err)
	}
	const (
		slow      = `cluster.tidemark.dev/resize-seconds: "5"`
		deferred  = `cluster.tidemark.dev/resize: deferred`
		forAWhile = deferred + `, cluster.tidemark.dev/resize-deferred-seconds: "30"`
		progress  = `, {type: PodResizeInProgress, status: "True", observedGeneration: %d, lastTransitionTime: "2026-01-05T11:59:58Z"}`
		pending   = `, {type: PodResizePending, status: "True", reason: Deferred, observedGeneration: 3, lastTransitionTime: "2026-01-05T11:59:58Z"}`
	)
	for name, tt := range map[string]struct {
		has, annotations, conditions string
		want                         []string
	}{
		"has its size":                      {"200m", "", "", nil},
		"is resized at once":                {"100m", "", "", []string{"pod-resize in 0s"}},
		"a slow one begins":                 {"100m", slow, "", []string{"pod-resize-begins in 0s"}},
		"and ends five seconds later":       {"100m", slow, fmt.Sprintf(progress, 3), []string{"pod-resize in 3s"}},
		"unless another size was asked for": {"100m", slow, fmt.Sprintf(progress, 2), []string{"pod-resize-begins in 0s"}},
		"or the old one again":              {"200m", slow, fmt.Sprintf(progress, 3), []string{"pod-resize-withdrawn in 0s"}},
		"a refusal is said":                 {"100m", deferred, "", []string{"pod-resize-refused in 0s"}},
		"once":                              {"100m", deferred, pending, nil},
		"one for a while ends":              {"100m", forAWhile, pending, []string{"pod-resize-deferred-ends in 28s"}},
	} {
		t.Run(name, func(t *testing.T) {
			event := pod(t, tt.has, tt.annotations, tt.conditions)
			possible, err := all.ListAllPossible(t.Context(), event)
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, stage := range possible {
				delay, _, err := stage.Delay(t.Context(), event, noon)
				if err != nil {
					t.Fatal(err)
				}
				got = append(got, fmt.Sprintf("%s in %s", stage.Name(), delay))
			}
			if !slices.Equal(got, tt.want) {
				t.Errorf("next is %q, want %q", got, tt.want)
			}
		})
	}
}
