package trace

import (
	"bufio"
	"errors"
	"fmt"
	"strings"
)

// maxLine is the longest line that is read: a column for each of some hundred
// pods.
const maxLine = 1 << 16

// readCSV reads lines of columns below a header, or lines of one number.
func readCSV(in *bufio.Reader, format Format) (samples, Report, error) {
	report := Report{}
	lines := bufio.NewScanner(in)
	lines.Buffer(make([]byte, 0, 4096), maxLine)
	r := csvReader{format: format, report: &report, all: newBySeries()}
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
	if len(format.Series) > 0 && r.left > 0 && len(r.all.series) == 0 {
		return nil, report, fmt.Errorf("%w: it has no series with the wanted labels", ErrNothing)
	}
	all, err := r.all.together(&report, len(r.layout.labels) > 0)
	return all, report, err
}

// csvReader reads line by line.
type csvReader struct {
	format Format
	report *Report
	all    bySeries
	// separator is the one that the first line announced.
	separator string
	// layout is known once the header is read, and its labels once a line below it is.
	layout        layout
	labelsLearned bool
	// next is the time of the next number without one, in Unix milliseconds.
	next int64
	// left is how many lines belong to series that are not wanted.
	left int
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
	if !r.labelsLearned {
		r.labelsLearned = true
		if err := r.layout.findLabels(fields, &r.format); err != nil {
			return err
		}
	}
	if r.layout.single() {
		return r.number(where, fields[0])
	}
	if !r.layout.wanted(fields, r.format.Series) {
		r.left++
		return nil
	}
	moment := r.layout.moment(fields)
	at, err := parseTime(moment, r.format.Zone)
	if err != nil {
		return r.unparsable(where, fmt.Sprintf("time %q %v", shortened(moment), err))
	}
	for _, column := range r.layout.values {
		if err := r.all.collect(r.layout.series(fields, column), r.report, where, at, r.layout.number(fields, column)); err != nil {
			return err
		}
	}
	return nil
}

// number reads a line that has a number and no time.
func (r *csvReader) number(where place, text string) error {
	at, err := inRange(r.next)
	if err != nil {
		return r.unparsable(where, "is after the last time there is")
	}
	r.next += r.format.Step.Milliseconds()
	return r.all.collect("", r.report, where, at, text)
}

// first learns from the first line what the columns are, and tells whether it
// is a header or only says how columns are separated.
func (r *csvReader) first(text string) (header bool, err error) {
	if said, ok := announced(text); ok && r.separator == "" {
		r.separator = said
		return true, nil
	}
	if r.layout, header, err = layoutOf(text, r.separator, &r.format); err != nil || !r.layout.single() {
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
