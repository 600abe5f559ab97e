package probe

import (
	"testing"
	"time"

	"github.com/tidemark/tidemark/api/v1alpha1"
	"github.com/tidemark/tidemark/explain"
	"github.com/tidemark/tidemark/internal/record"
	"github.com/tidemark/tidemark/scale"
)

// call reads a document of a decision.
func call(t *testing.T, text string) record.Call {
	t.Helper()
	for result := range record.Decode([]byte(text)) {
		if len(result.Faults) > 0 {
			t.Fatal(result.Faults)
		}
		return result.Call
	}
	t.Fatal("no document")
	return record.Call{}
}

const queue = `
spec:
  replicas: {min: 1, max: 20}
  metrics: [{type: External, external: {metric: {name: queue}, target: {averageValue: 10}}}]
  behavior: {scaleDown: {stabilizationWindowSeconds: 0}}
observation:
  at: "2026-01-05T10:00:00Z"
  target: {specReplicas: 4}
  metrics: [{value: "40"}]
`

// TestTurnsOfAQueue is worked out by hand: four pods, ten for each, a tolerance of
// a tenth. Beyond 44, five are asked for: 44001m is 11 for each, as explain rounds. Below 36, 35.99 needs four still, and
// only 30 needs three.
func TestTurnsOfAQueue(t *testing.T) {
	turns := Turns(call(t, queue))
	if len(turns) != 2 {
		t.Fatalf("%+v", turns)
	}
	down, up := turns[0], turns[1]
	if down.Metric != "queue" || down.Now != "10" || down.At != "7500m" || explain.Headline(down.Decision) != "4 -> 3: BelowTarget" {
		t.Errorf("down: %+v", down)
	}
	if !up.Up || up.At != "11" || explain.Headline(up.Decision) != "4 -> 5: AboveTarget" {
		t.Errorf("up: at %s %s", up.At, explain.Headline(up.Decision))
	}
}

// TestNoTurn: at the maximum nothing leads further up, and what is decided at the
// furthest says why.
func TestNoTurn(t *testing.T) {
	c := call(t, queue)
	c.Policy.Limit.Max = 4
	for _, turn := range Turns(c) {
		if turn.Up && (turn.Found || explain.Headline(turn.Decision) != "stays at 4: AboveTarget, limited by MaxReplicas") {
			t.Errorf("%+v %s", turn, explain.Headline(turn.Decision))
		}
	}
}

// TestTimeAlone: a window that forbids changes ends by itself.
func TestTimeAlone(t *testing.T) {
	c := call(t, `
spec:
  replicas: {min: 1, max: 20}
  metrics: [{type: External, external: {metric: {name: queue}, target: {averageValue: 10}}}]
  behavior: {scaleUp: {forbiddenWindowSeconds: 300}}
observation:
  at: "2026-01-05T10:00:00Z"
  target: {specReplicas: 4}
  metrics: [{value: "80"}]
memory: {seen: true, replicas: 4, lastEventAt: "2026-01-05T09:58:00Z"}
`)
	turns := Turns(c)
	last := turns[len(turns)-1]
	if last.Metric != "" || !last.Found || last.At != "3m0s" || explain.Headline(last.Decision) != "4 -> 8: AboveTarget" {
		t.Errorf("%+v", turns)
	}
}

// TestNothingIsChanged: a call can be asked about as often as one likes. Above 440m
// and 660m the next are 441m and 661m, which is 55.1%.
func TestNothingIsChanged(t *testing.T) {
	c := call(t, `
spec:
  replicas: {min: 1, max: 20}
  metrics: [{type: Resource, resource: {name: cpu, target: {averageUtilization: 50}}}]
observation:
  at: "2026-01-05T10:00:00Z"
  target: {specReplicas: 2, containers: [{name: app, requests: {cpu: "1"}}]}
  pods:
  - {name: a, containers: [{name: app, requests: {cpu: "1"}, usage: {cpu: 400m}}]}
  - {name: b, containers: [{name: app, requests: {cpu: "1"}, usage: {cpu: 600m}}]}
`)
	before, err := record.Encode(c, v1alpha1.AdminSettings{})
	if err != nil {
		t.Fatal(err)
	}
	if turns := Turns(c); turns[1].At != "55.1%" {
		t.Errorf("up at %s", turns[1].At)
	}
	_ = passed(c.Observation, time.Hour)
	after, err := record.Encode(c, v1alpha1.AdminSettings{})
	if err != nil || string(before) != string(after) {
		t.Errorf("%v\n%s\n%s", err, before, after)
	}
}

// TestNarrowBand: an answer that holds only between 70 and 74 is found from 40, and from
// 100, however far the next value is that would be tried by doubling alone. The formula's
// input is named, which no step is of.
func TestNarrowBand(t *testing.T) {
	for name, c := range map[string]struct {
		now string
		up  bool
	}{"from below": {"40", true}, "from above": {"100", false}} {
		t.Run(name, func(t *testing.T) {
			turns := Turns(call(t, `
spec:
  replicas: {min: 1, max: 20}
  metrics: [{type: External, name: q, external: {metric: {name: queue}}}]
  formula: {expression: "q > 70.0 && q < 74.0 ? 60.0 : 40.0", target: {averageValue: 10}}
observation:
  at: "2026-01-05T10:00:00Z"
  target: {specReplicas: 4}
  metrics: [{value: "`+c.now+`"}]
`))
			for _, turn := range turns {
				if turn.Up != c.up {
					continue
				}
				at, err := scale.ParseAmount(turn.At)
				if !turn.Found || turn.Metric != "q" || turn.Now != c.now || err != nil || at <= 70*scale.Thousand || at >= 74*scale.Thousand ||
					explain.Headline(turn.Decision) != "4 -> 6: AboveTarget" {
					t.Errorf("%+v: %s", turn, explain.Headline(turn.Decision))
				}
				if near := at - 70*scale.Thousand; c.up && near > scale.Thousand/100 {
					t.Errorf("the nearest is %s", turn.At)
				}
			}
			if len(turns) != 2 {
				t.Errorf("%d turns", len(turns))
			}
		})
	}
}
