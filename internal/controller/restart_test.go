package controller

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/runtime"
	"pgregory.net/rapid"

	"github.com/tidemark/tidemark/engine"
	"github.com/tidemark/tidemark/engine/limit"
	"github.com/tidemark/tidemark/internal/checks/draw"
	"github.com/tidemark/tidemark/scale"
)

const period = 15 * time.Second

// life runs the object through the values of its queue, one a period, with a new
// controller before each round that restarts names, and returns what was decided.
func life(t *testing.T, spec string, queue []int64, restarts ...int) []string {
	t.Helper()
	w := newWorld(t, object(t, "web", spec))
	r := w.controller()
	var out []string
	for i, n := range queue {
		for _, at := range restarts {
			if at == i {
				r = w.controller()
			}
		}
		w.inQueue(n)
		r.wake(keyOf("web"))
		w.mustRound(r)
		d := w.web().Status.LastDecision
		out = append(out, fmt.Sprintf("%d %s %s", w.replicas, d.Reason, d.LimitedBy))
		w.after(period)
	}
	return out
}

// windowPolicy has every window there is.
const windowPolicy = `
replicas: {min: 1, max: 20}
metrics: [{type: External, external: {metric: {name: queue}, target: {averageValue: "100"}}}]
behavior:
  scaleUp: {delaySeconds: 30, forbiddenWindowSeconds: 45}
  scaleDown: {stabilizationWindowSeconds: 90, forbiddenWindowSeconds: 60, policies: [{type: Pods, value: 2, periodSeconds: 60}]}
`

// TestRestartInAWindow: a restart, or a change of leader, in the middle of a
// window changes nothing, wherever in the window it comes.
func TestRestartInAWindow(t *testing.T) {
	queue := []int64{300, 600, 600, 600, 600, 600, 600, 200, 150, 180, 200, 200, 200, 200, 200, 200, 200, 200, 200, 200}
	undisturbed := life(t, windowPolicy, queue)
	if moved := strings.Join(undisturbed, "\n"); !strings.Contains(moved, "Stabilized") || !strings.Contains(moved, "ForbiddenWindow") ||
		!strings.Contains(moved, "Delayed") {
		t.Fatalf("the life shows no window:\n%s", moved)
	}
	// The first count of a window is the one before it that is still remembered:
	// from round 8 on the scale-down waits.
	for _, at := range []int{1, 2, 3, 4, 5, 8, 9, 10, 11, 12, 13, 14, 15, 16} {
		t.Run(fmt.Sprint(at), func(t *testing.T) {
			if diff := cmp.Diff(undisturbed, life(t, windowPolicy, queue, at)); diff != "" {
				t.Errorf("with a restart before round %d (-without +with):\n%s", at, diff)
			}
		})
	}
}

// TestRestartHoldsLonger: whatever the metric does, and whenever controllers are
// replaced, there are never fewer pods than without.
func TestRestartHoldsLonger(t *testing.T) {
	const spec = `
replicas: {min: 1, max: 20}
metrics: [{type: External, external: {metric: {name: queue}, target: {averageValue: "100"}}}]
behavior: {scaleDown: {stabilizationWindowSeconds: 60}, scaleUp: {policies: [{type: Pods, value: 20, periodSeconds: 15}]}}
`
	draw.Check(t, func(rt *rapid.T) {
		queue := rapid.SliceOfN(rapid.Map(rapid.IntRange(1, 6), func(n int) int64 { return int64(n) * 100 }), 4, 14).Draw(rt, "queue")
		restarts := rapid.SliceOfN(rapid.IntRange(0, len(queue)-1), 1, 4).Draw(rt, "restarts")
		without, with := life(t, spec, queue), life(t, spec, queue, restarts...)
		for i := range queue {
			var a, b int
			_, _ = fmt.Sscan(without[i], &a)
			_, _ = fmt.Sscan(with[i], &b)
			if b < a {
				rt.Fatalf("round %d has %d pods with restarts and %d without\n%v\n%v", i, b, a, without, with)
			}
		}
	})
}

// TestResumed: the newest desired count of an old memory held until now,
// everything else is as it was.
func TestResumed(t *testing.T) {
	ago := func(d time.Duration, value int64) limit.TimedValue {
		return limit.TimedValue{At: noon.Add(-d), Value: value}
	}
	for name, c := range map[string]struct{ in, want []limit.TimedValue }{
		"nothing remembered":           {nil, nil},
		"at rest for an hour":          {[]limit.TimedValue{ago(time.Hour, 5)}, []limit.TimedValue{ago(0, 5)}},
		"one period ago":               {[]limit.TimedValue{ago(period, 5)}, []limit.TimedValue{ago(period, 5)}},
		"in a window, a minute's loss": {[]limit.TimedValue{ago(2*time.Minute, 9), ago(time.Minute, 5)}, []limit.TimedValue{ago(2*time.Minute, 9), ago(0, 5)}},
	} {
		t.Run(name, func(t *testing.T) {
			var m engine.Memory
			m.Highs = append([]limit.TimedValue(nil), c.in...)
			m.Totals = []limit.DesiredTotals{{Container: "app", Resource: "cpu", Lows: append([]limit.TimedValue(nil), c.in...)}}
			got := resumed(m, noon, period)
			if diff := cmp.Diff(c.want, got.Highs); diff != "" {
				t.Errorf("%s (-want +got):\n%s", name, diff)
			}
			if diff := cmp.Diff(c.want, got.Totals[0].Lows); diff != "" {
				t.Errorf("%s, totals (-want +got):\n%s", name, diff)
			}
		})
	}
}

// TestLostMemory: a memory that cannot be read is told, and for one window
// nothing scales down.
func TestLostMemory(t *testing.T) {
	for name, memory := range map[string]string{
		"not a memory":      `["what"]`,
		"a newer version's": `{"seen":true,"future":1}`,
		"a negative count":  `{"highs":[{"at":"2026-01-05T11:00:00Z","value":-1}]}`,
	} {
		t.Run(name, func(t *testing.T) {
			obj := object(t, "web", queuePolicy)
			obj.Status.Memory = &runtime.RawExtension{Raw: []byte(memory)}
			w := newWorld(t, obj)
			w.replicas = 6
			w.inQueue(100)
			r := w.controller()
			w.mustRound(r)
			if got := condition(w.web(), "AbleToScale"); !strings.HasPrefix(got, "True MemoryLost: status.memory could not be read (") {
				t.Errorf("AbleToScale is %q", got)
			}
			if heard := w.heard(); len(heard) != 1 || !strings.HasPrefix(heard[0], "Warning MemoryLost") {
				t.Errorf("events %q", heard)
			}
			for range 3 {
				w.after(period)
				w.mustRound(r)
			}
			if w.replicas != 6 {
				t.Errorf("within the window it went to %d", w.replicas)
			}
			for range 8 {
				w.after(period)
				w.mustRound(r)
			}
			if w.replicas != 1 {
				t.Errorf("after the window it is at %d", w.replicas)
			}
		})
	}
}

// TestAfresh: the totals of a lost memory are those there are, so that intervals
// do not scale down either.
func TestAfresh(t *testing.T) {
	obs := &scale.Observation{At: noon, Target: scale.Target{SpecReplicas: 4, Containers: []scale.Container{
		{Name: "app", Requests: scale.Resources{}.With(scale.CPU, 500)},
	}}}
	m := freshMemory(obs)
	want := limit.Totals{{Container: "app", Resource: "cpu", Highs: []limit.TimedValue{{At: noon, Value: 2000}}}}
	if diff := cmp.Diff(want, m.Totals); diff != "" {
		t.Errorf("totals (-want +got):\n%s", diff)
	}
	if !m.Seen || m.Replicas != 4 || !m.LastEventAt.Equal(noon) {
		t.Errorf("got %+v", m)
	}
}

// TestTheFirstWriteWhoseAnswerIsLost: what a first look changed without being told so
// is a change, from when the next look sees it.
func TestTheFirstWriteWhoseAnswerIsLost(t *testing.T) {
	w := newWorld(t, object(t, "web", windowlessPolicy+"behavior: {scaleUp: {forbiddenWindowSeconds: 45}}"))
	r := w.controller()
	w.inQueue(600)
	w.onApply, w.applyErr = func() { w.replicas = 6 }, errors.New("the connection broke")
	if _, err := w.round(r); err == nil {
		t.Fatal("no error where the answer is lost")
	}
	w.onApply, w.applyErr = nil, nil
	w.inQueue(800)
	w.after(time.Second)
	w.mustRound(r)
	if w.replicas != 6 || w.web().Status.LastDecision.LimitedBy != string(scale.ForbiddenWindow) {
		t.Errorf("%d pods, limited by %q, a second after the first change", w.replicas, w.web().Status.LastDecision.LimitedBy)
	}
	w.after(45 * time.Second)
	w.mustRound(r)
	if w.replicas != 8 {
		t.Errorf("%d pods after the window, want 8", w.replicas)
	}
}

const windowlessPolicy = `
replicas: {min: 1, max: 20}
metrics: [{type: External, external: {metric: {name: queue}, target: {averageValue: "100"}}}]
`
