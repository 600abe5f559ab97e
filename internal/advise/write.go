package advise

import (
	"encoding/csv"
	"encoding/json"
	"io"
	"strconv"

	"sigs.k8s.io/yaml"
)

// answer is the whole of it as documents have it.
type answer struct {
	Summary Summary `json:"summary"`
	// Notes are what to know about all of it.
	Notes     []string `json:"notes"`
	Workloads []Advice `json:"workloads"`
}

func answerOf(all []Advice) answer {
	return answer{Summary: Summarize(all), Notes: []string{MemoryNote}, Workloads: all}
}

// WriteJSON prints everything.
func WriteJSON(out io.Writer, all []Advice) error {
	text := json.NewEncoder(out)
	text.SetIndent("", "  ")
	return text.Encode(answerOf(all))
}

// WriteYAML prints everything.
func WriteYAML(out io.Writer, all []Advice) error {
	text, err := yaml.Marshal(answerOf(all))
	if err != nil {
		return err
	}
	_, err = out.Write(text)
	return err
}

// sheet are the columns of CSV: names as in the JSON, one number each.
var sheet = []column{
	{"namespace", func(a *Advice) string { return a.Namespace }},
	{"kind", func(a *Advice) string { return a.Kind }},
	{"name", func(a *Advice) string { return a.Name }},
	{"scaled", func(a *Advice) string { return a.Scaled }},
	{"verdict", func(a *Advice) string { return string(a.Verdict) }},
	{"sure", func(a *Advice) string { return string(a.Sure) }},
	{"savesCoreHours", number(func(a *Advice) float64 { return a.Saves.CoreHours })},
	{"savesGiBHours", number(func(a *Advice) float64 { return a.Saves.GiBHours })},
	{"savesMoney", number(func(a *Advice) float64 { return a.Saves.Money })},
	{"savesShare", number(func(a *Advice) float64 { return a.Saves.Share })},
	{"replayError", func(a *Advice) string {
		if a.ReplayError == nil {
			return ""
		}
		return text(*a.ReplayError)
	}},
	{"censoredShare", number(func(a *Advice) float64 { return a.CensoredShare })},
	{"oomKills", number(func(a *Advice) float64 { return float64(a.OOMKills) })},
	{"recordedReplicas", number(func(a *Advice) float64 { return a.RecordedReplicas })},
	{"bestHPATarget", number(func(a *Advice) float64 { return float64(a.BestHPA.Target) })},
}

// outcomes are the columns that each policy has.
var outcomes = []struct {
	title string
	of    func(*Outcome) float64
}{
	{"Replicas", func(o *Outcome) float64 { return o.Replicas }},
	{"CPU", func(o *Outcome) float64 { return o.CPU }},
	{"CoreHours", func(o *Outcome) float64 { return o.Score.CoreHours }},
	{"BilledCoreHours", func(o *Outcome) float64 { return o.Score.BilledCoreHours }},
	{"GiBHours", func(o *Outcome) float64 { return o.Score.GiBHours }},
	{"Money", func(o *Outcome) float64 { return o.Score.Money }},
	{"UnservedPercent", func(o *Outcome) float64 { return o.Score.UnservedPercent }},
	{"LatePercent", func(o *Outcome) float64 { return o.Score.Late }},
	{"Changes", func(o *Outcome) float64 { return float64(o.Score.Changes) }},
	{"Cost", func(o *Outcome) float64 { return o.Cost }},
}

func number(of func(*Advice) float64) func(*Advice) string {
	return func(a *Advice) string { return text(of(a)) }
}

func text(v float64) string { return strconv.FormatFloat(v, 'f', -1, 64) }

// WriteCSV prints a line for each workload.
func WriteCSV(out io.Writer, all []Advice) error {
	shown := append([]column{}, sheet...)
	for _, who := range []struct {
		word string
		of   func(*Advice) *Outcome
	}{
		{"now", func(a *Advice) *Outcome { return &a.Now }},
		{"recommended", func(a *Advice) *Outcome { return &a.Recommended }},
		{"bestHPA", func(a *Advice) *Outcome { return &a.BestHPA }},
	} {
		for _, c := range outcomes {
			shown = append(shown, column{who.word + c.title, number(func(a *Advice) float64 { return c.of(who.of(a)) })})
		}
	}
	shown = append(shown, column{"says", func(a *Advice) string { return a.Says }})
	lines := csv.NewWriter(out)
	row := func(cell func(column) string) error {
		cells := make([]string, len(shown))
		for i, c := range shown {
			cells[i] = cell(c)
		}
		return lines.Write(cells)
	}
	if err := row(func(c column) string { return c.title }); err != nil {
		return err
	}
	for i := range all {
		if err := row(func(c column) string { return c.cell(&all[i]) }); err != nil {
			return err
		}
	}
	lines.Flush()
	return lines.Error()
}
