package controller

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"sigs.k8s.io/controller-runtime/pkg/event"

	"github.com/tidemark/tidemark/api/v1alpha1"
	"github.com/tidemark/tidemark/explain"
)

// annotate sets the annotation that pauses, as kubectl would: the spec, and with it
// the generation, stays.
func (w *world) annotate(text string) {
	w.t.Helper()
	obj := w.web()
	obj.Annotations = map[string]string{v1alpha1.PausedAnnotation: text}
	if err := w.client.Update(context.Background(), obj); err != nil {
		w.t.Fatal(err)
	}
}

// TestPausedByAnnotation: it counts at once, although the spec is the same and the
// last decision a second old, is shown, and ends by itself.
func TestPausedByAnnotation(t *testing.T) {
	w := newWorld(t, object(t, "web", queuePolicy+"mode: Auto"))
	r := w.controller()
	w.replicas = 4
	w.inQueue(400)
	w.mustRound(r)
	w.after(time.Second)
	until := w.clock.Now().Add(5 * time.Second).UTC().Format(time.RFC3339)
	w.annotate("7 until=" + until)
	next := w.mustRound(r)
	if diff := cmp.Diff([]int32{7}, w.applied); diff != "" {
		t.Fatalf("paused at a count (-want +got):\n%s", diff)
	}
	if next.RequeueAfter > 5*time.Second {
		t.Errorf("looks again after %s, and the pause ends before", next.RequeueAfter)
	}
	obj := w.web()
	if obj.Status.Paused != "7 until="+until {
		t.Errorf("the status shows the pause %q", obj.Status.Paused)
	}
	if got := condition(obj, explain.AbleToScale); !strings.HasPrefix(got, "False Paused: the annotation "+v1alpha1.PausedAnnotation+" pauses at 7 until "+until) {
		t.Errorf("AbleToScale is %s", got)
	}
	if last, _ := r.lastRuns.of(obj); !last.able || last.decision.Pause == nil {
		t.Error("a pause is meant, and no fault")
	}
	w.after(5 * time.Second)
	w.mustRound(r)
	if obj = w.web(); obj.Status.Paused != "" {
		t.Errorf("after its end the status shows the pause %q", obj.Status.Paused)
	}
}

// TestAPauseWakes: a change of the annotation is looked at at once, one of another
// is not.
func TestAPauseWakes(t *testing.T) {
	for name, tc := range map[string]struct {
		key  string
		want bool
	}{"the annotation that pauses": {v1alpha1.PausedAnnotation, true}, "another": {"example.com/paused", false}} {
		t.Run(name, func(t *testing.T) {
			before := object(t, "web", queuePolicy)
			after := before.DeepCopy()
			after.Annotations = map[string]string{tc.key: "true"}
			if got := pauseChanged().Update(event.UpdateEvent{ObjectOld: before, ObjectNew: after}); got != tc.want {
				t.Errorf("passes: %t", got)
			}
		})
	}
}
