package decisions

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tidemark/tidemark/api/v1alpha1"
	"github.com/tidemark/tidemark/internal/record"
)

const document = `{spec: {replicas: {max: 9}, metrics: [{type: External, external: {metric: {name: "a<b"}, target: {averageValue: "10"}}}]},
  observation: {at: "2026-01-05T10:00:00.123456789Z", target: {specReplicas: 2}, metrics: [{value: "40"}]}}`

func call(t *testing.T) record.Call {
	t.Helper()
	for result := range record.Decode([]byte(document)) {
		if len(result.Faults) > 0 {
			t.Fatal(result.Faults)
		}
		return result.Call
	}
	return record.Call{}
}

// TestAnEntryIsDecidedAgain: the document of a line leads to its answer, to the
// last byte.
func TestAnEntryIsDecidedAgain(t *testing.T) {
	path := filepath.Join(t.TempDir(), "decisions.jsonl")
	log, err := Open(path, Most)
	if err != nil {
		t.Fatal(err)
	}
	c := call(t)
	first := c.Decide()
	c.Memory = first.Memory
	for _, answer := range []record.Answer{first, c.Decide()} {
		if err := log.Record("shop/web", c, v1alpha1.AdminSettings{}, answer); err != nil {
			t.Fatal(err)
		}
		c.Memory = answer.Memory
	}
	if err := log.Close(); err != nil {
		t.Fatal(err)
	}
	lines := read(t, path)
	if len(lines) != 2 {
		t.Fatalf("%d lines", len(lines))
	}
	var second Entry
	if err := json.Unmarshal([]byte(lines[1]), &second); err != nil || second.Object != "shop/web" {
		t.Fatalf("%+v, error %v", second, err)
	}
	for result := range record.Decode(second.Document) {
		again, err := result.Call.Decide().Line()
		if err != nil || len(result.Faults) > 0 || !bytes.Equal(bytes.TrimSpace(again), second.Answer) {
			t.Errorf("decided again: %s\nrecorded: %s\nfaults %v, error %v", again, second.Answer, result.Faults, err)
		}
	}
}

// TestAFileHasAnEnd: there are two files at most, and each has its most.
func TestAFileHasAnEnd(t *testing.T) {
	path := filepath.Join(t.TempDir(), "decisions.jsonl")
	c := call(t)
	one, err := line("shop/web", c, v1alpha1.AdminSettings{}, c.Decide())
	if err != nil {
		t.Fatal(err)
	}
	most := int64(len(one)) * 5 / 2
	log, err := Open(path, most)
	if err != nil {
		t.Fatal(err)
	}
	for range 7 {
		if err := log.Record("shop/web", c, v1alpha1.AdminSettings{}, c.Decide()); err != nil {
			t.Fatal(err)
		}
	}
	if newest, older := read(t, path), read(t, path+".1"); len(newest) != 1 || len(older) != 2 {
		t.Errorf("%d and %d lines, want 1 and 2", len(newest), len(older))
	}
	if err := log.Close(); err != nil {
		t.Fatal(err)
	}
	// A controller that starts again goes on with the file there is.
	if log, err = Open(path, most); err != nil {
		t.Fatal(err)
	}
	if err := log.Record("shop/web", c, v1alpha1.AdminSettings{}, c.Decide()); err != nil {
		t.Fatal(err)
	}
	if newest := read(t, path); len(newest) != 2 {
		t.Errorf("%d lines after a restart, want 2", len(newest))
	}
	if names, err := os.ReadDir(filepath.Dir(path)); err != nil || len(names) != 2 {
		t.Errorf("files %v, error %v", names, err)
	}
}

func read(t *testing.T, path string) []string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return strings.Split(strings.TrimSuffix(string(text), "\n"), "\n")
}

func TestOpenSaysWhatFailed(t *testing.T) {
	if _, err := Open(filepath.Join(t.TempDir(), "no", "such", "folder"), Most); err == nil || !strings.Contains(err.Error(), "record of decisions") {
		t.Errorf("error %v", err)
	}
}
