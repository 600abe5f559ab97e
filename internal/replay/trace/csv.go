package trace

import (
	"bufio"
	"errors"
	"fmt"
	"strings"
)

// maxLine is the longest line that is read.
const maxLine = 4096

// readCSV reads lines of columns below a header, or lines of one number.
func readCSV(in *bufio.Reader, format Format) (samples, Report, error) {
	report := Report{Series: 1}
	lines := bufio.NewScanner(in)
	lines.Buffer(make([]byte, 0, maxLine), maxLine)
	r := csvReader{format: format, report: &report}
	for n := 1; lines.Scan(); n++ {
		if strings.TrimSpace(lines.Text()) == "" {
			continue
		}
		if err := r.line(n, lines.Text()); err != nil {
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

// csvReader reads line by line.
type csvReader struct {
	format  Format
	report  *Report
	samples samples
	// layout is known once the first line is read.
	layout layout
	// next is the time of the next number without one, in Unix milliseconds.
	next int64
}

func (r *csvReader) line(n int, text string) error {
	if r.layout.columns == 0 {
		header, err := r.first(text)
		if header || err != nil {
			return err
		}
	}
	where, fields := place{"line", n}, fieldsOf(text, r.layout.separator)
	if len(fields) != r.layout.columns {
		return r.unparsable(where, fmt.Sprintf("has %d columns instead of %d", len(fields), r.layout.columns))
	}
	if r.layout.single() {
		at, err := inRange(r.next)
		if err != nil {
			return r.unparsable(where, "is after the last time there is")
		}
		r.next += r.format.Step.Milliseconds()
		return r.samples.collect(r.report, where, at, fields[0])
	}
	moment := r.layout.moment(fields)
	at, err := parseTime(moment, r.format.Zone)
	if err != nil {
		return r.unparsable(where, fmt.Sprintf("time %q %v", shortened(moment), err))
	}
	return r.samples.collect(r.report, where, at, r.layout.number(fields))
}

// first learns from the first line what the columns are, and tells whether it
// is a header.
func (r *csvReader) first(text string) (header bool, err error) {
	if r.layout, header, err = layoutOf(text, r.format.Column); err != nil || !r.layout.single() {
		return header, err
	}
	if r.format.Step.Milliseconds() <= 0 {
		return false, fmt.Errorf("%w: numbers without a time need a step", ErrNotTrace)
	}
	r.next = defaultStart.UnixMilli()
	if !r.format.Start.IsZero() {
		r.next = r.format.Start.UnixMilli()
	}
	return header, nil
}

func (r *csvReader) unparsable(where place, why string) error {
	r.report.Samples++
	r.report.Unparsable++
	where.note(r.report, "%s", why)
	return nil
}
