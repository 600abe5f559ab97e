//go:build chaos

package chaos

import (
	"bytes"
	"context"
	"encoding/json"
	"encoding/pem"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	autoscalingv1 "k8s.io/api/autoscaling/v1"
	coordinationv1 "k8s.io/api/coordination/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	clientgoscheme "k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/rest"
	clientcmdapi "k8s.io/client-go/tools/clientcmd/api"

	"github.com/tidemark/tidemark/test/chaos/trail"
)

// gate stands between one controller and the API server. It notes what is
// written, and is where a network goes wrong.
type gate struct {
	server *httptest.Server
	note   func(trail.Event)
	proxy  *httputil.ReverseProxy

	// who is the controller that is behind the gate now.
	who atomic.Value
	// renewed is when that controller last had the lease, in nanoseconds.
	renewed atomic.Int64

	mu    sync.Mutex
	spoil spoiler
	// running are the requests under way, which a partition cuts.
	running map[*http.Request]context.CancelFunc
	ended   chan struct{}
	turn    int
}

// spoiler is what a network, or an API server, does to requests. The zero value
// does nothing.
type spoiler struct {
	// cut lets nothing pass, and what is under way is lost.
	cut bool
	// status is the answer to two of three requests that write, or with reads
	// also to those that read; 0 answers nothing.
	status int
	reads  bool
	// delay holds every request up.
	delay time.Duration
	// lose carries out what is to be written, and tells nobody so.
	lose bool
}

func newGate(api *rest.Config, note func(trail.Event)) (*gate, error) {
	target, err := url.Parse(api.Host)
	if err != nil {
		return nil, err
	}
	transport, err := rest.TransportFor(rest.AnonymousClientConfig(api))
	if err != nil {
		return nil, err
	}
	g := &gate{note: note, proxy: httputil.NewSingleHostReverseProxy(target), running: map[*http.Request]context.CancelFunc{}}
	g.who.Store("")
	g.proxy.Transport, g.proxy.FlushInterval = transport, -1
	g.proxy.ErrorLog = quiet()
	g.proxy.ErrorHandler = func(http.ResponseWriter, *http.Request, error) { panic(http.ErrAbortHandler) }
	g.server = httptest.NewUnstartedServer(http.HandlerFunc(g.serve))
	g.server.EnableHTTP2 = true
	g.server.Config.ErrorLog = quiet()
	g.server.StartTLS()
	return g, nil
}

// asServer is the gate as a client's API server.
func (g *gate) asServer() *clientcmdapi.Cluster {
	authority := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: g.server.Certificate().Raw})
	return &clientcmdapi.Cluster{Server: g.server.URL, CertificateAuthorityData: authority}
}

// disturb spoils requests from now on, and returns what ends that.
func (g *gate) disturb(s spoiler) (end func()) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.spoil, g.ended = s, make(chan struct{})
	if s.cut {
		for _, cancel := range g.running {
			cancel()
		}
	}
	return func() {
		g.mu.Lock()
		defer g.mu.Unlock()
		g.spoil = spoiler{}
		close(g.ended)
	}
}

// enter begins a request and tells what becomes of it.
func (g *gate) enter(r *http.Request) (_ *http.Request, s spoiler, refused bool, ended <-chan struct{}) {
	ctx, cancel := context.WithCancel(r.Context())
	g.mu.Lock()
	defer g.mu.Unlock()
	g.running[r] = cancel
	s = g.spoil
	if s.status != 0 && (s.reads || r.Method != http.MethodGet) && r.URL.Query().Get("watch") == "" {
		g.turn++
		refused = g.turn%3 != 0
	}
	return r.WithContext(ctx), s, refused, g.ended
}

func (g *gate) leave(r *http.Request) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.running[r]()
	delete(g.running, r)
}

func (g *gate) serve(w http.ResponseWriter, original *http.Request) {
	began, who := time.Now(), g.who.Load().(string)
	r, s, refused, ended := g.enter(original)
	defer g.leave(original)
	seen := requestOf(r)
	seen.Who, seen.Began = who, began
	defer func() {
		if seen.Resource != "" {
			g.note(trail.Event{Request: seen})
		}
	}()
	if s.cut {
		seen.Injected = true
		select { // packets are dropped, and nobody says so
		case <-ended:
		case <-r.Context().Done():
		}
		panic(http.ErrAbortHandler)
	}
	select {
	case <-time.After(s.delay):
	case <-r.Context().Done():
	}
	switch {
	case refused:
		seen.Injected, seen.Code = true, s.status
		refuse(w, s.status)
	case r.Method == http.MethodGet:
		seen.Code = http.StatusOK // how a read ended is of no interest
		g.proxy.ServeHTTP(w, r)
	default:
		g.write(w, r, seen, s.lose)
	}
}

// write carries a write out and looks at both sides of it.
func (g *gate) write(w http.ResponseWriter, r *http.Request, seen *trail.Request, lose bool) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		panic(http.ErrAbortHandler)
	}
	r.Body = io.NopCloser(bytes.NewReader(body))
	asked(seen, body)
	answer := httptest.NewRecorder()
	g.proxy.ServeHTTP(answer, r)
	seen.Version = versionOf(answer.Body.Bytes())
	if lose {
		panic(http.ErrAbortHandler)
	}
	seen.Code = answer.Code
	if seen.Resource == "leases" && answer.Code < http.StatusBadRequest && seen.Holder != "" {
		seen.Holder = seen.Who
		g.renewed.Store(time.Now().UnixNano())
	}
	maps.Copy(w.Header(), answer.Header())
	w.WriteHeader(answer.Code)
	_, _ = w.Write(answer.Body.Bytes()) // whoever has gone hears nothing
}

// requestOf tells what a request is about. Of those that are about neither a
// workload of the campaign nor a lease, Resource is empty.
func requestOf(r *http.Request) *trail.Request {
	seen := &trail.Request{Method: r.Method}
	_, rest, namespaced := strings.Cut(r.URL.Path, "/namespaces/")
	parts := strings.Split(rest, "/")
	if !namespaced || len(parts) < 2 || r.URL.Query().Get("watch") != "" {
		return seen
	}
	lease := parts[1] == "leases" && r.Method != http.MethodGet
	if !strings.HasPrefix(parts[0], prefix) && !lease {
		return seen
	}
	seen.Resource, seen.Object = parts[1], parts[0]
	if len(parts) > 2 {
		seen.Object += "/" + parts[2]
	}
	if len(parts) > 3 {
		seen.Resource += "/" + parts[3]
	}
	return seen
}

// asked notes what was to be written.
func asked(seen *trail.Request, body []byte) {
	obj := read(body)
	if obj == nil {
		return
	}
	if named, err := meta.Accessor(obj); err == nil && seen.Method == http.MethodPost {
		seen.Object += "/" + named.GetName()
	}
	switch obj := obj.(type) {
	case *autoscalingv1.Scale:
		seen.Replicas = &obj.Spec.Replicas
	case *coordinationv1.Lease:
		if holder := obj.Spec.HolderIdentity; holder != nil {
			seen.Holder = *holder
		}
	}
}

func versionOf(answer []byte) string {
	obj := read(answer)
	if named, err := meta.Accessor(obj); obj != nil && err == nil {
		return named.GetResourceVersion()
	}
	return ""
}

// read reads an object in any form in which it may be sent; of kinds that are not
// Kubernetes' own there is only what all objects have.
func read(body []byte) runtime.Object {
	if obj, _, err := clientgoscheme.Codecs.UniversalDeserializer().Decode(body, nil, nil); err == nil {
		return obj
	}
	var object metav1.PartialObjectMetadata
	if json.Unmarshal(body, &object) != nil {
		return nil
	}
	return &object
}

// refuse answers as the API server does.
func refuse(w http.ResponseWriter, code int) {
	reasons := map[int]metav1.StatusReason{
		http.StatusConflict: metav1.StatusReasonConflict, http.StatusTooManyRequests: metav1.StatusReasonTooManyRequests,
		http.StatusInternalServerError: metav1.StatusReasonInternalError,
	}
	if code == http.StatusTooManyRequests {
		w.Header().Set("Retry-After", "1")
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(code)
	_ = json.NewEncoder(w).Encode(metav1.Status{
		TypeMeta: metav1.TypeMeta{APIVersion: "v1", Kind: "Status"}, Status: metav1.StatusFailure,
		Code: int32(code), Reason: reasons[code], Message: "injected",
	})
}
