package controller

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	eventsv1 "k8s.io/api/events/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/tools/events"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/tidemark/tidemark/explain"
	"github.com/tidemark/tidemark/scale"
)

// failingReader answers nothing.
type failingReader struct{ client.Reader }

func (failingReader) Get(context.Context, client.ObjectKey, client.Object, ...client.GetOption) error {
	return errors.New("no answer")
}

// TestStatusConflict: someone edits the object while it is decided on. The
// status is put on the newest object; nothing is decided again.
func TestStatusConflict(t *testing.T) {
	w := newWorld(t, object(t, "web", queuePolicy))
	w.inQueue(600)
	conflicts := 1
	w.onStatus = func() error {
		if conflicts--; conflicts < 0 {
			return nil
		}
		return apierrors.NewConflict(schema.GroupResource{Resource: "workloadautoscalers"}, "web", errors.New("changed"))
	}
	w.mustRound(w.controller())
	if got := w.web().Status.DesiredReplicas; got == nil || *got != 6 || w.observed != 1 {
		t.Errorf("desired %v after %d looks", got, w.observed)
	}
}

// TestStatusThatCannotBeWritten: the workload was scaled, the API server went
// away. The retry writes the status that was missing and decides nothing, and
// what was remembered is not lost.
func TestStatusThatCannotBeWritten(t *testing.T) {
	w := newWorld(t, object(t, "web", queuePolicy))
	r := w.controller()
	w.inQueue(600)
	w.onStatus = func() error { return errors.New("no answer") }
	if next := w.mustRound(r).RequeueAfter; next <= 0 || next > time.Second {
		t.Fatalf("it is written again after %s, want soon", next)
	}
	w.after(time.Second)
	w.inQueue(2000)
	for range 100 {
		// However often that fails, the next round is when it is due.
		if next := w.mustRound(r).RequeueAfter; next <= 0 || next > 23*time.Second {
			t.Fatalf("it is written again after %s, want no later than the next round", next)
		}
	}
	w.onStatus = nil
	w.after(time.Second)
	w.mustRound(r)
	if diff := cmp.Diff([]int32{6}, w.applied); diff != "" || w.observed != 1 {
		t.Errorf("observed %d times; applied (-want +got):\n%s", w.observed, diff)
	}
	if got := w.web().Status; *got.DesiredReplicas != 6 || !got.LastScaleTime.Time.Equal(noon) {
		t.Errorf("the status is %+v", got)
	}
}

// TestStatusOfAnInvalidSpec: that the API server was away while a spec was
// refused does not leave the object without a word.
func TestStatusOfAnInvalidSpec(t *testing.T) {
	w := newWorld(t, object(t, "web", "replicas: {min: 1}"))
	r := w.controller()
	w.onStatus = func() error { return errors.New("no answer") }
	if next, err := w.round(r); err != nil || next.RequeueAfter == 0 {
		t.Fatalf("got %v, %v; want it to be tried again", next, err)
	}
	w.onStatus = nil
	_, _ = w.round(r)
	if got := condition(w.web(), "AbleToScale"); got == "missing" {
		t.Error("nothing is told")
	}
}

// TestStoppingKeepsTheStatus: a controller that is stopped in the middle of a
// round still writes what it has done.
func TestStoppingKeepsTheStatus(t *testing.T) {
	w := newWorld(t, object(t, "web", queuePolicy))
	r := w.controller()
	ctx, stop := context.WithCancel(context.Background())
	stop()
	report := newReport(w.web(), noon, scale.Shortfall{})
	report.status.Replicas = 7
	if _, err := r.publish(ctx, report, ctrl.Result{}, nil); err != nil || w.web().Status.Replicas != 7 {
		t.Errorf("error %v, status %+v", err, w.web().Status)
	}
}

// sink is an API server that is told events.
type sink struct{ told chan string }

func (s sink) Create(_ context.Context, e *eventsv1.Event) (*eventsv1.Event, error) {
	s.told <- e.Note
	return e, nil
}

func (s sink) Update(_ context.Context, e *eventsv1.Event) (*eventsv1.Event, error) {
	s.told <- "again: " + e.Note
	return e, nil
}

func (s sink) Patch(_ context.Context, e *eventsv1.Event, _ []byte) (*eventsv1.Event, error) {
	s.told <- "again: " + e.Note
	return e, nil
}

// TestEventsOfOneReason: each sentence is an event of its own, and what is said
// again is counted.
func TestEventsOfOneReason(t *testing.T) {
	w, api := newWorld(t, object(t, "web", queuePolicy)), sink{make(chan string)}
	broadcaster := events.NewBroadcaster(api)
	defer broadcaster.Shutdown()
	if err := broadcaster.StartRecordingToSinkWithContext(t.Context()); err != nil {
		t.Fatal(err)
	}
	r := w.controller()
	r.Events = broadcaster.NewRecorder(scheme, "tidemark")
	for _, c := range []struct{ says, want string }{
		{"pod web-a waits", "pod web-a waits"},
		{"pod web-b waits", "pod web-b waits"},
		{"pod web-a waits", "again: pod web-a waits"},
	} {
		report := newReport(w.web(), noon, scale.Shortfall{})
		report.events = []explain.Event{{Reason: string(scale.Waiting), Message: c.says}}
		r.tell(report, lastRun{})
		if got := <-api.told; got != c.want {
			t.Fatalf("%q became %q, want %q", c.says, got, c.want)
		}
	}
}
