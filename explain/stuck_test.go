package explain_test

import (
	"strings"
	"testing"

	"github.com/tidemark/tidemark/explain"
	"github.com/tidemark/tidemark/scale"
)

// TestStuckPodsAreToldOnce: the warning comes when more pods stop being ordered,
// names how many come to nothing, and is not repeated.
func TestStuckPodsAreToldOnce(t *testing.T) {
	var names scale.PodNames
	names.Add("web-5")
	names.Add("web-6")
	six := scale.Size{Replicas: 6}
	held := func(reason scale.Reason) scale.Decision {
		return scale.Decision{From: six, Want: six, Proposed: six, Reason: scale.AboveTarget, LimitedBy: reason, Steps: []scale.Step{
			{Stage: scale.StageLimit, Reason: reason, In: six.WithReplicas(9), Out: six, Limit: 6, Pods: &names},
		}}
	}
	free, noNode, crashes := scale.Decision{From: six, Want: six, Reason: scale.WithinTolerance}, held(scale.Unschedulable), held(scale.CrashLooping)
	for name, c := range map[string]struct {
		now    scale.Decision
		before *scale.Decision
		want   string
	}{
		"it begins":         {noNode, &free, "Unschedulable 2 of 6 pods have had no node for 5m or longer, and no other found one: no more until one does (web-5, web-6)"},
		"at first sight":    {crashes, nil, "CrashLooping 2 of 6 pods have crashed for 5m or longer, and no other became ready: no more until one does (web-5, web-6)"},
		"it goes on":        {noNode, &noNode, ""},
		"something else":    {crashes, &noNode, "CrashLooping 2 of 6 pods"},
		"it is over":        {free, &noNode, ""},
		"it never happened": {free, &free, ""},
	} {
		t.Run(name, func(t *testing.T) {
			got := ""
			for _, e := range explain.Events(c.now, c.before) {
				if !e.Warning {
					t.Errorf("%s is no warning", e.Reason)
				}
				got += e.Reason + " " + e.Message
			}
			if !strings.HasPrefix(got, c.want) || c.want == "" && got != "" {
				t.Errorf("want %q, got %q", c.want, got)
			}
		})
	}
}
