package convert

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"sigs.k8s.io/yaml"

	"github.com/tidemark/tidemark/internal/convert/several"
)

// objects holds the forms of the objects, by the word that asks for them.
var objects = map[string]func(io.Writer, []several.Conversion) error{"yaml": writeYAML, "json": writeJSON}

func writeYAML(w io.Writer, results []several.Conversion) error {
	written, err := several.Manifests(results)
	if err != nil {
		return err
	}
	for i, m := range written {
		text, err := yaml.Marshal(m.Tree)
		if err != nil {
			return err
		}
		if i > 0 {
			fmt.Fprintln(w, "---")
		}
		for _, line := range m.Comments {
			fmt.Fprintf(w, "# %s\n", line)
		}
		if _, err := w.Write(text); err != nil {
			return err
		}
	}
	return nil
}

// writeJSON writes one object a line.
func writeJSON(w io.Writer, results []several.Conversion) error {
	written, err := several.Manifests(results)
	for _, m := range written {
		if err := json.NewEncoder(w).Encode(m.Tree); err != nil {
			return err
		}
	}
	return err
}

// reports holds the forms of the report, by the word that asks for them.
var reports = map[string]func(io.Writer, []several.Conversion) error{"table": writeTable, "json": writeReports}

func writeTable(w io.Writer, results []several.Conversion) error {
	for i, r := range results {
		if i > 0 {
			fmt.Fprintln(w)
		}
		fmt.Fprintf(w, "%s\n\n", several.OneLine(several.Title(r.Report)))
		rows := "FATE\tFIELD\tTO\tNOTE\n"
		for _, f := range r.Report.Fields {
			rows += fmt.Sprintf("%s\t%s\t%s\t%s\n", f.Fate, cmp.Or(several.OneLine(f.Path), "-"), cmp.Or(several.OneLine(f.To), "-"), f.Note)
		}
		if err := align(w, rows); err != nil {
			return err
		}
	}
	return nil
}

// align writes rows whose cells end with tabs. Lines without a last cell would
// end in the padding of the others.
func align(w io.Writer, rows string) error {
	var text strings.Builder
	table := tabwriter.NewWriter(&text, 0, 0, 2, ' ', 0)
	fmt.Fprint(table, rows)
	if err := table.Flush(); err != nil {
		return err
	}
	for line := range strings.Lines(text.String()) {
		fmt.Fprintln(w, strings.TrimRight(line, " \n"))
	}
	return nil
}

// writeReports writes one report a line.
func writeReports(w io.Writer, results []several.Conversion) error {
	for _, r := range results {
		if err := json.NewEncoder(w).Encode(r.Report); err != nil {
			return err
		}
	}
	return nil
}
