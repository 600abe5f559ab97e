package advise

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"

	"sigs.k8s.io/yaml"
)

// outcome is one that costs so much.
func outcome(cost float64) Outcome {
	out := Outcome{Policy: "p", Cost: cost}
	out.Score.BilledCoreHours = cost
	return out
}

func some() []Advice {
	unjudged := NotJudged(Workload{Namespace: "shop", Name: "idle"}, errors.New("no pods"))
	return []Advice{
		unjudged,
		{Namespace: "shop", Name: "kept", Verdict: Keep, Sure: High, Now: outcome(100), Recommended: outcome(99)},
		{Namespace: "shop", Name: "unsure", Verdict: Adopt, Sure: Low, Now: outcome(900), Recommended: outcome(100)},
		{Namespace: "shop", Name: "small", Verdict: Adopt, Sure: High, Now: outcome(20), Recommended: outcome(10)},
		{Namespace: "shop", Name: "tuned", Verdict: Tune, Sure: Medium, Now: outcome(200), Recommended: outcome(180), BestHPA: outcome(120)},
	}
}

// TestSort: what is worth doing comes first, and what is not sure after it.
func TestSort(t *testing.T) {
	all := some()
	Sort(all)
	var names []string
	for _, a := range all {
		names = append(names, a.Name)
	}
	if got := strings.Join(names, " "); got != "tuned small unsure kept idle" {
		t.Error(got)
	}
}

// TestSummary: what is kept stays as it is, and what is tuned becomes the HPA.
func TestSummary(t *testing.T) {
	got := Summarize(some())
	want := Summary{Workloads: 5, Adopt: 2, Tune: 1, Keep: 1, Unjudged: 1, CoreHours: 1220, ThenCoreHours: 330}
	if got != want {
		t.Errorf("%+v, want %+v", got, want)
	}
}

// TestForms: every form has every workload.
func TestForms(t *testing.T) {
	all := some()
	var table, lines, document, yamled bytes.Buffer
	if err := errors.Join(WriteTable(&table, all), WriteCSV(&lines, all), WriteJSON(&document, all), WriteYAML(&yamled, all)); err != nil {
		t.Fatal(err)
	}
	rows, err := csv.NewReader(&lines).ReadAll()
	if err != nil || len(rows) != 6 {
		t.Errorf("%d lines of CSV, %v", len(rows), err)
	}
	for name, text := range map[string][]byte{"json": document.Bytes(), "yaml": yamled.Bytes()} {
		t.Run(name, func(t *testing.T) {
			var got answer
			read := json.Unmarshal
			if name == "yaml" {
				read = func(text []byte, to any) error { return yaml.Unmarshal(text, to) }
			}
			if err := read(text, &got); err != nil || len(got.Workloads) != 5 || got.Workloads[4].BestHPA.Cost != 120 || !slices.Contains(got.Notes, MemoryNote) {
				t.Errorf("%+v, %v", got, err)
			}
		})
	}
	text := table.String()
	if strings.Contains(text, "MONEY") || !strings.Contains(text, "shop/idle: Not judged: no pods.") || !strings.Contains(text, MemoryNote) {
		t.Error(text)
	}
}
