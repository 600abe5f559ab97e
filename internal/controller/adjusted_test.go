package controller

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tidemark/tidemark/engine"
	"github.com/tidemark/tidemark/explain"
	"github.com/tidemark/tidemark/internal/apply"
	"github.com/tidemark/tidemark/scale"
)

// TestEveryChangeIsTold: what was written to an HPA has an event of its own,
// whatever else changed, and what was written to pods is never told as that.
func TestEveryChangeIsTold(t *testing.T) {
	least := apply.Change{Path: "spec.minReplicas", From: "2", To: "5"}
	pod := apply.Change{Path: apply.PodPath("web-1") + ".spec.containers[app].resources.requests.cpu", From: "500m", To: "300m"}
	tuned := explain.Event{Reason: "LeftToHPA", Message: "set spec.minReplicas from 2 to 5"}
	sized := explain.Event{Reason: "RightSized", Message: "set pods[web-1].spec.containers[app].resources.requests.cpu from 500m to 300m"}
	for name, c := range map[string]struct {
		tunes, moved bool
		changes      []apply.Change
		want         []explain.Event
	}{
		"nothing":                              {tunes: true},
		"the HPA":                              {tunes: true, changes: []apply.Change{least}, want: []explain.Event{tuned}},
		"the HPA while pods change their size": {tunes: true, moved: true, changes: []apply.Change{least, pod}, want: []explain.Event{tuned}},
		"a pod beside an HPA":                  {tunes: true, changes: []apply.Change{pod}, want: []explain.Event{sized}},
		"a pod that changes its size beside an HPA":  {tunes: true, moved: true, changes: []apply.Change{pod}},
		"the HPA, and a pod that becomes as others":  {tunes: true, changes: []apply.Change{least, pod}, want: []explain.Event{tuned, sized}},
		"a pod that becomes as the others":           {changes: []apply.Change{pod}, want: []explain.Event{sized}},
		"a pod while all of them change their sizes": {moved: true, changes: []apply.Change{pod}},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t, object(t, "web", queuePolicy))
			r := newReport(w.web(), noon, scale.Shortfall{})
			d := scale.Decision{From: scale.Size{Replicas: 3}, Want: scale.Size{Replicas: 3}}
			if c.moved {
				d.Want.Replicas = 4
			}
			if c.tunes {
				d.Tuning = &scale.Tuning{}
			}
			r.obs, r.decision, r.memory = &scale.Observation{}, &d, &engine.Memory{}
			if err := r.NoteOutcome(apply.Outcome{Changes: c.changes}, engine.Memory{}, nil); err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(c.want, r.adjusted()); diff != "" {
				t.Errorf("%s (-want +got):\n%s", name, diff)
			}
		})
	}
}
