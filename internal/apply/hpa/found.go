package hpa

import (
	"encoding/json"
	"fmt"

	autoscalingv2 "k8s.io/api/autoscaling/v2"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/tidemark/tidemark/internal/apply"
)

// FoundAnnotation holds what was found in an HPA before it was tuned, and what
// was set instead, so that it can be given back: by whoever deletes the object,
// by a controller that was not there when that happened, or by hand.
const FoundAnnotation = "autoscaling.tidemark.dev/found"

// note is the content of the annotation.
type note struct {
	// By is the name of the object that tunes the HPA.
	By string `json:"by"`
	// Fields are those that were changed, by their keys.
	Fields map[string]change `json:"fields"`
}

// change is a field's value before anyone tuned it, and the one that tuning gave
// it last.
type change struct {
	Found string `json:"found"`
	Set   string `json:"set"`
}

// noteOf reads the annotation. One that cannot be read is none: then nothing is
// known of what was there before, and what is there now is its owner's.
func noteOf(hpa *autoscalingv2.HorizontalPodAutoscaler) note {
	var n note
	if err := json.Unmarshal([]byte(hpa.Annotations[FoundAnnotation]), &n); err != nil {
		return note{}
	}
	return n
}

// TunedBy returns the name of the object that has changed an HPA, and whether
// there is one.
func TunedBy(hpa *autoscalingv2.HorizontalPodAutoscaler) (string, bool) {
	_, noted := hpa.Annotations[FoundAnnotation]
	return noteOf(hpa).By, noted
}

// ours tells whether a field still has what tuning gave it, and what was found
// there before.
func (n note) ours(f field) (string, bool) {
	c, noted := n.Fields[f.key]
	return c.Found, noted && c.Set == f.get()
}

// GiveBack returns a copy of the HPA with what was found in it before it was
// tuned, and each field in which the copy differs. A field that someone else has
// changed since is left as it is.
func GiveBack(hpa *autoscalingv2.HorizontalPodAutoscaler) (*autoscalingv2.HorizontalPodAutoscaler, []apply.Change) {
	given, changes := giveBack(hpa, func(field) bool { return true })
	delete(given.Annotations, FoundAnnotation)
	return given, changes
}

// givenBack is the reason of a change that gives back.
const givenBack = "this is what was found before it was tuned"

// giveBack gives back the fields that are chosen.
func giveBack(hpa *autoscalingv2.HorizontalPodAutoscaler, chosen func(field) bool) (*autoscalingv2.HorizontalPodAutoscaler, []apply.Change) {
	n, given := noteOf(hpa), hpa.DeepCopy()
	minGiven := false
	for _, f := range fields(given) {
		if found, ours := n.ours(f); ours && chosen(f) {
			set := f.set(found)
			minGiven = minGiven || (set && f.key == minKey)
		}
	}
	// Bounds that someone changed beside ours may cross what was found. Theirs
	// counts.
	if least := minReplicas(&given.Spec); least > given.Spec.MaxReplicas {
		if minGiven {
			given.Spec.MinReplicas = new(given.Spec.MaxReplicas)
		} else {
			given.Spec.MaxReplicas = least
		}
	}
	return given, difference(hpa, given, func(string) string { return givenBack })
}

// difference lists the fields in which two versions of an HPA differ.
func difference(before, after *autoscalingv2.HorizontalPodAutoscaler, reason func(path string) string) []apply.Change {
	var changes []apply.Change
	now := fields(after)
	for i, f := range fields(before) {
		if from, to := f.get(), now[i].get(); from != to {
			changes = append(changes, apply.Change{Path: f.path, From: from, To: to, Reason: reason(f.path)})
		}
	}
	return changes
}

// remember notes in a tuned copy what was found in the HPA.
func remember(hpa, tuned *autoscalingv2.HorizontalPodAutoscaler, by string) error {
	before, after := noteOf(hpa), note{By: by, Fields: map[string]change{}}
	now := fields(tuned)
	for i, f := range fields(hpa) {
		found, ours := before.ours(f)
		if !ours {
			found = f.get()
		}
		if set := now[i].get(); found != set {
			after.Fields[f.key] = change{Found: found, Set: set}
		}
	}
	if len(after.Fields) == 0 {
		delete(tuned.Annotations, FoundAnnotation)
		return nil
	}
	text, err := json.Marshal(after)
	if err != nil {
		return fmt.Errorf("noting what was found: %w", err)
	}
	metav1.SetMetaDataAnnotation(&tuned.ObjectMeta, FoundAnnotation, string(text))
	return nil
}
