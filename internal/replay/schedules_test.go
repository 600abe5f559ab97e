package replay

import (
	"testing"
	"time"

	"github.com/tidemark/tidemark/api/v1alpha1"
	"github.com/tidemark/tidemark/internal/replay/trace"
	"github.com/tidemark/tidemark/scale"
)

// TestSchedulesAreReplayed: a replay honors schedules by its virtual time. On the
// first morning only the pods of the beginning are known, which were there at once,
// so pods are started one look ahead; on the second morning it is known that a pod
// takes five minutes, and they are started as much earlier.
func TestSchedulesAreReplayed(t *testing.T) {
	quiet := trace.Trace{Step: time.Minute}
	for i := range 2 * 24 * 60 {
		quiet.Points = append(quiet.Points, trace.Point{At: monday.Add(time.Duration(i) * time.Minute), Value: 500})
	}
	p, err := FromSpec("day", v1alpha1.WorkloadAutoscalerSpec{
		Replicas: v1alpha1.ReplicaSpec{Min: new(int32(2)), Max: new(int32(20))},
		Schedules: []v1alpha1.Schedule{{
			Name: "day", Start: "0 8 * * *", End: "0 18 * * *", Replicas: &v1alpha1.ScheduledReplicas{Min: new(int32(10))},
		}},
	})
	if err != nil {
		t.Fatal(err)
	}
	plant := usual()
	plant.StartUp = 5 * time.Minute
	var changes []Moment
	for _, m := range run(t, newReplay(t, quiet, plant), true, p)[0].Timeline {
		if m.Want != m.Replicas {
			changes = append(changes, m)
		}
	}
	wants := []struct {
		at     time.Duration
		want   int32
		reason scale.Reason
	}{
		{8*time.Hour - 15*time.Second, 10, scale.ScheduledMin},
		{18*time.Hour + 5*time.Minute, 2, scale.MinReplicas}, // the window of five minutes of a scale-down
		{32*time.Hour - 5*time.Minute - 15*time.Second, 10, scale.ScheduledMin},
		{42*time.Hour + 5*time.Minute, 2, scale.MinReplicas},
	}
	if len(changes) != len(wants) {
		t.Fatalf("changes %+v", changes)
	}
	for i, want := range wants {
		t.Run(want.at.String(), func(t *testing.T) {
			if got := changes[i]; !got.At.Equal(monday.Add(want.at)) || got.Want != want.want || got.Reason != want.reason {
				t.Errorf("got %+v, want %+v", got, want)
			}
		})
	}
}
