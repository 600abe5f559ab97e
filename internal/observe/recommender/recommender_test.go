package recommender

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	clocktesting "k8s.io/utils/clock/testing"

	"github.com/tidemark/tidemark/internal/observe/snapshot"
	"github.com/tidemark/tidemark/scale"
)

var (
	monday         = time.Date(2026, 1, 5, 10, 0, 0, 0, time.UTC)
	equalResources = cmp.Comparer(func(a, b scale.Resources) bool { return a == b })
	deployment     = Target{APIVersion: "apps/v1", Kind: "Deployment", Name: "web"}
)

func resources(cpu, memory scale.Amount) scale.Resources {
	return scale.Resources{}.With(scale.CPU, cpu).With(scale.Memory, memory)
}

func seen() *scale.Observation {
	pod := func(name string, ready scale.Readiness, usage scale.Resources) scale.Pod {
		return scale.Pod{Name: name, Ready: ready, Containers: []scale.PodContainer{{Name: "app", Usage: usage}}}
	}
	return &scale.Observation{
		At: monday,
		Target: scale.Target{SpecReplicas: 3, StatusReplicas: 3, Containers: []scale.Container{
			{Name: "app", Requests: scale.Resources{}.With(scale.CPU, 500), Limits: scale.Resources{}.With(scale.Memory, 1<<30*1000)},
		}},
		Pods: []scale.Pod{
			pod("a", scale.Ready, resources(300, 1<<20*1000)), pod("b", scale.Ready, resources(500, 1<<20*1000)),
			pod("c", scale.NotReady, scale.Resources{}), pod("d", scale.NotReady, resources(-1, 1<<20*1000)),
		},
	}
}

// world is a client and the service it is allowed to ask.
type world struct {
	client  *Client
	clock   *clocktesting.FakePassiveClock
	address string
	asked   int
}

func newWorld(t *testing.T, answer func(http.ResponseWriter, *http.Request)) *world {
	t.Helper()
	w := &world{clock: clocktesting.NewFakePassiveClock(monday)}
	service := httptest.NewServer(http.HandlerFunc(func(out http.ResponseWriter, r *http.Request) {
		w.asked++
		answer(out, r)
	}))
	t.Cleanup(service.Close)
	u, err := url.Parse(service.URL)
	if err != nil {
		t.Fatal(err)
	}
	w.address = service.URL + "/v1/size"
	w.client = New(func() []string { return []string{u.Host} }, snapshot.New(snapshot.Config{Clock: w.clock}))
	return w
}

func (w *world) ask(t *testing.T) ([]scale.Recommendation, error) {
	t.Helper()
	return w.client.Recommendations(t.Context(), w.address, WorkloadOf("shop", "web", deployment, seen()), time.Second)
}

func saying(text string) func(http.ResponseWriter, *http.Request) {
	return func(out http.ResponseWriter, _ *http.Request) { fmt.Fprint(out, text) }
}

func TestRecommendations(t *testing.T) {
	var told any
	w := newWorld(t, func(out http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil || json.Unmarshal(body, &told) != nil || r.Method != http.MethodPost {
			t.Errorf("told by %s: %s, %v", r.Method, body, err)
		}
		fmt.Fprint(out, `{"containers": [{"name": "app", "target": {"cpu": "600m", "memory": "2Gi"}, "lowerBound": {"cpu": "400m"}, "upperBound": {"cpu": "2"}}]}`)
	})
	got, err := w.ask(t)
	if err != nil {
		t.Fatal(err)
	}
	want := []scale.Recommendation{{Container: "app", PerPod: resources(600, 2<<30*1000)}}
	if diff := cmp.Diff(want, got, equalResources); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	var wantTold any
	if err := json.Unmarshal([]byte(`{"namespace": "shop", "name": "web", "at": "2026-01-05T10:00:00Z",
		"target": {"apiVersion": "apps/v1", "kind": "Deployment", "name": "web"}, "replicas": {"spec": 3, "status": 3, "ready": 2},
		"containers": [{"name": "app", "requests": {"cpu": "500m"}, "limits": {"memory": "1Gi"}, "usage": {"cpu": "800m", "memory": "2Mi"}, "pods": 2}]}`), &wantTold); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(wantTold, told); diff != "" {
		t.Errorf("told (-want +got):\n%s", diff)
	}
}

func TestAnswersThatAreRefused(t *testing.T) {
	for name, tt := range map[string]struct{ answer, words string }{
		"not JSON":              {`yes`, "not as documented"},
		"an unknown field":      {`{"containers": [], "replicas": 5}`, "replicas"},
		"something after it":    {`{"containers": []} {}`, "something follows"},
		"a foreign container":   {`{"containers": [{"name": "db", "target": {"cpu": "1"}}]}`, "which the workload does not have"},
		"an entry twice":        {`{"containers": [{"name": "app", "target": {"cpu": "1"}}, {"name": "app", "target": {"cpu": "2"}}]}`, "two entries"},
		"a foreign resource":    {`{"containers": [{"name": "app", "target": {"gpu": "1"}}]}`, "use cpu or memory"},
		"a number that is none": {`{"containers": [{"name": "app", "target": {"cpu": "NaN"}}]}`, "is not a finite number"},
		"nothing":               {`{"containers": [{"name": "app", "target": {"cpu": "0"}}]}`, "must be above 0"},
		"less than nothing":     {`{"containers": [{"name": "app", "target": {"cpu": "-1"}}]}`, "must be above 0"},
		"beyond its bounds":     {`{"containers": [{"name": "app", "target": {"cpu": "3"}, "upperBound": {"cpu": "2"}}]}`, "outside of its own bounds"},
		"below its bounds":      {`{"containers": [{"name": "app", "target": {"cpu": "1"}, "lowerBound": {"cpu": "2"}}]}`, "outside of its own bounds"},
		"a flood":               {strings.Repeat(" ", maxAnswer+1), "more than"},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := newWorld(t, saying(tt.answer)).ask(t)
			if err == nil || !strings.Contains(err.Error(), tt.words) {
				t.Errorf("got %v, %v; want it to say %q", got, err, tt.words)
			}
		})
	}
}

func TestAddressesThatAreNotCalled(t *testing.T) {
	c := New(func() []string { return []string{"good.svc", "127.0.0.1:9"} }, snapshot.New(snapshot.Config{Clock: clocktesting.NewFakePassiveClock(monday)}))
	for address, words := range map[string]string{
		"https://bad.svc/x":         "is not allowed",
		"https://good.svc.bad.com/": "is not allowed",
		"http://good.svc/x":         "must be https",
		"http://127.0.0.1:10/x":     "is not allowed",
		"ftp://good.svc/x":          "must be https",
		"https://good.svc:29471/x":  "is not allowed",
		"https://good.svc:00443/x":  "leading zeros",
		"https://a:secret@good.svc": "must not hold a password",
		"good.svc/x":                "is not a URL",
		"https://":                  "is not a URL",
	} {
		t.Run(address, func(t *testing.T) {
			_, err := c.Recommendations(t.Context(), address, Workload{}, time.Second)
			if err == nil || !strings.Contains(err.Error(), words) || strings.Contains(err.Error(), "secret") {
				t.Errorf("%s: got %v, want it to say %q and no secret", address, err, words)
			}
		})
	}
}

// TestSourcesAreNamedByTheAdministrator: however a user writes an address, it is
// counted under the one word for it.
func TestSourcesAreNamedByTheAdministrator(t *testing.T) {
	c := New(func() []string { return []string{"good.svc", "127.0.0.1:9"} }, nil)
	for address, want := range map[string]string{
		"https://good.svc/x": "good.svc", "https://GOOD.svc:443/x": "good.svc", "http://127.0.0.1:9/x": "127.0.0.1:9", "http://[::ffff:127.0.0.1]:9/x": "127.0.0.1:9",
	} {
		t.Run(address, func(t *testing.T) {
			if u, err := c.check(address); err != nil || u.Host != want {
				t.Errorf("got %v, %v; want %s", u, err, want)
			}
		})
	}
}

func TestRedirectsAreNotFollowed(t *testing.T) {
	reached := false
	other := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { reached = true }))
	defer other.Close()
	_, err := newWorld(t, func(out http.ResponseWriter, r *http.Request) {
		http.Redirect(out, r, other.URL, http.StatusTemporaryRedirect)
	}).ask(t)
	if err == nil || !strings.Contains(err.Error(), "redirects") || reached {
		t.Errorf("got %v, reached the other: %t", err, reached)
	}
}

func TestWhatToDoAboutAServiceThatFails(t *testing.T) {
	answering := func(status int) func(http.ResponseWriter, *http.Request) {
		return func(out http.ResponseWriter, _ *http.Request) { out.WriteHeader(status) }
	}
	for name, tt := range map[string]struct {
		answer func(http.ResponseWriter, *http.Request)
		words  string
	}{
		"it is broken":  {answering(http.StatusInternalServerError), "it answers 500: look at its own log"},
		"it is busy":    {answering(http.StatusTooManyRequests), "it answers 429: look at its own log"},
		"another path":  {answering(http.StatusNotFound), "it answers 404: correct the path in vertical.recommender.url"},
		"a locked door": {answering(http.StatusUnauthorized), "it answers 401: correct the path in vertical.recommender.url, or let the service answer without credentials"},
	} {
		t.Run(name, func(t *testing.T) {
			if _, err := newWorld(t, tt.answer).ask(t); err == nil || !strings.Contains(err.Error(), tt.words) {
				t.Errorf("got %v, want it to say %q", err, tt.words)
			}
		})
	}
}

func TestAServiceWithAForeignCertificateIsNotTold(t *testing.T) {
	told := false
	stranger := httptest.NewUnstartedServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { told = true }))
	stranger.Config.ErrorLog = log.New(io.Discard, "", 0)
	stranger.StartTLS()
	defer stranger.Close()
	allowed := []string{stranger.Listener.Addr().String()}
	c := New(func() []string { return allowed }, snapshot.New(snapshot.Config{Clock: clocktesting.NewFakePassiveClock(monday)}))
	_, err := c.Recommendations(t.Context(), stranger.URL, Workload{}, time.Second)
	if err == nil || !strings.Contains(err.Error(), "name its authority in SSL_CERT_FILE") || told {
		t.Errorf("got %v, told: %t", err, told)
	}
}

func TestAServiceThatFailsIsLeftAloneAndAskedAgain(t *testing.T) {
	down := true
	w := newWorld(t, func(out http.ResponseWriter, _ *http.Request) {
		if down {
			out.WriteHeader(http.StatusInternalServerError)
			return
		}
		fmt.Fprint(out, `{"containers": []}`)
	})
	for i := range 100 {
		_, err := w.client.Recommendations(t.Context(), w.address, Workload{Name: fmt.Sprint(i)}, time.Second)
		if outage := new(snapshot.Outage); !errors.As(err, outage) {
			t.Fatalf("object %d: got %v, want an outage", i, err)
		}
	}
	for i := range 100 {
		_, _ = w.client.Recommendations(t.Context(), w.address, Workload{Name: fmt.Sprint(i)}, time.Second)
	}
	if w.asked != 100 {
		t.Errorf("asked %d times while it failed for 100 objects, want once for each", w.asked)
	}
	down = false
	w.clock.SetTime(monday.Add(10 * time.Minute))
	if _, err := w.client.Recommendations(t.Context(), w.address, Workload{Name: "0"}, time.Second); err != nil {
		t.Errorf("after it is back: %v", err)
	}
}

func FuzzRead(f *testing.F) {
	f.Add([]byte(`{"containers": [{"name": "app", "target": {"cpu": "600m"}, "upperBound": {"cpu": "2"}}]}`))
	w := WorkloadOf("shop", "web", deployment, seen())
	f.Fuzz(func(t *testing.T, text []byte) {
		got, err := read(text, &w)
		if err != nil && got != nil {
			t.Errorf("an error beside an answer: %v, %v", got, err)
		}
		for _, r := range got {
			for _, res := range scale.EveryResource {
				if a, known := r.PerPod.Get(res); r.Container != "app" || (known && a <= 0) {
					t.Errorf("%s accepted: %v", text, r)
				}
			}
		}
	})
}
