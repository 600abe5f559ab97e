package controller

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/tidemark/tidemark/scale"
)

// TestNewPodsAreAnnounced: the webhook sizes new pods by the status, so that one
// must have the size of the pods before they are asked for. It costs a write only
// where it says something else than before, and nothing but the decision is told
// before it is carried out.
func TestNewPodsAreAnnounced(t *testing.T) {
	w := newWorld(t, object(t, "web", queuePolicy+"containers: [{name: app, cpu: {scaling: Vertical}}]"))
	recommend := func(cpu scale.Amount) {
		w.recommended = []scale.Recommendation{{Container: "app", PerPod: scale.Resources{}.With(scale.CPU, cpu)}}
	}
	published := ""
	w.onApply = func() {
		published = "nothing"
		if d := w.web().Status.LastDecision; d != nil {
			published = d.Want.Containers["app"]["cpu"]
		}
	}
	r := w.controller()
	for _, c := range []struct {
		does      string
		queue     int64
		cpu       scale.Amount
		published string
		writes    int
	}{
		{"the first size, and no new pod", 300, 800, "nothing", 1},
		{"another size and more pods", 600, 900, "900m", 2},
		{"more pods of the same size", 900, 900, "900m", 1},
		{"another size, and no new pod", 900, 1200, "900m", 1},
	} {
		t.Run(c.does, func(t *testing.T) {
			w.inQueue(c.queue)
			recommend(c.cpu)
			writes := w.statusWrites
			w.mustRound(r)
			if got := w.statusWrites - writes; published != c.published || got != c.writes {
				t.Errorf("%s: the status said %s when it was applied, and was written %d times; want %s and %d", c.does, published, got, c.published, c.writes)
			}
			w.after(time.Minute)
		})
	}

	w.applyErr = errors.New("no answer")
	w.inQueue(1200)
	recommend(1500)
	if _, err := w.round(r); err == nil {
		t.Fatal("a decision that was not carried out is no error")
	}
	if got := condition(w.web(), "AbleToScale"); published != "1500m" || !strings.HasPrefix(got, "False ApplyFailed") {
		t.Errorf("the status said %s when it was applied, and then %s", published, got)
	}
	if got := w.web().Status.LastScaleTime; !got.Time.Equal(noon.Add(2*time.Minute)) && !got.Time.Equal(noon.Add(3*time.Minute)) {
		t.Errorf("the change that did not happen counts as one: %s", got)
	}
}

// TestPodsGoBeforeTheirAnnouncement: pods are added although the status cannot
// be written.
func TestPodsGoBeforeTheirAnnouncement(t *testing.T) {
	w := newWorld(t, object(t, "web", queuePolicy+"containers: [{name: app, cpu: {scaling: Vertical}}]"))
	w.recommended = []scale.Recommendation{{Container: "app", PerPod: scale.Resources{}.With(scale.CPU, 800)}}
	w.inQueue(600)
	w.onStatus = func() error { return errors.New("no answer") }
	if w.mustRound(w.controller()); w.replicas != 6 {
		t.Errorf("%d pods", w.replicas)
	}
}
