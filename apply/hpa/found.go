package hpa

import (
	"encoding/json"
	"fmt"
	"strconv"

	autoscalingv2 "k8s.io/api/autoscaling/v2"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/tidemark/tidemark/apply"
	"github.com/tidemark/tidemark/scale"
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

// The keys of the bounds.
const (
	minKey = "minReplicas"
	maxKey = "maxReplicas"
)

// field is a number of an HPA that tuning may change.
type field struct {
	// key names the field wherever it stands in the list of metrics.
	key, path string
	get       func() string
	// set reports false for what is not a value of the field.
	set func(string) bool
	// metric is the metric it belongs to; nil for a bound.
	metric *autoscalingv2.MetricSpec
}

// fields lists the numbers of an HPA that tuning may change.
func fields(hpa *autoscalingv2.HorizontalPodAutoscaler) []field {
	spec := &hpa.Spec
	all := []field{
		{key: minKey, path: "spec.minReplicas", get: func() string { return strconv.Itoa(int(minReplicas(spec))) }, set: func(text string) bool {
			n, ok := count(text, 0)
			spec.MinReplicas = keep(spec.MinReplicas, n, ok)
			return ok
		}},
		{key: maxKey, path: "spec.maxReplicas", get: func() string { return strconv.Itoa(int(spec.MaxReplicas)) }, set: func(text string) bool {
			n, ok := count(text, 1)
			spec.MaxReplicas = *keep(&spec.MaxReplicas, n, ok)
			return ok
		}},
	}
	seen := map[string]int{}
	for i := range spec.Metrics {
		f, ok := metricField(&spec.Metrics[i])
		if !ok {
			continue
		}
		f.path = fmt.Sprintf("spec.metrics[%d].%s", i, f.path)
		if seen[f.key]++; seen[f.key] > 1 {
			f.key = fmt.Sprintf("%s#%d", f.key, seen[f.key])
		}
		all = append(all, f)
	}
	return all
}

// metricField is the number of one metric.
func metricField(metric *autoscalingv2.MetricSpec) (field, bool) {
	if target, path := utilization(metric); target != nil {
		key := "resource/"
		if metric.ContainerResource != nil {
			key = "container/" + metric.ContainerResource.Container + "/" + string(metric.ContainerResource.Name)
		} else {
			key += string(metric.Resource.Name)
		}
		return field{key: key, path: path, metric: metric, get: func() string { return strconv.Itoa(int(*target.AverageUtilization)) }, set: func(text string) bool {
			n, ok := count(text, 1)
			target.AverageUtilization = keep(target.AverageUtilization, n, ok)
			return ok
		}}, true
	}
	if metric.Type != autoscalingv2.ExternalMetricSourceType || metric.External == nil || metric.External.Target.Value == nil {
		return field{}, false
	}
	target, id := &metric.External.Target, &metric.External.Metric
	key := "external/" + id.Name
	if id.Selector != nil {
		key += "{" + metav1.FormatLabelSelector(id.Selector) + "}"
	}
	return field{key: key, path: valuePath, metric: metric, get: func() string { return target.Value.String() }, set: func(text string) bool {
		q, err := resource.ParseQuantity(text)
		if err == nil && q.Sign() > 0 {
			target.Value = &q
		}
		return err == nil && q.Sign() > 0
	}}, true
}

func count(text string, least int64) (int32, bool) {
	n, err := strconv.ParseInt(text, 10, 32)
	return int32(n), err == nil && n >= least
}

// keep returns the new number if it is one, and the old otherwise.
func keep(old *int32, n int32, ok bool) *int32 {
	if ok {
		return &n
	}
	return old
}

// hasOpinion tells whether a tuning says what a field should be.
func hasOpinion(hpa *autoscalingv2.HorizontalPodAutoscaler, t scale.Tuning) func(field) bool {
	asked := asked(t)
	return func(f field) bool {
		if f.metric != nil {
			_, ok := carried(f.metric, hpa.Annotations, asked, t.Alone)
			return ok
		}
		return (f.key == minKey && t.Min != nil) || (f.key == maxKey && t.Max != nil)
	}
}
