package scaletest

import (
	"cmp"
	"fmt"
	"time"

	"github.com/tidemark/tidemark/engine"
	"github.com/tidemark/tidemark/engine/horizontal"
	"github.com/tidemark/tidemark/internal/replay/sim"
	"github.com/tidemark/tidemark/scale"
)

// values is what a load, or a row of a table, says at one moment.
type values map[string]loadValue

// key tells a demand that is shared by the pods from a value each of them has.
func key(name string, total bool) string {
	if total {
		return "total " + name
	}
	return name
}

// observe returns what would be seen of a workload under these values.
func observe(p *engine.Policy, w *sim.Workload, at time.Time, v values) scale.Observation {
	obs := scale.Observation{At: at, Target: w.Target()}
	obs.Pods = w.Pods(at, func(ready bool) scale.Resources {
		var usage scale.Resources
		for _, r := range scale.EveryResource {
			if a, known := v.perPod(r.String(), ready, w.Ready(at)); known {
				usage = usage.With(r, a)
			}
		}
		return usage
	})
	for i := range p.Horizontal.Metrics {
		obs.Samples = append(obs.Samples, v.sample(&p.Horizontal.Metrics[i], w, at, obs.Pods))
	}
	obs.Recommended, obs.Learned, obs.Capacity = v.recommended(), v.learned(at), v.capacity()
	if r, ok := v["requested"]; ok && r.known {
		obs.Requested = new(int32(r.amount / scale.Thousand))
	}
	return obs
}

// recommended is what a VPA recommends for a pod, or what a table says the
// pods need in all.
func (v values) recommended() []scale.Recommendation {
	r := scale.Recommendation{Container: sim.ContainerName}
	for _, res := range scale.EveryResource {
		if a := v["vpa "+res.String()]; a.known {
			r.PerPod = r.PerPod.With(res, a.amount)
		}
		if a := v["needs "+res.String()]; a.known {
			r.Total = r.Total.With(res, a.amount)
		}
	}
	if r.PerPod.Empty() && r.Total.Empty() {
		return nil
	}
	return []scale.Recommendation{r}
}

// reaction is the time that "headroom" lines speak of, at a risk of one case in
// a thousand.
const (
	reaction = 75 * time.Second
	risk     = scale.Parts / 1000
)

// learned is what history knows.
func (v values) learned(at time.Time) *scale.Learned {
	count := func(name string) int32 { return int32(v[name].amount / scale.Thousand) }
	l := &scale.Learned{Min: count("learned min"), Max: count("learned max"), StartUp: time.Duration(count("learned start")) * time.Second}
	for _, res := range scale.EveryResource {
		if percent := count("learned " + res.String()); percent > 0 {
			l.Targets = append(l.Targets, scale.LearnedTarget{Container: sim.ContainerName, Resource: res, Percent: percent})
		}
		if h := v["headroom "+res.String()]; h.known {
			for _, container := range []string{"", sim.ContainerName} {
				l.Headroom = append(l.Headroom, scale.LearnedHeadroom{Container: container, Resource: res, Headroom: h.amount,
					Ceiling: v["ceiling "+res.String()].amount, PerPod: v["ceiling "+res.String()].amount, Within: reaction, Risk: risk})
			}
		}
	}
	l.Headroom = append(l.Headroom, v.outlook()...)
	if found := v["tuned target"]; found.known {
		l.Tuned = &scale.Tuned{At: at, Setting: scale.Setting{Target: count("tuned target")}}
	}
	if l.Min == 0 && l.Max == 0 && l.StartUp == 0 && len(l.Targets)+len(l.Headroom) == 0 && l.Tuned == nil {
		return nil
	}
	return l
}

// surges is how often a "surge" line comes true, in millionths: in one of twenty
// cases.
const surges, all = 50_000, 1_000_000

// outlook is what may be asked for where prices weigh it: what is asked for now, or a
// surge more.
func (v values) outlook() (out []scale.LearnedHeadroom) {
	surge, now := v["surge cpu"], v[key("cpu", true)]
	if !surge.known || !now.known {
		return nil
	}
	for _, container := range []string{"", sim.ContainerName} {
		one := scale.LearnedHeadroom{
			Container: container, Expected: now.amount, Headroom: surge.amount, Within: reaction, Risk: surges * (scale.Parts / all),
			Demand: []scale.Likely{{Amount: now.amount, Chance: all - surges}, {Amount: now.amount.Add(surge.amount), Chance: surges}},
		}
		if room := v["room cpu"]; room.known {
			one.Room = []scale.Likely{{Amount: room.amount, Chance: all}}
		}
		out = append(out, one)
	}
	return out
}

// perPod is one pod's part. A demand is shared by the pods that are ready;
// the others are idle.
func (v values) perPod(name string, isReady bool, ready int32) (scale.Amount, bool) {
	if own, ok := v[name]; ok {
		return own.amount, own.known
	}
	demand, ok := v[key(name, true)]
	switch {
	case !ok || !demand.known:
		return 0, false
	case !isReady:
		return 0, true
	}
	return demand.amount / scale.Amount(ready), true
}

// loadOf is the load that a metric of no resource is measured of: all metrics of
// one name have the same.
func loadOf(m *horizontal.Metric) string { return cmp.Or(m.Of.Name, m.Name) }

func (v values) sample(m *horizontal.Metric, w *sim.Workload, at time.Time, pods []scale.Pod) scale.Sample {
	switch m.Kind {
	case horizontal.Resource, horizontal.ContainerResource:
		return scale.Sample{}
	case horizontal.Pods:
		s := scale.Sample{PerPod: make([]scale.PodValue, len(pods))}
		for i := range pods {
			a, known := v.perPod(loadOf(m), pods[i].Serves(), w.Ready(at))
			s.PerPod[i] = scale.PodValue{Value: a, Known: known}
		}
		return s
	}
	for _, k := range []string{loadOf(m), key(loadOf(m), true)} {
		if own := v[k]; own.known {
			return scale.Sample{Series: []scale.Amount{own.amount}, Target: v["target "+loadOf(m)].amount, Activity: v.activity(m)}
		}
	}
	return scale.Sample{}
}

// activity is what the source of a metric says of its work, where the script has it
// say something.
func (v values) activity(m *horizontal.Metric) scale.Activity {
	said := v["work "+loadOf(m)]
	switch {
	case !said.known:
		return scale.Unsaid
	case said.amount > 0:
		return scale.Active
	}
	return scale.Inactive
}

// checkNames refuses a load for something the policy does not look at: a
// misspelled name would otherwise read as missing data.
func checkNames(p *engine.Policy, names []string) error {
	known := map[string]bool{"requested": true, "total": true, "learned min": true, "learned max": true, "learned start": true, "tuned target": true,
		"quota pods": true}
	for _, res := range scale.EveryResource {
		for _, kind := range []string{"", "vpa ", "learned ", "headroom ", "ceiling ", "surge ", "room ", "spike ", "quota ", "node ", "most ", "least "} {
			known[kind+res.String()] = true
		}
	}
	for i := range p.Horizontal.Metrics {
		m := &p.Horizontal.Metrics[i]
		known[m.Name], known[loadOf(m)] = true, true
		known["work "+loadOf(m)] = !m.Kind.PerPod()
		if m.BySource {
			known["target "+loadOf(m)] = true
		}
	}
	for _, n := range names {
		if !known[n] {
			return fmt.Errorf("%q is no metric of the policy", n)
		}
	}
	return nil
}
