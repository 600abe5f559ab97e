package trace

import (
	"bufio"
	"errors"
	"fmt"
	"slices"
	"strings"
)

// maxLine is the longest line that is read.
const maxLine = 4096

// The names of columns, in headers.
var (
	timeNames  = []string{"time", "timestamp", "period"}
	valueNames = []string{"value", "count"}
)

// readCSV reads lines of time and value below a header, or lines of one number.
func readCSV(in *bufio.Reader, format Format) (samples, Report, error) {
	report := Report{Series: 1}
	lines := bufio.NewScanner(in)
	lines.Buffer(make([]byte, 0, maxLine), maxLine)
	r := csvReader{format: format, report: &report}
	for n := 1; lines.Scan(); n++ {
		fields := fieldsOf(lines.Text())
		if fields == nil {
			continue
		}
		if err := r.line(n, fields); err != nil {
			return nil, report, err
		}
	}
	if err := lines.Err(); errors.Is(err, bufio.ErrTooLong) {
		return nil, report, fmt.Errorf("%w: a line has more than %d characters", ErrNotTrace, maxLine)
	} else if err != nil {
		return nil, report, fmt.Errorf("reading a trace: %w", err)
	}
	return r.samples.ordered(&report, "CSV"), report, nil
}

// fieldsOf splits a line, or returns nil for an empty one.
func fieldsOf(line string) []string {
	line = strings.TrimSpace(strings.TrimPrefix(line, "\ufeff"))
	if line == "" {
		return nil
	}
	fields := strings.Split(line, ",")
	for i, f := range fields {
		fields[i] = strings.Trim(strings.TrimSpace(f), `"`)
	}
	return fields
}

// csvReader reads line by line.
type csvReader struct {
	format  Format
	report  *Report
	samples samples
	// columns is how many columns there are, once the first line is read.
	columns int
	// next is the time of the next number without one, in Unix milliseconds.
	next int64
}

func (r *csvReader) line(n int, fields []string) error {
	if r.columns == 0 {
		header, err := r.first(fields)
		if header || err != nil {
			return err
		}
	}
	where := place{"line", n}
	if len(fields) != r.columns {
		return r.unparsable(where, fmt.Sprintf("has %d columns instead of %d", len(fields), r.columns))
	}
	if r.columns == 1 {
		at, err := inRange(r.next)
		if err != nil {
			return r.unparsable(where, "is after the last time there is")
		}
		r.next += r.format.Step.Milliseconds()
		return r.samples.collect(r.report, where, at, fields[0])
	}
	at, err := parseTime(fields[0])
	if err != nil {
		return r.unparsable(where, fmt.Sprintf("time %q %v", shortened(fields[0]), err))
	}
	return r.samples.collect(r.report, where, at, fields[1])
}

// first learns from the first line what the columns are, and tells whether it
// is a header.
func (r *csvReader) first(fields []string) (header bool, err error) {
	r.columns = len(fields)
	name := strings.ToLower(fields[len(fields)-1])
	if len(fields) == 2 && slices.Contains(timeNames, strings.ToLower(fields[0])) && slices.Contains(valueNames, name) {
		return true, nil
	}
	if len(fields) != 1 {
		return false, fmt.Errorf("%w: the first line must be a header, time,value (or timestamp,value, or period,count), or one number, got %q",
			ErrNotTrace, shortened(strings.Join(fields, ",")))
	}
	if r.format.Step.Milliseconds() <= 0 {
		return false, fmt.Errorf("%w: numbers without a time need a step", ErrNotTrace)
	}
	r.next = defaultStart.UnixMilli()
	if !r.format.Start.IsZero() {
		r.next = r.format.Start.UnixMilli()
	}
	return slices.Contains(valueNames, name), nil
}

func (r *csvReader) unparsable(where place, why string) error {
	r.report.Samples++
	r.report.Unparsable++
	where.note(r.report, "%s", why)
	return nil
}
