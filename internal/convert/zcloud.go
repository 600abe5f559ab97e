package convert

import (
	"maps"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/tidemark/tidemark/api/v1alpha1"
	"github.com/tidemark/tidemark/fault"
)

// zcloudVersion and zcloudKind stand for the identity that zcloud's JSON does
// not have.
const (
	zcloudVersion = "zcloud"
	zcloudKind    = "zcloud HorizontalPodAutoscaler"
)

// ZcloudHPA is zcloud's JSON resource. Quantities are texts, and stay as they
// were written. The tags named doc describe the fields where the resource is
// published.
type ZcloudHPA struct {
	Name            string           `json:"name" doc:"The name of the autoscaler."`
	ScaleTargetKind string           `json:"scaleTargetKind" doc:"The kind of the workload." enum:"deployment,statefulset"`
	ScaleTargetName string           `json:"scaleTargetName" doc:"The name of the workload, in the same namespace."`
	MinReplicas     *int32           `json:"minReplicas,omitempty" doc:"The smallest count of pods; 1 when left out." minimum:"1"`
	MaxReplicas     int32            `json:"maxReplicas" doc:"The largest count of pods." minimum:"1"`
	ResourceMetrics []ZcloudResource `json:"resourceMetrics,omitempty" doc:"What the pods use of cpu and memory. Of all metrics, the one that asks for the most pods counts."`
	CustomMetrics   []ZcloudCustom   `json:"customMetrics,omitempty" doc:"Metrics that each pod has of its own."`
}

// ZcloudResource is a metric of cpu or memory.
type ZcloudResource struct {
	ResourceName       string `json:"resourceName" doc:"The resource." enum:"cpu,memory"`
	TargetType         string `json:"targetType" doc:"Which of the two numbers is held: a percentage of the requests, or an amount for each pod." enum:"Utilization,AverageValue"`
	AverageValue       string `json:"averageValue,omitempty" doc:"The amount for each pod, a quantity such as 500m or 256Mi. It belongs to AverageValue."`
	AverageUtilization int32  `json:"averageUtilization,omitempty" doc:"The percentage of the requests. It belongs to Utilization." minimum:"1"`
}

// ZcloudCustom is a metric that each pod has of its own.
type ZcloudCustom struct {
	MetricName   string `json:"metricName" doc:"The name of the metric."`
	AverageValue string `json:"averageValue" doc:"The amount for each pod, a quantity such as 2000."`
}

// zcloudInput is the resource with what is read and not asked for.
type zcloudInput struct {
	ZcloudHPA
	Status any `json:"status"`
}

// zcloudNames are the fields, by their names in small letters.
var zcloudNames = bySmallName(
	"name", "scaleTargetKind", "scaleTargetName", "minReplicas", "maxReplicas", "resourceMetrics", "customMetrics", "status",
	"resourceName", "targetType", "averageValue", "averageUtilization", "metricName",
)

func bySmallName(names ...string) map[string]string {
	out := map[string]string{}
	for _, name := range names {
		out[strings.ToLower(name)] = name
	}
	return out
}

// isZcloud recognizes zcloud's JSON, which names no kind.
func isZcloud(tree map[string]any) bool {
	if tree["kind"] != nil || tree["apiVersion"] != nil {
		return false
	}
	for key := range tree {
		if strings.EqualFold(key, "scaleTargetKind") {
			return true
		}
	}
	return false
}

// respell gives every key the case of its field, because zcloud writes them
// in either case, and remembers how they were written.
func (d *draft) respell() {
	d.kind = kind{zcloudVersion, zcloudKind}
	d.spelling = map[fault.Path]fault.Path{}
	d.tree, _ = d.respellValue(d.tree, "", "").(map[string]any)
}

func (d *draft) respellValue(value any, path, written fault.Path) any {
	d.spelling[path] = written
	switch v := value.(type) {
	case map[string]any:
		out := map[string]any{}
		for _, key := range slices.Sorted(maps.Keys(v)) {
			name := key
			if proper, ok := zcloudNames[strings.ToLower(key)]; ok {
				name = proper
			}
			if _, twice := out[name]; twice {
				// Both spellings are given: the second one is an unknown field.
				name = key + " (again)"
			}
			out[name] = d.respellValue(v[key], child(path, name), child(written, key))
		}
		return out
	case []any:
		out := make([]any, len(v))
		for i := range v {
			out[i] = d.respellValue(v[i], path.Index(i), written.Index(i))
		}
		return out
	}
	return value
}

// spelled returns a path as the input writes it.
func (d *draft) spelled(path fault.Path) fault.Path {
	if written, ok := d.spelling[path]; ok {
		return written
	}
	return path
}

func (d *draft) asSpelled(faults fault.List) fault.List {
	for i := range faults {
		faults[i].Path = d.spelled(faults[i].Path)
	}
	return faults
}

// ReadZcloud reads the resource on its own, for a caller who wants every field
// of it understood: what is not known is a fault, and so is a number that the
// type of its metric does not name. The status is not looked at.
func ReadZcloud(document []byte) (ZcloudHPA, error) {
	tree, err := parse(document)
	if err != nil {
		return ZcloudHPA{}, err
	}
	d := newDraft(tree)
	d.respell()
	var in zcloudInput
	faults := d.decode(&in)
	for _, path := range d.unknown {
		faults.Add(path, "unknown field")
	}
	for i, m := range in.ResourceMetrics {
		from := fault.Path("resourceMetrics").Index(i)
		if m.TargetType == "Utilization" && m.AverageValue != "" {
			faults.Add(from.Field("averageValue"), "does not belong to targetType Utilization: leave it out")
		}
		if m.TargetType == "AverageValue" && m.AverageUtilization != 0 {
			faults.Add(from.Field("averageUtilization"), "does not belong to targetType AverageValue: leave it out")
		}
	}
	return in.ZcloudHPA, d.asSpelled(faults).Err()
}

// fromZcloud converts zcloud's own resource, behind which stands an HPA.
func fromZcloud(d *draft) fault.List {
	var in zcloudInput
	if faults := d.decode(&in); len(faults) > 0 {
		return faults
	}
	d.meta.Name, d.out.Name = in.Name, in.Name
	d.carry("name", "metadata.name")
	d.leave("status", "is what was seen, not what is asked for")
	d.asHPA()
	d.bounds("", in.MinReplicas, in.MaxReplicas)
	faults := d.zcloudTarget(&in.ZcloudHPA)
	for i := range in.ResourceMetrics {
		d.zcloudResource(fault.Path("resourceMetrics").Index(i), &in.ResourceMetrics[i], &faults)
	}
	for i, m := range in.CustomMetrics {
		from := fault.Path("customMetrics").Index(i)
		d.carry(from, d.nextMetric())
		d.addMetric(from, v1alpha1.MetricSpec{Type: v1alpha1.PodsMetricType, Pods: &v1alpha1.PodsMetric{
			Metric: v1alpha1.MetricIdentifier{Name: m.MetricName},
			Target: &v1alpha1.MetricTarget{Type: v1alpha1.AverageValueTarget, AverageValue: zcloudAmount(from, m.AverageValue, &faults)},
		}})
	}
	if len(in.ResourceMetrics)+len(in.CustomMetrics) == 0 {
		d.standStill()
	}
	return faults
}

// zcloudAmount reads an amount; an empty text is none.
func zcloudAmount(from fault.Path, text string, faults *fault.List) *resource.Quantity {
	amount := quantityOf(text)
	if amount == nil && text != "" {
		faults.Add(from.Field("averageValue"), "must be a quantity such as 500m, 2 or 4Gi, got %q", text)
	}
	return amount
}

// zcloudKinds are the workloads, by the words of the resource.
var zcloudKinds = map[string]string{"deployment": "Deployment", "statefulset": "StatefulSet"}

func (d *draft) zcloudTarget(in *ZcloudHPA) fault.List {
	name, ok := zcloudKinds[strings.ToLower(in.ScaleTargetKind)]
	if !ok {
		return fault.List{{Path: "scaleTargetKind", Message: "must be deployment or statefulset"}}
	}
	if in.ScaleTargetName == "" {
		return fault.List{{Path: "scaleTargetName", Message: "is required: name the workload"}}
	}
	d.out.Spec.TargetRef = v1alpha1.TargetReference{APIVersion: "apps/v1", Kind: name, Name: in.ScaleTargetName}
	d.carry("scaleTargetKind", "spec.targetRef.kind")
	d.carry("scaleTargetName", "spec.targetRef.name")
	return nil
}

// zcloudResource carries a resource metric: targetType says which of the two
// numbers counts, and the other may hold a left-over.
func (d *draft) zcloudResource(from fault.Path, in *ZcloudResource, faults *fault.List) {
	target := &v1alpha1.MetricTarget{Type: v1alpha1.TargetType(in.TargetType)}
	const unused = "targetType names the other number"
	d.carry(from, d.nextMetric())
	switch in.TargetType {
	case "Utilization":
		target.AverageUtilization = &in.AverageUtilization
		d.leave(from.Field("averageValue"), unused)
	case "AverageValue":
		target.AverageValue = zcloudAmount(from, in.AverageValue, faults)
		d.leave(from.Field("averageUtilization"), unused)
	}
	d.addMetric(from, v1alpha1.MetricSpec{Type: v1alpha1.ResourceMetricType, Resource: &v1alpha1.ResourceMetric{Name: in.ResourceName, Target: target}})
}
