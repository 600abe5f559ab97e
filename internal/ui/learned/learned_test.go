package learned

import (
	"context"
	"errors"
	"testing"
	"time"

	"sigs.k8s.io/yaml"

	"github.com/tidemark/tidemark/api/v1alpha1"
	"github.com/tidemark/tidemark/internal/replay"
	"github.com/tidemark/tidemark/internal/replay/trace/generate"
	"github.com/tidemark/tidemark/internal/ui/feed"
	"github.com/tidemark/tidemark/scale"
)

const day = 24 * time.Hour

func policyOf(t *testing.T, text string) replay.Policy {
	t.Helper()
	var spec v1alpha1.WorkloadAutoscalerSpec
	if err := yaml.UnmarshalStrict([]byte(text), &spec); err != nil {
		t.Fatal(err)
	}
	p, err := replay.FromSpec("test", spec)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func replayOf(t *testing.T, days int) *replay.Replay {
	t.Helper()
	demand, err := generate.Named("daily", 1, generate.Options{Length: time.Duration(days) * day})
	if err != nil {
		t.Fatal(err)
	}
	plant := replay.Ideal()
	// Fewer decisions say the same, and sooner.
	plant.Sync = time.Minute
	r, err := replay.New(demand, plant)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// TestTheWeekIsThePolicysOwn: the bounds of the present hour are those that the
// decision of the moment was bounded by.
func TestTheWeekIsThePolicysOwn(t *testing.T) {
	r := replayOf(t, 4)
	p := policyOf(t, `{replicas: {min: 1, max: 500}, learn: {period: Daily, windowWeeks: 1},
		metrics: [{type: Resource, resource: {name: cpu, target: {averageUtilization: 60}}}]}`)
	start, _ := r.Span()
	until := start.Add(3*day + 10*time.Hour + 5*time.Minute)
	got, err := Of(t.Context(), p, r, until)
	if err != nil {
		t.Fatal(err)
	}
	call, m, err := r.Call(t.Context(), p, until)
	if err != nil {
		t.Fatal(err)
	}
	bounds := m.Decision.Bounds
	now := got.Slots[until.UTC().Hour()][0]
	if !now.Known || now.Min != bounds.Min || now.Max != bounds.Max || bounds.MinReason != scale.LearnedMin {
		t.Errorf("%+v, but the decision at %s had %+v", now, call.Observation.At, bounds)
	}
	if got.Phase != "Learned" || got.Known != 24 || got.Count != 24 || got.Last != 0 || len(got.Days) != 1 {
		t.Errorf("%s, %d of %d", got.Phase, got.Known, got.Count)
	}
	if !got.Uses[0].On || got.Uses[2].On {
		t.Errorf("%+v", got.Uses)
	}
}

// TestWhatIsNotKnownYet has a time when it will be: a week is half over, and its other
// half is learned once each hour of it is.
func TestWhatIsNotKnownYet(t *testing.T) {
	r := replayOf(t, 5)
	start, _ := r.Span()
	until := start.Add(3*day + 12*time.Hour + 20*time.Minute)
	got, err := Of(t.Context(), policyOf(t, `{replicas: {max: 50}, learn: {}, metrics: [{type: Resource, resource: {name: cpu, target: {averageUtilization: 60}}}]}`), r, until)
	if err != nil {
		t.Fatal(err)
	}
	if got.Phase != "PartlyLearned" || got.Known != 84 || got.Count != 168 {
		t.Fatalf("%s, %d of %d", got.Phase, got.Known, got.Count)
	}
	last := int64(0)
	for _, row := range got.Slots {
		for _, s := range row {
			if s.Known != (s.By == 0) || s.By != 0 && s.By <= got.Now {
				t.Errorf("%+v", s)
			}
			last = max(last, s.By)
		}
	}
	if last != got.Last {
		t.Errorf("the last is known by %s, want %s", time.UnixMilli(last).UTC(), time.UnixMilli(got.Last).UTC())
	}
}

// TestRisk: a steady demand never is more than was said, and one that doubles at once
// is.
func TestRisk(t *testing.T) {
	p := policyOf(t, `{replicas: {min: 1, max: 500}, learn: {headroom: {risk: "0.05"}}}`)
	r := replayOf(t, 3)
	_, end := r.Span()
	got, err := Of(t.Context(), p, r, end)
	if err != nil {
		t.Fatal(err)
	}
	if len(got.Risks) == 0 {
		t.Fatal("nothing was said")
	}
	for _, d := range got.Risks {
		if d.Stated < 4.99 || d.Stated > 5.01 || d.Cases == 0 || d.Within <= 0 || d.Beyond > d.Cases {
			t.Errorf("%+v", d)
		}
	}
	w := watch{}
	at := time.Date(2026, 1, 5, 0, 0, 0, 0, time.UTC)
	w.judge(claim{at, at.Add(time.Minute), 10, scale.Parts / 20}, 10)
	w.judge(claim{at, at.Add(time.Minute), 10, scale.Parts / 20}, 11)
	if got := w.risks(); len(got) != 1 || got[0] != (feed.Risk{Day: at.UnixMilli(), Stated: 5, Cases: 2, Beyond: 1, Within: 60}) {
		t.Errorf("%+v", got)
	}
}

// TestTargetsMove: a learned target is seen to move, and a stated one is one line.
func TestTargetsMove(t *testing.T) {
	r := replayOf(t, 6)
	_, end := r.Span()
	for text, moves := range map[string]bool{"targets: true": true, "targets: false": false} {
		t.Run(text, func(t *testing.T) {
			got, err := Of(t.Context(), policyOf(t, `{replicas: {min: 1, max: 500}, learn: {`+text+`}, metrics: [{type: Resource, resource: {name: cpu, target: {averageUtilization: 60}}}]}`), r, end)
			if err != nil {
				t.Fatal(err)
			}
			if len(got.Targets) != 1 || len(got.Targets[0].At) > 1 != moves || got.Targets[0].Unit != "percent" {
				t.Errorf("%+v", got.Targets)
			}
		})
	}
}

// TestAYardstick learns nothing, but the week is there.
func TestAYardstick(t *testing.T) {
	r := replayOf(t, 2)
	_, end := r.Span()
	p, _, err := replay.Named("static:12")
	if err != nil {
		t.Fatal(err)
	}
	got, err := Of(t.Context(), p, r, end)
	if err != nil || got.Known == 0 || got.Slots[0][0].Value != 12 {
		t.Errorf("%v: %+v", err, got)
	}
}

// TestNobodyWaits: what nobody waits for is not replayed to its end.
func TestNobodyWaits(t *testing.T) {
	r := replayOf(t, 2)
	_, end := r.Span()
	gone, stop := context.WithCancel(t.Context())
	stop()
	if _, err := Of(gone, policyOf(t, `{replicas: {min: 1, max: 500}, learn: {headroom: {risk: "0.05"}}}`), r, end); !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
}
