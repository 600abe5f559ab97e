//go:build e2e

package e2e

import (
	"fmt"
	"strings"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/tidemark/tidemark/api/v1alpha1"
	"github.com/tidemark/tidemark/internal/controller/config"
	past "github.com/tidemark/tidemark/internal/course"
	"github.com/tidemark/tidemark/internal/record"
	"github.com/tidemark/tidemark/scale"
)

// jumps are courses of which an HPA that holds its maximum for five minutes costs less
// than headroom, because demand is back by the time that pods have started. For some
// ages of usage, which a test cannot choose, headroom is as cheap on one of them, but
// not on all.
var jumps = map[string]struct {
	every, last int64
	to          scale.Amount
}{"web-a": {240, 15, 800}, "web-b": {285, 30, 800}, "web-c": {180, 30, 400}, "web-d": {240, 30, 2000}}

// jumpy is the course of a day that ends now.
func (p *place) jumpy(name string) *v1alpha1.WorkloadCourse {
	c, now, jump := past.New(), time.Now(), jumps[name]
	for at := now.Add(-past.Day); at.Before(now); at = at.Add(past.Fine) {
		used := scale.Amount(200)
		if at.Unix()%jump.every < jump.last {
			used = jump.to
		}
		c.Observe(past.Sample{At: at, Used: used, Room: past.Unknown})
	}
	return &v1alpha1.WorkloadCourse{ObjectMeta: metav1.ObjectMeta{Namespace: p.name, Name: name}, Course: c.Encode()}
}

// TestTunesItself: at the time of day that the configuration states, settings are
// compared on the course there is, the workload is sized by the cheapest, and
// everyone can see why. With tune: Off that is forgotten.
func TestTunesItself(t *testing.T) {
	alone(t)
	p := newPlace(t)
	for name := range jumps {
		p.workload(name, 4)
		p.demand(name, "0.29")
		if err := world.Create(t.Context(), p.jumpy(name)); err != nil {
			t.Fatal(err)
		}
		p.autoscaler(name, `{replicas: {min: 1, max: 40}, behavior: {syncPeriodSeconds: 15, scaleDown: {stabilizationWindowSeconds: 300}},
			learn: {headroom: {resize: {enabled: false}}, tune: Nightly}}`)
	}
	p.tuneSoon(t)
	var tuned string
	eventually(t, patience, func() (err error) {
		for name := range jumps {
			if _, err = p.tunedTo(name); err == nil {
				tuned = name
				break
			}
		}
		return err
	})
	eventually(t, patience, p.told(tuned, "Normal SelfTuned: sized by hpa:", "before by headroom", "core-hours"))
	if text := tidemark(t, "explain", tuned, "-n", p.name); !strings.Contains(text, "SelfTuned") || !strings.Contains(text, "FIRST HALF") {
		t.Errorf("tidemark explain says:\n%s", text)
	}
	if _, err := world.Kubectl("patch", "workloadautoscaler", tuned, "-n", p.name, "--type=merge", "-p", `{"spec": {"learn": {"tune": "Off"}}}`); err != nil {
		t.Fatal(err)
	}
	eventually(t, patience, func() error {
		if to, err := p.tunedTo(tuned); err == nil {
			return fmt.Errorf("it is still sized by %s", to)
		}
		return nil
	})
}

// tuneSoon starts a controller that tunes within two minutes. One that did not get
// to look at the object before that would tune tomorrow, so another is started.
func (p *place) tuneSoon(t *testing.T) {
	t.Helper()
	for {
		at := time.Now().UTC().Add(2 * time.Minute).Truncate(time.Minute)
		c := startController(t, options{change: func(c *config.Controller) {
			c.Tuning.At, c.Tuning.CPUPercent = at.Format("15:04"), 100
		}})
		eventually(t, patience, func() error {
			series, err := c.Series()
			if err == nil && !strings.Contains(series, p.name) {
				err = fmt.Errorf("no series is about the namespace %s", p.name)
			}
			return err
		})
		if time.Now().Before(at) {
			time.Sleep(time.Until(at))
			return
		}
		if err := c.Stop(); err != nil {
			t.Fatal(err)
		}
	}
}

// tunedTo is what the memory of an object says that it is sized by.
func (p *place) tunedTo(name string) (scale.Setting, error) {
	status, err := p.status(name)
	if err != nil {
		return scale.Setting{}, err
	}
	if status.Memory == nil {
		return scale.Setting{}, fmt.Errorf("there is no memory yet")
	}
	memory, err := record.DecodeMemory(status.Memory.Raw)
	if err == nil && (memory.Learned.Tuned == nil || memory.Learned.Tuned.Target == 0) {
		err = fmt.Errorf("it is not sized by an HPA: %+v", memory.Learned.Tuned)
	}
	if err != nil {
		return scale.Setting{}, err
	}
	return memory.Learned.Tuned.Setting, nil
}
