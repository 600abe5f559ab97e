package lint

import (
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/tidemark/tidemark/internal/lint"
)

// writers holds the forms of the answer, by the word that asks for them.
var writers = map[string]func(io.Writer, []lint.Finding) error{
	"table": writeTable,
	"json":  writeJSON,
	"sarif": writeSARIF,
}

func writeJSON(w io.Writer, findings []lint.Finding) error {
	return encode(w, map[string]any{"findings": findings})
}

// encode writes JSON for programs that people look over the shoulder of.
func encode(w io.Writer, value any) error {
	encoder := json.NewEncoder(w)
	encoder.SetIndent("", "  ")
	encoder.SetEscapeHTML(false)
	return encoder.Encode(value)
}

// writeTable writes where each finding is, and below it what it is, wrapped to fit
// a terminal; and at the end how to fix each kind of them. What could not be read
// has been told on standard error.
func writeTable(w io.Writer, findings []lint.Finding) error {
	findings = slices.DeleteFunc(slices.Clone(findings), func(f lint.Finding) bool { return f.Rule == lint.Unreadable })
	if len(findings) == 0 {
		return nil
	}
	var text strings.Builder
	width := widthOf(w)
	for _, f := range findings {
		message := f.Message
		if f.Path != "" {
			message = f.Path + " " + message
		}
		if f.Object != "" {
			message = f.Object + ": " + message
		}
		fmt.Fprintf(&text, "%s %s %s %s\n", where(f), f.Severity, f.Rule, f.Name)
		wrap(&text, "    ", "    ", oneLine(message), width)
	}
	text.WriteString("\n")
	for _, rule := range lint.Rules() {
		if contains(findings, rule.ID) {
			wrap(&text, "", "    ", rule.ID+" "+rule.Name+": "+rule.Fix, width)
		}
	}
	_, err := io.WriteString(w, text.String())
	return err
}

func contains(findings []lint.Finding, rule string) bool {
	return slices.ContainsFunc(findings, func(f lint.Finding) bool { return f.Rule == rule })
}

// where is the place of a finding. An object of a cluster has none but itself.
func where(f lint.Finding) string {
	if f.File == "" {
		return "cluster"
	}
	return fmt.Sprintf("%s:%d", oneLine(f.File), f.Line)
}

// oneLine keeps names that hold line ends or tabs from breaking the table.
func oneLine(text string) string {
	return strings.NewReplacer("\n", `\n`, "\r", `\r`, "\t", `\t`).Replace(text)
}

// summarize counts what was understood, and the findings.
func summarize(stderr io.Writer, findings []lint.Finding, set *lint.Set) {
	counts := map[lint.Severity]int{}
	for _, f := range findings {
		counts[f.Severity]++
	}
	if n := len(set.Templates); n > 0 {
		fmt.Fprintf(stderr, "%s passed over, the first is %s: lint what is made of them\n", count(n, "template"), set.Templates[0])
	}
	fmt.Fprintf(stderr, "%s, %s: %s, %s, %s\n", count(set.Documents, "document"), count(set.Autoscalers(), "autoscaler"),
		count(counts[lint.Error], "error"), count(counts[lint.Warning], "warning"), count(counts[lint.Info], "info"))
}

// count says how many there are of something.
func count(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// writeRules lists the rules, or explains those that are named.
func writeRules(w io.Writer, named []string) error {
	if len(named) > 0 {
		return explainRules(w, named)
	}
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "RULE\tSEVERITY\tFIX\tNAME")
	for _, rule := range lint.Rules() {
		fix := "-"
		if rule.Fixable {
			fix = "--fix"
		}
		fmt.Fprintf(table, "%s\t%s\t%s\t%s\n", rule.ID, rule.Severity, fix, rule.Name)
	}
	return table.Flush()
}

func explainRules(w io.Writer, named []string) error {
	var text strings.Builder
	for i, word := range named {
		rule, ok := lint.Find(word)
		if !ok {
			return fmt.Errorf("there is no rule %q: --rules lists them", word)
		}
		if i > 0 {
			text.WriteString("\n")
		}
		fmt.Fprintf(&text, "%s %s, %s\n", rule.ID, rule.Name, rule.Severity)
		wrap(&text, "", "", rule.Why, widthOf(w))
		wrap(&text, "", "", "Fix: "+rule.Fix, widthOf(w))
		fmt.Fprintln(&text, rule.URL())
	}
	_, err := io.WriteString(w, text.String())
	return err
}
