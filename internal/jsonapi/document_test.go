package jsonapi

import (
	"encoding/json"
	"net/http"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestDocument checks the examples of docs/rest.md, in their order: a resource
// that is accepted, the refusal of one that is not, and an object that says
// more.
func TestDocument(t *testing.T) {
	text, err := os.ReadFile("../../docs/rest.md")
	if err != nil {
		t.Fatal(err)
	}
	blocks := regexp.MustCompile("(?s)```json\n(.*?)```").FindAllStringSubmatch(string(text), -1)
	if len(blocks) != 3 {
		t.Fatalf("want three examples, got %d", len(blocks))
	}
	w := newWorld()
	w.put(t, "billing", `{"targetRef":{"apiVersion":"apps/v1","kind":"Deployment","name":"billing"},"replicas":{"max":20},"learn":{"targets":true},
	  "metrics":[{"type":"Resource","resource":{"name":"cpu","target":{"averageUtilization":60}}}]}`)
	accepted := w.do("POST", shop, blocks[0][1])
	refused := w.do("POST", shop, strings.Replace(blocks[0][1], `"deployment"`, `"daemonset"`, 1))
	richer := w.do("GET", shop+"/billing", "")
	for i, got := range []map[string]any{
		read[map[string]any](t, accepted, http.StatusCreated), read[map[string]any](t, refused, http.StatusUnprocessableEntity),
		read[map[string]any](t, richer, http.StatusOK),
	} {
		var want map[string]any
		if err := json.Unmarshal([]byte(blocks[i][1]), &want); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("example %d (-want +got):\n%s", i+1, diff)
		}
	}
}

// FuzzBody: whatever the body, there is an answer, and what is accepted comes
// back as it was understood.
func FuzzBody(f *testing.F) {
	f.Add(sample)
	f.Add(`{"name":"a","scaleTargetKind":"statefulset","scaleTargetName":"b","maxReplicas":1,"customMetrics":[{"metricName":"m","averageValue":"1e3"}]}`)
	f.Fuzz(func(t *testing.T, body string) {
		w := newWorld()
		answer := w.do("POST", shop, body)
		if answer.StatusCode != http.StatusCreated {
			if got := read[Problem](t, answer, answer.StatusCode); got.Detail == "" || answer.StatusCode >= 500 {
				t.Errorf("want a refusal with its reason, got %+v", got)
			}
			return
		}
		created := read[Resource](t, answer, http.StatusCreated)
		if len(created.Warnings) > 0 {
			t.Errorf("made here and cannot be said: %+v", created.Warnings)
		}
		if again := read[Resource](t, newWorld().do("POST", shop, string(marshal(t, created))), http.StatusCreated); cmp.Diff(created, again) != "" {
			t.Errorf("another resource the second time: %s", cmp.Diff(created, again))
		}
	})
}
