package flood

import (
	"crypto/tls"
	"io"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

// The flood: so many bodies of a megabyte at once, and the memory in KiB that the
// server may have taken at its worst moment.
const (
	Bodies = 200
	Memory = 150 << 10
)

// Bad are bodies that cost much more to read than to send.
var Bad = map[string]string{
	"many empty objects": `{"zz":[` + repeated("{}", 333_000) + `]}`,
	"many numbers":       `[` + repeated("1", 500_000) + `]`,
	"many keys":          `{` + repeated(`"a":0`, 166_000) + `}`,
	"one long text":      `{"name":"` + strings.Repeat("a", 999_000) + `"}`,
	"deep lists":         strings.Repeat("[", 1_000_000),
}

func repeated(item string, n int) string { return strings.TrimSuffix(strings.Repeat(item+",", n), ",") }

// Body is what is sent.
type Body struct {
	Path, Text string
	Header     http.Header
	TLS        *tls.Config
	// Want are the statuses that may be answered.
	Want []int
}

// Send sends a body many times at once, by both versions of HTTP, each over a
// connection of its own. It fails the test if someone gets another answer than
// wanted, if nobody gets one, or if the server took too much memory.
func (s *Server) Send(t *testing.T, b Body) {
	t.Helper()
	var all sync.WaitGroup
	ready, got := make(chan struct{}), make(chan int, Bodies)
	for i := range Bodies {
		all.Go(func() {
			<-ready
			got <- s.send(b, i%2 == 0)
		})
	}
	close(ready)
	all.Wait()
	close(got)
	answered := 0
	for status := range got {
		if status == 0 {
			continue
		}
		if answered++; !slices.Contains(b.Want, status) {
			t.Errorf("want one of %v, got %d", b.Want, status)
		}
	}
	peak := s.Peak(t)
	t.Logf("%d of %d answered, at most %d KiB of memory", answered, Bodies, peak)
	if answered == 0 || peak > Memory {
		t.Errorf("%d were answered, with %d KiB of memory; want at most %d", answered, peak, Memory)
	}
}

// send returns the status, 0 for none: a server that answers before it has read
// everything may end the connection while the caller still writes.
func (s *Server) send(b Body, http2 bool) int {
	client := &http.Client{Timeout: time.Minute, Transport: &http.Transport{TLSClientConfig: b.TLS.Clone(), ForceAttemptHTTP2: http2}}
	defer client.CloseIdleConnections()
	request, err := http.NewRequest(http.MethodPost, s.Address+b.Path, strings.NewReader(b.Text))
	if err != nil {
		return -1
	}
	request.Header = b.Header.Clone()
	answer, err := client.Do(request)
	if err != nil {
		return 0
	}
	defer func() { _ = answer.Body.Close() }()
	_, _ = io.Copy(io.Discard, answer.Body)
	return answer.StatusCode
}
