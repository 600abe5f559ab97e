package lint

import (
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/tidemark/tidemark/fault"
	"github.com/tidemark/tidemark/scale"
)

// Family is a kind of autoscaler, whatever its version.
type Family string

// The families.
const (
	HPA      Family = "HorizontalPodAutoscaler"
	VPA      Family = "VerticalPodAutoscaler"
	KEDA     Family = "ScaledObject"
	WPA      Family = "WatermarkPodAutoscaler"
	HVPA     Family = "Hvpa"
	Tortoise Family = "Tortoise"
	Tidemark Family = "WorkloadAutoscaler"
)

// Scaler is an autoscaler: what all families have in common, and the part of
// its own family.
type Scaler struct {
	*Object
	Family     Family
	Target     Ref
	Min, Max   *int64
	Metrics    []Metric
	Up, Down   *Direction
	minAt      fault.Path
	maxAt      fault.Path
	metricsAt  fault.Path
	behaviorAt fault.Path
	// counts tells that it changes the number of pods.
	counts bool
	// sizes says how it changes the pods' requests, nil where it does not.
	sizes *Sizing
	// partner is an object of another autoscaler that it works through.
	partner Partner

	keda  *kedaFacts
	marks *wpaFacts
	hvpa  *hvpaFacts
	own   *ownFacts
}

// Ref is a reference to a target.
type Ref struct {
	APIVersion, Kind, Name string
	Path                   fault.Path
}

func (r Ref) group() string {
	group, err := schema.ParseGroupVersion(r.APIVersion)
	if err != nil {
		return ""
	}
	return group.Group
}

// Partner is a reference by name to an autoscaler of a family.
type Partner struct {
	Family Family
	Name   string
	Path   fault.Path
}

// Metric is one metric, in the terms of autoscaling/v2.
type Metric struct {
	Path fault.Path
	// Type is Resource, ContainerResource, Pods, Object or External.
	Type      string
	Name      string
	Container string
	// TargetType is what the target says it is; the quantities are what it has.
	TargetType     string
	Utilization    *int64
	Average, Value *scale.Amount
	Low, High      *scale.Amount
	// targetAt is where the quantities stand.
	targetAt fault.Path
	// identity is the same for two metrics that measure the same.
	identity string
	selector selectorFacts
	fallback *int64
}

type selectorFacts struct {
	labels.Selector
	path fault.Path
}

func (m *Metric) resource() (scale.Resource, bool) {
	r, ok := scale.ParseResource(m.Name)
	return r, ok && (m.Type == "Resource" || m.Type == "ContainerResource")
}

// relative tells whether the metric is a share of the requests.
func (m *Metric) relative() bool {
	return m.Utilization != nil || (m.Low != nil || m.High != nil) && m.TargetType == "Utilization"
}

// bound tells whether the metric states what to hold.
func (m *Metric) bound() bool {
	return m.Utilization != nil || m.Average != nil || m.Value != nil || m.Low != nil || m.High != nil
}

// Direction is the behavior of one direction.
type Direction struct {
	Path      fault.Path
	Down      bool
	Tolerance *int64
	Window    *int64
	Select    string
	Policies  []Policy
	// empty tells that there is a list of policies without any.
	empty bool
	// percent is limitPercent, update the word that switches the direction.
	percent *int64
	update  string
}

// Policy is one rate.
type Policy struct {
	Path          fault.Path
	Type          string
	Value, Period *int64
}

// Sizing says how requests are changed.
type Sizing struct {
	// Mode is the word that says so, at Path.
	Mode string
	Path fault.Path
	// evicts tells that pods are replaced for it.
	evicts bool
	// passive tells that nothing is changed at all.
	passive bool
	// inPlace tells that pods need not be replaced.
	inPlace bool
	// least is the smallest number of pods at which it evicts.
	least    *int64
	Policies []SizePolicy
}

// SizePolicy is what is said of one container, or with "*" of the rest.
type SizePolicy struct {
	Container string
	Path      fault.Path
	Off       bool
	Min, Max  Amounts
	minAt     fault.Path
	// controls tells which resources it changes.
	controls [len(scale.EveryResource)]bool
}

// changes tells whether a resource of one of the containers is changed. Where
// the containers are not known, only what is said of one counts.
func (s *Sizing) changes(containers []string, r scale.Resource) bool {
	if s == nil || s.passive {
		return false
	}
	if containers == nil {
		return len(s.Policies) == 0 || slices.ContainsFunc(s.Policies, func(p SizePolicy) bool { return p.controls[r] && !p.Off })
	}
	return slices.ContainsFunc(containers, func(name string) bool { return s.changesOne(name, r) })
}

// changesOne asks the policy of a container, or that for the rest.
func (s *Sizing) changesOne(container string, r scale.Resource) bool {
	changed := true
	for i := range s.Policies {
		p := &s.Policies[i]
		if p.Container == container {
			return p.controls[r] && !p.Off
		}
		if p.Container == "*" {
			changed = p.controls[r] && !p.Off
		}
	}
	return changed
}

// effective are the metrics that count: an HPA without any has one on CPU.
func (s *Scaler) effective() []Metric {
	if !s.implied() {
		return s.Metrics
	}
	return []Metric{{Path: s.metricsAt, targetAt: s.metricsAt, Type: "Resource", Name: "cpu", Utilization: new(int64(80))}}
}

// v1Metrics is the annotation in which autoscaling/v1 keeps other metrics.
const v1Metrics = "autoscaling.alpha.kubernetes.io/metrics"

// implied tells whether an HPA states no metric at all.
func (s *Scaler) implied() bool {
	return s.Family == HPA && len(s.Metrics) == 0 && s.Target.Name != "" && s.annotations[v1Metrics] == ""
}

// least is the smallest number of pods, with each family's own default.
func (s *Scaler) least() int64 {
	switch {
	case s.Min != nil:
		return *s.Min
	case s.Family == KEDA:
		return 0
	}
	return 1
}

// tolerance of a direction in billionths, with the default of all families.
func (s *Scaler) tolerance(d *Direction) int64 {
	if d != nil && d.Tolerance != nil {
		return *d.Tolerance
	}
	return scale.Parts / 10
}

// acts tells whether it changes anything: not if it only recommends, which a
// Tortoise does unless told otherwise.
func (s *Scaler) acts() bool {
	if s.own == nil {
		return true
	}
	unsaid := s.own.mode == "" && s.Family == Tortoise
	return s.own.mode != "Off" && s.own.mode != "Recommend" && !unsaid
}

// readers hold how each family is read, by its group and kind.
var readers = map[schema.GroupKind]func(cursor) *Scaler{
	{Group: "autoscaling", Kind: string(HPA)}:                       readHPA,
	{Group: "autoscaling.k8s.io", Kind: string(VPA)}:                readVPA,
	{Group: "keda.sh", Kind: string(KEDA)}:                          readKEDA,
	{Group: "datadoghq.com", Kind: string(WPA)}:                     readWPA,
	{Group: "autoscaling.k8s.io", Kind: string(HVPA)}:               readHVPA,
	{Group: "autoscaling.gardener.cloud", Kind: "Hvpa"}:             readHVPA,
	{Group: "autoscaling.mercari.com", Kind: "Tortoise"}:            readTortoise,
	{Group: "autoscaling.tidemark.dev", Kind: "WorkloadAutoscaler"}: readOwn,
}

// readScaler reads an autoscaler, nil where the object is none.
func readScaler(c cursor) *Scaler {
	group, _, _ := strings.Cut(c.object.APIVersion, "/")
	read, ok := readers[schema.GroupKind{Group: group, Kind: c.object.Kind}]
	if !ok {
		return nil
	}
	out := read(c)
	out.Object, out.Family = c.object, Family(c.object.Kind)
	return out
}

func reference(c cursor) Ref {
	return Ref{APIVersion: c.get("apiVersion").text(), Kind: c.get("kind").text(), Name: c.get("name").text(), Path: c.path}
}

// bounds reads the least and the most number of pods.
func (s *Scaler) bounds(least, most cursor) {
	s.Min, s.minAt = least.integer(), least.path
	s.Max, s.maxAt = most.integer(), most.path
}

// behavior reads both directions.
func (s *Scaler) behavior(c cursor) {
	s.behaviorAt = c.path
	s.Up, s.Down = direction(c.get("scaleUp")), direction(c.get("scaleDown"))
	if s.Down != nil {
		s.Down.Down = true
	}
}

func direction(c cursor) *Direction {
	if !c.there() {
		return nil
	}
	out := &Direction{
		Path: c.path, Tolerance: c.get("tolerance").parts(), Window: c.get("stabilizationWindowSeconds").integer(),
		Select: c.get("selectPolicy").text(), percent: c.get("limitPercent").integer(), update: c.get("update").mode(),
	}
	policies := c.get("policies")
	out.empty = policies.there() && len(policies.items()) == 0
	for _, item := range policies.items() {
		out.Policies = append(out.Policies, Policy{
			Path: item.path, Type: item.get("type").text(), Value: item.get("value").integer(), Period: item.get("periodSeconds").integer(),
		})
	}
	return out
}
