package lint

import (
	"strings"

	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/selection"
	"k8s.io/apimachinery/pkg/util/sets"

	"github.com/tidemark/tidemark/scale"
)

var metricRules = []Rule{
	{
		ID: "TM040", Name: "utilization-without-requests", Severity: Error,
		Why: "Utilization is a share of the requests. One container without a request, even a sidecar, leaves the whole metric without a value: " +
			"the autoscaler exists and never scales.",
		Fix:   "Give every container a request, or a LimitRange that does, or measure one container (ContainerResource), or use averageValue.",
		Check: ofScalers(checkRequests),
	},
	{
		ID: "TM041", Name: "both-target-kinds", Severity: Error,
		Why:   "The API server refuses a metric with a raw value and a utilization, or with a value and an average.",
		Fix:   "Keep one quantity. It implies the type of the target.",
		Check: ofMetrics(checkBothKinds),
	},
	{
		ID: "TM042", Name: "target-type-contradicts", Severity: Warning,
		Why:   "The target says one type and gives the quantity of another. The controller goes by the quantity, and whoever reads the manifest by the type.",
		Fix:   "Make the type agree with the quantity.",
		Check: ofMetrics(checkTargetType),
	},
	{
		ID: "TM043", Name: "target-kind-unsupported", Severity: Error,
		Why: "This kind of metric cannot have that target: only resources have requests to take a share of, resources and pods are averaged, " +
			"and a metric without a target has nothing to hold. The API server refuses it.",
		Fix:   "Use averageUtilization or averageValue for Resource and ContainerResource, averageValue for Pods, value or averageValue for Object and External.",
		Check: ofMetrics(checkTargetKind),
	},
	{
		ID: "TM044", Name: "duplicate-metric", Severity: Warning,
		Why:   "The same metric stands here twice. The stricter target always wins, so the other one only misleads.",
		Fix:   "Keep one of them.",
		Check: ofScalers(checkDuplicates),
	},
	{
		ID: "TM045", Name: "implied-metric", Severity: Info,
		Why: "An HPA without metrics holds the CPU utilization at 80 %. That is written nowhere, and leaves little room for growth while new pods start.",
		Fix: "State the metric and the target you want.",
		Check: ofScalers(func(_ *World, s *Scaler, found *Report) {
			if s.implied() {
				found.Add(s.Object, s.metricsAt, "is missing: the HPA holds the CPU utilization at 80 %%")
			}
		}),
	},
	{
		ID: "TM046", Name: "selector-matches-nothing", Severity: Error,
		Why:   "The conditions of the selector exclude each other, so no series ever matches, and the metric never has a value.",
		Fix:   "Remove the condition that was not meant.",
		Check: ofMetrics(checkSelector),
	},
	{
		ID: "TM047", Name: "memory-alone", Severity: Info,
		Why: "Few programs give memory back when load falls, so a workload that scales by memory alone goes up and hardly ever down. More pods " +
			"do not make each one smaller either.",
		Fix:   "Scale by CPU or by the work itself, and size memory vertically. Keep memory as the second metric where load really moves it.",
		Check: ofScalers(checkMemoryAlone),
	},
	{
		ID: "TM048", Name: "sidecar-blur", Severity: Info,
		Why:   "A Resource metric adds up all containers. An idle sidecar with a large request makes a busy application look idle, and the pods are added late.",
		Fix:   "Measure the container that does the work, with a ContainerResource metric.",
		Check: ofScalers(checkBlur),
	},
	{
		ID: "TM049", Name: "query-not-understood", Severity: Warning,
		Why: "Prometheus refuses the query, so the metric never has a value and the workload never scales by it. Servers that know more than " +
			"PromQL, such as VictoriaMetrics, may take it.",
		Fix:   "Correct the query. Try it where you look at graphs first.",
		Check: checkQueries,
	},
}

// lacking are the containers without a request that a metric is a share of.
func (w *World) lacking(t *Workload, m *Metric, r scale.Resource) []string {
	positive := func(a *scale.Amount) bool { return a != nil && *a > 0 }
	whole := m.Type == "Resource"
	if whole && (positive(t.Pod.Requests[r]) || positive(t.Pod.Limits[r])) {
		return nil
	}
	var out []string
	for i := range t.Containers {
		if c := &t.Containers[i]; (whole || c.Name == m.Container) && !positive(w.request(t, c, r)) {
			out = append(out, c.Name)
		}
	}
	return out
}

func checkRequests(w *World, s *Scaler, found *Report) {
	t := w.pods(s)
	if t == nil {
		return
	}
	for _, m := range s.effective() {
		r, ok := m.resource()
		if !ok || !m.relative() {
			continue
		}
		if without := w.lacking(t, &m, r); len(without) > 0 {
			found.Add(s.Object, m.targetAt, "is a share of the %s requests, and %s of %s %s has none", r, strings.Join(without, ", "), t.Kind, t.Name)
		}
	}
}

// quantities are the names of the quantities that a metric has.
func (m *Metric) quantities() []string {
	var out []string
	if m.Utilization != nil {
		out = append(out, "Utilization")
	}
	if m.Average != nil {
		out = append(out, "AverageValue")
	}
	if m.Value != nil {
		out = append(out, "Value")
	}
	return out
}

// checkBothKinds passes over Object metrics, whose type decides, and over
// WorkloadAutoscalers, whose compiler says it.
func checkBothKinds(s *Scaler, m *Metric, found *Report) {
	if given := m.quantities(); len(given) > 1 && m.Type != "Object" && s.Family != Tidemark {
		found.Add(s.Object, m.targetAt, "has %s: keep one of them", strings.Join(given, " and "))
	}
}

func checkTargetType(s *Scaler, m *Metric, found *Report) {
	given := m.quantities()
	if s.Family == HPA && len(given) == 1 && m.TargetType != "" && m.TargetType != given[0] {
		found.Add(s.Object, m.targetAt.Field("type"), "is %s, but the quantity is one of type %s", m.TargetType, given[0])
	}
}

// legal are the quantities that each kind of metric can have.
var legal = map[string]string{
	"Resource": "Utilization AverageValue", "ContainerResource": "Utilization AverageValue",
	"Pods": "AverageValue", "Object": "Value AverageValue", "External": "Value AverageValue",
}

func checkTargetKind(s *Scaler, m *Metric, found *Report) {
	if s.Family != HPA || len(s.wrong) > 0 {
		return
	}
	given := m.quantities()
	switch allowed, known := legal[m.Type]; {
	case !known:
		found.Add(s.Object, m.Path.Field("type"), "must be Resource, ContainerResource, Pods, Object or External, got %q", m.Type)
	case len(given) == 0:
		found.Add(s.Object, m.Path, "has no target")
	case len(given) == 1 && !strings.Contains(" "+allowed+" ", " "+given[0]+" "):
		found.Add(s.Object, m.targetAt, "is of type %s, which a metric of type %s cannot have", given[0], m.Type)
	}
}

func checkDuplicates(_ *World, s *Scaler, found *Report) {
	first := map[string]*Metric{}
	for i := range s.Metrics {
		m := &s.Metrics[i]
		key := m.identity + " by " + strings.Join(m.quantities(), " ")
		if before, twice := first[key]; twice && m.identity != "" {
			found.Add(s.Object, m.Path, "is the same metric as %s", before.Path)
		} else {
			first[key] = m
		}
	}
}

func checkSelector(s *Scaler, m *Metric, found *Report) {
	if m.selector.Selector == nil {
		return
	}
	requirements, _ := m.selector.Requirements()
	byKey := map[string][]labels.Requirement{}
	for _, r := range requirements {
		byKey[r.Key()] = append(byKey[r.Key()], r)
	}
	for _, r := range requirements {
		if excluded(byKey[r.Key()]) {
			found.Add(s.Object, m.selector.path, "demands of %q what cannot be true at once", r.Key())
			return
		}
	}
}

// excluded tells whether no value of one label satisfies all requirements.
func excluded(all []labels.Requirement) bool {
	var allowed sets.Set[string]
	denied := sets.New[string]()
	there, gone := false, false
	for _, r := range all {
		values := sets.New(r.Values().UnsortedList()...)
		switch r.Operator() {
		case selection.In, selection.Equals, selection.DoubleEquals:
			if allowed == nil {
				allowed = values
			}
			allowed, there = allowed.Intersection(values), true
		case selection.NotIn, selection.NotEquals:
			denied = denied.Union(values)
		case selection.Exists:
			there = true
		case selection.DoesNotExist:
			gone = true
		}
	}
	return there && gone || allowed != nil && allowed.Difference(denied).Len() == 0
}

func checkMemoryAlone(_ *World, s *Scaler, found *Report) {
	if !s.counts || len(s.Metrics) == 0 || s.keda != nil && s.keda.wakes {
		return
	}
	for i := range s.Metrics {
		if r, ok := s.Metrics[i].resource(); !ok || r != scale.Memory {
			return
		}
	}
	found.Add(s.Object, s.Metrics[0].Path, "is on memory, and there is no other metric")
}

// blurShare is the part of the requests, one in so many, that the containers
// beside the largest must have before they blur a metric.
const blurShare = 5

func checkBlur(w *World, s *Scaler, found *Report) {
	t := w.pods(s)
	if t == nil || len(t.Containers) < 2 {
		return
	}
	for _, m := range s.effective() {
		r, ok := m.resource()
		if !ok || m.Type != "Resource" || !m.relative() || t.Pod.Requests[r] != nil {
			continue
		}
		var sum, largest scale.Amount
		for i := range t.Containers {
			if request := w.request(t, &t.Containers[i], r); request != nil {
				sum, largest = sum.Add(*request), max(largest, *request)
			}
		}
		if rest := sum - largest; rest > 0 && rest.Times(blurShare) >= sum {
			found.Add(s.Object, m.Path, "adds up %d containers (%s), and those beside the largest have %d %% of the %s requests", len(t.Containers),
				t.containerNames(), percentOf(rest, sum), r)
		}
	}
}

func percentOf(part, whole scale.Amount) int64 { return int64(part.Share(100, int64(whole))) }
