// Command scaler is an external scaler as KEDA's community writes them: on the Go
// package that KEDA itself publishes for it. It shares no code with our client, so
// that both can be wrong only about the same thing.
//
// Its queue has the length and the target that are put to /queue of its second
// address, such as length=40&target=10; with hang=true it answers nobody.
package main

import (
	"context"
	"flag"
	"fmt"
	"net"
	"net/http"
	"os"
	"strconv"
	"sync"
	"time"

	"github.com/kedacore/keda/v2/pkg/scalers/externalscaler"
	"google.golang.org/grpc"
)

func main() {
	at := flag.String("listen", "127.0.0.1:6000", "where the scaler is")
	control := flag.String("control", "127.0.0.1:6001", "where its queue is set")
	flag.Parse()
	if err := run(*at, *control); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(at, control string) error {
	listener, err := net.Listen("tcp", at)
	if err != nil {
		return err
	}
	q := &queue{changed: make(chan struct{})}
	server := grpc.NewServer()
	externalscaler.RegisterExternalScalerServer(server, q)
	go func() {
		http.HandleFunc("/queue", q.set)
		settings := &http.Server{Addr: control, ReadHeaderTimeout: 10 * time.Second}
		fmt.Fprintln(os.Stderr, settings.ListenAndServe())
		os.Exit(1)
	}()
	return server.Serve(listener)
}

// queue is what the scaler measures: the one whose name stands in the metadata of
// those who ask.
type queue struct {
	externalscaler.UnimplementedExternalScalerServer

	mu             sync.Mutex
	length, target int64
	hang           bool
	changed        chan struct{}
}

// set changes the queue.
func (q *queue) set(w http.ResponseWriter, r *http.Request) {
	length, err := strconv.ParseInt(r.FormValue("length"), 10, 64)
	target, bad := strconv.ParseInt(r.FormValue("target"), 10, 64)
	if err != nil || bad != nil {
		http.Error(w, "want length and target", http.StatusBadRequest)
		return
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	q.length, q.target, q.hang = length, target, r.FormValue("hang") == "true"
	close(q.changed)
	q.changed = make(chan struct{})
}

// now is the queue of the moment, when it answers.
func (q *queue) now(ctx context.Context) (length, target int64, changed <-chan struct{}, err error) {
	for {
		q.mu.Lock()
		length, target, hang, changed := q.length, q.target, q.hang, q.changed
		q.mu.Unlock()
		if !hang {
			return length, target, changed, nil
		}
		select {
		case <-ctx.Done():
			return 0, 0, nil, ctx.Err()
		case <-changed:
		}
	}
}

func (q *queue) IsActive(ctx context.Context, _ *externalscaler.ScaledObjectRef) (*externalscaler.IsActiveResponse, error) {
	length, _, _, err := q.now(ctx)
	return &externalscaler.IsActiveResponse{Result: length > 0}, err
}

func (q *queue) StreamIsActive(_ *externalscaler.ScaledObjectRef, out externalscaler.ExternalScaler_StreamIsActiveServer) error {
	for {
		length, _, changed, err := q.now(out.Context())
		if err != nil {
			return err
		}
		if err := out.Send(&externalscaler.IsActiveResponse{Result: length > 0}); err != nil {
			return err
		}
		select {
		case <-out.Context().Done():
			return nil
		case <-changed:
		}
	}
}

func (q *queue) GetMetricSpec(ctx context.Context, ref *externalscaler.ScaledObjectRef) (*externalscaler.GetMetricSpecResponse, error) {
	_, target, _, err := q.now(ctx)
	return &externalscaler.GetMetricSpecResponse{MetricSpecs: []*externalscaler.MetricSpec{{MetricName: ref.ScalerMetadata["queue"], TargetSize: target}}}, err
}

func (q *queue) GetMetrics(ctx context.Context, r *externalscaler.GetMetricsRequest) (*externalscaler.GetMetricsResponse, error) {
	length, _, _, err := q.now(ctx)
	return &externalscaler.GetMetricsResponse{MetricValues: []*externalscaler.MetricValue{{MetricName: r.MetricName, MetricValue: length}}}, err
}
