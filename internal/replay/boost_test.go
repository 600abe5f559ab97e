package replay

import (
	"testing"
	"time"

	"sigs.k8s.io/yaml"

	"github.com/tidemark/tidemark/api/v1alpha1"
	"github.com/tidemark/tidemark/internal/replay/trace"
	"github.com/tidemark/tidemark/scale"
)

// steps is a demand of two cores that becomes eight for a while, again and again.
func steps() trace.Trace {
	t := trace.Trace{Step: time.Minute}
	for i := range 8 * 60 {
		value := scale.Amount(2000)
		if i/20%2 == 1 {
			value = 8000
		}
		t.Points = append(t.Points, trace.Point{At: monday.Add(time.Duration(i) * time.Minute), Value: value})
	}
	return t
}

// boostedScore is the score of pods that take two minutes to start and have so many
// times their cpu until then, where so much of a start is work for the cpu.
func boostedScore(t *testing.T, factor string, work int64) Score {
	t.Helper()
	var spec v1alpha1.WorkloadAutoscalerSpec
	if err := yaml.UnmarshalStrict([]byte(`{replicas: {min: 2, max: 40},
		metrics: [{type: Resource, resource: {name: cpu, target: {averageUtilization: 60}}}], containers: [{name: app, boost: {factor: `+factor+`}}]}`), &spec); err != nil {
		t.Fatal(err)
	}
	policy, err := FromSpec("boosted", spec)
	if err != nil {
		t.Fatal(err)
	}
	p := Honest()
	p.StartUp, p.Boost.StartUpCPU = 2*time.Minute, work
	return run(t, newReplay(t, steps(), p), false, policy)[0].Score
}

// TestWhatABoostGains: less work is lost, for more cores, the more of a start is work
// for the cpu. Each pod that starts is resized once. Where a start is all waiting, a
// boost only costs.
func TestWhatABoostGains(t *testing.T) {
	plain, half, all, none := boostedScore(t, "1", scale.Parts/2), boostedScore(t, "4", scale.Parts/2), boostedScore(t, "4", scale.Parts), boostedScore(t, "4", 0)
	if plain.PodResizes != 0 || plain.PodStarts == 0 {
		t.Fatalf("a factor of 1 is no boost: %+v", plain)
	}
	if !(all.UnservedPercent < half.UnservedPercent && half.UnservedPercent < plain.UnservedPercent) {
		t.Errorf("lost without a boost %.2f %%, with %.2f %%, and %.2f %% where a start is all work",
			plain.UnservedPercent, half.UnservedPercent, all.UnservedPercent)
	}
	if half.CoreHours <= plain.CoreHours || half.PodResizes < half.PodStarts {
		t.Errorf("it costs nothing: %+v, without it %+v", half, plain)
	}
	if none.UnservedPercent < plain.UnservedPercent || none.CoreHours <= half.CoreHours {
		t.Errorf("where a start is waiting: %+v, without a boost %+v", none, plain)
	}
}
