package controller

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/tidemark/tidemark/api/v1alpha1"
	"github.com/tidemark/tidemark/internal/course"
	"github.com/tidemark/tidemark/internal/observe/snapshot"
	"github.com/tidemark/tidemark/internal/record"
	"github.com/tidemark/tidemark/internal/selftune"
	"github.com/tidemark/tidemark/scale"
)

const tunedPolicy = "replicas: {min: 1, max: 20}\nlearn: {headroom: {}, tune: Nightly}\n"

// busy gives the workload pods that use so much each.
func (w *world) busy(used scale.Amount) {
	w.pods = nil
	for i := range w.replicas {
		w.pods = append(w.pods, scale.Pod{
			Name: string('a' + i), Ready: scale.Ready, StartedAt: noon.Add(-time.Hour), ReadyChangedAt: noon.Add(-time.Hour),
			UsageAt: w.clock.Now().Add(-10 * time.Second), UsageWindow: 15 * time.Second,
			Containers: []scale.PodContainer{{Name: "app", Requests: scale.Resources{}.With(scale.CPU, 500), Usage: scale.Resources{}.With(scale.CPU, used)}},
		})
	}
}

// tunerOf is the tuner of a controller, with someone who compares.
func (w *world) tunerOf(r *Reconciler, compare func(selftune.Trial) (*scale.Tuned, error)) *tuner {
	r.histories.Tuning = Tuning{Compare: compare, At: selftune.UsualAt, Percent: 100}
	return &tuner{histories: r.histories, next: selftune.Next(w.clock.Now(), selftune.UsualAt)}
}

// course is what is stored of web.
func (w *world) course() (*v1alpha1.WorkloadCourse, *course.Course) {
	w.t.Helper()
	var out v1alpha1.WorkloadCourse
	if err := w.client.Get(context.Background(), keyOf("web"), &out); err != nil {
		w.t.Fatal(err)
	}
	read, err := course.Decode(out.Course)
	if err != nil {
		w.t.Fatal(err)
	}
	return &out, read
}

// run lets time go by, with a look each 15 seconds.
func (w *world) run(r *Reconciler, tuner *tuner, length time.Duration) {
	w.t.Helper()
	for end := w.clock.Now().Add(length); w.clock.Now().Before(end); {
		w.after(15 * time.Second)
		w.busy(350)
		w.mustRound(r)
		tuner.look(context.Background())
	}
}

// yesterday is the course of a day that ends now, and belongs to nobody yet.
func (w *world) yesterday() *v1alpha1.WorkloadCourse {
	c, now := course.New(), w.clock.Now()
	for at := now.Add(-course.Day); at.Before(now); at = at.Add(course.Fine) {
		c.Observe(course.Sample{At: at, Used: 1000, Room: course.Unknown})
	}
	return &v1alpha1.WorkloadCourse{ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: "web"}, Course: c.Encode()}
}

// TestTunesAtNight: settings are compared once a night on the course there is, and
// what is found is in force from the next round on, with an event, and in the
// memory that the next controller begins with.
func TestTunesAtNight(t *testing.T) {
	w := newWorld(t, object(t, "web", tunedPolicy))
	w.clock.SetTime(time.Date(2026, 1, 6, 1, 58, 0, 0, time.UTC))
	if err := w.client.Create(context.Background(), w.yesterday()); err != nil {
		t.Fatal(err)
	}
	r := w.controller()
	var trials []selftune.Trial
	tuner := w.tunerOf(r, func(tr selftune.Trial) (*scale.Tuned, error) {
		trials = append(trials, tr)
		return &scale.Tuned{At: tr.At, Before: tr.Now, Setting: scale.Setting{Target: 70}, Candidates: []scale.Candidate{
			{First: 2000, Second: 4000}, {Setting: scale.Setting{Target: 70}, First: 1000, Second: 3000},
		}}, nil
	})
	w.run(r, tuner, 90*time.Second)
	if len(trials) != 0 {
		t.Fatalf("%d comparisons before the night", len(trials))
	}
	w.run(r, tuner, 2*time.Minute)
	if len(trials) != 1 {
		t.Fatalf("%d comparisons in a night", len(trials))
	}
	tr := trials[0]
	f := &tr.Facts
	if cpu, _ := f.Requests.Get(scale.CPU); cpu != 500 || f.Delay != 10*time.Second || f.Window != 15*time.Second || tr.Now != (scale.Setting{}) {
		t.Errorf("the facts are %+v, now %s", f, tr.Now)
	}
	if got := tr.Record.Used[0]; got != 1000 || len(tr.Record.Used) != int(course.Day/course.Fine) {
		t.Errorf("%d steps, at first %s was used", len(tr.Record.Used), got)
	}
	const says = "SelfTuned sized by hpa:70 from now on, before by headroom: over the past that was replayed it would have cost 1.00 and 3.00 " +
		"core-hours instead of 2.00 and 4.00"
	if all := strings.Join(w.heard(), "\n"); strings.Count(all, says) != 1 {
		t.Errorf("the events are:\n%s", all)
	}
	memory, err := record.DecodeMemory(w.web().Status.Memory.Raw)
	if err != nil || memory.Learned.Tuned == nil || memory.Learned.Tuned.Target != 70 {
		t.Errorf("%v, remembered is %+v", err, memory.Learned.Tuned)
	}
	stored, kept := w.course()
	if owner := metav1.GetControllerOf(stored); owner == nil || owner.UID != "uid-of-web" || kept.Newest().Before(w.clock.Now().Add(-5*time.Minute)) {
		t.Errorf("the owner of the course is %+v, and it ends at %s", owner, kept.Newest())
	}
	next := w.controller()
	w.run(next, w.tunerOf(next, nil), 30*time.Second)
	if got := next.histories.of(keyOf("web")).tuned.now; got.Target != 70 {
		t.Errorf("after a restart it is sized by %s", got)
	}
}

// TestAComparisonThatPanics is that object's failure: the night goes on with the next
// one, and so does the process.
func TestAComparisonThatPanics(t *testing.T) {
	w := newWorld(t, object(t, "web", tunedPolicy))
	w.clock.SetTime(time.Date(2026, 1, 6, 1, 58, 0, 0, time.UTC))
	if err := w.client.Create(context.Background(), w.yesterday()); err != nil {
		t.Fatal(err)
	}
	r, nights := w.controller(), 0
	tuner := w.tunerOf(r, func(selftune.Trial) (*scale.Tuned, error) {
		nights++
		panic("no such setting")
	})
	w.run(r, tuner, 4*time.Minute)
	if nights != 1 {
		t.Fatalf("%d comparisons in a night", nights)
	}
	var panicked *snapshot.Panic
	if err := tuner.tune(context.Background(), keyOf("web")); !errors.As(err, &panicked) || !strings.Contains(err.Error(), "no such setting") {
		t.Errorf("got %v", err)
	}
	before := w.observed
	w.run(r, tuner, time.Minute)
	if w.observed == before {
		t.Error("the object is not looked at any more")
	}
}

// TestCourseOfAnother is left alone, and nothing is compared.
func TestCourseOfAnother(t *testing.T) {
	foreign := &v1alpha1.WorkloadCourse{ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: "web",
		OwnerReferences: []metav1.OwnerReference{{Kind: "Deployment", Name: "web", UID: "other"}}}, Course: course.New().Encode()}
	w := newWorld(t, object(t, "web", tunedPolicy), foreign)
	r := w.controller()
	tuner := w.tunerOf(r, func(selftune.Trial) (*scale.Tuned, error) {
		t.Error("settings are compared")
		return &scale.Tuned{}, nil
	})
	w.run(r, tuner, time.Minute)
	if err := tuner.tune(context.Background(), keyOf("web")); err == nil || !strings.Contains(err.Error(), "it belongs to the Deployment web") {
		t.Errorf("got %v", err)
	}
	if _, kept := w.course(); !kept.Newest().IsZero() {
		t.Error("it was written")
	}
}

// TestCoursesAreWrittenSeldom: once an hour, and nothing is kept of objects that are
// not tuned.
func TestCoursesAreWrittenSeldom(t *testing.T) {
	w := newWorld(t, object(t, "web", tunedPolicy))
	r := w.controller()
	tuner := w.tunerOf(r, nil)
	w.run(r, tuner, 15*time.Second)
	k := r.histories.of(keyOf("web"))
	k.tuned.savedAt = w.clock.Now().Add(-courseEvery)
	w.run(r, tuner, 15*time.Second)
	first, _ := w.course()
	w.run(r, tuner, time.Minute)
	if second, _ := w.course(); second.ResourceVersion != first.ResourceVersion {
		t.Errorf("written at %s and at %s", first.UpdatedAt, second.UpdatedAt)
	}
	if n := len(k.tuned.pending); n == 0 || n > 4 {
		t.Errorf("%d samples wait to be written, want those of the last minute alone", n)
	}
	w.edit(func(obj *v1alpha1.WorkloadAutoscaler) { obj.Spec.Learn.Tune = v1alpha1.TuneOff })
	w.run(r, tuner, time.Minute)
	if k.tunes() {
		t.Error("it is still tuned")
	}
}

// TestPauses: a computation that is to take a twentieth of a core rests for as long
// as that takes, and ends with its context.
func TestPauses(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	pause := pauses(ctx, 50)
	began, rested := time.Now(), 0
	for time.Since(began) < 50*time.Millisecond {
		before := time.Now()
		if err := pause(); err != nil {
			t.Fatal(err)
		}
		if time.Since(before) >= worksFor {
			rested++
		}
	}
	if rested == 0 {
		t.Error("it never rests")
	}
	cancel()
	var err error
	for end := time.Now().Add(time.Minute); err == nil && time.Now().Before(end); {
		err = pause()
	}
	if err == nil {
		t.Error("it goes on after its end")
	}
}
