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
)

// writeDiff compares the decisions of every object before and after, and fails
// if one differs although its report says nothing of it.
func writeDiff(cmd *cobra.Command, results []conversion, output *flags.Output) error {
	if cmd.Flags().Changed("output") && !output.Is("json") {
		return errors.New("--diff prints a table, or with -o json one comparison a line")
	}
	unannounced := 0
	for i, r := range results {
		comparison, err := proof.Compare(r.document, r.Result)
		if err != nil {
			return fmt.Errorf("%s: %w", title(r.Report), err)
		}
		unannounced += len(comparison.Unannounced())
		if output.Is("json") {
			err = json.NewEncoder(cmd.OutOrStdout()).Encode(comparison)
		} else {
			err = writeComparison(cmd.OutOrStdout(), title(r.Report), &comparison, i > 0)
		}
		if err != nil {
			return err
		}
	}
	if unannounced > 0 {
		fmt.Fprintf(cmd.ErrOrStderr(), "%d decisions differ and the report does not say why: this is a fault of the conversion\n", unannounced)
		return exit.Code(exit.Failed)
	}
	return nil
}

func writeComparison(w io.Writer, name string, c *proof.Comparison, again bool) error {
	if again {
		fmt.Fprintln(w)
	}
	fmt.Fprintf(w, "%s\nold: %s\n", oneLine(name), c.Original)
	if len(c.Rows) == 0 {
		fmt.Fprintln(w, "There is no metric to decide by, so there is nothing to compare.")
		return nil
	}
	fmt.Fprintln(w)
	notes := &footnotes{}
	rows, differ := "PODS\tLOAD\tOLD\tNEW\tDIFFERS\n", 0
	for _, r := range c.Rows {
		old := "-"
		if r.Old != nil {
			old = strconv.Itoa(int(*r.Old))
		}
		mark := ""
		if r.Differs() {
			differ++
			mark = notes.of(r.Because)
		}
		rows += fmt.Sprintf("%d\t%s\t%s\t%d\t%s\n", r.Pods, r.Load, old, r.New, mark)
	}
	if err := align(w, rows); err != nil {
		return err
	}
	if differ > 0 {
		fmt.Fprintf(w, "\n%d of %d decisions differ, %d of them announced:\n", differ, len(c.Rows), differ-len(c.Unannounced()))
	}
	for i, note := range notes.texts {
		fmt.Fprintf(w, "[%d] %s\n", i+1, oneLine(note))
	}
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
