package trace

import (
	"cmp"
	"errors"
	"fmt"
	"time"
)

// Kind is how a trace is written down.
type Kind uint8

// The kinds. Detect tells them apart by their first character.
const (
	Detect Kind = iota
	CSV
	Prometheus
)

// Format says how to read a trace.
type Format struct {
	Kind Kind
	// Step is the time between two points. It is needed for CSV of one number
	// a line; elsewhere it may say what cannot be seen.
	Step time.Duration
	// Start is the time of the first of numbers without time. The default is
	// Monday 2026-01-05 00:00 UTC, where scripts begin too.
	Start time.Time
	// Columns name the columns of values, where CSV has several; a number counts
	// from 1. More than one need Sum, which adds them up at each time; without any
	// names it adds up all.
	Columns []string
	Sum     bool
	// Zone is where times are from that do not say so themselves. The default
	// is UTC.
	Zone *time.Location
	// Series chooses the series of a Prometheus answer, or of CSV with columns of
	// labels, that have these labels. Without any, all are taken. Several are added
	// up.
	Series map[string]string
	// Repair sorts what is not in order, and drops what repeats a time, is
	// negative or unreadable, instead of refusing it.
	Repair bool
}

// defaultStart is when scripts begin.
var defaultStart = time.Date(2026, 1, 5, 0, 0, 0, 0, time.UTC)

// Report counts what was found. Missing samples, such as empty or NaN ones,
// are gaps and never refused; the four after it are what Repair is for.
type Report struct {
	// Series and Samples are how many were read, unusable ones included.
	Series, Samples int
	Missing         int
	// Unsorted samples are earlier than the one before them. Duplicated ones
	// have the time of another; the first of them counts.
	Unsorted, Duplicated, Negative, Unparsable int
	// First describes the first sample that needs repair.
	First string
}

// Errors of Read.
var (
	// ErrRefused is for samples that Repair would have repaired.
	ErrRefused = errors.New("trace needs repair")
	// ErrNotTrace is for input that is not a trace at all.
	ErrNotTrace = errors.New("not a trace")
	// ErrNothing is an ErrNotTrace for input that is well formed and has no
	// sample that could be used. A part of a recording may be a gap.
	ErrNothing = fmt.Errorf("%w", ErrNotTrace)
	// ErrColumns is an ErrNotTrace for CSV of several columns that could be meant.
	ErrColumns = fmt.Errorf("%w", ErrNotTrace)
	// ErrTooLong is for more than MaxPoints samples, or too many bytes.
	ErrTooLong = errors.New("trace is too long")
)

// Repairs is how many samples need repair, or were repaired.
func (r Report) Repairs() int { return r.Unsorted + r.Duplicated + r.Negative + r.Unparsable }

// refusal returns why a trace with this report is refused; nil if it is not.
func (r Report) refusal() error {
	if r.Repairs() == 0 {
		return nil
	}
	return fmt.Errorf("%w: %d samples are out of order, %d repeat a time, %d are negative, %d are unreadable; the first: %s",
		ErrRefused, r.Unsorted, r.Duplicated, r.Negative, r.Unparsable, r.First)
}

// Plus sums up two reports.
func (r Report) Plus(other Report) Report {
	r.Series += other.Series
	r.Samples += other.Samples
	r.Missing += other.Missing
	r.Unsorted += other.Unsorted
	r.Duplicated += other.Duplicated
	r.Negative += other.Negative
	r.Unparsable += other.Unparsable
	r.First = cmp.Or(r.First, other.First)
	return r
}
