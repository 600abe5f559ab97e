package controller

import (
	"strings"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/tidemark/tidemark/api/v1alpha1"
	"github.com/tidemark/tidemark/engine"
	"github.com/tidemark/tidemark/engine/elastic"
	"github.com/tidemark/tidemark/engine/limit"
	"github.com/tidemark/tidemark/internal/record"
	"github.com/tidemark/tidemark/scale"
)

// quiet is the status of a workload at rest.
func quiet(t *testing.T) v1alpha1.WorkloadAutoscalerStatus {
	t.Helper()
	at := metav1.NewTime(noon)
	return v1alpha1.WorkloadAutoscalerStatus{
		ObservedGeneration: 1, Replicas: 3, Selector: "app=web", DesiredReplicas: new(int32(3)), LastScaleTime: &at,
		Conditions: []metav1.Condition{{Type: "AbleToScale", Status: "True", Reason: "Ready", Message: "stays at 3: WithinTolerance"}},
		LastDecision: &v1alpha1.Decision{
			At: at, From: v1alpha1.Size{Replicas: 3}, Want: v1alpha1.Size{Replicas: 3}, Proposed: v1alpha1.Size{Replicas: 3}, Reason: "WithinTolerance",
			Steps: []v1alpha1.Step{{Stage: "horizontal", Reason: "WithinTolerance", Message: "queue is 98, within the tolerance of the target 100"}},
		},
		Memory: memoryText(t, func(m *engine.Memory) { m.Highs = desired(noon, 3) }),
	}
}

// desired are counts that were desired one a period, the last of them now.
func desired(now time.Time, values ...int64) []limit.TimedValue {
	out := make([]limit.TimedValue, len(values))
	for i, v := range values {
		out[i] = limit.TimedValue{At: now.Add(-period * time.Duration(len(values)-1-i)), Value: v}
	}
	return out
}

func memoryText(t *testing.T, change func(*engine.Memory)) *runtime.RawExtension {
	t.Helper()
	m := engine.Memory{Seen: true, Replicas: 3}
	m.LastEventAt = noon
	change(&m)
	text, err := record.EncodeMemory(m)
	if err != nil {
		t.Fatal(err)
	}
	return &runtime.RawExtension{Raw: text}
}

func TestWorthWriting(t *testing.T) {
	type status = v1alpha1.WorkloadAutoscalerStatus
	later := noon.Add(time.Hour)
	for name, c := range map[string]struct {
		change func(*status)
		want   bool
	}{
		"nothing":                      {func(*status) {}, false},
		"the moment of the decision":   {func(s *status) { s.LastDecision.At = metav1.NewTime(later) }, false},
		"a moment that is hours later": {func(s *status) { s.LastDecision.At = metav1.NewTime(noon.Add(refreshAfter)) }, true},
		"a value in a step's message": {func(s *status) {
			s.LastDecision.Steps[0].Message = "queue is 101, within the tolerance of the target 100"
		}, false},
		"pods that start": {func(s *status) {
			s.LastDecision.Steps[0].Message += " (3 pods counted, 1 not ready: web-4 starting)"
		}, false},
		"pods that crash": {func(s *status) {
			s.LastDecision.Steps[0].Message += " (3 pods counted, 2 not ready: web-4 starting; web-5 in back-off)"
		}, true},
		"a number in a condition":        {func(s *status) { s.Conditions[0].Message = "stays at 4: WithinTolerance" }, false},
		"the moment of a repeated count": {func(s *status) { s.Memory = memoryText(t, func(m *engine.Memory) { m.Highs = desired(later, 3) }) }, false},
		"another count":                  {func(s *status) { s.Memory = memoryText(t, func(m *engine.Memory) { m.Highs = desired(noon, 4) }) }, true},
		"a count that waits in a window": {func(s *status) { s.Memory = memoryText(t, func(m *engine.Memory) { m.Highs = desired(noon, 3, 2) }) }, true},
		"since when the value is above": {func(s *status) {
			s.Memory = memoryText(t, func(m *engine.Memory) { m.Highs, m.AboveSince = desired(noon, 3), noon })
		}, true},
		"a memory that cannot be read": {func(s *status) { s.Memory = &runtime.RawExtension{Raw: []byte("[]")} }, true},
		"no memory":                    {func(s *status) { s.Memory = nil }, true},
		"the words of a condition":     {func(s *status) { s.Conditions[0].Message = "no longer" }, true},
		"the reason of a condition":    {func(s *status) { s.Conditions[0].Reason = "Paused" }, true},
		"the state of a condition":     {func(s *status) { s.Conditions[0].Status = "False" }, true},
		"one condition more":           {func(s *status) { s.Conditions = append(s.Conditions, metav1.Condition{Type: "ScalingActive"}) }, true},
		"the generation":               {func(s *status) { s.ObservedGeneration = 2 }, true},
		"the count of pods":            {func(s *status) { s.Replicas = 2 }, true},
		"the selector":                 {func(s *status) { s.Selector = "app=shop" }, true},
		"the wanted count":             {func(s *status) { s.DesiredReplicas = new(int32(4)) }, true},
		"the first wanted count":       {func(s *status) { s.DesiredReplicas = nil }, true},
		"the last scaling":             {func(s *status) { at := metav1.NewTime(later); s.LastScaleTime = &at }, true},
		"the reason":                   {func(s *status) { s.LastDecision.Reason = "NoData" }, true},
		"what limits it":               {func(s *status) { s.LastDecision.LimitedBy = "MaxReplicas" }, true},
		"a step's reason":              {func(s *status) { s.LastDecision.Steps[0].Reason = "NoData" }, true},
		"a size":                       {func(s *status) { s.LastDecision.Proposed.Replicas = 5 }, true},
		"a request":                    {func(s *status) { s.LastDecision.Want.Containers = map[string]map[string]string{"app": {"cpu": "1"}} }, true},
		"what an HPA is tuned to":      {func(s *status) { s.LastDecision.Tuning = &v1alpha1.Tuning{MinReplicas: new(int32(2))} }, true},
	} {
		t.Run(name, func(t *testing.T) {
			after := quiet(t)
			c.change(&after)
			if got := worthWriting(quiet(t), after); got != c.want {
				t.Errorf("%s: worth writing is %v, want %v", name, got, c.want)
			}
		})
	}
}

// TestMomentsInAWindowAreWritten: with several desired counts every moment
// counts.
func TestMomentsInAWindowAreWritten(t *testing.T) {
	before, after := quiet(t), quiet(t)
	before.Memory = memoryText(t, func(m *engine.Memory) { m.Highs = desired(noon, 3, 2) })
	after.Memory = memoryText(t, func(m *engine.Memory) { m.Highs = desired(noon.Add(period), 3, 2) })
	if !worthWriting(before, after) {
		t.Error("a window that moved on is not written")
	}
}

func TestNumbersDoNotMatter(t *testing.T) {
	for _, pair := range [][2]string{
		{"too soon after the last change: another 1m30s to wait", "too soon after the last change: another 45s to wait"},
		{"cpu is 63.5%, above the target 60%: asks for 4", "cpu is 170%, above the target 60%: asks for 12"},
		{"memory is 1.5Gi, between", "memory is 900Mi, between"},
		{"must last another 59m59.5s first", "must last another 1h0m0s first"},
	} {
		t.Run(strings.Join(pair[:], " "), func(t *testing.T) {
			if a, b := numbers.ReplaceAllString(pair[0], "#"), numbers.ReplaceAllString(pair[1], "#"); a != b {
				t.Errorf("%q and %q differ as %q and %q", pair[0], pair[1], a, b)
			}
		})
	}
}

// TestWobblingTotals: measured totals are never the same twice, and a workload
// that sizes its pods is at rest nevertheless. They are compared with what the
// status has, so that a slow rise is written as soon as it is more than a wobble.
func TestWobblingTotals(t *testing.T) {
	totals := func(now time.Time, highs, lows []int64) v1alpha1.WorkloadAutoscalerStatus {
		s := quiet(t)
		s.Memory = memoryText(t, func(m *engine.Memory) {
			m.Totals = []limit.DesiredTotals{{Container: "app", Resource: "cpu", Highs: desired(now, highs...), Lows: desired(now, lows...)}}
		})
		return s
	}
	later := noon.Add(period)
	for name, c := range map[string]struct {
		before, after [2][]int64
		want          bool
	}{
		"the same a period later":         {[2][]int64{{1510}, nil}, [2][]int64{{1510}, nil}, false},
		"a little less":                   {[2][]int64{{1510}, nil}, [2][]int64{{1497}, nil}, false},
		"a little less within the window": {[2][]int64{{1510}, nil}, [2][]int64{{1510, 1500, 1497}, nil}, false},
		"a little more":                   {[2][]int64{{1600}, nil}, [2][]int64{{1601}, nil}, false},
		"as much more as a total wobbles": {[2][]int64{{1600}, nil}, [2][]int64{{1700}, nil}, false},
		"more than a total wobbles":       {[2][]int64{{1600}, nil}, [2][]int64{{1701}, nil}, true},
		"a little more within the window": {[2][]int64{{1600}, nil}, [2][]int64{{1620, 1600, 1597}, nil}, false},
		"much less":                       {[2][]int64{{1510}, nil}, [2][]int64{{1510, 900}, nil}, true},
		"much less since long":            {[2][]int64{{1510}, nil}, [2][]int64{{900}, nil}, true},
		"in the middle of a window":       {[2][]int64{{1510, 900}, nil}, [2][]int64{{1510, 900}, nil}, true},
		"a little more, holding growth":   {[2][]int64{nil, {1000}}, [2][]int64{nil, {1020}}, false},
		"a little less, holding growth":   {[2][]int64{nil, {1000}}, [2][]int64{nil, {980}}, false},
		"much less, holding growth":       {[2][]int64{nil, {1000}}, [2][]int64{nil, {900}}, true},
		"a total where there was none":    {[2][]int64{nil, nil}, [2][]int64{{1510}, nil}, true},
	} {
		t.Run(name, func(t *testing.T) {
			before, after := totals(noon, c.before[0], c.before[1]), totals(later, c.after[0], c.after[1])
			if got := worthWriting(before, after); got != c.want {
				t.Errorf("%s: worth writing is %v, want %v", name, got, c.want)
			}
		})
	}
}

// TestTotalsToResizeTo: the newest of them is repeated each period, and that is
// no reason to write. After a restart it counts as needed until now.
func TestTotalsToResizeTo(t *testing.T) {
	needed := func(now time.Time, totals ...scale.Amount) v1alpha1.WorkloadAutoscalerStatus {
		s := quiet(t)
		s.Memory = memoryText(t, func(m *engine.Memory) {
			m.Elastic.Total = totals[0]
			for i, total := range totals {
				at := noon.Add(-time.Duration(len(totals)-i) * time.Minute)
				if i == len(totals)-1 {
					at = now
				}
				m.Elastic.Totals = append(m.Elastic.Totals, elastic.TimedTotal{At: at, Total: total})
			}
		})
		return s
	}
	later := noon.Add(time.Hour)
	if worthWriting(needed(noon, 4000, 3000), needed(later, 4000, 3000)) {
		t.Error("the same need a while later is written")
	}
	if !worthWriting(needed(noon, 4000, 3000), needed(noon, 4000, 2000)) {
		t.Error("another need is not written")
	}
	memory, err := Recall(needed(noon, 4000, 3000), &scale.Observation{At: later}, period)
	if err != nil {
		t.Fatal(err)
	}
	if got := memory.Elastic.Totals[1].At; !got.Equal(later) {
		t.Errorf("the newest need counts as of %s, want %s", got, later)
	}
}
