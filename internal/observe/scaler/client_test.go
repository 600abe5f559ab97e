package scaler

import (
	"context"
	"errors"
	"fmt"
	"math"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/testing/protocmp"

	"github.com/tidemark/tidemark/api/v1alpha1"
	"github.com/tidemark/tidemark/internal/observe/scaler/protocol"
	"github.com/tidemark/tidemark/internal/observe/snapshot"
	"github.com/tidemark/tidemark/scale"
)

func TestASampleOfAScaler(t *testing.T) {
	s := queue(75.5)
	w := newWorld(serve(t, s))
	got, err := w.ask(t)
	if err != nil {
		t.Fatal(err)
	}
	want := scale.Sample{At: monday, Series: []scale.Amount{75_500}, Target: 30_000, Activity: scale.Active}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	ref := &protocol.ScaledObjectRef{Name: "worker", Namespace: "shop", ScalerMetadata: map[string]string{"queue": "invoices"}}
	if diff := cmp.Diff([]*protocol.ScaledObjectRef{ref, ref, ref}, s.told, protocmp.Transform()); diff != "" {
		t.Errorf("told (-want +got):\n%s", diff)
	}
}

// specs and values of a service that has these.
func having(specs []*protocol.MetricSpec, values ...*protocol.MetricValue) *service {
	s := queue(0)
	s.specs = func(context.Context) ([]*protocol.MetricSpec, error) { return specs, nil }
	s.values = func(context.Context, string) ([]*protocol.MetricValue, error) { return values, nil }
	return s
}

func one(target float64) []*protocol.MetricSpec {
	return []*protocol.MetricSpec{{MetricName: "queue", TargetSizeFloat: target}}
}

func TestWhatScalersAnswer(t *testing.T) {
	value := func(v float64) *protocol.MetricValue {
		return &protocol.MetricValue{MetricName: "queue", MetricValueFloat: v}
	}
	for name, tt := range map[string]struct {
		service *service
		series  []scale.Amount
		target  scale.Amount
		problem string
	}{
		"whole numbers, as older ones give them": {
			having([]*protocol.MetricSpec{{MetricName: "queue", TargetSize: 5}},
				&protocol.MetricValue{MetricName: "queue", MetricValue: 12}), []scale.Amount{12_000}, 5_000, "",
		},
		"the only metric, by another name": {
			having([]*protocol.MetricSpec{{MetricName: "length", TargetSize: 5}},
				&protocol.MetricValue{MetricName: "len", MetricValue: 12}), []scale.Amount{12_000}, 5_000, "",
		},
		"one of several, by its name": {
			having([]*protocol.MetricSpec{{MetricName: "age", TargetSize: 1}, {MetricName: "queue", TargetSize: 5}},
				&protocol.MetricValue{MetricName: "age", MetricValue: 99}, value(3), value(4)), []scale.Amount{3_000, 4_000}, 5_000, "",
		},
		"nothing":                {having(one(5)), nil, 5_000, ""},
		"a value below zero":     {having(one(5), value(-1)), []scale.Amount{-1_000}, 5_000, ""},
		"no target":              {having(one(0), value(1)), []scale.Amount{1_000}, 0, ""},
		"a value that is none":   {having(one(5), value(math.NaN())), nil, 5_000, "the scaler's value is unusable: NaN"},
		"an infinite value":      {having(one(5), value(math.Inf(1))), nil, 5_000, "the scaler's value is unusable: +Inf"},
		"a target that is none":  {having(one(math.NaN()), value(1)), nil, 0, "the scaler's target is unusable: NaN"},
		"an absurdly high value": {having(one(5), value(math.MaxFloat64)), nil, 5_000, "the scaler's value is unusable: 1.7976931348623157e+308 is out of range"},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := newWorld(serve(t, tt.service)).ask(t)
			if err != nil {
				t.Fatal(err)
			}
			diff := cmp.Diff(tt.series, got.Series)
			if diff != "" || got.Target != tt.target || !strings.HasPrefix(got.Problem, tt.problem) || (tt.problem == "") != (got.Problem == "") {
				t.Errorf("got %+v; want %v, target %d, problem %q", got, tt.series, tt.target, tt.problem)
			}
		})
	}
}

func TestAScalerThatLiesIsRefused(t *testing.T) {
	spec := func(name string) *protocol.MetricSpec { return &protocol.MetricSpec{MetricName: name, TargetSize: 5} }
	flood := make([]*protocol.MetricValue, 200_000)
	for i := range flood {
		flood[i] = &protocol.MetricValue{MetricName: "queue", MetricValue: 1}
	}
	for name, tt := range map[string]struct {
		service *service
		words   string
	}{
		"no metric":                       {having(nil), "it has no metric for this object"},
		"several, and not ours":           {having([]*protocol.MetricSpec{spec("age"), spec("size")}), `none of the name "queue": name one of "age", "size" in external.metric.name`},
		"two of one name":                 {having([]*protocol.MetricSpec{spec("queue"), spec("queue")}), `two metrics of the name "queue"`},
		"values of something else":        {having(one(5), &protocol.MetricValue{MetricName: "a"}, &protocol.MetricValue{MetricName: "b"}), `it gives 2 values, none of them for the metric "queue"`},
		"more values than anybody counts": {having(one(5), flood[:20_000]...), "it gives 20000 values, and at most 10000 are summed"},
		"more than anybody reads":         {having(one(5), flood...), "received message larger than max"},
		"a line of its own":               {failing(codes.Internal, "x\nScaled: no"), `it answers Internal: "x\nScaled: no"`},
	} {
		t.Run(name, func(t *testing.T) {
			if got, err := newWorld(serve(t, tt.service)).ask(t); err == nil || !strings.Contains(err.Error(), tt.words) {
				t.Errorf("got %+v, %v; want it to say %q", got, err, tt.words)
			}
		})
	}
}

func failing(code codes.Code, words string) *service {
	s := queue(1)
	s.values = func(context.Context, string) ([]*protocol.MetricValue, error) { return nil, status.Error(code, words) }
	return s
}

func TestWhatToDoAboutAScalerThatFails(t *testing.T) {
	unknowing := queue(1)
	unknowing.specs = func(context.Context) ([]*protocol.MetricSpec, error) {
		return nil, status.Error(codes.Unimplemented, "unknown service")
	}
	for name, tt := range map[string]struct {
		service *service
		words   string
		outage  bool
	}{
		"it is down":            {failing(codes.Unavailable, "no database"), `it cannot be reached: "no database"`, true},
		"it refuses the object": {failing(codes.NotFound, "no queue invoices"), `it answers NotFound: "no queue invoices"`, false},
		"it is something else":  {unknowing, "it does not speak the protocol of external scalers", false},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := newWorld(serve(t, tt.service)).ask(t)
			if outage := new(snapshot.Outage); err == nil || !strings.Contains(err.Error(), tt.words) || errors.As(err, outage) != tt.outage {
				t.Errorf("got %v, want it to say %q and to be an outage: %t", err, tt.words, tt.outage)
			}
		})
	}
}

// TestAScalerWithoutASayOfActivity: the protocol has it, and not everyone does.
func TestAScalerWithoutASayOfActivity(t *testing.T) {
	s := queue(1)
	s.active = func(context.Context) (bool, error) { return false, status.Error(codes.Unimplemented, "not here") }
	if got, err := newWorld(serve(t, s)).ask(t); err != nil || got.Activity != scale.Unsaid || len(got.Series) != 1 {
		t.Errorf("got %+v, %v", got, err)
	}
	s.active = func(context.Context) (bool, error) { return false, status.Error(codes.Internal, "no idea") }
	if got, err := newWorld(serve(t, s)).ask(t); err == nil {
		t.Errorf("got %+v of a scaler that does not know whether there is work", got)
	}
}

func TestAddressesOfScalersThatAreNotCalled(t *testing.T) {
	allowed := v1alpha1.AdminSettings{AllowedScalerHosts: []string{"good.svc:6000", "10.0.0.1:6000"}}
	c := New(Config{Admin: func() v1alpha1.AdminSettings { return allowed }})
	for address, words := range map[string]string{
		"other.svc:6000":          "other.svc:6000 is not allowed: have the administrator add it to allowedScalerHosts",
		"good.svc:6001":           "not allowed",
		"good.svc":                "has no port",
		"dns:///good.svc:6000":    "is no",
		"unix:///run/docker.sock": "is no",
		"xds:///good.svc":         "is no",
		"good.svc:6000/path":      "the port",
		"user@good.svc:6000":      "is no name of a host",
		"":                        "is no name of a host",
	} {
		t.Run(address, func(t *testing.T) {
			_, err := c.Sample(t.Context(), Question{Scaler: &v1alpha1.GRPCScaler{Address: address}}, time.Second)
			if err == nil || !strings.Contains(err.Error(), words) || !strings.HasPrefix(err.Error(), "external.grpc.address: ") {
				t.Errorf("got %v, want it to say %q", err, words)
			}
		})
	}
}

// TestAScalerThatRedirectsIsNotFollowed: the protocol knows no redirect, but a web
// server at its address may answer with one.
func TestAScalerThatRedirectsIsNotFollowed(t *testing.T) {
	reached := false
	other := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { reached = true }))
	defer other.Close()
	web := httptest.NewUnstartedServer(http.HandlerFunc(func(out http.ResponseWriter, r *http.Request) {
		http.Redirect(out, r, other.URL, http.StatusTemporaryRedirect)
	}))
	web.Config.Protocols = new(http.Protocols)
	web.Config.Protocols.SetUnencryptedHTTP2(true)
	web.Start()
	defer web.Close()
	_, err := newWorld(strings.TrimPrefix(web.URL, "http://")).ask(t)
	if err == nil || !strings.Contains(err.Error(), "307") || reached {
		t.Errorf("got %v, reached the other: %t", err, reached)
	}
}

// TestObjectsShareOneConnection also when they begin at once.
func TestObjectsShareOneConnection(t *testing.T) {
	s := queue(1)
	w := newWorld(serve(t, s))
	var all sync.WaitGroup
	for i := range 50 {
		all.Go(func() {
			if _, err := w.ask(t, func(q *Question) { q.Namespace = fmt.Sprintf("team-%d", i%5); q.Name = fmt.Sprint("worker-", i) }); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	if n := s.connections.Load(); n != 1 {
		t.Errorf("%d connections for one address, want 1", n)
	}
}

// TestEqualQuestionsAreAskedOnce, and those of others are their own.
func TestEqualQuestionsAreAskedOnce(t *testing.T) {
	s := queue(1)
	w := newWorld(serve(t, s))
	for name, tt := range map[string]struct {
		change func(*Question)
		more   int
	}{
		"the same":          {func(*Question) {}, 0},
		"another namespace": {func(q *Question) { q.Namespace = "other" }, 3},
		"another object":    {func(q *Question) { q.Name = "other" }, 3},
		"another queue":     {func(q *Question) { q.Scaler.Metadata = map[string]v1alpha1.ScalerValue{"queue": "orders"} }, 3},
	} {
		t.Run(name, func(t *testing.T) {
			if _, err := w.ask(t); err != nil {
				t.Fatal(err)
			}
			before := len(s.told)
			if _, err := w.ask(t, tt.change); err != nil || len(s.told) != before+tt.more {
				t.Errorf("told %d times more, %v; want %d", len(s.told)-before, err, tt.more)
			}
		})
	}
}
