package replay

import (
	"fmt"
	"slices"
	"strings"

	"github.com/tidemark/tidemark/api/v1alpha1"
	"github.com/tidemark/tidemark/engine"
	"github.com/tidemark/tidemark/engine/horizontal"
	"github.com/tidemark/tidemark/internal/replay/rivals"
	"github.com/tidemark/tidemark/internal/replay/sim"
	"github.com/tidemark/tidemark/policy"
	"github.com/tidemark/tidemark/scale"
)

// Yardsticks are the words that name a policy which is not a file.
const Yardsticks = "hpa:PERCENT, static:COUNT, oracle, foretold, rhpa:PERCENT, kpa:PERCENT, autopilot, captain, crane or aws-predictive"

// YardstickNames are examples of all of them, for those who complete words.
var YardstickNames = []string{
	"hpa:60", "static:10", "oracle", "foretold", "rhpa:60", "kpa:70", "kpa:70@sync", "autopilot", "autopilot:ml", "autopilot:count",
	"captain", "captain@sync", "crane", "aws-predictive",
}

// atSync is behind the name of a rival that gets everyone's metrics, as often as
// everyone.
const atSync = "@sync"

// usualTarget is the target, in percent, of the examples that Crane and AWS give
// in their documentation.
const usualTarget = 50

// rival returns the rival of a name. It reports false for any other word.
func rival(name string) (Policy, bool, error) {
	word, shared := strings.CutSuffix(name, atSync)
	kind, rest, numbered := strings.Cut(word, ":")
	start, known := starts[kind]
	if !known {
		return Policy{}, false, nil
	}
	if shared && kind != "kpa" && kind != "captain" {
		return Policy{}, true, fmt.Errorf("policy %q: %s has no metrics of its own, so it goes without %s", name, kind, atSync)
	}
	controller, err := start(choice{name: name, rest: rest, given: numbered, shared: shared})
	return Policy{Name: name, Start: controller}, true, err
}

// choice is what the name of a rival says about it.
type choice struct {
	name, rest    string
	given, shared bool
}

// percent is the number behind the colon, or the usual one where none has to be.
func (c choice) percent(usual int32, least, most int64) (int32, error) {
	if !c.given && usual > 0 {
		return usual, nil
	}
	return count(c.name, c.rest, least, most)
}

// maker makes a fresh controller, and adapts the plant to it.
type maker func(*sim.Settings) (sim.Controller, error)

// always is a maker that has nothing to refuse.
func always(begin func(*sim.Settings) sim.Controller) maker {
	return func(s *sim.Settings) (sim.Controller, error) { return begin(s), nil }
}

// starts are the rivals by the first word of their names.
var starts = map[string]func(choice) (maker, error){
	"autopilot":      startAutopilot,
	"kpa":            startKPA,
	"captain":        startCaptain,
	"crane":          func(c choice) (maker, error) { return startForesighted(c, rivals.Crane) },
	"aws-predictive": func(c choice) (maker, error) { return startForesighted(c, rivals.AWSPredictive) },
	"rhpa":           startRHPA,
}

func startAutopilot(c choice) (maker, error) {
	statistic := rivals.Statistics[0]
	if c.given {
		statistic = rivals.Statistic(c.rest)
	}
	switch {
	case statistic == "ml":
		return always(rivals.LearnedAutopilot), nil
	case statistic == "count":
		return always(rivals.HorizontalAutopilot), nil
	case !slices.Contains(rivals.Statistics, statistic):
		return nil, fmt.Errorf("policy %q: after the colon stands ml, count or one of the statistics %v", c.name, rivals.Statistics)
	}
	return always(func(s *sim.Settings) sim.Controller { return rivals.Autopilot(s, statistic) }), nil
}

func startKPA(c choice) (maker, error) {
	percent, err := c.percent(0, 1, 1000)
	return always(func(s *sim.Settings) sim.Controller { return rivals.KPA(s, percent, c.shared) }), err
}

func startCaptain(c choice) (maker, error) {
	if !c.given {
		return always(func(s *sim.Settings) sim.Controller { return rivals.TunedCaptain(s, c.shared) }), nil
	}
	percent, err := c.percent(0, 0, 100)
	return always(func(s *sim.Settings) sim.Controller { return rivals.Captain(s, percent, c.shared) }), err
}

func startRHPA(c choice) (maker, error) {
	percent, err := c.percent(0, 1, 1000)
	return func(s *sim.Settings) (sim.Controller, error) {
		compiled, err := policy.Compile(HPA(percent), v1alpha1.AdminSettings{})
		return rivals.RHPA(s, sim.NewAutoscaler(compiled, nil)), err
	}, err
}

// startForesighted is an HPA whose second metric, a forecast of cpu, has the same
// target as cpu itself.
func startForesighted(c choice, rival func(*sim.Settings, func(sim.Learner) *sim.Autoscaler) sim.Controller) (maker, error) {
	percent, err := c.percent(usualTarget, 1, 1000)
	return func(s *sim.Settings) (sim.Controller, error) {
		cpu, _ := s.Requests.Get(scale.CPU)
		compiled, err := foresighted(percent, cpu)
		if err != nil {
			return nil, err
		}
		s.Replicas = max(s.Replicas, 1)
		return rival(s, func(l sim.Learner) *sim.Autoscaler { return sim.NewAutoscaler(compiled, l) }), nil
	}, err
}

// foresighted is the policy of an HPA with a second metric: the cpu that all pods
// will need together.
func foresighted(percent int32, cpu scale.Amount) (engine.Policy, error) {
	compiled, err := policy.Compile(HPA(percent), v1alpha1.AdminSettings{})
	each := max(cpu.Share(int64(percent), 100), 1)
	compiled.Horizontal.Metrics = append(compiled.Horizontal.Metrics, horizontal.Metric{
		Name: "forecast", Kind: horizontal.External, Type: scale.AverageValue, Band: scale.Band{Low: each, High: each},
	})
	return compiled, err
}
