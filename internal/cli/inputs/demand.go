package inputs

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/tidemark/tidemark/internal/cli/flags"
	"github.com/tidemark/tidemark/internal/replay"
	"github.com/tidemark/tidemark/internal/replay/trace"
	"github.com/tidemark/tidemark/internal/replay/trace/generate"
)

// generated is what begins a demand that is not a file.
const generated = "generate:"

// Demand are the flags that say where a demand is and how to read it.
type Demand struct {
	path, zone, gaps, resample string
	columns                    []string
	series                     map[string]string
	step                       time.Duration
	repair, sum                bool
}

// Add registers the flags.
func (d *Demand) Add(cmd *cobra.Command) {
	f := cmd.Flags()
	f.StringVar(&d.path, "demand", "", "recording of the demand, - for standard input, or one that is made up: "+generated+
		strings.Join(generate.Names(), "|")+"[?days=7&seed=1&mean=10&step=1m]")
	d.AddReading(cmd)
}

// AddReading registers the flags that say how to read a demand.
func (d *Demand) AddReading(cmd *cobra.Command) {
	f := cmd.Flags()
	f.BoolVar(&d.repair, "repair", false, "sort and drop samples that cannot be used, instead of refusing them")
	f.StringArrayVar(&d.columns, "column", nil, "column of CSV that holds the values, by its name or number; may be repeated with --sum")
	f.BoolVar(&d.sum, "sum", false, "add up several columns of CSV: those that --column names, or all")
	f.StringVar(&d.zone, "time-zone", "UTC", "zone of times that do not say theirs, such as Europe/Berlin")
	f.StringToStringVar(&d.series, "series", nil, "labels of the series to take from a Prometheus answer or from CSV with labels; all are added up")
	f.DurationVar(&d.step, "step", 0, "time between samples that have no time")
	f.StringVar(&d.gaps, "gaps", "hold", "what fills gaps: hold, interpolate or zero")
	f.StringVar(&d.resample, "resample", "", "time between samples afterward, such as 5m (the mean) or 5m:max")
}

// Stdin tells whether the demand is read from standard input.
func (d *Demand) Stdin() bool { return d.path == "-" }

// Given tells whether there is a demand.
func (d *Demand) Given() bool { return d.path != "" }

// Title names the demand for a reader.
func (d *Demand) Title() string {
	if d.Stdin() {
		return "standard input"
	}
	if line, ok := strings.CutPrefix(d.path, generated); ok {
		return "generated demand: " + strings.NewReplacer("?", ", ", "&", ", ").Replace(line)
	}
	return filepath.Base(d.path)
}

// Read reads the demand and tells what was found.
func (d *Demand) Read(cmd *cobra.Command) (trace.Trace, error) {
	if d.path == "" {
		return trace.Trace{},
			errors.New("--demand FILE is required: CSV with a header, time,value, the answer of a Prometheus range query, or documents of decisions")
	}
	if line, ok := strings.CutPrefix(d.path, generated); ok {
		return generate.Parse(line)
	}
	how, err := d.Reading()
	if err != nil {
		return trace.Trace{}, err
	}
	source, err := flags.Open(cmd, d.path)
	if err != nil {
		return trace.Trace{}, err
	}
	defer source.Close()
	read, notes, err := replay.ReadDemand(source, how)
	if err != nil {
		return trace.Trace{}, fmt.Errorf("%s: %w", d.path, err)
	}
	Tell(cmd.ErrOrStderr(), d.path, notes)
	return read, nil
}

// Reading is how to read a demand.
func (d *Demand) Reading() (replay.Reading, error) {
	zone, err := time.LoadLocation(d.zone)
	if err != nil {
		return replay.Reading{}, fmt.Errorf("--time-zone: %w", err)
	}
	gaps, err := trace.ParseFilling(d.gaps)
	if err != nil {
		return replay.Reading{}, fmt.Errorf("--gaps: %w", err)
	}
	out := replay.Reading{
		Format: trace.Format{Repair: d.repair, Columns: d.columns, Sum: d.sum, Zone: zone, Series: d.series, Step: d.step}, Gaps: gaps,
		Names: replay.Names{"Repair": "--repair", "MeanPods": "--mean-pods", "Columns": "--column", "Sum": "--sum"},
	}
	if d.step < 0 {
		return out, fmt.Errorf("--step must be above 0, got %s", d.step)
	}
	if d.resample == "" {
		return out, nil
	}
	step, by, _ := strings.Cut(d.resample, ":")
	if out.Resample, err = time.ParseDuration(step); err != nil || out.Resample < time.Second {
		return out, fmt.Errorf("--resample must be a duration of at least 1s, such as 5m or 5m:max, got %q", d.resample)
	}
	switch out.Largest = by == "max"; by {
	case "", "mean", "max":
		return out, nil
	}
	return out, fmt.Errorf("--resample takes the mean or the max of each step, got %q", by)
}
