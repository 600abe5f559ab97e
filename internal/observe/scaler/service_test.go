package scaler

import (
	"context"
	"net"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"google.golang.org/grpc"
	clocktesting "k8s.io/utils/clock/testing"

	"github.com/tidemark/tidemark/api/v1alpha1"
	"github.com/tidemark/tidemark/internal/observe/scaler/protocol"
	"github.com/tidemark/tidemark/internal/observe/snapshot"
	"github.com/tidemark/tidemark/scale"
)

var monday = time.Date(2026, 1, 5, 10, 0, 0, 0, time.UTC)

// service is an external scaler whose answers a test chooses.
type service struct {
	protocol.UnimplementedExternalScalerServer

	specs  func(context.Context) ([]*protocol.MetricSpec, error)
	values func(context.Context, string) ([]*protocol.MetricValue, error)
	active func(context.Context) (bool, error)
	stream func(grpc.ServerStreamingServer[protocol.IsActiveResponse]) error

	connections atomic.Int32
	mu          sync.Mutex
	told        []*protocol.ScaledObjectRef
}

// queue is a service with a queue of so many, whose pods should have 30 each.
func queue(length float64) *service {
	return &service{
		specs: func(context.Context) ([]*protocol.MetricSpec, error) {
			return []*protocol.MetricSpec{{MetricName: "queue", TargetSizeFloat: 30}}, nil
		},
		values: func(_ context.Context, name string) ([]*protocol.MetricValue, error) {
			return []*protocol.MetricValue{{MetricName: name, MetricValueFloat: length}}, nil
		},
		active: func(context.Context) (bool, error) { return length > 0, nil },
	}
}

func (s *service) tell(ref *protocol.ScaledObjectRef) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.told = append(s.told, ref)
}

func (s *service) GetMetricSpec(ctx context.Context, ref *protocol.ScaledObjectRef) (*protocol.GetMetricSpecResponse, error) {
	s.tell(ref)
	specs, err := s.specs(ctx)
	return &protocol.GetMetricSpecResponse{MetricSpecs: specs}, err
}

func (s *service) GetMetrics(ctx context.Context, r *protocol.GetMetricsRequest) (*protocol.GetMetricsResponse, error) {
	s.tell(r.GetScaledObjectRef())
	values, err := s.values(ctx, r.GetMetricName())
	return &protocol.GetMetricsResponse{MetricValues: values}, err
}

func (s *service) IsActive(ctx context.Context, ref *protocol.ScaledObjectRef) (*protocol.IsActiveResponse, error) {
	s.tell(ref)
	active, err := s.active(ctx)
	return &protocol.IsActiveResponse{Result: active}, err
}

func (s *service) StreamIsActive(ref *protocol.ScaledObjectRef, out grpc.ServerStreamingServer[protocol.IsActiveResponse]) error {
	s.tell(ref)
	if s.stream == nil {
		return s.UnimplementedExternalScalerServer.StreamIsActive(ref, out)
	}
	return s.stream(out)
}

// counted is a listener that knows how many have connected.
type counted struct {
	net.Listener
	n *atomic.Int32
}

func (c counted) Accept() (net.Conn, error) {
	conn, err := c.Listener.Accept()
	if err == nil {
		c.n.Add(1)
	}
	return conn, err
}

// serve starts a service, and returns its address.
func serve(t *testing.T, s *service, with ...grpc.ServerOption) string {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	server := grpc.NewServer(with...)
	protocol.RegisterExternalScalerServer(server, s)
	go func() { _ = server.Serve(counted{listener, &s.connections}) }()
	t.Cleanup(server.Stop)
	return listener.Addr().String()
}

// world is a client, and the one address that it may ask.
type world struct {
	client  *Client
	clock   *clocktesting.FakePassiveClock
	address string
}

func newWorld(address string) *world {
	w := &world{clock: clocktesting.NewFakePassiveClock(monday), address: address}
	w.client = New(Config{
		Admin:   func() v1alpha1.AdminSettings { return v1alpha1.AdminSettings{AllowedScalerHosts: []string{address}} },
		Answers: snapshot.New(snapshot.Config{Clock: w.clock}),
	})
	return w
}

func (w *world) ask(t *testing.T, change ...func(*Question)) (scale.Sample, error) {
	t.Helper()
	q := Question{Namespace: "shop", Name: "worker", Metric: "queue", Scaler: &v1alpha1.GRPCScaler{
		Address: w.address, Metadata: map[string]v1alpha1.ScalerValue{"queue": "invoices"},
	}}
	for _, c := range change {
		c(&q)
	}
	return w.client.Sample(t.Context(), q, time.Second)
}
