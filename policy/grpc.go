package policy

import (
	"crypto/x509"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"unicode/utf8"

	"github.com/tidemark/tidemark/api/v1alpha1"
	"github.com/tidemark/tidemark/engine"
	"github.com/tidemark/tidemark/fault"
)

// What an external scaler may be told. The resource definition has the same
// bounds, and no bound for keys.
const (
	maxScalerEntries = 64
	maxScalerKey     = 256
	maxScalerValue   = 4096
	maxScalerCA      = 64 << 10
)

// scalerAddress is HOST:PORT. Nothing in it could be taken for a scheme of a name
// service, or for a path.
var scalerAddress = regexp.MustCompile(`^([0-9A-Za-z]([-.0-9A-Za-z]*[0-9A-Za-z])?|\[[0-9A-Fa-f:.]+\]):([1-9][0-9]{0,4})$`)

// grpc checks the external scaler of a metric that has one. Whether its address
// may be called is the administrator's, and seen when it is.
func (c *compiler) grpc(at fault.Path, m *v1alpha1.ExternalMetric) {
	s := m.GRPC
	if s == nil {
		return
	}
	path := at.Field("grpc")
	if m.Prometheus != nil {
		c.faults.Add(path, "cannot stand beside prometheus: a metric has one source")
	}
	if m.Metric.Selector != nil {
		c.faults.Add(at.Field("metric.selector"), "cannot stand beside grpc: write what the scaler is to know into grpc.metadata")
	}
	port := 0
	if parts := scalerAddress.FindStringSubmatch(s.Address); parts != nil {
		port, _ = strconv.Atoi(parts[3])
	}
	if port < 1 || port > 65535 {
		c.faults.Add(path.Field("address"), "must be HOST:PORT, without a scheme and a path, got %.64q", s.Address)
	}
	c.scalerMetadata(path.Field("metadata"), s.Metadata)
	if t := s.TLS; t != nil {
		c.formed(path.Field("tls.serverName"), t.ServerName, objectName, "the name of a host: lower case letters, digits, - and .")
		if t.CA != "" && (len(t.CA) > maxScalerCA || !x509.NewCertPool().AppendCertsFromPEM([]byte(t.CA))) {
			c.faults.Add(path.Field("tls.ca"), "must hold certificates in PEM form, of at most %d bytes", maxScalerCA)
		}
	}
}

// hearsActivity tells whether a scaler's word that there is work, or none, counts:
// where the workload may sleep, by rules that know of it.
func (c *compiler) hearsActivity(p *engine.Policy) bool {
	mayNot := p.Limit.Min > 0 && c.spec.Replicas.Idle == nil || c.upstream() || c.spec.Actuator == v1alpha1.ActuatorHPA || c.spec.Intervals != nil
	return !mayNot && slices.ContainsFunc(c.spec.Metrics, func(m v1alpha1.MetricSpec) bool { return m.External != nil && m.External.GRPC != nil })
}

func (c *compiler) scalerMetadata(path fault.Path, metadata map[string]v1alpha1.ScalerValue) {
	if len(metadata) > maxScalerEntries {
		c.faults.Add(path, "must not have more than %d entries, got %d", maxScalerEntries, len(metadata))
	}
	for _, key := range slices.Sorted(maps.Keys(metadata)) {
		value := metadata[key]
		if key == "" || len(key) > maxScalerKey || len(value) > maxScalerValue {
			c.faults.Add(path.Key(key), "must have a key of 1 to %d bytes and a text of at most %d", maxScalerKey, maxScalerValue)
		}
		// A gRPC message is UTF-8, and one that is not cannot be sent.
		if !utf8.ValidString(key) || !utf8.ValidString(string(value)) {
			c.faults.Add(path.Key(key), "must be UTF-8")
		}
	}
}
