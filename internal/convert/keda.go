package convert

import (
	"cmp"
	"maps"
	"slices"
	"strconv"
	"strings"

	autoscalingv2 "k8s.io/api/autoscaling/v2"

	"github.com/tidemark/tidemark/api/v1alpha1"
	"github.com/tidemark/tidemark/fault"
)

type keda struct {
	header
	Spec struct {
		ScaleTargetRef   kedaTarget `json:"scaleTargetRef"`
		MinReplicaCount  *int32     `json:"minReplicaCount"`
		MaxReplicaCount  *int32     `json:"maxReplicaCount"`
		IdleReplicaCount *int32     `json:"idleReplicaCount"`
		CooldownPeriod   *int32     `json:"cooldownPeriod"`
		PollingInterval  *int32     `json:"pollingInterval"`
		Advanced         struct {
			ScalingModifiers kedaModifiers `json:"scalingModifiers"`

			HorizontalPodAutoscalerConfig struct {
				Behavior *autoscalingv2.HorizontalPodAutoscalerBehavior `json:"behavior"`
			} `json:"horizontalPodAutoscalerConfig"`
		} `json:"advanced"`
		Triggers []kedaTrigger `json:"triggers"`
		Fallback *kedaFallback `json:"fallback"`
	} `json:"spec"`
}

// kedaTarget names the workload. KEDA 1 knew Deployments only.
type kedaTarget struct {
	reference
	DeploymentName string `json:"deploymentName"`
}

type kedaTrigger struct {
	Type       string            `json:"type"`
	Name       string            `json:"name"`
	Metadata   map[string]string `json:"metadata"`
	MetricType string            `json:"metricType"`

	AuthenticationRef *struct {
		Name string `json:"name"`
		Kind string `json:"kind"`
	} `json:"authenticationRef"`
}

// fallbackStays is said of the fallback of triggers that stay with KEDA.
const fallbackStays = "belongs to triggers that KEDA measures, and stays in the ScaledObject"

// kedaMax is KEDA's maximum unless stated.
const kedaMax = 100

// fromKEDA converts a ScaledObject. KEDA gives an HPA the triggers on CPU and
// memory and measures the others itself, so those stay with it.
func fromKEDA(d *draft) fault.List {
	var in keda
	if faults := d.decode(&in); len(faults) > 0 {
		return faults
	}
	d.head(in.header)
	ref := in.Spec.ScaleTargetRef.reference
	ref.Kind = cmp.Or(ref.Kind, "Deployment")
	if d.kind.apiVersion == keda1 {
		ref = reference{Kind: "Deployment", Name: cmp.Or(in.Spec.ScaleTargetRef.DeploymentName, ref.Name)}
	}
	faults := d.target("spec.scaleTargetRef", ref)
	d.drop("spec.scaleTargetRef.deploymentName", "is of KEDA 1, and KEDA does not look at it any more")
	formula := in.Spec.Advanced.ScalingModifiers.Formula
	if d.formula = formula != ""; !d.formula {
		d.kedaCrons(in.Spec.Triggers)
	}
	d.kedaReplicas(in.Spec.MinReplicaCount, in.Spec.MaxReplicaCount)
	const behavior = "spec.advanced.horizontalPodAutoscalerConfig.behavior"
	d.out.Spec.Behavior = d.hpaBehavior(behavior, in.Spec.Advanced.HorizontalPodAutoscalerConfig.Behavior)
	computed := d.kedaFormula(&in.Spec.Advanced.ScalingModifiers, in.Spec.Triggers)
	for i := range in.Spec.Triggers {
		d.kedaMetric(fault.Path("spec.triggers").Index(i), &in.Spec.Triggers[i], formula, computed)
	}
	d.kedaRest(in.Spec.Triggers)
	d.kedaFallback(in.Spec.Fallback)
	sleeps := d.kedaSleeps(&in)
	d.kedaLooks(&in, sleeps)
	switch {
	case len(d.out.Spec.Metrics) == 0 && d.onlyCrons(in.Spec.Triggers):
	case len(d.out.Spec.Metrics) == 0:
		d.standStill()
	case !sleeps && !computed:
		d.asHPA()
	}
	d.kedaPauses(in.Metadata.Annotations)
	return faults
}

// kedaMetric carries one trigger as a metric, where it can be one. A formula is stated,
// and computed where it can be carried.
func (d *draft) kedaMetric(from fault.Path, t *kedaTrigger, formula string, computed bool) {
	switch {
	case d.formula && measuredByKEDA(t.Type) && !mentions(formula, t.Name):
		d.leave(from, "KEDA does not go by it beside a formula that does not name it")
	case t.Type == kedaCronType && !d.formula: // a schedule, not a metric
	case t.Type == kedaPrometheus && (computed || !d.formula):
		d.prometheusMetric(from, t)
	case (t.Type == kedaExternal || t.Type == kedaExternalPush) && !d.formula:
		d.externalMetric(from, t)
	default:
		d.kedaTrigger(from, t)
	}
}

// kedaReplicas carries the bounds. Without a metric that is there without pods,
// and without a schedule, nothing would wake the workload up, so the minimum is 1.
func (d *draft) kedaReplicas(least, most *int32) {
	d.out.Spec.Replicas = v1alpha1.ReplicaSpec{Min: least, Max: most}
	d.carry("spec.minReplicaCount", "spec.replicas.min")
	d.carry("spec.maxReplicaCount", "spec.replicas.max")
	if least == nil && len(d.out.Spec.Schedules) > 0 {
		d.out.Spec.Replicas.Min = new(int32(0))
		d.assume("spec.replicas.min", "is 0 unless stated, and the schedules wake the workload up. KEDA goes to 0 outside of them also while "+
			"cpu or memory is in use; here there are pods as long as it is")
	} else if least == nil {
		d.assume("spec.replicas.min", "is 1, where KEDA's is 0: only triggers that KEDA measures can wake a workload up")
	}
	if most == nil {
		d.out.Spec.Replicas.Max = new(int32(kedaMax))
		d.assume("spec.replicas.max", "is %d unless stated", kedaMax)
	}
}

func (d *draft) kedaTrigger(from fault.Path, in *kedaTrigger) {
	if in.Type != "cpu" && in.Type != "memory" {
		d.drop(from, "is measured by KEDA: %s, and what it asks for counts beside the metrics here", withScaledObject)
		return
	}
	how := cmp.Or(in.MetricType, in.Metadata["type"])
	target, ok := kedaGoal(how, in.Metadata["value"])
	if !ok {
		d.drop(from, "needs metricType Utilization or AverageValue, and a value to go with it")
		return
	}
	d.carry(from, d.nextMetric())
	d.leave(from.Field("name"), "names the trigger for formulas, which are not carried")
	d.leave(from.Field("useCachedMetrics"), "KEDA does not cache cpu and memory either")
	d.leave(from.Field("authenticationRef"), "the usage of pods needs no authentication")
	for key := range in.Metadata {
		if key != "value" && key != "type" && key != "containerName" {
			d.leave(child(from.Field("metadata"), key), "KEDA ignores it for cpu and memory")
		}
	}
	out := v1alpha1.MetricSpec{Type: v1alpha1.ResourceMetricType}
	if name := in.Metadata["containerName"]; name != "" {
		out.Type = v1alpha1.ContainerResourceMetricType
		out.ContainerResource = &v1alpha1.ContainerResourceMetric{Name: in.Type, Container: name, Target: target}
	} else {
		out.Resource = &v1alpha1.ResourceMetric{Name: in.Type, Target: target}
	}
	d.addMetric(from, out)
}

// kedaGoal reads the number of a trigger, which is always a text.
func kedaGoal(how, text string) (*v1alpha1.MetricTarget, bool) {
	switch how {
	case "", "Utilization":
		percent, err := strconv.ParseInt(text, 10, 32)
		return &v1alpha1.MetricTarget{Type: v1alpha1.UtilizationTarget, AverageUtilization: new(int32(percent))}, err == nil
	case "AverageValue":
		average := quantityOf(text)
		return &v1alpha1.MetricTarget{Type: v1alpha1.AverageValueTarget, AverageValue: average}, average != nil
	}
	return nil, false
}

// kedaRest says why the fields that are only KEDA's stay behind.
func (d *draft) kedaRest(in []kedaTrigger) {
	measured := slices.ContainsFunc(in, func(t kedaTrigger) bool { return measuredByKEDA(t.Type) && t.Type != kedaCronType })
	switch d.drop("spec.fallback", fallbackStays); {
	case !measured:
		d.leave("spec.fallback", "belongs to triggers that KEDA measures, and there is none")
	case d.out.Spec.Formula != nil:
		d.drop("spec.fallback", "has no counterpart beside a formula: orValue in it says what counts in the place of a missing metric, "+
			"and without that the count is held")
		d.affects("spec.fallback", AffectsMissing)
	}
	d.drop("spec.scaleTargetRef.envSourceContainerName", "is where triggers take variables from, and stays in the ScaledObject")
	d.drop("spec.advanced.restoreToOriginalReplicaCount", "has no counterpart: deleting this object leaves the count as it is, as the count of "+
		"long ago may be too small for the load of today")
	d.leave("spec.advanced.horizontalPodAutoscalerConfig.name", "there is no HPA any more")
}

// kedaLooks says why it stays behind how often KEDA looks itself. It does so to wake the
// workload up; while there are pods, the HPA asks, every 15 seconds, and so is it done here.
func (d *draft) kedaLooks(in *keda, sleeps bool) {
	const polling, initial = fault.Path("spec.pollingInterval"), fault.Path("spec.initialCooldownPeriod")
	switch {
	case len(d.keptTriggers()) > 0:
		d.drop(polling, "belongs to triggers that KEDA measures, and stays in the ScaledObject")
		d.drop(initial, "belongs to triggers that KEDA measures, and stays in the ScaledObject")
	case !sleeps && (d.out.Spec.Replicas.Min == nil || *d.out.Spec.Replicas.Min > 0):
		d.leave(polling, "is how often KEDA looks whether to wake a workload that sleeps, and this one never does; "+
			"the HPA asks every %d seconds, as it is done here", hpaPeriod)
		d.leave(initial, "is how long KEDA waits before a new workload goes to 0, and this one never does")
	case in.Spec.PollingInterval != nil && *in.Spec.PollingInterval < hpaPeriod:
		d.drop(polling, "has KEDA look more often whether to wake the workload: "+
			"here it is looked at every %d seconds, unless behavior.syncPeriodSeconds says otherwise", hpaPeriod)
		d.drop(initial, "has no counterpart: a new workload waits as long as any other before it goes to 0")
	default:
		d.leave(polling, "has KEDA look no more often than it is done here, which is every %d seconds", hpaPeriod)
		d.drop(initial, "has no counterpart: a new workload waits as long as any other before it goes to 0")
	}
}

// kedaPauses carries the annotations that pause.
func (d *draft) kedaPauses(annotations map[string]string) {
	const prefix = "autoscaling.keda.sh/"
	for _, key := range slices.Sorted(maps.Keys(annotations)) {
		value, from := annotations[key], annotation(key)
		switch key {
		case prefix + "paused", prefix + "paused-replicas", prefix + "paused-scale-in", prefix + "paused-scale-out":
			d.kedaPause(from, strings.TrimPrefix(key, prefix), value)
		case prefix + "force-activation":
			d.drop(from, "speaks to KEDA")
		case "scaledobject.keda.sh/transfer-hpa-ownership", "validations.keda.sh/hpa-ownership":
			d.leave(from, "speaks to KEDA")
		default:
			continue
		}
		d.understood(key)
	}
}
