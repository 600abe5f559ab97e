package convert

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/tidemark/tidemark/internal/cli/exit"
	"github.com/tidemark/tidemark/internal/cli/flags"
	"github.com/tidemark/tidemark/internal/convert/proof"
	"github.com/tidemark/tidemark/internal/convert/several"
)

// writeDiff compares the decisions of every object before and after, and fails
// if something differs although its report says nothing of it.
func writeDiff(cmd *cobra.Command, results []several.Conversion, output *flags.Output) error {
	if cmd.Flags().Changed("output") && !output.Is("json") {
		return errors.New("--diff prints a table, or with -o json one comparison a line")
	}
	var unannounced []string
	for i, r := range results {
		comparison, err := proof.Compare(r.Document, r.Result)
		if err != nil {
			return fmt.Errorf("%s: %w", several.Title(r.Report), err)
		}
		if comparison.Verdict == proof.NotAnnounced {
			unannounced = append(unannounced, several.Title(r.Report))
		}
		if output.Is("json") {
			err = json.NewEncoder(cmd.OutOrStdout()).Encode(comparison)
		} else {
			err = writeComparison(cmd.OutOrStdout(), several.Title(r.Report), &comparison, i > 0)
		}
		if err != nil {
			return err
		}
	}
	for _, name := range unannounced {
		fmt.Fprintf(cmd.ErrOrStderr(), "%s: something differs and the report does not say why: this is a fault of the conversion\n", several.OneLine(name))
	}
	if len(unannounced) > 0 {
		return exit.Code(exit.Failed)
	}
	return nil
}

func writeComparison(w io.Writer, name string, c *proof.Comparison, again bool) error {
	if again {
		fmt.Fprintln(w)
	}
	fmt.Fprintf(w, "%s\nold: %s\n", several.OneLine(name), several.OneLine(c.Original))
	notes := &footnotes{}
	if err := writeRows(w, c, notes); err != nil {
		return err
	}
	for _, one := range c.OneSided {
		fmt.Fprintf(w, "only %s: %s (%s) %s\n", strings.ToLower(string(one.Side)), several.OneLine(one.Path), several.OneLine(one.What), notes.of(one.Because))
	}
	for _, what := range c.NotComputed {
		fmt.Fprintf(w, "not computed: %s\n", several.OneLine(what))
	}
	fmt.Fprintf(w, "verdict: %s\n", c.Words())
	for i, note := range notes.texts {
		fmt.Fprintf(w, "[%d] %s\n", i+1, several.OneLine(note))
	}
	return nil
}

// writeRows writes the decisions.
func writeRows(w io.Writer, c *proof.Comparison, notes *footnotes) error {
	fmt.Fprintln(w)
	if len(c.Rows) == 0 {
		fmt.Fprintln(w, "There is no metric to decide by, so there is nothing to compare.")
		return nil
	}
	rows := "PODS\tLOAD\tOLD\tNEW\tDIFFERS\n"
	for _, r := range c.Rows {
		old, mark := "-", ""
		if r.Old != nil {
			old = strconv.Itoa(int(*r.Old))
		}
		if r.Differs() {
			mark = notes.of(r.Because)
		}
		rows += fmt.Sprintf("%d\t%s\t%s\t%d\t%s\n", r.Pods, r.Load, old, r.New, mark)
	}
	if err := align(w, rows); err != nil {
		return err
	}
	fmt.Fprintln(w)
	return nil
}

// footnotes numbers the lines of the report that explain differences.
type footnotes struct{ texts []string }

// of returns the numbers of some lines.
func (f *footnotes) of(lines []string) string {
	if len(lines) == 0 {
		return "NOT ANNOUNCED"
	}
	var marks []string
	for _, line := range lines {
		number := slices.Index(f.texts, line) + 1
		if number == 0 {
			f.texts = append(f.texts, line)
			number = len(f.texts)
		}
		marks = append(marks, fmt.Sprintf("[%d]", number))
	}
	return strings.Join(marks, " ")
}
