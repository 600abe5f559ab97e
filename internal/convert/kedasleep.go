package convert

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/tidemark/tidemark/api/v1alpha1"
	"github.com/tidemark/tidemark/fault"
)

// kedaPrometheus is the type of the triggers that a Prometheus server answers.
const kedaPrometheus = "prometheus"

// kedaCooldown is how long KEDA waits before 0 unless stated.
const kedaCooldown = 300

// prometheusMetric makes a metric of a query. Within a formula it is only read.
func (d *draft) prometheusMetric(from fault.Path, in *kedaTrigger) {
	query, threshold := in.Metadata["query"], quantityOf(in.Metadata["threshold"])
	why := in.unaskable()
	switch address := in.Metadata["serverAddress"]; {
	case query == "" || threshold == nil || in.MetricType != "" && in.MetricType != "AverageValue" && in.MetricType != "Value":
		why = "needs a query, a threshold that is a number, and metricType AverageValue or Value"
	case address != "" && !strings.HasPrefix(address, "http://") && !strings.HasPrefix(address, "https://"):
		why = fmt.Sprintf("needs a serverAddress that begins with http:// or https://, got %.128q", address)
	case why != "":
		why += ": " + withScaledObject
	}
	if why != "" {
		d.drop(from, "%s", why)
		d.affects(from, AffectsAll)
		return
	}
	d.carry(from, d.nextMetric())
	d.prometheusFields(from, in)
	name := in.Name
	if name == "" {
		name = "prometheus"
	}
	out := v1alpha1.MetricSpec{Type: v1alpha1.ExternalMetricType, External: &v1alpha1.ExternalMetric{
		Metric: v1alpha1.MetricIdentifier{Name: name}, Prometheus: d.kedaQuery(in),
	}}
	if d.out.Spec.Formula != nil {
		out.Name = in.Name
		for _, field := range []string{"threshold", "activationThreshold"} {
			d.leave(child(from.Field("metadata"), field), "KEDA does not use it beside a formula, which has its own")
		}
		d.leave(from.Field("metricType"), "KEDA does not use it beside a formula, which has its own")
	} else {
		out.External.Target = &v1alpha1.MetricTarget{Type: v1alpha1.AverageValueTarget, AverageValue: threshold}
		if in.MetricType == "Value" {
			out.External.Target = &v1alpha1.MetricTarget{Type: v1alpha1.ValueTarget, Value: threshold}
		}
		out.Activation = quantityOf(in.Metadata["activationThreshold"])
		d.leave(from.Field("name"), "names the trigger for formulas, and there is none")
	}
	d.addMetric(from, out)
}

// prometheusFields says what becomes of how the server is asked.
func (d *draft) prometheusFields(from fault.Path, in *kedaTrigger) {
	to := d.nextMetric().Field("external.prometheus")
	const (
		admins = "is the administrator's to say here, in the settings of the server that is asked, which is checked against the trigger's address"
		or     = "the administrator has to say the same for the namespace, or the metric is missing"
	)
	d.change(from.Field("authenticationRef"), to, admins)
	d.affects(from.Field("authenticationRef"), AffectsMissing)
	d.leave(from.Field("useCachedMetrics"), "answers of the server are shared anyway")
	if in.Metadata["serverAddress"] == "" {
		d.assume(to.Field("address"), "is left out: the administrator's server is asked, where KEDA refuses a trigger without serverAddress")
		d.defaultAffects(AffectsAll)
	}
	for key := range in.Metadata {
		at := child(from.Field("metadata"), key)
		switch key {
		case "query", "threshold", "activationThreshold":
			continue
		case "unsafeSsl":
			d.leave(at, "certificates are always verified")
			continue
		case "metricName":
			d.leave(at, "KEDA has not looked at it since 2.10")
			continue
		case "serverAddress":
			d.change(at, to.Field("address"), "is checked, and not asked: only the administrator's server is, and the object says so where this is another")
		case "ignoreNullValues":
			d.change(at, to.Field("ignoreNullValues"), "a value that is no number is a missing sample here, where KEDA takes it for 0")
		case "customHeaders":
			d.change(at, to.Field("headers"), "are compared, and not sent: "+or)
		case "namespace":
			d.change(at, to.Field("matchers"), "has a server that tells tenants apart restrict the query, which the administrator's matchers do here: "+or)
		case "authModes":
			d.change(at, to, admins)
		default:
			d.drop(at, "is how KEDA asks the server: the administrator's settings say it here")
			continue
		}
		d.affects(at, AffectsMissing)
	}
}

// kedaQuery is what a trigger asks, of whom, and what no answer means: 0, unless it
// says otherwise.
func (d *draft) kedaQuery(in *kedaTrigger) *v1alpha1.PrometheusQuery {
	out := &v1alpha1.PrometheusQuery{Query: in.Metadata["query"], Address: in.Metadata["serverAddress"], IgnoreNullValues: true}
	out.Headers = in.headers()
	if namespace := in.Metadata["namespace"]; namespace != "" {
		out.Matchers = map[string]string{"namespace": namespace}
	}
	if stated := in.Metadata["ignoreNullValues"]; stated != "" {
		out.IgnoreNullValues, _ = strconv.ParseBool(stated)
	} else {
		d.assume(d.nextMetric().Field("external.prometheus.ignoreNullValues"), "is true, as KEDA's default is: no series counts as 0")
		d.defaultAffects(AffectsMissing)
	}
	return out
}

// kedaSleeps carries when the workload goes to 0, or to its idle count, and tells
// whether it may. It can only where a metric is left that is there without pods.
func (d *draft) kedaSleeps(in *keda) bool {
	const cooldown, idle = fault.Path("spec.cooldownPeriod"), fault.Path("spec.idleReplicaCount")
	least := in.Spec.MinReplicaCount
	wakes := slices.ContainsFunc(d.out.Spec.Metrics, func(m v1alpha1.MetricSpec) bool { return m.External != nil })
	stays := least != nil && *least > 0 && in.Spec.IdleReplicaCount == nil
	if !wakes || stays {
		d.kedaStaysAwake(!stays && len(d.keptTriggers()) > 0)
		return false
	}
	r := &d.out.Spec.Replicas
	if least == nil {
		r.Min = new(int32(0))
		d.assume("spec.replicas.min", "is 0 unless stated")
		d.defaults = slices.DeleteFunc(d.defaults, func(f Field) bool { return f.To == "spec.replicas.min" && strings.HasPrefix(f.Note, "is 1") })
	}
	switch n := in.Spec.IdleReplicaCount; {
	case n == nil:
	case *n == 0 && *r.Min == 0:
		d.leave(idle, "says no more than the minimum of 0 does")
	default:
		r.Idle = n
		d.carry(idle, "spec.replicas.idle")
	}
	for i := range d.out.Spec.Metrics {
		if m := &d.out.Spec.Metrics[i]; m.External != nil && m.External.Target != nil && m.Activation == nil {
			m.Activation = quantityOf("0")
		}
	}
	if f := d.out.Spec.Formula; f != nil && f.Activation == nil {
		f.Activation = quantityOf("0")
	}
	if d.out.Spec.Behavior == nil {
		d.assume("spec.behavior.scaleUp", "is stated now, so that at most four pods, or as many as there are, are added in 15 seconds; an HPA that states "+
			"none goes to four, or to twice as many")
		d.defaultAffects(AffectsScaleUp)
	}
	_, down := d.behavior()
	down.ToZeroDelaySeconds = in.Spec.CooldownPeriod
	d.carry(cooldown, "spec.behavior.scaleDown.toZeroDelaySeconds")
	if down.ToZeroDelaySeconds == nil {
		down.ToZeroDelaySeconds = new(int32(kedaCooldown))
		d.assume("spec.behavior.scaleDown.toZeroDelaySeconds", "is %d unless stated", kedaCooldown)
	}
	d.assume("spec.compatibility", "is Tidemark, because an HPA knows nothing of zero: what differs is in docs/defects.md")
	d.defaultAffects(AffectsAll)
	return true
}

// kedaStaysAwake leaves behind what is for a workload that sleeps. That is a loss where
// the original does.
func (d *draft) kedaStaysAwake(slept bool) {
	const never = "is how long KEDA waits before 0, where this object never is; between other counts it was never used"
	if d.drop("spec.cooldownPeriod", never); !slept {
		d.leave("spec.cooldownPeriod", never)
	}
	d.drop("spec.idleReplicaCount", "needs a trigger that can be read without pods to wake the workload up, and none is carried")
	const ignored = "is for a workload that sleeps: KEDA ignores it beside a minimum of 1 or more"
	for i := range d.out.Spec.Metrics {
		d.dropActivation(i, ignored)
	}
	if f := d.out.Spec.Formula; f != nil && f.Activation != nil {
		f.Activation = nil
		d.leave(modifiers.Field("activationTarget"), ignored)
	}
}

// dropActivation takes the activation of a metric back.
func (d *draft) dropActivation(i int, why string) {
	if d.out.Spec.Metrics[i].Activation == nil {
		return
	}
	d.out.Spec.Metrics[i].Activation = nil
	d.leave(child(d.metricFrom[i].Field("metadata"), "activationThreshold"), "%s", why)
}

// dropSleep gives up what a formula, or the way to zero, cannot work with.
func (d *draft) dropSleep(faults fault.List) bool {
	spec, why := &d.out.Spec, ""
	for _, f := range faults {
		if f.Path.Within("formula") || f.Path.Within("replicas.idle") || f.Path.Within("behavior.scaleDown.toZeroDelaySeconds") {
			why = f.String()
		}
	}
	if why == "" || d.kind.kind != "ScaledObject" {
		return false
	}
	if spec.Formula != nil {
		d.forget(modifiers)
		d.drop(modifiers, "cannot work here: %s", why)
		d.affects(modifiers, AffectsAll)
		d.drop("spec.fallback", fallbackStays)
		spec.Formula = nil
		return true
	}
	changed := spec.Replicas.Idle != nil
	if changed {
		spec.Replicas.Idle = nil
		d.drop("spec.idleReplicaCount", "cannot work here: %s", why)
	}
	if b := spec.Behavior; b != nil && b.ScaleDown != nil && b.ScaleDown.ToZeroDelaySeconds != nil {
		b.ScaleDown.ToZeroDelaySeconds, changed = nil, true
		d.drop("spec.cooldownPeriod", "cannot work here: %s", why)
		d.defaults = slices.DeleteFunc(d.defaults, func(f Field) bool { return f.To == "spec.behavior.scaleDown.toZeroDelaySeconds" })
	}
	return changed
}
