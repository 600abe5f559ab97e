package race

import (
	"fmt"
	"os"

	"sigs.k8s.io/yaml"

	"github.com/tidemark/tidemark/api/v1alpha1"
	"github.com/tidemark/tidemark/internal/replay"
	"github.com/tidemark/tidemark/internal/replay/sim"
)

// Contestant is someone who scales a plant.
type Contestant struct {
	Name string
	// Start returns a fresh controller, and adapts the plant to it.
	Start func(*sim.Settings) (sim.Controller, error)
}

// styles are policies in the style of other autoscalers, as our object says
// them. Each has the defaults its own design recommends.
var styles = []struct{ name, spec string }{
	{"WPA style: 40 to 70 %", `
replicas: {min: 1, max: 5000}
metrics: [{type: Resource, resource: {name: cpu, watermarks: {type: Utilization, low: 40, high: 70}}}]
behavior:
  scaleUp: {tolerance: "0.01", limitPercent: 50, forbiddenWindowSeconds: 60}
  scaleDown: {tolerance: "0.01", limitPercent: 20, forbiddenWindowSeconds: 300}
`},
	{"HVPA style: intervals, 70 %", `
replicas: {min: 1, max: 5000}
metrics: [{type: Resource, resource: {name: cpu, target: {averageUtilization: 70}}}]
intervals:
  ranges:
  - {maxReplicas: 2, maxResources: {cpu: "2"}}
  - {maxReplicas: 5000, maxResources: {cpu: "5000"}, extrapolation: Linear}
  overlap: {cpu: {value: 500m, percentage: 10}}
behavior:
  scaleUp: {minChange: {cpu: {value: 200m, percentage: 10}}}
  scaleDown: {stabilizationWindowSeconds: 300, minChange: {cpu: {value: 200m, percentage: 10}}}
`},
	{"Tortoise style: learned bounds and target", `
replicas: {min: 1, max: 5000}
metrics: [{type: ContainerResource, containerResource: {name: cpu, container: app, target: {averageUtilization: 70}}}]
learn: {targets: true}
`},
	{"Tidemark, a risk alone", `
replicas: {min: 1, max: 5000}
metrics: [{type: Resource, resource: {name: cpu}}]
learn: {headroom: {risk: "0.01"}}
`},
	{oneSizeName, `
replicas: {min: 1, max: 5000}
learn: {headroom: {resize: {enabled: false}}}
`},
}

// Recommended is the file of the policy that Tidemark recommends.
const Recommended = "../../../examples/recommended.yaml"

// RecommendedName is what the table calls it, and oneSizeName the same without
// resizes.
const (
	RecommendedName = "**Tidemark, recommended**"
	oneSizeName     = "Tidemark, recommended, pods of one size"
)

// Rivals are other autoscalers that race, by the names that a replay has for them.
var Rivals = []string{
	"rhpa:60", "rhpa:80", "kpa:70", "kpa:70@sync", "autopilot", "autopilot:ml", "autopilot:count", "captain", "captain@sync", "crane", "crane:70",
	"aws-predictive", "aws-predictive:70",
}

// Contestants returns everyone but the upstream HPA, which needs a bubble. Which
// of the rivals are among them, their names say.
func Contestants(rivals []string) ([]Contestant, error) {
	text, err := os.ReadFile(Recommended)
	if err != nil {
		return nil, err
	}
	out := []Contestant{{Name: fmt.Sprintf("VPA recommender, %d pods", MeanPods), Start: startVPA}}
	for _, s := range styles {
		c, err := ofSpec(s.name, s.spec)
		if err != nil {
			return nil, err
		}
		out = append(out, c)
	}
	for _, name := range rivals {
		p, known, err := replay.Named(name)
		if err == nil && !known {
			err = fmt.Errorf("nobody is called %q: a rival is %s", name, replay.Yardsticks)
		}
		if err != nil {
			return nil, err
		}
		out = append(out, Contestant{Name: name, Start: p.Start})
	}
	var recommended v1alpha1.WorkloadAutoscaler
	if err := yaml.UnmarshalStrict(text, &recommended); err != nil {
		return nil, fmt.Errorf("%s: %w", Recommended, err)
	}
	ours, err := of(RecommendedName, recommended.Spec)
	if err != nil {
		return nil, err
	}
	return append(out, ours, Contestant{Name: "oracle", Start: func(*sim.Settings) (sim.Controller, error) { return sim.Oracle{}, nil }}), nil
}

// ofSpec returns the contestant of a spec in YAML.
func ofSpec(name, text string) (Contestant, error) {
	var spec v1alpha1.WorkloadAutoscalerSpec
	if err := yaml.UnmarshalStrict([]byte(text), &spec); err != nil {
		return Contestant{}, fmt.Errorf("%s: %w", name, err)
	}
	return of(name, spec)
}

func of(name string, spec v1alpha1.WorkloadAutoscalerSpec) (Contestant, error) {
	p, err := replay.FromSpec(name, spec)
	if err != nil {
		return Contestant{}, fmt.Errorf("%s: %w", name, err)
	}
	return Contestant{Name: name, Start: p.Start}, nil
}

// Run lets a contestant scale a demand's plant.
func (c Contestant) Run(d Demand) (sim.Score, error) {
	s := d.Settings
	controller, err := c.Start(&s)
	if err != nil {
		return sim.Score{}, fmt.Errorf("%s: %w", c.Name, err)
	}
	return sim.Run(s, controller, nil), nil
}
