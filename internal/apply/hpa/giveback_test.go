package hpa_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	autoscalingv2 "k8s.io/api/autoscaling/v2"
	"pgregory.net/rapid"

	"github.com/tidemark/tidemark/internal/apply"
	"github.com/tidemark/tidemark/internal/apply/hpa"
	"github.com/tidemark/tidemark/internal/checks/draw"
	"github.com/tidemark/tidemark/scale"
)

const theirs = `
metadata: {annotations: {tortoises.autoscaling.mercari.com/container-based-cpu-metric-prefix: load-}}
spec:
  minReplicas: 6
  maxReplicas: 30
  metrics:
  - {type: ContainerResource, containerResource: {name: cpu, container: app, target: {type: Utilization, averageUtilization: 60}}}
  - {type: External, external: {metric: {name: load-sidecar}, target: {type: Value, value: 80000m}}}
`

func keep(t interface{ Fatal(...any) }, object *autoscalingv2.HorizontalPodAutoscaler,
	tuning scale.Tuning) (*autoscalingv2.HorizontalPodAutoscaler, []apply.Change) {
	tuned, changes, err := hpa.Keep(object, tuning, "web")
	if err != nil {
		t.Fatal(err)
	}
	return tuned, changes
}

var everything = scale.Tuning{Min: new(int32(8)), Max: new(int32(20)),
	Targets: []scale.LearnedTarget{{Container: "app", Percent: 75}, {Container: "sidecar", Percent: 70}}}

// TestGiveBack: an HPA that was tuned again and again has in the end what was
// found in it, as its owner wrote it.
func TestGiveBack(t *testing.T) {
	before := read(t, theirs)
	tuned, _ := keep(t, before, everything)
	if by, ok := hpa.TunedBy(tuned); !ok || by != "web" {
		t.Errorf("tuned by %q, %v", by, ok)
	}
	tuned, _ = keep(t, tuned, scale.Tuning{Min: new(int32(9)), Max: new(int32(25)), Targets: everything.Targets[:1]})
	given, changes := hpa.GiveBack(tuned)
	if diff := cmp.Diff(before, given); diff != "" {
		t.Errorf("(-found +given back):\n%s", diff)
	}
	if want := "spec.minReplicas 9 6 spec.maxReplicas 25 30 spec.metrics[0].containerResource.target.averageUtilization 75 60 "; texts(changes) != want {
		t.Errorf("changes %s\nwant %s", texts(changes), want)
	}
}

func texts(changes []apply.Change) string {
	text := ""
	for _, c := range changes {
		text += c.Path + " " + c.From + " " + c.To + " "
	}
	return text
}

// TestWithoutAnOpinionItIsGivenBack: only what is learned or stated stays.
func TestWithoutAnOpinionItIsGivenBack(t *testing.T) {
	before := read(t, theirs)
	if same, changes := keep(t, before, scale.Tuning{}); changes != nil || !cmp.Equal(before, same) {
		t.Errorf("a tuning without an opinion changes %s", texts(changes))
	}
	tuned, _ := keep(t, before, everything)
	tuned, changes := keep(t, tuned, scale.Tuning{Min: new(int32(8))})
	if want := "spec.maxReplicas 20 30 spec.metrics[0].containerResource.target.averageUtilization 75 60 " +
		"spec.metrics[1].external.target.value 70 80 "; texts(changes) != want {
		t.Errorf("changes %s\nwant %s", texts(changes), want)
	}
	tuned, _ = keep(t, tuned, scale.Tuning{})
	if diff := cmp.Diff(before, tuned); diff != "" {
		t.Errorf("(-found +given back):\n%s", diff)
	}
}

// TestWhatSomeoneChangedIsTheirs: a number that is not what we left behind is not
// given back, and is what will be found the next time we set it.
func TestWhatSomeoneChangedIsTheirs(t *testing.T) {
	tuned, _ := keep(t, read(t, theirs), everything)
	tuned.Spec.MinReplicas = new(int32(10))
	given, _ := hpa.GiveBack(tuned)
	if *given.Spec.MinReplicas != 10 || given.Spec.MaxReplicas != 30 {
		t.Errorf("given back %d..%d, want 10..30", *given.Spec.MinReplicas, given.Spec.MaxReplicas)
	}
	again, _ := keep(t, tuned, everything)
	if given, _ := hpa.GiveBack(again); *given.Spec.MinReplicas != 10 {
		t.Errorf("given back a minimum of %d, want 10", *given.Spec.MinReplicas)
	}
}

// TestGivenBackBoundsDoNotCross: where someone's own bound is beyond what was
// found, theirs counts.
func TestGivenBackBoundsDoNotCross(t *testing.T) {
	tuned, _ := keep(t, read(t, theirs), everything)
	tuned.Spec.MaxReplicas, tuned.Spec.MinReplicas = 4, new(int32(4))
	if given, _ := hpa.GiveBack(tuned); *given.Spec.MinReplicas != 4 || given.Spec.MaxReplicas != 4 {
		t.Errorf("both theirs: %d..%d", *given.Spec.MinReplicas, given.Spec.MaxReplicas)
	}
	low, _ := keep(t, read(t, `{spec: {minReplicas: 6, maxReplicas: 30}}`), scale.Tuning{Min: new(int32(2))})
	low.Spec.MaxReplicas = 4
	if given, _ := hpa.GiveBack(low); *given.Spec.MinReplicas != 4 || given.Spec.MaxReplicas != 4 {
		t.Errorf("their maximum: %d..%d", *given.Spec.MinReplicas, given.Spec.MaxReplicas)
	}
	high, _ := keep(t, read(t, `{spec: {minReplicas: 2, maxReplicas: 5}}`), scale.Tuning{Max: new(int32(20))})
	high.Spec.MinReplicas = new(int32(8))
	if given, _ := hpa.GiveBack(high); *given.Spec.MinReplicas != 8 || given.Spec.MaxReplicas != 8 {
		t.Errorf("their minimum: %d..%d", *given.Spec.MinReplicas, given.Spec.MaxReplicas)
	}
}

// TestAnyTuningIsGivenBack: whatever was set in whatever order, nothing is left
// behind, and what is written on the way is never refused.
func TestAnyTuningIsGivenBack(t *testing.T) {
	draw.Check(t, func(t *rapid.T) {
		before := objects().Draw(t, "hpa")
		now := before
		for range rapid.IntRange(1, 4).Draw(t, "rounds") {
			next, _ := keep(t, now, tunings().Draw(t, "tuning"))
			// A cluster in which an HPA had a minimum of 0 lets it have that again.
			if all := refusals(before, next); len(all) > 0 {
				t.Fatalf("the API server refuses it: %v", all)
			}
			now = next
		}
		given, _ := hpa.GiveBack(now)
		if before.Spec.MinReplicas == nil {
			before = before.DeepCopy()
			before.Spec.MinReplicas = given.Spec.MinReplicas
			if given.Spec.MinReplicas != nil && *given.Spec.MinReplicas != 1 {
				t.Fatalf("an absent minimum became %d", *given.Spec.MinReplicas)
			}
		}
		if diff := cmp.Diff(before, given); diff != "" {
			t.Fatalf("(-found +given back):\n%s", diff)
		}
	})
}

// TestANoteThatCannotBeRead is none: what is there is its owner's.
func TestANoteThatCannotBeRead(t *testing.T) {
	object := read(t, `{metadata: {annotations: {autoscaling.tidemark.dev/found: "{"}}, spec: {minReplicas: 6, maxReplicas: 30}}`)
	given, changes := hpa.GiveBack(object)
	if _, ok := hpa.TunedBy(given); ok || changes != nil || *given.Spec.MinReplicas != 6 {
		t.Errorf("given back %+v, changes %v", given, changes)
	}
	forged := read(t,
		`{metadata: {annotations: {autoscaling.tidemark.dev/found: '{"by":"x","fields":{"maxReplicas":{"found":"-4","set":"30"}}}'}}, spec: {minReplicas: 6, maxReplicas: 30}}`)
	if given, _ := hpa.GiveBack(forged); given.Spec.MaxReplicas != 30 {
		t.Errorf("a maximum of %d was given back", given.Spec.MaxReplicas)
	}
}
