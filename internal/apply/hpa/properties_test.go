package hpa_test

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	autoscalingv2 "k8s.io/api/autoscaling/v2"
	"pgregory.net/rapid"

	"github.com/tidemark/tidemark/internal/apply"
	"github.com/tidemark/tidemark/internal/apply/hpa"
	"github.com/tidemark/tidemark/internal/checks/draw"
	"github.com/tidemark/tidemark/scale"
)

// tuned is one call and its answer.
type tuned struct {
	before, after *autoscalingv2.HorizontalPodAutoscaler
	tuning        scale.Tuning
	changes       []apply.Change
}

// always checks that something holds whatever is tuned.
func always(t *testing.T, check func(t *rapid.T, c tuned)) {
	t.Helper()
	draw.Check(t, func(t *rapid.T) {
		c := tuned{before: objects().Draw(t, "hpa"), tuning: tunings().Draw(t, "tuning")}
		c.after, c.changes = hpa.Tune(c.before, c.tuning)
		check(t, c)
	})
}

func TestAlwaysAcceptedByTheAPIServer(t *testing.T) {
	always(t, func(t *rapid.T, c tuned) {
		if got := refusals(c.before, c.after); got != nil {
			t.Fatalf("refused: %v", got)
		}
	})
}

func TestTuningTwiceIsTuningOnce(t *testing.T) {
	always(t, func(t *rapid.T, c tuned) {
		again, changes := hpa.Tune(c.after, c.tuning)
		if changes != nil {
			t.Fatalf("the second time changes %v", changes)
		}
		if diff := cmp.Diff(c.after, again); diff != "" {
			t.Fatalf("the second time differs (-once +twice):\n%s", diff)
		}
	})
}

// TestChangesAreTheDifference: there are as many changes as fields that differ,
// none of them from a value to itself, and nil exactly when nothing differs.
func TestChangesAreTheDifference(t *testing.T) {
	always(t, func(t *rapid.T, c tuned) {
		differing := 0
		cmp.Equal(c.before, c.after, cmp.Reporter(&counter{count: &differing}))
		if len(c.changes) != differing || (c.changes == nil) != (differing == 0) {
			t.Fatalf("%d fields differ, the changes are %v:\n%s", differing, c.changes, cmp.Diff(c.before, c.after))
		}
		if i := slices.IndexFunc(c.changes, func(c apply.Change) bool { return c.From == c.To }); i >= 0 {
			t.Fatalf("%v is no change", c.changes[i])
		}
	})
}

// counter counts the values in which two objects differ.
type counter struct{ count *int }

func (c *counter) PushStep(cmp.PathStep) {}
func (c *counter) PopStep()              {}
func (c *counter) Report(r cmp.Result) {
	if !r.Equal() {
		*c.count++
	}
}

// TestTheArgumentIsKept: whoever calls may hold the HPA in a shared cache.
func TestTheArgumentIsKept(t *testing.T) {
	draw.Check(t, func(t *rapid.T) {
		object, tuning := objects().Draw(t, "hpa"), tunings().Draw(t, "tuning")
		before := object.DeepCopy()
		after, _ := hpa.Tune(object, tuning)
		hpa.Missing(object, tuning)
		for i := range after.Spec.Metrics {
			after.Spec.Metrics[i] = autoscalingv2.MetricSpec{}
		}
		if diff := cmp.Diff(before, object); diff != "" {
			t.Fatalf("the argument changed (-before +after):\n%s", diff)
		}
	})
}

// TestOnlyNumbersWeOwnDiffer takes the numbers that may be tuned out of both
// objects: the rest, and so the order of the metrics, must be the same.
func TestOnlyNumbersWeOwnDiffer(t *testing.T) {
	always(t, func(t *rapid.T, c tuned) {
		if diff := cmp.Diff(withoutTuned(c.before, c.tuning), withoutTuned(c.after, c.tuning)); diff != "" {
			t.Fatalf("what is not ours differs (-before +after):\n%s", diff)
		}
	})
}

// withoutTuned returns a copy without its bounds and without the percentages
// that some target of the tuning could speak of.
func withoutTuned(object *autoscalingv2.HorizontalPodAutoscaler, tuning scale.Tuning) *autoscalingv2.HorizontalPodAutoscaler {
	object = object.DeepCopy()
	object.Spec.MinReplicas, object.Spec.MaxReplicas = nil, 0
	for i := range object.Spec.Metrics {
		m := &object.Spec.Metrics[i]
		for _, target := range tuning.Targets {
			if src := m.ContainerResource; src != nil && src.Container == target.Container && string(src.Name) == target.Resource.String() {
				src.Target.AverageUtilization = nil
			}
			if src := m.Resource; src != nil && tuning.Alone == target.Container && string(src.Name) == target.Resource.String() {
				src.Target.AverageUtilization = nil
			}
			if src := m.External; src != nil && slices.Contains(externalNames(object, target), src.Metric.Name) {
				src.Target.Value = nil
			}
		}
	}
	return object
}

// externalNames are the names under which the annotations would have an
// External metric of a target.
func externalNames(object *autoscalingv2.HorizontalPodAutoscaler, target scale.LearnedTarget) []string {
	var names []string
	for _, domain := range []string{"autoscaling.tidemark.dev", "tortoises.autoscaling.mercari.com"} {
		if prefix := object.Annotations[domain+"/container-based-"+target.Resource.String()+"-metric-prefix"]; prefix != "" {
			names = append(names, prefix+target.Container)
		}
	}
	return names
}

// TestMissingOrTuned: for a target with an opinion, either it is told to be
// missing, or a metric now has the smallest percentage asked for it.
func TestMissingOrTuned(t *testing.T) {
	always(t, func(t *rapid.T, c tuned) {
		missing := map[scale.LearnedTarget]bool{}
		for _, target := range hpa.Missing(c.before, c.tuning) {
			missing[target] = true
		}
		for _, target := range c.tuning.Targets {
			if target.Percent < 1 {
				continue
			}
			target = smallest(c.tuning, target)
			if !missing[target] && !stands(c.after, target, c.tuning.Alone) {
				t.Fatalf("%v is not missing, but no metric has it", target)
			}
		}
	})
}

// smallest returns the smallest percentage for the same container and resource.
func smallest(tuning scale.Tuning, target scale.LearnedTarget) scale.LearnedTarget {
	for _, other := range tuning.Targets {
		if other.Container == target.Container && other.Resource == target.Resource && other.Percent >= 1 {
			target.Percent = min(target.Percent, other.Percent)
		}
	}
	return target
}

// stands tells whether a metric of the target has its percentage.
func stands(object *autoscalingv2.HorizontalPodAutoscaler, target scale.LearnedTarget, alone string) bool {
	return slices.ContainsFunc(object.Spec.Metrics, func(m autoscalingv2.MetricSpec) bool {
		if src := m.ContainerResource; src != nil && src.Container == target.Container && string(src.Name) == target.Resource.String() {
			return src.Target.AverageUtilization != nil && *src.Target.AverageUtilization == target.Percent
		}
		if src := m.Resource; src != nil && alone == target.Container && string(src.Name) == target.Resource.String() {
			return src.Target.AverageUtilization != nil && *src.Target.AverageUtilization == target.Percent
		}
		if src := m.External; src != nil && slices.Contains(externalNames(object, target), src.Metric.Name) {
			return src.Target.Value != nil && src.Target.Value.Value() == int64(target.Percent)
		}
		return false
	})
}
