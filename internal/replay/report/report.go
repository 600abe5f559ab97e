package report

import (
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"html/template"
	"io"
	"slices"

	"github.com/tidemark/tidemark/internal/replay"
)

// Report is what to show.
type Report struct {
	// Title says what was replayed, Facts how.
	Title string
	Facts []replay.Fact
	// Verdict is the sentence that a reader should take away. Where there is none,
	// one is made of the scores.
	Verdict string
	// Warnings are what to know before the scores are believed.
	Warnings []string
	// Results are the policies, each with its course.
	Results []replay.Result
	// Tuned is set for a search.
	Tuned *Tuned
}

// Tuned is what a search found.
type Tuned struct {
	Objective string
	// Trials are those of the front, and the policy as it is.
	Trials []Trial
	// YAML is what to apply.
	YAML string
}

// Trial is a candidate of a search.
type Trial struct {
	Name     string
	Settings []replay.Fact
	Score    replay.Score
	HeldOut  *replay.Score
	// Best marks the one that was chosen.
	Best bool
}

//go:embed assets/report.html
var page string

// style and script are what the sources beside them become: `make generate` bundles
// them with the plotter of the pages.
//
//go:embed assets/dist/report.css
var style string

//go:embed assets/dist/report.js
var script string

var parsed = template.Must(template.New("report").Parse(page))

// Style is how a report looks, for pages that belong to it.
func Style() template.CSS { return template.CSS(style) }

// Policy is the content security policy of a page that has the style and no script:
// it loads nothing from anywhere.
func Policy() string {
	return "default-src 'none'; img-src data:; style-src '" + hash(style) + "'; base-uri 'none'; form-action 'none'"
}

// Write writes the report.
func Write(to io.Writer, r Report) error {
	data, err := json.Marshal(dataOf(r))
	if err != nil {
		return fmt.Errorf("writing a report: %w", err)
	}
	err = parsed.Execute(to, map[string]any{
		"Report":  r,
		"Rows":    rowsOf(r),
		"Verdict": verdictOf(r),
		"Priced":  slices.ContainsFunc(r.Results, func(one replay.Result) bool { return one.Score.Money > 0 }),
		"Policy":  Policy() + "; script-src '" + hash(script) + "'",
		"Style":   Style(),
		"Script":  template.JS(script),
		// Marshal escapes what could end the element.
		"Data": template.JS(data),
	})
	if err != nil {
		return fmt.Errorf("writing a report: %w", err)
	}
	return nil
}

// hash names a text in a content security policy.
func hash(text string) string {
	sum := sha256.Sum256([]byte(text))
	return "sha256-" + base64.StdEncoding.EncodeToString(sum[:])
}
