package convert

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/tidemark/tidemark/api/v1alpha1"
	"github.com/tidemark/tidemark/fault"
)

// The types of the triggers that external scalers answer.
const (
	kedaExternal     = "external"
	kedaExternalPush = "external-push"
)

// externalMetric makes a metric of an external scaler's trigger. The scaler states
// the target itself, per pod. What it would be shown in secret stays with KEDA.
func (d *draft) externalMetric(from fault.Path, in *kedaTrigger) {
	if why := in.unaskable(); why != "" {
		d.drop(from, "%s: %s", why, withScaledObject)
		d.affects(from, AffectsAll)
		return
	}
	grpc := &v1alpha1.GRPCScaler{Address: in.Metadata["scalerAddress"], Push: in.Type == kedaExternalPush}
	if secure, _ := strconv.ParseBool(in.Metadata["enableTLS"]); secure {
		grpc.TLS = &v1alpha1.GRPCTLS{}
	}
	to := d.nextMetric()
	d.carry(from, to)
	at := to.Field("external.grpc")
	for _, key := range slices.Sorted(maps.Keys(in.Metadata)) {
		if grpc.Metadata == nil {
			grpc.Metadata = map[string]v1alpha1.ScalerValue{}
		}
		// KEDA tells a scaler all of it, also what is meant for KEDA.
		grpc.Metadata[key] = v1alpha1.ScalerValue(in.Metadata[key])
	}
	d.change(child(from.Field("metadata"), "scalerAddress"), at.Field("address"),
		"has to be allowed by the administrator, in allowedScalerHosts; a name without a namespace is looked for in the controller's")
	d.leave(from.Field("useCachedMetrics"), "answers of a scaler are shared by all who ask the same")
	name := in.Name
	if name == "" {
		name = "external"
	}
	d.change(from.Field("name"), to.Field("external.metric.name"),
		"where the scaler has several metrics it must be the scaler's name of one, and each needs an entry here")
	d.assume(to.Field("external.target"), "is the scaler's own, per pod, as KEDA has it")
	d.addMetric(from, v1alpha1.MetricSpec{Type: v1alpha1.ExternalMetricType, External: &v1alpha1.ExternalMetric{
		Metric: v1alpha1.MetricIdentifier{Name: name}, GRPC: grpc,
	}})
}

const withScaledObject = "it stays with KEDA, in the ScaledObject that points here"

// unaskable says why a scaler or a server cannot be asked from here; empty where it
// can.
func (t *kedaTrigger) unaskable() string {
	for _, key := range slices.Sorted(maps.Keys(t.Metadata)) {
		if strings.HasSuffix(key, "FromEnv") {
			return "metadata." + key + " is read from the workload's environment, which is not looked at here"
		}
	}
	unsafe, _ := strconv.ParseBool(t.Metadata["unsafeSsl"])
	switch {
	case unsafe:
		return "metadata.unsafeSsl has certificates not verified, which they always are here"
	case t.AuthenticationRef != nil && t.Type != kedaPrometheus:
		return "authenticationRef is a secret of KEDA's, which is not read here"
	case t.Type == kedaPrometheus && t.Metadata["queryParameters"] != "":
		return "metadata.queryParameters are sent with the query, and here only what the administrator says is"
	case t.Type == kedaPrometheus && t.Metadata["customHeaders"] != "" && t.headers() == nil:
		return "metadata.customHeaders is not of the form Name=value,Name=value"
	case t.Type != kedaPrometheus && t.Metadata["tlsCertFile"] != "":
		return "metadata.tlsCertFile is a file of KEDA's, which is not read here"
	case t.Type != kedaPrometheus && t.MetricType == "Value":
		return "metricType Value compares the scaler's target with the value as it is, and here it is per pod"
	}
	return ""
}

// headers are those that KEDA sends with a query; nil where there are none, or it
// could not tell which.
func (t *kedaTrigger) headers() map[string]string {
	out := map[string]string{}
	for pair := range strings.SplitSeq(t.Metadata["customHeaders"], ",") {
		name, value, ok := strings.Cut(pair, "=")
		if name = strings.TrimSpace(name); !ok || name == "" {
			return nil
		}
		out[name] = strings.TrimSpace(value)
	}
	return out
}
