package scaler

import (
	"context"
	"sync/atomic"
	"testing"
	"time"

	"google.golang.org/grpc"

	"github.com/tidemark/tidemark/api/v1alpha1"
	"github.com/tidemark/tidemark/internal/observe/scaler/protocol"
	"github.com/tidemark/tidemark/scale"
)

// patience is far more than what a test waits for takes.
const patience = 30 * time.Second

func pushed(q *Question) { q.Scaler.Push = true }

// telling is a service that tells what it is sent.
func telling(t *testing.T, s *service) chan<- bool {
	t.Helper()
	said := make(chan bool)
	s.stream = func(out grpc.ServerStreamingServer[protocol.IsActiveResponse]) error {
		for {
			select {
			case <-out.Context().Done():
				return nil
			case active := <-said:
				if err := out.Send(&protocol.IsActiveResponse{Result: active}); err != nil {
					return err
				}
			}
		}
	}
	return said
}

func say(t *testing.T, said chan<- bool, active bool) {
	t.Helper()
	select {
	case said <- active:
	case <-time.After(patience):
		t.Fatal("nobody listens")
	}
}

func woken(t *testing.T, wakes <-chan string) string {
	t.Helper()
	select {
	case who := <-wakes:
		return who
	case <-time.After(patience):
		t.Fatal("nobody was woken")
		return ""
	}
}

// TestAScalerThatTellsByItself wakes the object, whose next look asks anew although
// the answer that is there is young.
func TestAScalerThatTellsByItself(t *testing.T) {
	var length atomic.Int64
	s := having(one(5))
	s.values = func(_ context.Context, name string) ([]*protocol.MetricValue, error) {
		return []*protocol.MetricValue{{MetricName: name, MetricValue: length.Load()}}, nil
	}
	s.active = func(context.Context) (bool, error) { return length.Load() > 0, nil }
	said := telling(t, s)
	w := newWorld(serve(t, s))
	wakes := make(chan string, 10)
	w.client.Wake = func(namespace, name string) { wakes <- namespace + "/" + name }
	if got, err := w.ask(t, pushed); err != nil || got.Activity != scale.Inactive {
		t.Fatalf("got %+v, %v", got, err)
	}
	say(t, said, false) // Which is no news.
	length.Store(12)
	say(t, said, true)
	if who := woken(t, wakes); who != "shop/worker" {
		t.Errorf("woke %s", who)
	}
	if got, err := w.ask(t, pushed); err != nil || got.Activity != scale.Active || got.Series[0] != 12_000 {
		t.Errorf("after the work began: got %+v, %v", got, err)
	}
	if n := s.connections.Load(); n != 2 {
		t.Errorf("%d connections, want one for questions and one for what it tells", n)
	}
	select {
	case who := <-wakes:
		t.Errorf("%s was woken again", who)
	default:
	}
}

// TestAScalerThatTellsNothing is asked at each look, like any other.
func TestAScalerThatTellsNothing(t *testing.T) {
	s := queue(12)
	w := newWorld(serve(t, s))
	for range 3 {
		if got, err := w.ask(t, pushed); err != nil || len(got.Series) != 1 {
			t.Errorf("got %+v, %v", got, err)
		}
		w.clock.SetTime(w.clock.Now().Add(time.Minute))
	}
}

// TestStreamsAreBounded in all, for each tenant, and by whether anybody asks.
func TestStreamsAreBounded(t *testing.T) {
	s := queue(1)
	telling(t, s)
	w := newWorld(serve(t, s))
	ask := func(namespace string, n int) {
		for i := range n {
			q := Question{Namespace: namespace, Name: string(rune('a' + i)), Scaler: &v1alpha1.GRPCScaler{Address: w.address, Push: true}}
			entry, err := w.client.check(w.address)
			if err != nil {
				t.Fatal(err)
			}
			w.client.listen(listener{Question: q, entry: entry, key: q.key(entry)})
		}
	}
	ask("shop", maxStreamsPerTenant+5)
	ask("team", 1)
	ask("team", 1) // It listens already.
	w.client.streams.mu.Lock()
	total, shop := len(w.client.streams.open), w.client.streams.perTenant["shop"]
	for _, until := range w.client.streams.open {
		until.Reset(0)
	}
	w.client.streams.mu.Unlock()
	if total != maxStreamsPerTenant+1 || shop != maxStreamsPerTenant {
		t.Errorf("%d streams, %d of shop; want %d and %d", total, shop, maxStreamsPerTenant+1, maxStreamsPerTenant)
	}
	for deadline := time.Now().Add(patience); ; time.Sleep(time.Millisecond) {
		w.client.streams.mu.Lock()
		total, tenants := len(w.client.streams.open), len(w.client.streams.perTenant)
		w.client.streams.mu.Unlock()
		if total == 0 && tenants == 0 {
			break
		}
		if time.Now().After(deadline) {
			t.Fatalf("%d streams of %d tenants after nobody asked for them", total, tenants)
		}
	}
}
