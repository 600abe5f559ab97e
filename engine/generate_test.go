package engine_test

import (
	"fmt"
	"math"
	"time"

	"pgregory.net/rapid"

	"github.com/tidemark/tidemark/engine"
	"github.com/tidemark/tidemark/engine/horizontal"
	"github.com/tidemark/tidemark/engine/limit"
	"github.com/tidemark/tidemark/scale"
)

// amounts are spread over every magnitude, with nonsense among them.
func amounts() *rapid.Generator[scale.Amount] {
	return rapid.OneOf(
		rapid.Map(rapid.Int64Range(0, 2_000_000), func(n int64) scale.Amount { return scale.Amount(n) }),
		rapid.SampledFrom([]scale.Amount{0, 1, 1000, scale.MaxAmount, -1, math.MinInt64}),
	)
}

// marks are amounts a policy may hold.
func marks() *rapid.Generator[scale.Amount] {
	return rapid.Map(rapid.Int64Range(1, 1_000_000), func(n int64) scale.Amount { return scale.Amount(n) })
}

func seconds(most int) *rapid.Generator[time.Duration] {
	return rapid.Map(rapid.IntRange(0, most), func(n int) time.Duration { return time.Duration(n) * time.Second })
}

func metrics() *rapid.Generator[horizontal.Metric] {
	return rapid.Custom(func(t *rapid.T) horizontal.Metric {
		m := horizontal.Metric{
			Name: "m", Kind: rapid.SampledFrom([]horizontal.Kind{horizontal.Resource, horizontal.ContainerResource, horizontal.Pods, horizontal.Object,
				horizontal.External}).Draw(t, "kind"),
			Resource: rapid.SampledFrom(scale.EveryResource[:]).Draw(t, "resource"), Container: "app",
			Type: scale.AverageValue,
		}
		switch {
		case m.Kind < horizontal.Pods && rapid.Bool().Draw(t, "utilization"):
			m.Type = scale.Utilization
		case !m.Kind.PerPod() && rapid.Bool().Draw(t, "value"):
			m.Type = scale.Value
		}
		a, b := marks().Draw(t, "mark"), marks().Draw(t, "mark")
		if m.Band = (scale.Band{Low: min(a, b), High: max(a, b)}); rapid.Bool().Draw(t, "single") {
			m.Band.Low = m.Band.High
		}
		m.OnMissing = rapid.SampledFrom([]horizontal.OnMissing{{}, {Policy: horizontal.Ignore}, {Policy: horizontal.FallBack, Replicas: 7}}).Draw(t, "onMissing")
		return m
	})
}

func directions() *rapid.Generator[limit.Direction] {
	return rapid.Custom(func(t *rapid.T) limit.Direction {
		d := limit.Direction{
			Window: seconds(120).Draw(t, "window"), Forbidden: seconds(60).Draw(t, "forbidden"), Delay: seconds(60).Draw(t, "delay"),
			Select: rapid.SampledFrom([]limit.Select{limit.Loosest, limit.Tightest, limit.Disabled}).Draw(t, "select"),
		}
		for range rapid.IntRange(0, 3).Draw(t, "policies") {
			d.Policies = append(d.Policies, limit.Policy{
				Percent: rapid.Bool().Draw(t, "percent"), Value: rapid.Int32Range(1, 300).Draw(t, "value"),
				Period: time.Second + seconds(120).Draw(t, "period"),
			})
		}
		if rapid.Bool().Draw(t, "limitPercent") {
			p := rapid.Int32Range(0, 100).Draw(t, "percent")
			d.Percent = &p
		}
		return d
	})
}

func policies() *rapid.Generator[engine.Policy] {
	return rapid.Custom(func(t *rapid.T) engine.Policy {
		least := rapid.Int32Range(0, 20).Draw(t, "min")
		p := engine.Policy{
			Horizontal: horizontal.Rules{
				Metrics:     rapid.SliceOfN(metrics(), 0, 3).Draw(t, "metrics"),
				ToleranceUp: rapid.Int64Range(0, scale.Parts).Draw(t, "up"), ToleranceDown: rapid.Int64Range(0, scale.Parts).Draw(t, "down"),
				Converge: rapid.SampledFrom([]horizontal.Converge{horizontal.NoConverge, horizontal.ToHigh, horizontal.ToLow}).Draw(t, "converge"),
				Step:     rapid.Int32Range(1, 7).Draw(t, "step"), ZeroAllowed: least == 0,
				CPUInitialization: 5 * time.Minute, InitialReadiness: 30 * time.Second, StaleAfter: 5 * time.Minute,
			},
			Limit: limit.Rules{
				Up: directions().Draw(t, "up"), Down: directions().Draw(t, "down"),
				Min: least, Max: max(1, least) + rapid.Int32Range(0, 100).Draw(t, "span"), Plain: rapid.Bool().Draw(t, "plain"), Doubling: rapid.Bool().Draw(t, "doubling"),
			},
			Sync: 15 * time.Second,
		}
		p.Limit.Step = p.Horizontal.Step
		ways := []horizontal.Combine{horizontal.Largest, horizontal.Largest, horizontal.Smallest, horizontal.Unanimous}
		p.Horizontal.Combine = rapid.SampledFrom(ways).Draw(t, "combine")
		sleepy(t, &p)
		return p
	})
}

func pods(at time.Time) *rapid.Generator[scale.Pod] {
	moments := rapid.Map(rapid.IntRange(-7200, 60), func(n int) time.Time { return at.Add(time.Duration(n) * time.Second) })
	resources := rapid.Custom(func(t *rapid.T) scale.Resources {
		var out scale.Resources
		for _, r := range scale.EveryResource {
			if rapid.IntRange(0, 9).Draw(t, "known") > 0 {
				out = out.With(r, amounts().Draw(t, "amount"))
			}
		}
		return out
	})
	return rapid.Custom(func(t *rapid.T) scale.Pod {
		return scale.Pod{
			Phase: rapid.SampledFrom([]scale.Phase{scale.Running, scale.Running, scale.Running, scale.Pending, scale.Failed, scale.Succeeded,
				scale.UnknownPhase}).Draw(t, "phase"),
			Deleting:  rapid.IntRange(0, 9).Draw(t, "deleting") == 0,
			Ready:     rapid.SampledFrom([]scale.Readiness{scale.Ready, scale.Ready, scale.NotReady, scale.ReadinessUnknown, scale.ReadinessAbsent}).Draw(t, "ready"),
			StartedAt: moments.Draw(t, "started"), ReadyChangedAt: moments.Draw(t, "changed"),
			RestartedAt: rapid.SampledFrom([]time.Time{{}, {}, moments.Draw(t, "restarted")}).Draw(t, "restarts"),
			Waiting:     rapid.SampledFrom([]string{"", "", "", "CrashLoopBackOff"}).Draw(t, "waiting"),
			UsageAt:     moments.Draw(t, "usageAt"), UsageWindow: seconds(60).Draw(t, "window"),
			Containers: []scale.PodContainer{
				{Name: "app", Requests: resources.Draw(t, "requests"), Usage: resources.Draw(t, "usage")},
				{Name: "sidecar", Requests: resources.Draw(t, "requests"), Usage: resources.Draw(t, "usage")},
			},
		}
	})
}

func samples(podCount int) *rapid.Generator[scale.Sample] {
	return rapid.Custom(func(t *rapid.T) scale.Sample {
		if rapid.IntRange(0, 5).Draw(t, "fails") == 0 {
			return scale.Sample{Problem: "no answer"}
		}
		s := scale.Sample{
			Series:    rapid.SliceOfN(amounts(), 0, 3).Draw(t, "series"),
			Strangers: rapid.SliceOfN(amounts(), 0, 2).Draw(t, "strangers"),
		}
		for range podCount {
			s.PerPod = append(s.PerPod, scale.PodValue{Value: amounts().Draw(t, "value"), Known: rapid.IntRange(0, 4).Draw(t, "known") > 0})
		}
		return s
	})
}

func observations(p engine.Policy, at time.Time) *rapid.Generator[scale.Observation] {
	return rapid.Custom(func(t *rapid.T) scale.Observation {
		obs := scale.Observation{At: at, Target: scale.Target{
			SpecReplicas: rapid.Int32Range(0, 150).Draw(t, "spec"), StatusReplicas: rapid.Int32Range(0, 150).Draw(t, "status"),
		}}
		if rapid.IntRange(0, 3).Draw(t, "listed") > 0 {
			obs.Pods = rapid.SliceOfN(pods(at), 0, 8).Draw(t, "pods")
			for i := range obs.Pods {
				obs.Pods[i].Name = fmt.Sprintf("pod-%d", i)
			}
		}
		for range p.Horizontal.Metrics {
			obs.Samples = append(obs.Samples, samples(len(obs.Pods)).Draw(t, "sample"))
		}
		if rapid.IntRange(0, 4).Draw(t, "requested") == 0 {
			n := rapid.Int32Range(-1, 150).Draw(t, "replicas")
			obs.Requested = &n
		}
		if rapid.IntRange(0, 3).Draw(t, "capacity") == 0 {
			of := func(res scale.Resource, what string) scale.Resources {
				return scale.Resources{}.With(res, amounts().Draw(t, what))
			}
			obs.Capacity = &scale.Capacity{
				Quota:       scale.QuotaRoom{Pods: new(rapid.Int32Range(-3, 50).Draw(t, "quota")), Requests: of(scale.CPU, "quota of cpu")},
				LargestNode: of(scale.CPU, "node"),
				LimitRange:  scale.AllowedRange{Max: of(scale.CPU, "most"), Min: of(scale.Memory, "least")},
			}
		}
		return obs
	})
}
