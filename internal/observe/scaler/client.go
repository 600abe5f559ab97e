package scaler

import (
	"context"
	"encoding/json"
	"fmt"
	"net/url"
	"time"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/tidemark/tidemark/api/v1alpha1"
	"github.com/tidemark/tidemark/internal/egress"
	"github.com/tidemark/tidemark/internal/observe/scaler/protocol"
	"github.com/tidemark/tidemark/internal/observe/snapshot"
	"github.com/tidemark/tidemark/scale"
)

// Timeout bounds all that one look asks a scaler.
const Timeout = 5 * time.Second

// Config is what a Client asks with.
type Config struct {
	// Admin returns the administrator's settings of the moment, with the hosts that
	// may be called.
	Admin   func() v1alpha1.AdminSettings
	Answers *snapshot.Store
	// Wake, when set, is called when a scaler tells by itself that the work of an
	// object has begun. It must not block.
	Wake func(namespace, name string)
}

// Client asks external scalers. It may be used from many goroutines.
type Client struct {
	Config
	timeout     time.Duration
	connections connections
	streams     streams
}

// New returns a client that calls no other hosts than the allowed ones.
func New(c Config) *Client { return &Client{Config: c, timeout: Timeout} }

// Question is what is asked, and on whose behalf.
type Question struct {
	// Namespace and Name are those of the object that asks.
	Namespace, Name string
	// Metric is the scaler's name for what is asked for.
	Metric string
	Scaler *v1alpha1.GRPCScaler
}

// key tells one question from another. Each host is a source of its own, so that
// one that is slow does not take the places of the others; there are as many as the
// administrator allows.
func (q *Question) key(entry string) snapshot.Key {
	text, err := json.Marshal([]any{q.Name, q.Metric, q.Scaler})
	if err != nil {
		panic(err) // Texts and maps of texts can be written.
	}
	return snapshot.Key{Source: "external scaler " + entry, Tenant: q.Namespace, Query: string(text)}
}

func (q *Question) ref() *protocol.ScaledObjectRef {
	told := make(map[string]string, len(q.Scaler.Metadata))
	for key, value := range q.Scaler.Metadata {
		told[key] = string(value)
	}
	return &protocol.ScaledObjectRef{Name: q.Name, Namespace: q.Namespace, ScalerMetadata: told}
}

// Sample returns the value of a metric, at most so old.
func (c *Client) Sample(ctx context.Context, q Question, maxAge time.Duration) (scale.Sample, error) {
	entry, err := c.check(q.Scaler.Address)
	if err != nil {
		return scale.Sample{}, fmt.Errorf("external.grpc.address: %w", err)
	}
	key := q.key(entry)
	if q.Scaler.Push {
		c.listen(listener{Question: q, entry: entry, key: key, period: 2 * maxAge})
	}
	return snapshot.Get(ctx, c.Answers, snapshot.Query[scale.Sample]{
		Key: key, MaxAge: maxAge, Valid: snapshot.ValidFor(maxAge),
		Fetch: func(ctx context.Context) (scale.Sample, error) {
			s, err := c.ask(ctx, entry, &q)
			if err != nil {
				return scale.Sample{}, fmt.Errorf("asking the external scaler at %s: %w", entry, err)
			}
			return s, nil
		},
	})
}

// check refuses an address that must not be called. The result is the
// administrator's word for it: sources are counted by it, and users must not
// invent new ones.
func (c *Client) check(address string) (string, error) {
	if err := egress.WithPort(address); err != nil {
		return "", err
	}
	// There is no scheme with a usual port, so that entries match as a whole.
	entry, ok, err := egress.Allowed(c.Admin().AllowedScalerHosts, &url.URL{Host: address})
	if err == nil && !ok {
		err = fmt.Errorf("%s is not allowed: have the administrator add it to allowedScalerHosts", address)
	}
	return entry, err
}

// ask asks all that a look wants to know.
func (c *Client) ask(ctx context.Context, entry string, q *Question) (out scale.Sample, err error) {
	ctx, cancel := context.WithTimeout(ctx, c.timeout)
	defer cancel()
	conn, err := c.connections.to(entry, q.Scaler.TLS)
	if err != nil {
		return out, err
	}
	// Scalers do not say when they measured: it was not before they were asked.
	out.At = c.Answers.Now()
	service, ref := protocol.NewExternalScalerClient(conn), q.ref()
	specs, err := service.GetMetricSpec(ctx, ref)
	if err != nil {
		return out, c.failed(conn, err)
	}
	spec, err := chosen(specs.GetMetricSpecs(), q.Metric)
	if err != nil {
		return out, err
	}
	values, err := service.GetMetrics(ctx, &protocol.GetMetricsRequest{ScaledObjectRef: ref, MetricName: spec.GetMetricName()})
	if err != nil {
		return out, c.failed(conn, err)
	}
	if out.Activity, err = activity(ctx, service, ref); err != nil {
		return out, c.failed(conn, err)
	}
	c.connections.answered(conn)
	return read(out, spec, values.GetMetricValues())
}

// activity is whether there is work. A scaler that does not know has no say.
func activity(ctx context.Context, service protocol.ExternalScalerClient, ref *protocol.ScaledObjectRef) (scale.Activity, error) {
	active, err := service.IsActive(ctx, ref)
	switch {
	case status.Code(err) == codes.Unimplemented:
		return scale.Unsaid, nil
	case err != nil:
		return scale.Unsaid, err
	case active.GetResult():
		return scale.Active, nil
	}
	return scale.Inactive, nil
}
