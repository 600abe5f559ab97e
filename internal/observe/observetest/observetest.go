package observetest

import (
	"context"
	"errors"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/tidemark/tidemark/internal/observe"
	"github.com/tidemark/tidemark/internal/observe/snapshot"
	"github.com/tidemark/tidemark/scale"
)

// World is an Observer and what it looks at.
type World struct {
	Observer observe.Observer
	// Request is about a workload with pods, and with metrics that all have
	// samples.
	Request observe.Request
	// Break makes every source of metrics fail from now on.
	Break func()
	// RemoveTarget removes the workload.
	RemoveTarget func()
	// Requests is how many requests the sources got so far.
	Requests func() int
}

// Run tests an Observer against its contract. Each test has a world of its own.
func Run(t *testing.T, world func(t *testing.T) World) {
	for name, test := range map[string]func(*testing.T, World){
		"sees the moment, the target, its pods and every metric": seesEverything,
		"answers the same question the same":                     isRepeatable,
		"asks the sources once for many who look at once":        sharesAnswers,
		"is left while answers are under way":                    isLeft,
		"turns a source that fails into a gap":                   turnsFailuresIntoGaps,
		"returns an error for a target that is gone":             failsWithoutTarget,
		"leaves the object as it was":                            keepsTheObject,
		"ends when it is canceled":                               honorsCancel,
	} {
		t.Run(name, func(t *testing.T) { test(t, world(t)) })
	}
}

// Equal compares observations.
var Equal = cmp.Comparer(func(a, b scale.Resources) bool { return a == b })

func look(t *testing.T, w World) observe.Result {
	t.Helper()
	result, err := w.Observer.Observe(t.Context(), w.Request)
	if err != nil {
		t.Fatalf("observing: %v", err)
	}
	return result
}

func seesEverything(t *testing.T, w World) {
	result := look(t, w)
	obs := result.Observation
	if !obs.At.Equal(w.Request.At) {
		t.Errorf("at %s, want the question's %s", obs.At, w.Request.At)
	}
	if len(obs.Pods) == 0 || len(obs.Target.Containers) == 0 || result.TargetUID == "" || result.Selector == "" {
		t.Errorf("saw %d pods and %d containers of target %q, selected by %q", len(obs.Pods), len(obs.Target.Containers), result.TargetUID, result.Selector)
	}
	if got, want := len(obs.Samples), len(w.Request.Policy.Horizontal.Metrics); got != want {
		t.Fatalf("%d samples for %d metrics", got, want)
	}
	for i, s := range obs.Samples {
		if s.Problem != "" {
			t.Errorf("sample %d: %s", i, s.Problem)
		}
	}
	if len(result.Problems) > 0 {
		t.Errorf("problems: %q", result.Problems)
	}
}

func isRepeatable(t *testing.T, w World) {
	if diff := cmp.Diff(look(t, w), look(t, w), Equal); diff != "" {
		t.Errorf("(-first +second):\n%s", diff)
	}
}

func sharesAnswers(t *testing.T, w World) {
	look(t, w)
	once := w.Requests()
	if once == 0 {
		t.Fatal("no source was asked")
	}
	var all sync.WaitGroup
	for range 20 {
		all.Go(func() { look(t, w) })
	}
	all.Wait()
	if got := w.Requests(); got != once {
		t.Errorf("%d requests after more looks, want still %d", got, once)
	}
}

// isLeft: with a look it may return before the sources have answered. It asks
// them no more than it would otherwise, and sees the same in the end.
func isLeft(t *testing.T, w World) {
	woken := make(chan struct{}, 1)
	req := w.Request
	// A look that begins later than now has all the patience there is.
	req.Look = &snapshot.Look{Began: req.At.Add(time.Hour), Period: req.Policy.Sync, Wake: func() { woken <- struct{}{} }}
	var result observe.Result
	for {
		var err error
		if result, err = w.Observer.Observe(t.Context(), req); err == nil {
			break
		}
		if under, is := errors.AsType[*snapshot.UnderWay](err); !is || under.Wait <= 0 {
			t.Fatalf("observing: %v", err)
		}
		<-woken
	}
	asked := w.Requests()
	if diff := cmp.Diff(look(t, w), result, Equal); diff != "" {
		t.Errorf("(-waiting +left):\n%s", diff)
	}
	if got := w.Requests(); got != asked {
		t.Errorf("%d requests after a look that waits, want still %d", got, asked)
	}
}

func turnsFailuresIntoGaps(t *testing.T, w World) {
	w.Break()
	obs := look(t, w).Observation
	if len(obs.Pods) == 0 {
		t.Error("the pods are gone, though only metrics failed")
	}
	for i, s := range obs.Samples {
		if s.Problem == "" {
			t.Errorf("sample %d says nothing of the failure: %+v", i, s)
		}
	}
	for i := range obs.Pods {
		for _, c := range obs.Pods[i].Containers {
			if !c.Usage.Empty() {
				t.Errorf("pod %s has usage that nobody measured", obs.Pods[i].Name)
			}
		}
	}
}

func failsWithoutTarget(t *testing.T, w World) {
	w.RemoveTarget()
	if result, err := w.Observer.Observe(t.Context(), w.Request); err == nil {
		t.Errorf("got %+v, want an error", result)
	}
}

func keepsTheObject(t *testing.T, w World) {
	before := w.Request.Object.DeepCopy()
	look(t, w)
	if diff := cmp.Diff(before, w.Request.Object); diff != "" {
		t.Errorf("the object changed (-before +after):\n%s", diff)
	}
}

func honorsCancel(t *testing.T, w World) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if result, err := w.Observer.Observe(ctx, w.Request); err == nil {
		t.Errorf("got %+v, want an error", result)
	}
}
