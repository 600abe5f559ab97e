package convert

import (
	"encoding/json"
	"slices"

	"github.com/tidemark/tidemark/api/v1alpha1"
	"github.com/tidemark/tidemark/fault"
)

// plain is the part of a WorkloadAutoscaler that zcloud's resource has words
// for. Amounts are texts here, so that they come out as they went in.
type plain struct {
	header
	Spec struct {
		TargetRef     reference              `json:"targetRef"`
		Mode          v1alpha1.Mode          `json:"mode"`
		Compatibility v1alpha1.Compatibility `json:"compatibility"`
		Replicas      struct {
			Min *int32 `json:"min"`
			Max *int32 `json:"max"`
		} `json:"replicas"`
		Metrics []plainMetric `json:"metrics"`
	} `json:"spec"`
}

type plainMetric struct {
	Type     v1alpha1.MetricType `json:"type"`
	Resource *struct {
		Name   string       `json:"name"`
		Target *plainTarget `json:"target"`
	} `json:"resource"`
	Pods *struct {
		Metric struct {
			Name string `json:"name"`
		} `json:"metric"`
		Target *plainTarget `json:"target"`
	} `json:"pods"`
}

type plainTarget struct {
	Type               v1alpha1.TargetType `json:"type"`
	AverageValue       amountText          `json:"averageValue"`
	AverageUtilization int32               `json:"averageUtilization"`
}

// amountText is a quantity as it was written, as a text or as a number.
type amountText string

// UnmarshalJSON reads the quantity.
func (a *amountText) UnmarshalJSON(data []byte) error {
	var value any
	if err := json.Unmarshal(data, &value); err != nil {
		return err
	}
	if text, ok := value.(string); ok {
		*a = amountText(text)
		return nil
	}
	*a = amountText(data)
	return nil
}

// ToZcloud says a WorkloadAutoscaler, given as JSON, in the words of zcloud's
// resource. What it has no words for is returned beside it, by its place in the
// object: without such losses, converting the resource gives the same spec
// again.
func ToZcloud(document []byte) (ZcloudHPA, fault.List, error) {
	tree, err := parse(document)
	if err != nil {
		return ZcloudHPA{}, nil, err
	}
	d := newDraft(tree)
	if d.kind != (kind{v1alpha1.GroupVersion.String(), v1alpha1.Kind}) {
		return ZcloudHPA{}, nil, ErrUnknownKind
	}
	var in plain
	if faults := d.decode(&in); len(faults) > 0 {
		return ZcloudHPA{}, nil, faults
	}
	out := ZcloudHPA{Name: in.Metadata.Name, MinReplicas: in.Spec.Replicas.Min}
	d.carry("spec", "")
	d.plainTarget(&out, in.Spec.TargetRef)
	if in.Spec.Replicas.Max != nil {
		out.MaxReplicas = *in.Spec.Replicas.Max
	} else {
		d.assume("spec.replicas.max", "is not stated, and the resource needs one")
	}
	d.plainRules(in.Spec.Mode, in.Spec.Compatibility)
	for i := range in.Spec.Metrics {
		d.plainMetric(fault.Path("spec.metrics").Index(i), &in.Spec.Metrics[i], &out)
	}
	return out, d.losses(), nil
}

func (d *draft) plainTarget(out *ZcloudHPA, ref reference) {
	out.ScaleTargetName = ref.Name
	for word, name := range zcloudKinds {
		if ref.APIVersion == "apps/v1" && ref.Kind == name {
			out.ScaleTargetKind = word
		}
	}
	if out.ScaleTargetKind == "" {
		d.drop("spec.targetRef", "is a %s of %s: the resource names Deployments and StatefulSets only", ref.Kind, ref.APIVersion)
	}
}

// plainRules says what the resource does not say: that it acts, and by the
// rules of an HPA.
func (d *draft) plainRules(mode v1alpha1.Mode, whose v1alpha1.Compatibility) {
	if mode != "" && mode != v1alpha1.ModeAuto {
		d.drop("spec.mode", "is %s: the resource always acts", mode)
	}
	if whose != v1alpha1.CompatibilityHPA {
		d.forget("spec.compatibility")
		d.assume("spec.compatibility", "is %s: the resource stands for the rules of an HPA", v1alpha1.CompatibilityTidemark)
	}
}

func (d *draft) plainMetric(from fault.Path, in *plainMetric, out *ZcloudHPA) {
	switch {
	case in.Resource != nil && in.Resource.Target.fits(v1alpha1.UtilizationTarget, v1alpha1.AverageValueTarget):
		t := in.Resource.Target
		out.ResourceMetrics = append(out.ResourceMetrics, ZcloudResource{
			ResourceName: in.Resource.Name, TargetType: string(t.kind()), AverageValue: string(t.AverageValue), AverageUtilization: t.AverageUtilization,
		})
	case in.Pods != nil && in.Pods.Target.fits(v1alpha1.AverageValueTarget):
		out.CustomMetrics = append(out.CustomMetrics, ZcloudCustom{MetricName: in.Pods.Metric.Name, AverageValue: string(in.Pods.Target.AverageValue)})
	case in.Resource != nil || in.Pods != nil:
		d.drop(from, "has no target that the resource can say: it has averageUtilization and averageValue only")
	default:
		d.drop(from, "is of type %s: the resource has Resource and Pods metrics only", in.Type)
	}
}

// kind is the type of the target, which may be left out.
func (t *plainTarget) kind() v1alpha1.TargetType {
	switch {
	case t.Type != "":
		return t.Type
	case t.AverageUtilization != 0:
		return v1alpha1.UtilizationTarget
	}
	return v1alpha1.AverageValueTarget
}

func (t *plainTarget) fits(kinds ...v1alpha1.TargetType) bool {
	oneNumber := t != nil && (t.AverageUtilization == 0) != (t.AverageValue == "")
	return oneNumber && slices.Contains(kinds, t.kind())
}

// losses are the fields of the spec that the resource has no words for.
func (d *draft) losses() fault.List {
	for _, path := range d.unknown {
		if d.inherited(path).Fate != NotCarried {
			d.drop(path, "is a field that the resource does not have")
		}
	}
	var fields []Field
	d.account(d.tree["spec"], "spec", Field{Fate: Carried}, &fields)
	var out fault.List
	for _, f := range append(fields, d.defaults...) {
		switch f.Fate {
		case NotCarried:
			out = append(out, fault.Fault{Path: fault.Path(f.Path), Message: f.Note})
		case Default:
			out = append(out, fault.Fault{Path: fault.Path(f.To), Message: f.Note})
		}
	}
	return out
}
