package advise

import (
	"fmt"
	"strings"
	"testing"

	"github.com/tidemark/tidemark/api/v1alpha1"
)

// queue is an HPA that looks at a queue.
func queue(partial bool) Autoscaler {
	out := hpa(50)
	out.Partial = partial
	out.Document = []byte(strings.Replace(string(out.Document), `"metrics":[`,
		`"metrics":[{"type":"External","external":{"metric":{"name":"queue"},"target":{"type":"AverageValue","averageValue":"30"}}},`, 1))
	return out
}

// TestOtherMetrics: cpu says nothing about a queue, so what decides by one is kept
// and converted, and what it did is repeated.
func TestOtherMetrics(t *testing.T) {
	got, err := Judge(web(queue(false)), steady(20), quick)
	if err != nil {
		t.Fatal(err)
	}
	if got.Verdict != Keep || got.Sure != Low || got.Now.Policy != "recorded" || got.ReplayError != nil || got.Scaled != "HPA queue, cpu 50%" {
		t.Errorf("%s, %s, %s, %s", got.Verdict, got.Sure, got.Now.Policy, got.Scaled)
	}
	if got.Object == nil || len(got.Object.Spec.Metrics) != 2 || got.Object.Spec.Mode != v1alpha1.ModeRecommend {
		t.Errorf("the object is %+v", got.Object)
	}
	got, err = Judge(web(queue(true)), steady(20), quick)
	if err != nil || got.Object != nil || !strings.Contains(got.Unwritten, "give a cluster") {
		t.Errorf("%v, %+v, %s: an object would have a metric that nobody knows", err, got.Object, got.Unwritten)
	}
}

// TestBounds: those of the present autoscaler are kept; without one, what the
// workload is decides.
func TestBounds(t *testing.T) {
	for name, c := range map[string]struct {
		of   Workload
		past Past
		want string
	}{
		"an HPA's":           {web(hpa(50)), steady(8), "2 30"},
		"nothing":            {web(), steady(8), "2 16"},
		"a single pod":       {web(), steady(1), "1 1"},
		"numbered pods":      {Workload{Kind: StatefulSet}, steady(3), "3 3"},
		"numbered, with HPA": {Workload{Kind: StatefulSet, Autoscalers: []Autoscaler{hpa(50)}}, steady(3), "2 30"},
	} {
		t.Run(name, func(t *testing.T) {
			within := boundsOf(&c.of, presentOf(&c.of), c.past)
			if got := fmt.Sprint(*within.Min, *within.Max); got != c.want {
				t.Errorf("%s, want %s", got, c.want)
			}
		})
	}
}

// TestUnreadable: an autoscaler that cannot be read is told, and what it did is
// repeated.
func TestUnreadable(t *testing.T) {
	got, err := Judge(web(Autoscaler{Kind: "Hvpa", Name: "web", Document: []byte(`{"kind":"Hvpa"}`)}), steady(20), quick)
	if err != nil || got.Now.Policy != "recorded" || len(got.Notes) == 0 || !strings.Contains(got.Notes[0], "Hvpa web cannot be replayed") {
		t.Errorf("%v, %s, %v", err, got.Now.Policy, got.Notes)
	}
}
