package controller

import (
	"testing"
	"time"

	"github.com/tidemark/tidemark/explain"
	"github.com/tidemark/tidemark/scale"
)

// TestPodsThatFailAreNews: a message names those that lost readiness or are in
// back-off, and those that only start are not news.
func TestPodsThatFailAreNews(t *testing.T) {
	starting := scale.Aside{Standing: scale.Starting, Pods: 1, Names: []string{"web-1"}}
	lost := scale.Aside{Standing: scale.LostReadiness, Pods: 5, Names: []string{"web-2", "web-3", "web-4"}, Weighed: true}
	message := func(aside ...scale.Aside) string {
		facts := &scale.MetricFacts{Name: "cpu", Known: true, Pods: scale.PodCounts{Counted: 4, Unready: 8, Missing: 1}, Aside: aside}
		return explain.Message(scale.Step{Stage: scale.StageHorizontal, Reason: scale.AboveTarget, Metric: facts})
	}
	both := message(starting, lost, scale.Aside{Standing: scale.BackingOff, Pods: 2})
	if got, want := failing(both), "web-2, web-3, web-4 and 2 more lost readiness, counted by what is used; 2 in back-off"; got != want {
		t.Errorf("of %s failing are %q, want %q", both, got, want)
	}
	if got := failing(message(starting)); got != "" {
		t.Errorf("failing is %q, but it only starts", got)
	}
}

// TestDated: what began without a date keeps the one that was told first.
func TestDated(t *testing.T) {
	gaps := []scale.Gap{
		{Kind: scale.GapSize, Count: 2, Of: 5, Why: "pods that run are not resized"},
		{Kind: scale.GapOther, Who: "HPA web", Why: "it has no metric"},
	}
	first := dated(gaps, "", noon)
	told := explain.Incomplete(scale.Decision{}, first)[0].Message
	gaps[0].Count, gaps[0].Why = 1, "it was asked for, and its node does not answer"
	for i, g := range dated(gaps, told, noon.Add(time.Hour)) {
		if !g.Since.Equal(noon) {
			t.Errorf("gap %d is since %s, want %s: %s", i, g.Since, noon, told)
		}
	}
	if later := dated(gaps, "something else since long ago", noon); !later[0].Since.Equal(noon) {
		t.Errorf("a new gap is since %s", later[0].Since)
	}
}
