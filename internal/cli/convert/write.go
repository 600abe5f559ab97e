package convert

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"sigs.k8s.io/yaml"

	"github.com/tidemark/tidemark/internal/convert"
	"github.com/tidemark/tidemark/internal/convert/manifests"
)

// objects holds the forms of the objects, by the word that asks for them.
var objects = map[string]func(io.Writer, []conversion) error{"yaml": writeYAML, "json": writeJSON}

func writeYAML(w io.Writer, results []conversion) error {
	written, err := manifestsOf(results)
	if err != nil {
		return err
	}
	for i, m := range written {
		text, err := yaml.Marshal(m.tree)
		if err != nil {
			return err
		}
		if i > 0 {
			fmt.Fprintln(w, "---")
		}
		for _, line := range m.comments {
			fmt.Fprintf(w, "# %s\n", line)
		}
		if _, err := w.Write(text); err != nil {
			return err
		}
	}
	return nil
}

// writeJSON writes one object a line.
func writeJSON(w io.Writer, results []conversion) error {
	written, err := manifestsOf(results)
	for _, m := range written {
		if err := json.NewEncoder(w).Encode(m.tree); err != nil {
			return err
		}
	}
	return err
}

// manifest is an object as it is written, and what to know before it is applied.
type manifest struct {
	tree     map[string]any
	comments []string
}

// manifestsOf are the objects, each before what is left of its original.
func manifestsOf(results []conversion) ([]manifest, error) {
	var out []manifest
	for _, r := range results {
		if r.Joined {
			continue
		}
		tree, err := manifests.Tree(r.Object)
		if err != nil {
			return nil, err
		}
		var joined []conversion
		for _, other := range results {
			if other.Joined && other.Object == r.Object {
				joined = append(joined, other)
			}
		}
		if out = append(out, manifest{tree, comments(&r, joined)}); r.Beside != nil {
			out = append(out, manifest{tree: r.Beside})
		}
	}
	return out, nil
}

// reports holds the forms of the report, by the word that asks for them.
var reports = map[string]func(io.Writer, []conversion) error{"table": writeTable, "json": writeReports}

func title(r convert.Report) string {
	name := r.Name
	if r.Namespace != "" {
		name = r.Namespace + "/" + name
	}
	return fmt.Sprintf("%s %s", r.Kind, name)
}

func writeTable(w io.Writer, results []conversion) error {
	for i, r := range results {
		if i > 0 {
			fmt.Fprintln(w)
		}
		fmt.Fprintf(w, "%s\n\n", oneLine(title(r.Report)))
		rows := "FATE\tFIELD\tTO\tNOTE\n"
		for _, f := range r.Report.Fields {
			rows += fmt.Sprintf("%s\t%s\t%s\t%s\n", f.Fate, cmp.Or(oneLine(f.Path), "-"), cmp.Or(oneLine(f.To), "-"), f.Note)
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

// oneLine keeps names that hold line ends or tabs from breaking the table.
func oneLine(text string) string {
	return strings.NewReplacer("\n", `\n`, "\r", `\r`, "\t", `\t`).Replace(text)
}

// writeReports writes one report a line.
func writeReports(w io.Writer, results []conversion) error {
	for _, r := range results {
		if err := json.NewEncoder(w).Encode(r.Report); err != nil {
			return err
		}
	}
	return nil
}
