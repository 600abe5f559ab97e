package sim

import (
	"fmt"
	"testing"
	"time"

	"github.com/tidemark/tidemark/scale"
)

var monday = time.Date(2026, 1, 5, 0, 0, 0, 0, time.UTC)

// TestPodsStartAndLeave: new pods take their time, the youngest leave first,
// and pods that never were ready never become it.
func TestPodsStartAndLeave(t *testing.T) {
	w := NewWorkload(monday, 3, 2)
	w.StartUp = 30 * time.Second
	w.Apply(monday, scale.Size{Replicas: 5})
	for _, c := range []struct {
		after time.Duration
		ready int32
	}{{0, 2}, {29 * time.Second, 2}, {30 * time.Second, 4}, {time.Hour, 4}} {
		t.Run(fmt.Sprintf("%+v", c), func(t *testing.T) {
			if got := w.Ready(monday.Add(c.after)); got != c.ready {
				t.Errorf("after %s %d are ready, want %d", c.after, got, c.ready)
			}
		})
	}
	w.Scale(monday, 3)
	pods := w.Pods(monday.Add(time.Hour), func(bool) scale.Resources { return scale.Resources{} })
	if len(pods) != 3 || pods[2].Name != "app-3" || pods[2].Ready != scale.NotReady {
		t.Errorf("left are %+v", pods)
	}
}
