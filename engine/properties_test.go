package engine_test

import (
	"encoding/json"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/tidemark/tidemark/engine"
	"github.com/tidemark/tidemark/engine/horizontal"
	"github.com/tidemark/tidemark/engine/limit"
	"github.com/tidemark/tidemark/internal/checks/draw"
	"github.com/tidemark/tidemark/scale"
)

// course draws a policy and walks it through some decisions, following each of
// them, with someone else scaling now and then.
func course(t *rapid.T, visit func(p engine.Policy, obs scale.Observation, past engine.Memory, d scale.Decision, next engine.Memory)) {
	p := policies().Draw(t, "policy")
	at, memory, replicas := noon, engine.Memory{}, int32(-1)
	for range rapid.IntRange(1, 12).Draw(t, "decisions") {
		obs := observations(p, at).Draw(t, "seen")
		if replicas >= 0 && rapid.IntRange(0, 4).Draw(t, "foreign") > 0 {
			obs.Target.SpecReplicas = replicas
		}
		d, next := engine.Decide(p, obs, memory)
		visit(p, obs, memory, d, next)
		at, memory, replicas = at.Add(time.Second+seconds(60).Draw(t, "pause")), next, d.Want.Replicas
	}
}

func TestStaysInBounds(t *testing.T) {
	draw.Check(t, func(t *rapid.T) {
		course(t, func(p engine.Policy, obs scale.Observation, past engine.Memory, d scale.Decision, next engine.Memory) {
			if d.Want.Replicas < least(&p) || d.Want.Replicas > p.Limit.Max {
				t.Fatalf("wants %d, bounds are %d to %d", d.Want.Replicas, least(&p), p.Limit.Max)
			}
			if d.LimitedBy != "" && !slices.Contains(scale.Limiting, d.LimitedBy) {
				t.Fatalf("%s limits, and scale.Limiting does not have it", d.LimitedBy)
			}
			if last := d.Steps; len(last) > 0 && !last[len(last)-1].Out.Equal(d.Want) && d.LimitedBy != "" {
				t.Fatalf("the last limit allows %d, but %d is wanted", last[len(last)-1].Out.Replicas, d.Want.Replicas)
			}
		})
	})
}

// TestMemorySurvivesJSON also shows that a decision changes none of its
// arguments: the second call gets the same ones.
func TestMemorySurvivesJSON(t *testing.T) {
	draw.Check(t, func(t *rapid.T) {
		course(t, func(p engine.Policy, obs scale.Observation, past engine.Memory, d scale.Decision, next engine.Memory) {
			text, err := json.Marshal(past)
			if err != nil {
				t.Fatal(err)
			}
			var recalled engine.Memory
			if err := json.Unmarshal(text, &recalled); err != nil {
				t.Fatal(err)
			}
			again, after := engine.Decide(p, obs, recalled)
			if diff := cmp.Diff(d, again, cmp.AllowUnexported(scale.Resources{})); diff != "" {
				t.Fatalf("after a round trip the decision differs (-before +after):\n%s", diff)
			}
			if diff := cmp.Diff(next, after); diff != "" {
				t.Fatalf("after a round trip the memory differs (-before +after):\n%s", diff)
			}
		})
	})
}

// TestBlindnessNeverScalesDown: without any usable sample, the count is kept
// or raised, except to come down to the maximum.
func TestBlindnessNeverScalesDown(t *testing.T) {
	draw.Check(t, func(t *rapid.T) {
		course(t, func(p engine.Policy, obs scale.Observation, past engine.Memory, _ scale.Decision, _ engine.Memory) {
			obs.Requested = nil
			for i := range obs.Samples {
				obs.Samples[i] = scale.Sample{Problem: "no answer"}
			}
			d, _ := engine.Decide(p, obs, past)
			if d.Want.Replicas < min(d.From.Replicas, p.Limit.Max) {
				t.Fatalf("scaled from %d to %d while blind", d.From.Replicas, d.Want.Replicas)
			}
		})
	})
}

// TestOneMissingMetricForbidsScalingDown, unless it is to be ignored.
func TestOneMissingMetricForbidsScalingDown(t *testing.T) {
	draw.Check(t, func(t *rapid.T) {
		course(t, func(p engine.Policy, obs scale.Observation, past engine.Memory, _ scale.Decision, _ engine.Memory) {
			if len(obs.Samples) == 0 || p.Horizontal.Metrics[0].OnMissing.Policy == horizontal.Ignore {
				return
			}
			obs.Samples[0] = scale.Sample{Problem: "no answer"}
			d, _ := engine.Decide(p, obs, past)
			if d.Want.Replicas < min(d.From.Replicas, p.Limit.Max) {
				t.Fatalf("scaled from %d to %d while a metric was missing", d.From.Replicas, d.Want.Replicas)
			}
		})
	})
}

// TestDirectionGuard: a value above its band never lowers the count, one below
// never raises it.
func TestDirectionGuard(t *testing.T) {
	draw.Check(t, func(t *rapid.T) {
		course(t, func(p engine.Policy, obs scale.Observation, _ engine.Memory, d scale.Decision, _ engine.Memory) {
			for _, s := range d.Steps {
				if s.Metric == nil || !s.Metric.Known || s.Metric.Index < 0 || s.Reason == scale.NotActivated {
					continue
				}
				from, to := s.In.Replicas, s.Out.Replicas
				if s.Metric.Value > s.Metric.Band.High && to < from && s.Reason != scale.Converging {
					t.Fatalf("value %d above %d lowers %d to %d", s.Metric.Value, s.Metric.Band.High, from, to)
				}
				if s.Metric.Value < s.Metric.Band.Low && to > from && from > 0 && s.Reason != scale.Converging {
					t.Fatalf("value %d below %d raises %d to %d", s.Metric.Value, s.Metric.Band.Low, from, to)
				}
			}
		})
	})
}

// TestMonotone: a larger value never leads to fewer pods.
func TestMonotone(t *testing.T) {
	draw.Check(t, func(t *rapid.T) {
		p := policies().Draw(t, "policy")
		m := metrics().Draw(t, "metric")
		m.Kind, m.Type = horizontal.External, rapid.SampledFrom([]scale.TargetType{scale.Value, scale.AverageValue}).Draw(t, "type")
		p.Horizontal.Metrics, p.Horizontal.Converge = []horizontal.Metric{m}, horizontal.NoConverge
		obs := observations(p, noon).Draw(t, "seen")
		obs.Requested = nil
		a, b := marks().Draw(t, "value"), marks().Draw(t, "value")
		want := func(value scale.Amount) int32 {
			obs.Samples = []scale.Sample{{Series: []scale.Amount{value}}}
			d, _ := engine.Decide(p, obs, engine.Memory{})
			return d.Want.Replicas
		}
		if low, high := want(min(a, b)), want(max(a, b)); low > high {
			t.Fatalf("value %d wants %d, value %d wants %d", min(a, b), low, max(a, b), high)
		}
	})
}

// TestRestsWhenNothingChanges: once a decision keeps the size and no window is
// running, the same observation later keeps it too and remembers no more.
func TestRestsWhenNothingChanges(t *testing.T) {
	draw.Check(t, func(t *rapid.T) {
		course(t, func(p engine.Policy, obs scale.Observation, _ engine.Memory, _ scale.Decision, next engine.Memory) {
			if !next.AboveSince.IsZero() || !next.BelowSince.IsZero() || len(next.Highs)+len(next.Lows)+len(next.Events) > 0 {
				return
			}
			obs.Target.SpecReplicas = next.Replicas
			first, memory := engine.Decide(p, obs, next)
			if !first.Want.Equal(first.From) || first.LimitedBy != "" {
				return
			}
			second, after := engine.Decide(p, obs, memory)
			if !second.Want.Equal(first.Want) {
				t.Fatalf("rested at %d, then moved to %d", first.Want.Replicas, second.Want.Replicas)
			}
			if diff := cmp.Diff(memory, after); diff != "" {
				t.Fatalf("memory changed at rest (-first +second):\n%s", diff)
			}
		})
	})
}

// TestLookingMoreOftenChangesNoWindow: delays and forbidden windows end when
// their time is over, however often someone has looked meanwhile. Looking
// every ten seconds only rounds the moment up.
func TestLookingMoreOftenChangesNoWindow(t *testing.T) {
	draw.Check(t, func(t *rapid.T) {
		p := policyOf(horizontal.Metric{Name: "queue", Kind: horizontal.External, Type: scale.Value, Band: scale.Band{Low: 1000, High: 1000}})
		p.Limit.Plain, p.Limit.Doubling = false, false
		p.Limit.Up = limit.Direction{Delay: seconds(90).Draw(t, "delay"), Forbidden: seconds(90).Draw(t, "forbidden")}
		const coarse = 10 * time.Second
		wait := func(period time.Duration) (first, second time.Duration) {
			var changes []time.Duration
			memory, replicas := engine.Memory{}, int32(1)
			for at := time.Duration(0); len(changes) < 2; at += period {
				d, next := engine.Decide(p, scale.Observation{
					At: noon.Add(at), Target: scale.Target{SpecReplicas: replicas, StatusReplicas: replicas},
					Samples: []scale.Sample{{Series: []scale.Amount{2000}}},
				}, memory)
				if d.Want.Replicas != replicas {
					changes = append(changes, at)
				}
				memory, replicas = next, d.Want.Replicas
			}
			return changes[0], changes[1] - changes[0]
		}
		first, second := wait(time.Second)
		first10, second10 := wait(coarse)
		up := func(d time.Duration) time.Duration { return (d + coarse - 1) / coarse * coarse }
		if first10 != up(first) || second10 != max(coarse, up(second)) {
			t.Fatalf("looking every second: changes after %s and %s more; every %s: %s and %s", first, second, coarse, first10, second10)
		}
	})
}

// TestMemoryIsBounded walks through the policy that remembers most, at a period
// of one second, for many times as long as anything is remembered. The race
// detector has nothing to find in a single goroutine, so with -short it walks
// less far.
func TestMemoryIsBounded(t *testing.T) {
	steps := 100_000
	if testing.Short() {
		steps = 20_000
	}
	p := policyOf(horizontal.Metric{Name: "queue", Kind: horizontal.External, Type: scale.AverageValue, Band: scale.Band{Low: 1000, High: 1000}})
	p.Limit.Plain, p.Limit.Doubling = false, false
	long := []limit.Policy{{Percent: true, Value: 100, Period: 30 * time.Minute}}
	p.Limit.Up = limit.Direction{Window: time.Hour, Policies: long}
	p.Limit.Down = limit.Direction{Window: time.Hour, Policies: long}
	memory, at, random := engine.Memory{}, noon, uint64(1)
	obs := scale.Observation{Target: scale.Target{SpecReplicas: 10, StatusReplicas: 10}}
	for i := range steps {
		at = at.Add(time.Second)
		random = random*6364136223846793005 + 1442695040888963407
		// Sawtooth ramps keep many counts alive, random ones change direction.
		value := scale.Amount(i%3000) * 1000
		if i%2 == 0 {
			value = scale.Amount(random >> 44)
		}
		obs.At, obs.Samples = at, []scale.Sample{{Series: []scale.Amount{value}}}
		obs.Target.SpecReplicas = int32(1 + random>>33%2000)
		_, memory = engine.Decide(p, obs, memory)
		if len(memory.Highs) > limit.MaxEntries || len(memory.Lows) > limit.MaxEntries || len(memory.Events) > limit.MaxEntries {
			t.Fatalf("step %d: memory has %d highs, %d lows, %d events", i, len(memory.Highs), len(memory.Lows), len(memory.Events))
		}
	}
}

// TestMemoryIsSmallAtDefaults: what the status holds of an object with default
// behavior stays below 4 KiB, even for a load that keeps every count alive.
func TestMemoryIsSmallAtDefaults(t *testing.T) {
	p := policyOf(horizontal.Metric{Name: "queue", Kind: horizontal.External, Type: scale.AverageValue, Band: scale.Band{Low: 1000, High: 1000}})
	memory, obs := engine.Memory{}, scale.Observation{At: noon, Target: scale.Target{SpecReplicas: 2000, StatusReplicas: 2000}}
	for i := range 100 {
		obs.At, obs.Samples = obs.At.Add(15*time.Second), []scale.Sample{{Series: []scale.Amount{scale.Amount(1700-i) * 1000}}}
		_, memory = engine.Decide(p, obs, memory)
		text, err := json.Marshal(memory)
		if err != nil {
			t.Fatal(err)
		}
		if len(text) >= 4096 {
			t.Fatalf("memory has %d bytes: %s", len(text), text)
		}
	}
	if len(memory.Highs) < 20 {
		t.Fatalf("only %d counts are remembered: the load does not test what it should", len(memory.Highs))
	}
}

func FuzzDecide(f *testing.F) {
	f.Fuzz(rapid.MakeFuzz(func(t *rapid.T) {
		course(t, func(p engine.Policy, _ scale.Observation, _ engine.Memory, d scale.Decision, _ engine.Memory) {
			if d.Want.Replicas < least(&p) || d.Want.Replicas > p.Limit.Max {
				t.Fatalf("wants %d, bounds are %d to %d", d.Want.Replicas, least(&p), p.Limit.Max)
			}
		})
	}))
}
