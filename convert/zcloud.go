package convert

import (
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

type zcloud struct {
	Name            string           `json:"name"`
	ScaleTargetKind string           `json:"scaleTargetKind"`
	ScaleTargetName string           `json:"scaleTargetName"`
	MinReplicas     *int32           `json:"minReplicas"`
	MaxReplicas     int32            `json:"maxReplicas"`
	ResourceMetrics []zcloudResource `json:"resourceMetrics"`
	CustomMetrics   []zcloudCustom   `json:"customMetrics"`
}

type zcloudResource struct {
	ResourceName       string             `json:"resourceName"`
	TargetType         string             `json:"targetType"`
	AverageValue       *resource.Quantity `json:"averageValue"`
	AverageUtilization *int32             `json:"averageUtilization"`
}

type zcloudCustom struct {
	MetricName   string             `json:"metricName"`
	AverageValue *resource.Quantity `json:"averageValue"`
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

// isZcloud recognises zcloud's JSON, which names no kind.
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
	d.spelling = map[string]string{}
	d.tree, _ = d.respellValue(d.tree, "", "").(map[string]any)
}

func (d *draft) respellValue(value any, path, written fault.Path) any {
	d.spelling[string(path)] = string(written)
	switch v := value.(type) {
	case map[string]any:
		out := map[string]any{}
		for _, key := range sortedKeys(v) {
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
func (d *draft) spelled(path string) string {
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

// fromZcloud converts zcloud's own resource, behind which stands an HPA.
func fromZcloud(d *draft) fault.List {
	var in zcloud
	if faults := d.decode(&in); len(faults) > 0 {
		return faults
	}
	d.meta.Name, d.out.Name = in.Name, in.Name
	d.carry("name", "metadata.name")
	d.drop("status", "is what was seen, not what is asked for")
	d.asHPA()
	d.bounds("", in.MinReplicas, in.MaxReplicas)
	faults := d.zcloudTarget(&in)
	for i := range in.ResourceMetrics {
		d.zcloudResource(fault.Path("resourceMetrics").Index(i), &in.ResourceMetrics[i])
	}
	for i, m := range in.CustomMetrics {
		from := fault.Path("customMetrics").Index(i)
		d.carry(from, d.nextMetric())
		d.addMetric(from, v1alpha1.MetricSpec{Type: v1alpha1.PodsMetricType, Pods: &v1alpha1.PodsMetric{
			Metric: v1alpha1.MetricIdentifier{Name: m.MetricName},
			Target: &v1alpha1.MetricTarget{Type: v1alpha1.AverageValueTarget, AverageValue: m.AverageValue},
		}})
	}
	if len(in.ResourceMetrics)+len(in.CustomMetrics) == 0 {
		d.standStill()
	}
	return faults
}

func (d *draft) zcloudTarget(in *zcloud) fault.List {
	kinds := map[string]string{"deployment": "Deployment", "statefulset": "StatefulSet"}
	name, ok := kinds[strings.ToLower(in.ScaleTargetKind)]
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
func (d *draft) zcloudResource(from fault.Path, in *zcloudResource) {
	target := &v1alpha1.MetricTarget{AverageUtilization: in.AverageUtilization, AverageValue: in.AverageValue}
	const unused = "targetType names the other number"
	d.carry(from, d.nextMetric())
	switch in.TargetType {
	case "Utilization":
		target.AverageValue = nil
		d.drop(from.Field("averageValue"), unused)
	case "AverageValue":
		target.AverageUtilization = nil
		d.drop(from.Field("averageUtilization"), unused)
	}
	target.Type = v1alpha1.TargetType(in.TargetType)
	d.addMetric(from, v1alpha1.MetricSpec{Type: v1alpha1.ResourceMetricType, Resource: &v1alpha1.ResourceMetric{Name: in.ResourceName, Target: target}})
}
