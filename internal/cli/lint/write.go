package lint

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/tidemark/tidemark/internal/lint"
)

// render holds the forms of the answer, by the word that asks for them.
var render = map[string]func(io.Writer, []lint.Finding) error{
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

// writeTable writes one line for each finding, and below how to fix each kind
// of them.
func writeTable(w io.Writer, findings []lint.Finding) error {
	if len(findings) == 0 {
		return nil
	}
	var text strings.Builder
	table := tabwriter.NewWriter(&text, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "WHERE\tSEVERITY\tRULE\tOBJECT\tFINDING")
	for _, f := range findings {
		message := f.Message
		if f.Path != "" {
			message = f.Path + " " + message
		}
		fmt.Fprintf(table, "%s\t%s\t%s\t%s\t%s\n", where(f), f.Severity, f.Rule, cmp.Or(oneLine(f.Object), "-"), oneLine(message))
	}
	if err := table.Flush(); err != nil {
		return err
	}
	text.WriteString("\n")
	for _, rule := range lint.Rules() {
		if contains(findings, rule.ID) {
			fmt.Fprintf(&text, "%s %s: %s\n", rule.ID, rule.Name, rule.Fix)
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

// summarize counts the findings.
func summarize(stderr io.Writer, findings []lint.Finding, documents int) {
	counts := map[lint.Severity]int{}
	for _, f := range findings {
		counts[f.Severity]++
	}
	fmt.Fprintf(stderr, "%s: %s, %s, %s\n", count(documents, "document"),
		count(counts[lint.Error], "error"), count(counts[lint.Warning], "warning"), count(counts[lint.Info], "info"))
}

// count says how many there are of something.
func count(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// writeRules lists the rules.
func writeRules(w io.Writer) error {
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
