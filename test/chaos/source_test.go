//go:build chaos

package chaos

import (
	"fmt"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"sync"
	"time"

	"github.com/tidemark/tidemark/api/v1alpha1"
	"github.com/tidemark/tidemark/test/chaos/trail"
)

func quiet() *log.Logger { return log.New(io.Discard, "", 0) }

// source is a Prometheus server that can say anything.
type source struct {
	server *httptest.Server
	note   func(trail.Event)
	ended  chan struct{}

	mu   sync.Mutex
	says map[string]said
}

// said is what is said of one object.
type said struct {
	value int
	lie   string
}

// lies are what a server may say instead of the truth. What is slow is true; the
// rest is no data.
var lies = []string{
	"NaN", "negative", "infinite", "minus infinite", "absurd", "minus absurd", "stale", "future", "nothing", "fails", "hangs", "html", "truncated", "slow",
}

func newSource(note func(trail.Event)) *source {
	s := &source{note: note, says: map[string]said{}, ended: make(chan struct{})}
	s.server = httptest.NewUnstartedServer(http.HandlerFunc(s.serve))
	s.server.Config.ErrorLog = quiet()
	s.server.Start()
	return s
}

func (s *source) settings() *v1alpha1.PrometheusSettings {
	return &v1alpha1.PrometheusSettings{Address: s.server.URL}
}

func (s *source) close() {
	close(s.ended)
	s.server.Close()
}

// say changes what is said of an object. Answers that are already on their way
// are of before.
func (s *source) say(object string, value int, lie string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.says[object] = said{value, lie}
	told := lie
	if lie == "slow" {
		told = ""
	}
	s.note(trail.Event{Source: &trail.Source{Object: object, Value: fmt.Sprint(value), Lie: told}})
}

func (s *source) of(object string) said {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.says[object]
}

var aboutObject = regexp.MustCompile(`object="([^"]+)"`)

const vector = `{"status":"success","data":{"resultType":"vector","result":[{"metric":{},"value":[%d,"%s"]}]}}`

func (s *source) serve(w http.ResponseWriter, r *http.Request) {
	if strings.HasSuffix(r.URL.Path, "/query_range") {
		fmt.Fprint(w, `{"status":"success","data":{"resultType":"matrix","result":[]}}`)
		return
	}
	found := aboutObject.FindStringSubmatch(r.FormValue("query"))
	if found == nil {
		http.Error(w, "no object is named", http.StatusBadRequest)
		return
	}
	said, now := s.of(found[1]), time.Now().Unix()
	switch said.lie {
	case "NaN":
		fmt.Fprintf(w, vector, now, "NaN")
	case "negative":
		fmt.Fprintf(w, vector, now, "-50")
	case "infinite":
		fmt.Fprintf(w, vector, now, "+Inf")
	case "minus infinite":
		fmt.Fprintf(w, vector, now, "-Inf")
	case "absurd":
		fmt.Fprintf(w, vector, now, "1e300")
	case "minus absurd":
		fmt.Fprintf(w, vector, now, "-1e300")
	case "stale":
		fmt.Fprintf(w, vector, now-3600, "1")
	case "future":
		fmt.Fprintf(w, vector, now+86400, "1")
	case "nothing":
		fmt.Fprint(w, `{"status":"success","data":{"resultType":"vector","result":[]}}`)
	case "fails":
		http.Error(w, `{"status":"error","error":"injected"}`, http.StatusInternalServerError)
	case "hangs":
		select {
		case <-r.Context().Done():
		case <-s.ended:
		}
	case "html":
		fmt.Fprint(w, `<html><body>1</body></html>`)
	case "truncated":
		fmt.Fprintf(w, `{"status":"success","data":{"resultType":"vector","result":[{"metric":{},"value":[%d,"1`, now)
	case "slow":
		time.Sleep(1500 * time.Millisecond)
		fmt.Fprintf(w, vector, time.Now().Unix(), fmt.Sprint(said.value))
	default:
		fmt.Fprintf(w, vector, now, fmt.Sprint(said.value))
	}
}
