//go:build e2e

package e2e

import (
	"crypto/tls"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/tidemark/tidemark/api/v1alpha1"
	"github.com/tidemark/tidemark/internal/observe/recommender"
)

// recommenderServer is an HTTP service that recommends sizes, over TLS.
type recommenderServer struct {
	*httptest.Server

	mu     sync.Mutex
	answer http.HandlerFunc
	told   []recommender.Workload
}

// newRecommender starts a service that answers so. Its certificate is one that
// the shared controller's system trusts, unless it is to be a stranger.
func newRecommender(t *testing.T, stranger bool, answer http.HandlerFunc) *recommenderServer {
	t.Helper()
	r := &recommenderServer{answer: answer}
	r.Server = httptest.NewUnstartedServer(r)
	if !stranger {
		pair, err := tls.LoadX509KeyPair(world.Certificate("local.crt"), world.Certificate("local.key"))
		if err != nil {
			t.Fatal(err)
		}
		r.TLS = &tls.Config{Certificates: []tls.Certificate{pair}}
	}
	r.StartTLS()
	t.Cleanup(r.Close)
	return r
}

// ServeHTTP notes what it is told, and answers.
func (r *recommenderServer) ServeHTTP(w http.ResponseWriter, asked *http.Request) {
	var workload recommender.Workload
	if err := json.NewDecoder(asked.Body).Decode(&workload); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	r.mu.Lock()
	r.told = append(r.told, workload)
	answer := r.answer
	r.mu.Unlock()
	answer(w, asked)
}

// becomes changes how the service answers.
func (r *recommenderServer) becomes(answer http.HandlerFunc) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.answer = answer
}

// asked is what the service was told so far.
func (r *recommenderServer) asked() []recommender.Workload {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.told
}

func (r *recommenderServer) host() string { return strings.TrimPrefix(r.URL, "https://") }

func recommending(cpu string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		fmt.Fprintf(w, `{"containers": [{"name": "app", "target": {"cpu": %q}}]}`, cpu)
	}
}

// allow lets the controller ask a service.
func (s *sharedController) allow(t *testing.T, r *recommenderServer) {
	t.Helper()
	s.administer(t, func(a *v1alpha1.AdminSettings) {
		a.AllowedRecommenderHosts = append(a.AllowedRecommenderHosts, r.host())
	})
}

// sizedBy makes the Deployment web with one pod of 100m, and an object that asks
// a service for its size.
func (p *place) sizedBy(r *recommenderServer) {
	p.t.Helper()
	p.workload("web", 1)
	p.eventuallyReady("web", 1)
	p.autoscaler("web",
		fmt.Sprintf(`{replicas: {max: 5}, containers: [{name: app, cpu: {}}], vertical: {source: Recommender, recommender: {url: "%s/size"}}}`, r.URL))
}

// TestARecommenderIsAskedOnceAllowed: a host that the administrator does not
// allow is never called, and who asks for it is told so. One that is allowed is
// told of the workload, and sizes its pods in place.
func TestARecommenderIsAskedOnceAllowed(t *testing.T) {
	controller := share(t)
	p := newPlace(t)
	service := newRecommender(t, false, recommending("250m"))
	p.sizedBy(service)
	pod := p.eventuallyReady("web", 1)[0]
	eventually(t, patience, p.shows("web", "ScalingActive", "False", "NoData", "vertical.recommender.url",
		"the host "+service.host()+" is not allowed", "allowedRecommenderHosts"))
	always(t, 4*time.Second, p.runs("web", 1, "100m"))
	if told := service.asked(); len(told) > 0 {
		t.Fatalf("a host that is not allowed was asked: %+v", told)
	}

	controller.allow(t, service)
	eventually(t, patience, p.runs("web", 1, "250m"))
	if now := p.eventuallyReady("web", 1)[0]; now.UID != pod.UID {
		t.Error("the pod was replaced")
	}
	eventually(t, patience, p.shows("web", "AbleToScale", "True", "Ready"))
	told := service.asked()[0]
	if told.At.IsZero() || len(told.Containers) != 1 || told.Containers[0].Requests["cpu"] != "100m" {
		t.Errorf("the service was told %+v", told)
	}
	want := recommender.Workload{
		Namespace: p.name, Name: "web", At: told.At, Target: recommender.Target{APIVersion: "apps/v1", Kind: "Deployment", Name: "web"},
		Replicas: recommender.Replicas{Spec: 1, Status: 1, Ready: 1}, Containers: told.Containers,
	}
	if diff := cmp.Diff(want, told); diff != "" {
		t.Errorf("the service was told (-want +got):\n%s", diff)
	}
}

// TestARecommenderThatFailsSizesNothingDown: whatever goes wrong with it, the
// pods keep their size, the object says why, and it counts again when it is
// back.
func TestARecommenderThatFailsSizesNothingDown(t *testing.T) {
	beside(t)
	for name, problem := range map[string]struct {
		answer http.HandlerFunc
		words  string
	}{
		"it breaks": {func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusInternalServerError) }, "it answers 500: look at its own log"},
		"it hangs":  {func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }, "it gives no answer within 5s: look at its own log"},
		"it lies":   {recommending("0"), "must be above 0"},
		"it moves":  {http.RedirectHandler("https://127.0.0.1/", http.StatusTemporaryRedirect).ServeHTTP, "name the service itself"},
	} {
		t.Run(name, func(t *testing.T) {
			controller := share(t)
			p := newPlace(t)
			service := newRecommender(t, false, recommending("250m"))
			controller.allow(t, service)
			p.sizedBy(service)
			eventually(t, patience, p.runs("web", 1, "250m"))

			service.becomes(problem.answer)
			eventually(t, patience, p.shows("web", "ScalingActive", "False", "NoData", service.host(), problem.words))
			always(t, 5*time.Second, p.runs("web", 1, "250m"))

			// Smaller than before, to see that this too was possible all the time.
			service.becomes(recommending("150m"))
			eventually(t, patience, p.runs("web", 1, "150m"))
		})
	}
}

// TestARecommenderThatKeepsFailingIsNotStormed: objects that name it say so, and each
// asks it no more often than once a period, and its first question.
func TestARecommenderThatKeepsFailingIsNotStormed(t *testing.T) {
	controller := share(t)
	broken := newRecommender(t, false, func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusServiceUnavailable) })
	controller.allow(t, broken)
	const objects = 6
	var last *place
	for range objects {
		last = newPlace(t)
		last.sizedBy(broken)
	}
	eventually(t, patience, last.shows("web", "ScalingActive", "False", "NoData", "it answers 503"))
	before := len(broken.asked())
	const during, period = 10 * time.Second, 2 * time.Second
	always(t, during, last.runs("web", 1, "100m"))
	if n := len(broken.asked()) - before; n > objects*(int(during/period)+1) {
		t.Errorf("%d objects asked %d times in %s", objects, n, during)
	}
}

// TestARecommenderWithAForeignCertificate is not believed.
func TestARecommenderWithAForeignCertificate(t *testing.T) {
	controller := share(t)
	p := newPlace(t)
	stranger := newRecommender(t, true, recommending("250m"))
	controller.allow(t, stranger)
	p.sizedBy(stranger)
	eventually(t, patience, p.shows("web", "ScalingActive", "False", "NoData", stranger.host(), "certificate", "SSL_CERT_FILE"))
	always(t, 4*time.Second, p.runs("web", 1, "100m"))
	if told := stranger.asked(); len(told) > 0 {
		t.Errorf("a stranger was told %+v", told)
	}
}
