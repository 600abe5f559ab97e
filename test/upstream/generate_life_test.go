package upstream

import (
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// life is what becomes of a pod after it was made.
type life struct {
	made                time.Time
	pending, startup    time.Duration
	phase               corev1.PodPhase
	ready               corev1.ConditionStatus
	changed             time.Time
	everReady, finished bool
}

func newLife(w *Workload) *life {
	d := w.dice
	l := &life{made: w.At, phase: corev1.PodPending, ready: corev1.ConditionFalse, changed: w.At}
	l.pending = time.Duration(Of(d, 0, 0, d.Upto(60))) * time.Second
	l.startup = time.Duration(Of(d, 0, 20, d.Upto(120))) * time.Second
	return l
}

// at returns the pod as it is at the world's moment: the same object when
// nothing has changed.
func (l *life) at(w *Workload, pod *corev1.Pod) *corev1.Pod {
	before := *l
	age := w.At.Sub(l.made)
	switch {
	case l.finished || age < l.pending:
	case !l.everReady && age >= l.pending+l.startup:
		l.phase, l.ready, l.changed, l.everReady = corev1.PodRunning, corev1.ConditionTrue, l.made.Add(l.pending+l.startup), true
	case !l.everReady:
		l.phase = corev1.PodRunning
	default:
		l.mishap(w)
	}
	if *l == before && pod.Status.Phase != "" {
		return pod
	}
	pod = pod.DeepCopy()
	started := metav1.NewTime(l.made)
	pod.Status = corev1.PodStatus{Phase: l.phase, StartTime: &started, Conditions: []corev1.PodCondition{
		{Type: corev1.PodReady, Status: l.ready, LastTransitionTime: metav1.NewTime(l.changed)},
	}}
	return pod
}

// mishap rolls what happens to a pod that runs.
func (l *life) mishap(w *Workload) {
	d := w.dice
	switch {
	case w.quirks.phases && d.OneIn(60):
		l.phase, l.finished = Of(d, corev1.PodFailed, corev1.PodSucceeded, corev1.PodUnknown), true
	case l.ready != corev1.ConditionTrue && d.OneIn(3):
		l.ready, l.changed = corev1.ConditionTrue, w.At.Add(-time.Duration(d.Upto(14))*time.Second)
	case l.ready == corev1.ConditionTrue && w.quirks.readiness && d.OneIn(30):
		l.ready, l.changed = Of(d, corev1.ConditionFalse, corev1.ConditionFalse, corev1.ConditionUnknown), w.At.Add(-time.Duration(d.Upto(14))*time.Second)
	}
}

// load is how a metric moves, in thousandths of its target.
type load struct {
	level, trend int64
	// shared divides a fixed total over the pods, as real load does; absolute
	// makes a total independent of the count.
	shared, absolute bool
	// exact puts the value on one of the marks instead; steady never jumps;
	// sleepy comes and goes.
	exact, steady, sleepy bool

	noise   int64
	failing int
}

func newLoad(d *Dice) load {
	return load{
		level: d.Between(100, 2500), shared: d.OneIn(2), absolute: d.OneIn(2),
		exact: d.OneIn(4), noise: Of[int64](d, 0, 10, 100, 500),
	}
}

// move rolls the next level: it drifts, jumps, or follows a slope for long.
func (l *load) move(d *Dice) {
	switch {
	case l.steady:
	case l.sleepy:
		if d.OneIn(10) {
			l.level = Of(d, 0, 0, d.Between(1, 30), d.Upto(2000))
		}
	case d.OneIn(12):
		l.level = Of(d, d.Upto(3000), d.Between(600, 1400), d.Between(300, 1000), 0, 1000)
	case d.OneIn(50):
		l.trend = Of(d, 0, d.Between(-40, 40), -4, 4)
	}
	l.level = max(0, min(4000, l.level+l.trend+d.Between(-l.noise, l.noise)/4))
	switch {
	case l.failing > 0:
		l.failing--
	case d.OneIn(60):
		l.failing = int(d.Between(1, 8))
	}
}

// value rolls a value at the current level, for a goal that hits the target.
func (l *load) value(d *Dice, goal int64, k marks) int64 {
	if l.exact {
		return max(0, d.around(goal, k))
	}
	return max(0, scaled(goal, l.level+d.Upto(l.noise/10), 1000))
}
