package advise

import (
	_ "embed"
	"fmt"
	"html/template"
	"os"
	"path/filepath"
	"strings"

	"github.com/tidemark/tidemark/internal/advise"
	"github.com/tidemark/tidemark/internal/replay"
	"github.com/tidemark/tidemark/internal/replay/report"
)

// pages is the file of the fleet's page; empty is none. The pages of workloads are
// in a folder beside it.
type pages string

// folder is where the pages of workloads are: those of fleet.html are in fleet-workloads.
func (p pages) folder() string {
	return strings.TrimSuffix(string(p), filepath.Ext(string(p))) + "-workloads"
}

// workload writes the page of one workload.
func (p pages) workload(a *advise.Advice) (err error) {
	if p == "" || a.Now.Result == nil {
		return nil
	}
	if err := os.MkdirAll(p.folder(), 0o750); err != nil {
		return fmt.Errorf("--report: %w", err)
	}
	file, err := os.Create(filepath.Join(p.folder(), pageName(a)))
	if err != nil {
		return fmt.Errorf("--report: %w", err)
	}
	full := report.Report{
		Title:   a.Namespace + "/" + a.Name,
		Verdict: a.Says,
		Facts:   []replay.Fact{{Name: "how sure", Value: string(a.Sure)}, {Name: "scaled by", Value: a.Scaled}, {Name: "memory", Value: advise.MemoryNote}},
		Results: []replay.Result{*a.Now.Result, *a.Recommended.Result, *a.BestHPA.Result},
	}
	full.Warnings = append(append(full.Warnings, a.Doubts...), append(a.Notes, a.Problems...)...)
	err = report.Write(file, full)
	if closed := file.Close(); err == nil {
		err = closed
	}
	return err
}

func pageName(a *advise.Advice) string { return a.Namespace + "." + fileName(a) + ".html" }

//go:embed fleet.html
var fleetPage string

var fleet = template.Must(template.New("fleet").Funcs(template.FuncMap{
	"number":  func(v float64) string { return fmt.Sprintf("%.0f", v) },
	"tenths":  func(v float64) string { return fmt.Sprintf("%.1f", v) },
	"cents":   func(v float64) string { return fmt.Sprintf("%.2f", v) },
	"percent": func(share float64) string { return fmt.Sprintf("%.0f %%", 100*share) },
}).Parse(fleetPage))

// index writes the page of the fleet.
func (p pages) index(found []advise.Advice) (err error) {
	if p == "" {
		return nil
	}
	file, err := os.Create(string(p))
	if err != nil {
		return fmt.Errorf("--report: %w", err)
	}
	defer func() {
		if closed := file.Close(); err == nil {
			err = closed
		}
	}()
	type row struct {
		*advise.Advice
		Page string
	}
	var rows []row
	for i := range found {
		a := &found[i]
		r := row{Advice: a}
		if _, err := os.Stat(filepath.Join(p.folder(), pageName(a))); err == nil {
			r.Page = filepath.Base(p.folder()) + "/" + pageName(a)
		}
		rows = append(rows, r)
	}
	summary := advise.Summarize(found)
	return fleet.Execute(file, map[string]any{"Summary": summary, "Says": summary.String(), "Rows": rows, "Priced": summary.Money > 0,
		"MemoryNote": advise.MemoryNote, "Style": report.Style(), "Policy": report.Policy()})
}
