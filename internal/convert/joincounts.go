package convert

import (
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/tidemark/tidemark/api/v1alpha1"
	"github.com/tidemark/tidemark/fault"
	"github.com/tidemark/tidemark/policy"
)

// madeByKEDA is the name of the ScaledObject that KEDA made an HPA of; empty for one
// that people wrote.
func (d *draft) madeByKEDA() string {
	if d.kind.kind != "HorizontalPodAutoscaler" {
		return ""
	}
	meta, _ := d.tree["metadata"].(map[string]any)
	owners, _ := meta["ownerReferences"].([]any)
	for _, o := range owners {
		if owner, _ := o.(map[string]any); owner["kind"] == "ScaledObject" {
			name, _ := owner["name"].(string)
			return name
		}
	}
	if name := d.meta.Labels["scaledobject.keda.sh/name"]; name != "" {
		return name
	}
	name, _ := strings.CutPrefix(d.meta.Name, "keda-hpa-")
	if name == d.meta.Name {
		return ""
	}
	return name
}

// JoinCounts puts the metrics of an HPA into the object of a ScaledObject for the same
// workload. Two that decide about one count undo each other's work, so that there is
// nothing to preserve of how they did; but where they agree in their bounds and rules,
// what each asks for is a metric of one object. The error says in what they contradict
// each other; neither is changed then.
func JoinCounts(scaled, hpa *Result) error {
	kept, ok := scaled.Object.(*v1alpha1.WorkloadAutoscaler)
	other, both := hpa.Object.(*v1alpha1.WorkloadAutoscaler)
	if !ok || !both {
		return fault.List{{Message: "only objects of ours can be joined"}}
	}
	joined := kept.DeepCopy()
	spec := &joined.Spec
	if why := contradiction(&kept.Spec, &other.Spec); why != "" {
		return fault.List{{Message: why}}
	}
	if spec.Behavior == nil {
		spec.Behavior = other.DeepCopy().Spec.Behavior
	}
	acts := spec.Mode == v1alpha1.ModeRecommend && other.Spec.Mode != v1alpha1.ModeRecommend
	if acts { // the ScaledObject had no evidence of its own to act on, and the HPA has
		spec.Mode, spec.Compatibility = other.Spec.Mode, other.Spec.Compatibility
	}
	places := map[int]int{}
	for i := range other.Spec.Metrics {
		m := other.Spec.Metrics[i].DeepCopy()
		at := placeOf(spec.Metrics, m)
		if at < 0 {
			at = len(spec.Metrics)
			spec.Metrics = append(spec.Metrics, *m)
		}
		places[i] = at
	}
	if _, err := policy.Compile(*spec, v1alpha1.AdminSettings{}); err != nil {
		return err
	}
	of := len(kept.Spec.Metrics)
	scaled.Object, hpa.Object, hpa.Joined = joined, joined, true
	hpa.Report.moveMetrics(places)
	hpa.Report.moves(scaled.Report.Kind)
	scaled.Report.takes(of, len(spec.Metrics), &hpa.Report)
	hpa.Report.takes(0, of, &scaled.Report)
	if acts {
		scaled.Report.withdraw("spec.mode")
	}
	if spec.Compatibility != other.Spec.Compatibility {
		hpa.Report.withdraw("spec.compatibility")
		hpa.Report.Fields = append(hpa.Report.Fields, Field{Fate: Default, To: "spec.compatibility", Affects: AffectsAll,
			Note: "is that of the ScaledObject " + scaled.Report.Name + ", whose workload may sleep: an HPA knows nothing of that"})
	}
	if kept.Spec.Behavior == nil {
		scaled.Report.behaves(other.Spec.Behavior, &hpa.Report)
	} else if other.Spec.Behavior == nil {
		hpa.Report.behaves(kept.Spec.Behavior, &scaled.Report)
	}
	return nil
}

// contradiction says in what two objects for one count cannot both be followed.
func contradiction(a, b *v1alpha1.WorkloadAutoscalerSpec) string {
	if least, other := minOf(a), minOf(b); least != other {
		return fmt.Sprintf("the ScaledObject's minimum is %d and the HPA's is %d", least, other)
	}
	if most, other := maxOf(a), maxOf(b); most != other {
		return fmt.Sprintf("the ScaledObject's maximum is %d and the HPA's is %d", most, other)
	}
	if a.Behavior != nil && b.Behavior != nil && !reflect.DeepEqual(a.Behavior, b.Behavior) {
		return "both state a behavior, and not the same"
	}
	for i := range b.Metrics {
		m := &b.Metrics[i]
		if at := placeOf(a.Metrics, m); at >= 0 && !reflect.DeepEqual(a.Metrics[at], *m) {
			return "they hold " + metricWords(m) + " at different targets"
		}
	}
	return ""
}

func minOf(spec *v1alpha1.WorkloadAutoscalerSpec) int32 {
	if spec.Replicas.Min == nil {
		return 1
	}
	return *spec.Replicas.Min
}

func maxOf(spec *v1alpha1.WorkloadAutoscalerSpec) int32 {
	if spec.Replicas.Max == nil {
		return 0
	}
	return *spec.Replicas.Max
}

// placeOf is where some metrics have one that measures the same; below 0 if nowhere.
func placeOf(metrics []v1alpha1.MetricSpec, m *v1alpha1.MetricSpec) int {
	for i := range metrics {
		if metricWords(&metrics[i]) == metricWords(m) {
			return i
		}
	}
	return -1
}

// metricWords say what a metric measures.
func metricWords(m *v1alpha1.MetricSpec) string {
	switch {
	case m.Resource != nil:
		return m.Resource.Name
	case m.ContainerResource != nil:
		return m.ContainerResource.Name + " of container " + m.ContainerResource.Container
	case m.Pods != nil:
		return "the Pods metric " + identity(&m.Pods.Metric)
	case m.Object != nil:
		return fmt.Sprintf("the metric %s of %s %s", identity(&m.Object.Metric), m.Object.DescribedObject.Kind, m.Object.DescribedObject.Name)
	case m.External != nil && m.External.Prometheus != nil:
		return "the query " + m.External.Prometheus.Query
	case m.External != nil:
		return "the External metric " + identity(&m.External.Metric)
	}
	return string(m.Type)
}

func identity(m *v1alpha1.MetricIdentifier) string {
	if m.Selector == nil {
		return m.Name
	}
	return m.Name + " " + m.Selector.String()
}

// moveMetrics corrects the places of metrics that stand elsewhere in another object.
func (r *Report) moveMetrics(places map[int]int) {
	for i := range r.Fields {
		f := &r.Fields[i]
		match := metricTo.FindStringSubmatch(f.To)
		if match == nil {
			continue
		}
		if at, err := strconv.Atoi(match[1]); err == nil {
			f.To = string(fault.Path("spec.metrics").Index(places[at])) + f.To[len(match[0]):]
		}
	}
}

// takes says, of each metric in a range, which other object it is of.
func (r *Report) takes(from, to int, other *Report) {
	for i := from; i < to; i++ {
		r.Fields = append(r.Fields, Field{Fate: Default, To: string(fault.Path("spec.metrics").Index(i)), Affects: AffectsAll,
			Note: fmt.Sprintf("is of the %s %s, which scales the same workload and shares the object", other.Kind, other.Name)})
	}
}

// behaves says whose behavior an object has that states none itself.
func (r *Report) behaves(b *v1alpha1.Behavior, other *Report) {
	if b != nil {
		r.Fields = append(r.Fields, Field{Fate: Default, To: "spec.behavior", Affects: AffectsAll,
			Note: fmt.Sprintf("is that of the %s %s, which shares the object: this one states none", other.Kind, other.Name)})
	}
}

// withdraw takes back what was said of a default.
func (r *Report) withdraw(to string) {
	r.Fields = slices.DeleteFunc(r.Fields, func(f Field) bool { return f.Fate == Default && f.To == to })
}
