package lead

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"k8s.io/client-go/tools/leaderelection/resourcelock"
)

// lease is a Lease that takes time to be written.
type lease struct {
	resourcelock.Interface
	takes time.Duration
	fails error
	world *world
}

func (l *lease) Identity() string { return "us" }
func (l *lease) Describe() string { return "tidemark-system/tidemark-controller" }

func (l *lease) Create(ctx context.Context, r resourcelock.LeaderElectionRecord) error {
	return l.Update(ctx, r)
}

func (l *lease) Update(context.Context, resourcelock.LeaderElectionRecord) error {
	l.world.after(l.takes)
	return l.fails
}

// world is a controller with an API server behind its fence.
type world struct {
	t      *testing.T
	now    instant
	lease  *lease
	term   *Term
	client *http.Client
	server *httptest.Server
	got    []string
}

func newWorld(t *testing.T) *world {
	w := &world{t: t, now: instant{wall: time.Date(2026, 1, 5, 12, 0, 0, 0, time.UTC)}}
	w.lease = &lease{world: w}
	w.term = &Term{Interface: w.lease, now: func() instant { return w.now }}
	w.server = httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		w.got = append(w.got, r.Method+" "+r.URL.Path)
	}))
	t.Cleanup(w.server.Close)
	w.client = &http.Client{Transport: w.term.Fence(http.DefaultTransport)}
	return w
}

func (w *world) renew(holder string) { _ = w.term.Update(w.t.Context(), heldBy(holder)) }

func heldBy(holder string) resourcelock.LeaderElectionRecord {
	return resourcelock.LeaderElectionRecord{HolderIdentity: holder}
}

// after lets time go by, by both clocks.
func (w *world) after(d time.Duration) {
	w.now.wall, w.now.running = w.now.wall.Add(d), w.now.running+d
}

// send tells whether a request reached the API server.
func (w *world) send(method, path string) error {
	w.t.Helper()
	before := len(w.got)
	req, err := http.NewRequestWithContext(w.t.Context(), method, w.server.URL+path, strings.NewReader("{}"))
	if err != nil {
		w.t.Fatal(err)
	}
	answer, err := w.client.Do(req)
	if err == nil {
		_ = answer.Body.Close()
	}
	if (err == nil) != (len(w.got) == before+1) {
		w.t.Errorf("%s %s: error %v, and the API server saw %v", method, path, err, w.got[before:])
	}
	return err
}

const scalePath = "/apis/apps/v1/namespaces/shop/deployments/web/scale"

// TestNothingIsWrittenOnceAnotherMayLead: however the time went by since the last
// renewal that is certain.
func TestNothingIsWrittenOnceAnotherMayLead(t *testing.T) {
	for name, c := range map[string]struct {
		happens func(w *world)
		sent    bool
	}{
		"never elected":       {func(*world) {}, false},
		"just renewed":        {func(w *world) { w.renew("us") }, true},
		"just taken":          {func(w *world) { _ = w.term.Create(w.t.Context(), heldBy("us")) }, true},
		"a while ago":         {func(w *world) { w.renew("us"); w.after(RenewDeadline - 1) }, true},
		"paused for too long": {func(w *world) { w.renew("us"); w.after(RenewDeadline) }, false},
		"renewed again":       {func(w *world) { w.renew("us"); w.after(time.Minute); w.renew("us") }, true},
		"the renewal failed":  {func(w *world) { w.lease.fails = errors.New("conflict"); w.renew("us") }, false},
		"a later renewal failed": {func(w *world) {
			w.renew("us")
			w.lease.fails = errors.New("x")
			w.after(RenewDeadline - time.Second)
			w.renew("us")
		}, true},
		"renewals fail for too long": {func(w *world) {
			w.renew("us")
			w.lease.fails = errors.New("x")
			w.after(RenewDeadline + time.Second)
			w.renew("us")
		}, false},
		"paused while it was renewed": {func(w *world) { w.lease.takes = RenewDeadline; w.renew("us") }, false},
		"given back":                  {func(w *world) { w.renew("us"); w.renew("") }, false},
		"giving it back failed":       {func(w *world) { w.renew("us"); w.lease.fails = errors.New("x"); w.renew("") }, false},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			c.happens(w)
			err := w.send(http.MethodPut, scalePath)
			if (err == nil) != c.sent || !c.sent && !errors.Is(err, ErrUncertain) {
				t.Errorf("error %v, want it sent: %v", err, c.sent)
			}
		})
	}
}

// TestOneClockIsNotBelieved: that of a machine that was suspended stood still, and
// the one on the wall may be set back.
func TestOneClockIsNotBelieved(t *testing.T) {
	for name, happens := range map[string]func(w *world){
		"suspended":              func(w *world) { w.now.wall = w.now.wall.Add(time.Hour) },
		"paused and set back":    func(w *world) { w.now.wall, w.now.running = w.now.wall.Add(-time.Hour), time.Hour },
		"paused, the wall stuck": func(w *world) { w.now.running += RenewDeadline },
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			w.renew("us")
			if err := w.term.Certain(); err != nil {
				t.Fatal(err)
			}
			happens(w)
			if err := w.term.Certain(); !errors.Is(err, ErrUncertain) {
				t.Errorf("got %v", err)
			}
		})
	}
}

// TestWhatReplicasThatStandByMaySend: they read, tell events and ask whose tokens
// they were shown; whatever changes something is the leader's.
func TestWhatReplicasThatStandByMaySend(t *testing.T) {
	for request, leaders := range map[string]bool{
		"GET " + scalePath:   false,
		"PUT " + scalePath:   true,
		"PATCH " + scalePath: true,
		"PATCH /api/v1/namespaces/shop/pods/web-1/resize":                                     true,
		"POST /api/v1/namespaces/shop/pods/web-1/eviction":                                    true,
		"PUT /apis/autoscaling.tidemark.dev/v1alpha1/namespaces/shop/workloadautoscalers/web": true,
		"POST /apis/autoscaling.tidemark.dev/v1alpha1/namespaces/shop/workloadhistories":      true,
		"PUT /apis/autoscaling/v2/namespaces/shop/horizontalpodautoscalers/web":               true,
		"PUT /api/v1/namespaces/tidemark-system/secrets/tidemark-webhook-certificate":         true,
		"DELETE /api/v1/namespaces/shop/pods/web-1":                                           true,
		"POST /apis/events.k8s.io/v1/namespaces/shop/events":                                  false,
		"PATCH /apis/events.k8s.io/v1/namespaces/shop/events/web.1":                           false,
		"POST /apis/authentication.k8s.io/v1/tokenreviews":                                    false,
		"POST /apis/authorization.k8s.io/v1/subjectaccessreviews":                             false,
		"POST /api/v1/namespaces/tidemark-system/serviceaccounts/tidemark-kubelets/token":     false,
	} {
		t.Run(request, func(t *testing.T) {
			w := newWorld(t)
			method, path, _ := strings.Cut(request, " ")
			if err := w.send(method, path); (err != nil) != leaders {
				t.Errorf("error %v, and it is the leader's alone: %v", err, leaders)
			}
		})
	}
}

// TestWithoutAnElectionEverythingIsSent: there is no term then.
func TestWithoutAnElectionEverythingIsSent(t *testing.T) {
	w := newWorld(t)
	w.client.Transport = (*Term)(nil).Fence(http.DefaultTransport)
	if err := w.send(http.MethodPut, scalePath); err != nil {
		t.Error(err)
	}
}
