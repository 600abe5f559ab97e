package ui

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/tidemark/tidemark/internal/checks/flood"
)

// TestMain lets the test binary be the program, which says on standard error where it
// serves.
func TestMain(m *testing.M) {
	flood.Serve(func(args []string) error {
		read, write := io.Pipe()
		cmd := New()
		cmd.SetArgs(args)
		cmd.SetOut(write)
		go func() {
			lines := bufio.NewScanner(read)
			for lines.Scan() {
				if address, ok := strings.CutPrefix(lines.Text(), "Open "); ok {
					_ = json.NewEncoder(os.Stderr).Encode(map[string]string{"address": address})
				}
			}
		}()
		return cmd.Execute()
	})
	os.Exit(m.Run())
}

// objects is how many there are, each of which changes so many times in a round. With one
// page the program may take mostMemory, in KiB, which is what is promised; with so many
// pages mostOfAll.
const (
	objects    = 10_000
	rounds     = 3
	pages      = 30
	mostMemory = 150 << 10
	mostOfAll  = 200 << 10
)

// manyObjects is an API server that has so many objects, and that changes all of
// them again and again while they are watched: one round, and another once it may.
func manyObjects(t *testing.T, more <-chan struct{}) *httptest.Server {
	t.Helper()
	object := func(n, version int) string {
		size := `{"replicas":` + strconv.Itoa(3+version%5) + `,"containers":{"app":{"cpu":"500m","memory":"1Gi"}}}`
		return fmt.Sprintf(`{"apiVersion":"autoscaling.tidemark.dev/v1alpha1","kind":"WorkloadAutoscaler","metadata":{"namespace":"team-%d","name":"web-%d","resourceVersion":"%d","labels":{"team":"team-%d"}},
			"spec":{"targetRef":{"apiVersion":"apps/v1","kind":"Deployment","name":"web-%d"},"replicas":{"min":1,"max":9},"metrics":[{"type":"Resource","resource":{"name":"cpu","target":{"averageUtilization":60}}}]},
			"status":{"replicas":4,"selector":"app=web-%d","memory":{"highs":[%s]},"conditions":[{"type":"AbleToScale","status":"True","reason":"Ready","message":"it is able to scale","lastTransitionTime":"2026-01-05T10:00:00Z"}],
			"lastDecision":{"at":"%s","from":%s,"want":%s,"proposed":%s,"reason":"WithinTolerance","steps":[{"stage":"horizontal","reason":"WithinTolerance","in":%s,"out":%s,"message":"cpu is at 61%%, within 10%% of the target 60%%"}]}}}`,
			n/100, n, version, n/100, n, n, strings.TrimSuffix(strings.Repeat(`{"at":"2026-01-05T10:00:00Z","value":4},`, 20), ","),
			time.Now().UTC().Format(time.RFC3339), size, size, size, size, size)
	}
	api := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		switch q := r.URL.Query(); {
		case r.URL.Path == "/api":
			fmt.Fprint(w, `{"kind":"APIVersions","versions":["v1"]}`)
		case r.URL.Path == "/apis":
			fmt.Fprint(w, `{"kind":"APIGroupList","apiVersion":"v1","groups":[{"name":"autoscaling.tidemark.dev","versions":[{"groupVersion":"autoscaling.tidemark.dev/v1alpha1","version":"v1alpha1"}]}]}`)
		case r.URL.Path == "/apis/autoscaling.tidemark.dev/v1alpha1":
			fmt.Fprint(w, `{"kind":"APIResourceList","apiVersion":"v1","groupVersion":"autoscaling.tidemark.dev/v1alpha1","resources":[{"name":"workloadautoscalers","kind":"WorkloadAutoscaler","namespaced":true,"verbs":["get","list","watch"]}]}`)
		case !strings.HasSuffix(r.URL.Path, "/v1alpha1/workloadautoscalers"):
			w.WriteHeader(http.StatusNotFound)
			fmt.Fprint(w, `{"kind":"Status","apiVersion":"v1","status":"Failure","reason":"NotFound","code":404}`)
		case q.Get("watch") != "":
			for version := 1; r.Context().Err() == nil && version <= 2*rounds; version++ {
				if version == rounds+1 {
					select {
					case <-more:
					case <-r.Context().Done():
					}
				}
				for n := range objects {
					if _, err := fmt.Fprintf(w, `{"type":"MODIFIED","object":%s}`+"\n", object(n, version)); err != nil {
						return
					}
				}
				w.(http.Flusher).Flush()
				time.Sleep(time.Second)
			}
			<-r.Context().Done()
		default:
			first, _ := strconv.Atoi(q.Get("continue"))
			limit, _ := strconv.Atoi(q.Get("limit"))
			end, next := min(first+limit, objects), ""
			if end < objects {
				next = strconv.Itoa(end)
			}
			fmt.Fprintf(w, `{"apiVersion":"autoscaling.tidemark.dev/v1alpha1","kind":"WorkloadAutoscalerList","metadata":{"resourceVersion":"1","continue":%q},"items":[`, next)
			for n := first; n < end; n++ {
				if n > first {
					fmt.Fprint(w, ",")
				}
				fmt.Fprint(w, object(n, 0))
			}
			fmt.Fprint(w, "]}")
		}
	}))
	t.Cleanup(api.Close)
	return api
}

// TestTenThousandObjects: a program that follows so many, while each of them changes
// again and again and pages are open, takes no more memory than is promised.
func TestTenThousandObjects(t *testing.T) {
	if testing.Short() {
		t.Skip("the race detector, which is used with -short, takes memory of its own")
	}
	more := make(chan struct{})
	kubeconfig := filepath.Join(t.TempDir(), "kubeconfig")
	text := `{"apiVersion":"v1","kind":"Config","current-context":"a","contexts":[{"name":"a","context":{"cluster":"a","user":"a"}}],"users":[{"name":"a","user":{}}],"clusters":[{"name":"a","cluster":{"server":"` + manyObjects(t, more).URL + `"}}]}`
	if err := os.WriteFile(kubeconfig, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	server := flood.Start(t, "--listen", "127.0.0.1:0", "--kubeconfig", kubeconfig)
	address, token, _ := strings.Cut(server.Address, "/#token=")
	open := func() io.Reader {
		r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, address+"/api/stream", nil)
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("Authorization", "Bearer "+token)
		answer, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = answer.Body.Close() })
		return answer.Body
	}
	known, told, lines := map[string]bool{}, 0, json.NewDecoder(open())
	until := func(enough int) {
		for told < enough {
			var news struct {
				Rows []struct{ Namespace, Name string }
			}
			if err := lines.Decode(&news); err != nil {
				t.Fatal(err)
			}
			for _, row := range news.Rows {
				known[row.Namespace+"/"+row.Name] = true
			}
			told += len(news.Rows)
		}
	}
	until(rounds * objects)
	one := server.Peak(t)
	for range pages - 1 {
		go func(r io.Reader) { _, _ = io.Copy(io.Discard, r) }(open())
	}
	close(more)
	until(2 * rounds * objects)
	all := server.Peak(t)
	t.Logf("%d objects, told %d times: %d MiB at most with one page, %d with %d", len(known), told, one>>10, all>>10, pages)
	if len(known) != objects || one > mostMemory || all > mostOfAll {
		t.Errorf("%d objects take %d MiB with one page, want at most %d, and %d with %d, want at most %d",
			len(known), one>>10, mostMemory>>10, all>>10, pages, mostOfAll>>10)
	}
}
