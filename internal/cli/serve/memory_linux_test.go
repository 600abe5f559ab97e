package serve

import (
	"crypto/tls"
	"fmt"
	"io"
	"net/http"
	"os"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// runsVerb makes the test binary the server itself, so that its memory is that
// of a process of its own.
const runsVerb = "TIDEMARK_TEST_SERVES"

func TestMain(m *testing.M) {
	if args := os.Getenv(runsVerb); args != "" {
		// Where the bounds do not hold, the server ends, and not the machine.
		most := &syscall.Rlimit{Cur: 1 << 30, Max: 1 << 30}
		if err := syscall.Setrlimit(syscall.RLIMIT_DATA, most); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		cmd := New()
		cmd.SetArgs(strings.Split(args, "\n"))
		if err := cmd.Execute(); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// The flood: this many bodies of a megabyte at once, and the memory that the
// server may have taken at its worst moment.
const (
	floodBodies = 200
	floodMemory = 150 << 10 // KiB
)

// hostile are bodies that cost much more to read than to send.
var hostile = map[string]string{
	"many empty objects": `{"zz":[` + strings.TrimSuffix(strings.Repeat("{},", 333_000), ",") + `]}`,
	"many numbers":       `[` + strings.TrimSuffix(strings.Repeat("1,", 500_000), ",") + `]`,
	"many keys":          `{` + strings.TrimSuffix(strings.Repeat(`"a":0,`, 166_000), ",") + `}`,
	"many metrics":       `{"name":"a","customMetrics":[` + strings.TrimSuffix(strings.Repeat(`{"metricName":"a"},`, 52_000), ",") + `]}`,
	"one long text":      `{"name":"` + strings.Repeat("a", 999_000) + `"}`,
	"deep lists":         strings.Repeat("[", 1_000_000),
}

// TestAFloodOfHostileBodiesTakesLittleMemory lets callers send their megabytes
// all at once, to a server in a process of its own, and looks at the most
// memory that it ever had. Callers who may write are the worst: the others'
// bodies are not even read.
func TestAFloodOfHostileBodiesTakesLittleMemory(t *testing.T) {
	for name, body := range hostile {
		t.Run(name, func(t *testing.T) {
			flood(t, body, "Bearer good-token", http.StatusBadRequest, http.StatusTooManyRequests)
		})
	}
	t.Run("from callers whom nobody knows", func(t *testing.T) {
		flood(t, hostile["many empty objects"], "Bearer other", http.StatusUnauthorized)
	})
}

// flood sends a body many times at once over both versions of HTTP, and checks
// the answers and the server's memory.
func flood(t *testing.T, body, authorization string, want ...int) {
	t.Helper()
	server := start(t)
	path := server.address + "/v1/namespaces/shop/horizontalpodautoscalers"
	var group sync.WaitGroup
	ready := make(chan struct{})
	got := make(chan string, floodBodies)
	for i := range floodBodies {
		group.Go(func() {
			client := &http.Client{Timeout: time.Minute, Transport: &http.Transport{
				TLSClientConfig: &tls.Config{RootCAs: server.roots}, ForceAttemptHTTP2: i%2 == 0,
			}}
			defer client.CloseIdleConnections()
			request, err := http.NewRequest(http.MethodPost, path, strings.NewReader(body))
			if err != nil {
				got <- err.Error()
				return
			}
			request.Header.Set("Authorization", authorization)
			request.Header.Set("Content-Type", "application/json")
			<-ready
			answer, err := client.Do(request)
			if err != nil {
				// A server that answers before it has read everything may end
				// the connection while the caller still writes.
				got <- ""
				return
			}
			_, _ = io.Copy(io.Discard, answer.Body)
			_ = answer.Body.Close()
			got <- fmt.Sprint(answer.StatusCode)
		})
	}
	close(ready)
	group.Wait()
	close(got)
	allowed := fmt.Sprint(want)
	answered := 0
	for status := range got {
		if status == "" {
			continue
		}
		if answered++; !strings.Contains(allowed, status) {
			t.Errorf("want one of %s, got %s", allowed, status)
		}
	}
	if answered == 0 {
		t.Error("nobody was answered")
	}
	peak := server.peak(t)
	t.Logf("%d of %d answered, at most %d KiB of memory", answered, floodBodies, peak)
	if peak > floodMemory {
		t.Errorf("took %d KiB of memory, want at most %d", peak, floodMemory)
	}
}
