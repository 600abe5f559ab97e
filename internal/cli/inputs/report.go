package inputs

import (
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"github.com/tidemark/tidemark/internal/replay"
	"github.com/tidemark/tidemark/internal/replay/report"
)

// Report is the flag --report: a file of HTML to write.
type Report struct {
	path string
	// Warnings are repeated in the report.
	Warnings []string
}

// Add registers the flag.
func (r *Report) Add(cmd *cobra.Command) {
	cmd.Flags().StringVar(&r.path, "report", "", "file to write a report to: one page of HTML that needs no network")
}

// Wanted tells whether a report is asked for.
func (r *Report) Wanted() bool { return r.path != "" }

// Tell prints what a user should know and keeps it for the report.
func (r *Report) Tell(cmd *cobra.Command, about string, notes []string) {
	Tell(cmd.ErrOrStderr(), about, notes)
	for _, n := range notes {
		r.Warnings = append(r.Warnings, about+": "+n)
	}
}

// TellMeasured tells what to know about the measure, which is the same for all
// results.
func (r *Report) TellMeasured(cmd *cobra.Command, results []replay.Result) {
	if len(results) > 0 && results[0].Score.Measure != nil {
		r.Tell(cmd, "--score", results[0].Score.Measure.Warnings())
	}
}

// Write writes the report of results, if one is asked for.
func (r *Report) Write(title string, of *replay.Replay, results []replay.Result) error {
	return r.WriteTuned(report.Report{Title: title, Facts: of.Facts(), Results: results})
}

// WriteTuned writes a report with what a search found, if one is asked for.
func (r *Report) WriteTuned(full report.Report) error {
	if !r.Wanted() {
		return nil
	}
	full.Warnings = r.Warnings
	file, err := os.Create(r.path)
	if err != nil {
		return fmt.Errorf("writing --report: %w", err)
	}
	err = report.Write(file, full)
	if closed := file.Close(); err == nil && closed != nil {
		err = fmt.Errorf("writing --report: %w", closed)
	}
	return err
}
