package town

import (
	"fmt"
	"time"

	"sigs.k8s.io/yaml"

	"github.com/tidemark/tidemark/api/v1alpha1"
	"github.com/tidemark/tidemark/internal/replay"
	"github.com/tidemark/tidemark/internal/replay/sim"
	"github.com/tidemark/tidemark/internal/replay/trace/generate"
	"github.com/tidemark/tidemark/internal/ui/feed"
	"github.com/tidemark/tidemark/internal/ui/replayed"
	"github.com/tidemark/tidemark/scale"
)

// The town begins on a Monday, has lived for a week when one first sees it, on a
// morning on which there is more to do each minute, and lives for two weeks more.
var begin = time.Date(2026, 1, 5, 0, 0, 0, 0, time.UTC)

const (
	day    = 24 * time.Hour
	week   = 7 * day
	past   = week + 9*time.Hour
	length = 3 * week
)

// house is a workload of the town.
type house struct {
	namespace, name, team string
	// shape is the demand, mean its mean in cores.
	shape string
	mean  int64
	spec  string
	// plant, where it is set, makes the pods something else than usual ones.
	plant func(*replay.Plant)
}

const core = scale.Thousand

// What an hour of a core and of a GiB costs in the town: about as much as rented.
const (
	priceCPU    = scale.Parts * 4 / 100
	priceMemory = scale.Parts * 5 / 1000
)

// houses each show something else.
var houses = []house{
	{"shop", "web", "storefront", "weekly", 12, `
learn: {headroom: {}}
replicas: {min: 2, max: 60}`, nil},
	{"shop", "checkout", "storefront", "flash-crowd", 6, `
replicas: {min: 2, max: 40}
metrics: [{type: Resource, resource: {name: cpu, target: {averageUtilization: 60}}}]
schedules: [{name: office-hours, start: "0 8 * * 1-5", end: "0 18 * * 1-5", replicas: {min: 12}}]`, nil},
	{"shop", "search", "search", "daily", 9, `
replicas: {min: 3, max: 40}
metrics: [{type: Resource, resource: {name: cpu, watermarks: {type: Utilization, low: 40, high: 70}}}]
behavior: {scaleDown: {forbiddenWindowSeconds: 300}}`, nil},
	{"shop", "cart", "storefront", "daily", 5, `
compatibility: HPA
replicas: {min: 2, max: 30}
metrics: [{type: Resource, resource: {name: cpu, target: {averageUtilization: 50}}}]`, nil},
	{"media", "encoder", "media", "bursty", 10, `
replicas: {min: 2, max: 18}
metrics: [{type: Resource, resource: {name: cpu, target: {averageUtilization: 70}}}]`, nil},
	{"media", "thumbnails", "media", "daily", 4, `
mode: Recommend
replicas: {min: 1, max: 20}
metrics: [{type: Resource, resource: {name: cpu, target: {averageUtilization: 70}}}]`, nil},
	{"data", "worker", "platform", "bursty", 3, `
replicas: {min: 0, max: 30}
metrics: [{type: External, external: {metric: {name: queue}, target: {averageValue: 700m}}}]`, nil},
	{"data", "reports", "platform", "step", 6, `
replicas: {min: 2, max: 30}
metrics: [{type: Resource, resource: {name: cpu, target: {averageUtilization: 65}}}]
maintenanceWindows: [{start: "22:00", end: "04:00"}]
behavior: {scaleDown: {update: MaintenanceWindow}}`, nil},
	{"bank", "ledger", "payments", "weekly", 14, `
replicas: {min: 4, max: 60}
metrics: [{type: Resource, resource: {name: cpu, target: {averageUtilization: 55}}}]`,
		func(p *replay.Plant) { p.Nodes = sim.Nodes{Count: 3, CPU: 12 * core} }},
	{"bank", "fraud", "payments", "daily", 7, `
replicas: {min: 2}
learn: {period: Daily, windowWeeks: 1, targets: true}
metrics: [{type: Resource, resource: {name: cpu, target: {averageUtilization: 60}}}]`, nil},
	{"bank", "sessions", "payments", "daily", 5, `
replicas: {min: 3, max: 20}
metrics: [{type: Resource, resource: {name: cpu, target: {averageUtilization: 60}}}]
containers: [{name: app, cpu: {scaling: Horizontal}, memory: {scaling: Vertical, min: 256Mi, max: 4Gi}}]
vertical: {update: InPlace}`,
		func(p *replay.Plant) {
			p.Memory = sim.MemoryUse{Base: core * 300 << 20, PerCore: core * 400 << 20, Leak: core * 2 << 20}
		}},
	{"ops", "legacy", "platform", "daily", 4, `
replicas: {min: 2, max: 20}
pause: {replicas: 6}
metrics: [{type: Resource, resource: {name: cpu, target: {averageUtilization: 60}}}]`, nil},
	{"ops", "gateway", "platform", "weekly", 5, `
replicas: {min: 2, max: 20}
metrics: [{type: Resource, resource: {name: cpu, target: {averageUtilization: 60}}}]`,
		func(p *replay.Plant) { p.Lost = scale.Parts }},
}

// build returns the run of a house.
func (h house) build(cpu, memory int64) (*replayed.Run, error) {
	var spec v1alpha1.WorkloadAutoscalerSpec
	if err := yaml.UnmarshalStrict([]byte(h.spec), &spec); err != nil {
		return nil, fmt.Errorf("%s: %w", h.name, err)
	}
	policy, err := replay.FromSpec(h.name, spec)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", h.name, err)
	}
	demand, err := generate.Named(h.shape, uint64(len(h.name)), generate.Options{Length: length, Mean: scale.Amount(h.mean) * core, Start: begin})
	if err != nil {
		return nil, fmt.Errorf("%s: %w", h.name, err)
	}
	plant := replay.Honest()
	plant.PriceCPU, plant.PriceMemory = cpu, memory
	if h.plant != nil {
		h.plant(&plant)
	}
	r, err := replay.New(demand, plant)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", h.name, err)
	}
	key := feed.Key{Namespace: h.namespace, Name: h.name}
	return &replayed.Run{Key: key, Replay: r, Policy: policy, Labels: map[string]string{"team": h.team}}, nil
}
