package replay

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/tidemark/tidemark/internal/apply/plan"
	"github.com/tidemark/tidemark/internal/replay/sim"
	"github.com/tidemark/tidemark/scale"
)

// Fact is a word and what it was.
type Fact struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

// Facts say what was replayed: the demand, and the plant.
func (r *Replay) Facts() []Fact {
	d := r.plant.Demand
	peak := d.Peak(d.Start(), d.End())
	mean := per(d.Work(), perCore, d.Length())
	out := append([]Fact{
		{"From", d.Start().UTC().Format("2006-01-02 15:04")},
		{"Length", lasting(d.Length())},
		{"Demand", fmt.Sprintf("mean %.3g, peak %.3g cores", mean, inUnits(peak))},
	}, r.plant.Facts()...)
	if !r.plant.Measured {
		return out
	}
	// What is the same for every policy; a search that failed has been told before.
	m, err := r.Measure(sim.Score{})
	if err != nil {
		return out
	}
	return append(out, Fact{"Core-hours of the demand, D", fmt.Sprintf("%.1f", m.D)},
		Fact{"Best HPA in hindsight, H", m.BestHPA.String()}, Fact{"With its window, H2", m.BestHPA2.String()})
}

// Facts say what the pods are like, and which problems they have.
func (p *Plant) Facts() []Fact {
	memory, _ := p.Requests.Get(scale.Memory)
	cpuLimit, limitsCPU := p.Limits.Get(scale.CPU)
	memoryLimit, limitsMemory := p.Limits.Get(scale.Memory)
	out := []Fact{
		{"Pod", fmt.Sprintf("%s cpu, %s", p.cpu(), memory.Bytes())},
		{"Start-up", p.StartUp.String()},
		{"Metric delay", p.MetricDelay.String()},
		{"Decision every", p.Sync.String()},
	}
	for _, f := range []struct {
		set         bool
		name, value string
	}{
		{p.Jitter > 0, "Start-up jitter", p.Jitter.String()},
		{p.Boost.StartUpCPU != sim.UsualStartUpCPU, "Of a start-up, work for the cpu", percent(p.Boost.StartUpCPU)},
		{p.WarmUp > 0, "Not scored", "the first " + lasting(p.WarmUp)},
		{limitsCPU, "CPU limit", cpuLimit.String()},
		{limitsMemory, "Memory limit", memoryLimit.Bytes()},
		{p.Window > 0, "Metric window", p.Window.String()},
		{p.Resolution > 0, "Metric resolution", p.Resolution.String()},
		{p.Phase > 0, "First measured after", p.Phase.String()},
		{p.Lost > 0, "Samples lost", percent(p.Lost)},
		{p.Crashes > 0, "Starts that fail", percent(p.Crashes)},
		{p.Queue > 0, "Queue", p.Queue.String() + " core-seconds"},
		{p.Memory.Simulated(), "Memory use", fmt.Sprintf("%s + %s a core + %s an hour", p.Memory.Base.Bytes(), p.Memory.PerCore.Bytes(), p.Memory.Leak.Bytes())},
		{p.Resize.Update == plan.Recreate, "Resize", "by replacing pods"},
		{p.Resize.Restarts, "Resize in place", "restarts the container"},
		{p.Resize.Delay > 0, "Resize takes", p.Resize.Delay.String()},
		{p.Resize.Deferred > 0, "Resizes deferred", percent(p.Resize.Deferred) + " for " + p.Resize.DeferredFor.String()},
		{p.Resize.Infeasible > 0, "Resizes infeasible", percent(p.Resize.Infeasible)},
		{p.Resize.TemplateSized, "New pods", "begin with the size of the template"},
		{p.Ceiling > 0, "An application uses at most", p.Ceiling.String() + " cpu"},
		{p.Nodes.Count > 0, "Nodes", fmt.Sprintf("%d of %s cpu, %s", p.Nodes.Count, p.Nodes.CPU, p.Nodes.Memory.Bytes())},
		{p.Namespace.Pods > 0, "A quota allows", fmt.Sprintf("%d pods", p.Namespace.Pods)},
		{p.Namespace.CPU > 0, "A quota allows cpu", p.Namespace.CPU.String()},
		{p.Namespace.Memory > 0, "A quota allows memory", p.Namespace.Memory.Bytes()},
		{p.Namespace.MostCPU > 0, "A container may have cpu", p.Namespace.MostCPU.String()},
		{p.Namespace.MostMemory > 0, "A container may have memory", p.Namespace.MostMemory.Bytes()},
		{p.Nodes.Taken > 0, "Of which others have", percent(p.Nodes.Taken)},
		{p.MeanPods > 0, "Scaled to a mean of", p.MeanPods.String() + " pods"},
		{p.Tenants.There(), "Neighbors use", percent(p.Tenants.Use) + " of their requests"},
		{p.Tenants.Correlation > 0, "With a correlation of", percent(p.Tenants.Correlation)},
		{p.Reserve > 0, "Kept free for bursts", percent(p.Reserve) + " of the requests"},
		{p.Uneven > 0, "Pods are loaded unevenly", percent(p.Uneven)},
		{p.Waiting.Most > 0, "Work waits at most", p.Waiting.Most.String()},
		{p.Waiting.Service > 0, "A request takes a core", p.Waiting.Service.String()},
		{p.Waiting.Fixed, "Requests", "take all as long"},
		{p.Waiting.Late > 0, "Late after", p.Waiting.Late.String()},
		{p.Interpolate, "Between samples", "straight lines"},
		{p.Noise > 0, "Noise on lines", percent(p.Noise) + " at 10 cores"},
		{p.Grain > 0, "Noise and neighbors move every", p.Grain.String()},
		{p.Measured, "Measured against", fmt.Sprintf("HPAs of %d to %d %%", leastTarget, mostTarget)},
		{p.Measured, "Core-hours for one of lost work", price(p.Prices.Unserved)},
		{p.Measured, "For one of late work", price(p.Prices.Late)},
		{p.Measured, "Core-seconds for a start or stop", p.Prices.Start.String()},
		{p.Measured, "For a resize", p.Prices.Resize.String()},
		{p.PriceCPU > 0, "A core-hour costs", price(p.PriceCPU)},
		{p.PriceMemory > 0, "A GiB-hour costs", price(p.PriceMemory)},
		{true, "Seed", fmt.Sprint(p.Seed)},
	} {
		if f.set {
			out = append(out, Fact{f.name, f.value})
		}
	}
	return out
}

// price is what something costs, in whatever is paid with.
func price(billionths int64) string {
	return strconv.FormatFloat(float64(billionths)/float64(scale.Parts), 'f', -1, 64)
}

func percent(parts int64) string {
	return fmt.Sprintf("%.3g%%", 100*float64(parts)/float64(scale.Parts))
}

// lasting prints a long time in days.
func lasting(d time.Duration) string {
	if day := 24 * time.Hour; d >= 2*day && d%time.Hour == 0 {
		if d%day == 0 {
			return fmt.Sprintf("%d days", d/day)
		}
		return fmt.Sprintf("%d days %d h", d/day, d%day/time.Hour)
	}
	text := d.String()
	if strings.HasSuffix(text, "m0s") {
		text = strings.TrimSuffix(text, "0s")
	}
	if strings.HasSuffix(text, "h0m") {
		text = strings.TrimSuffix(text, "0m")
	}
	return text
}
