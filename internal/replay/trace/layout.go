package trace

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// The names of columns, in headers.
var (
	timeNames  = []string{"time", "timestamp", "period", "datetime", "date", "ts"}
	valueNames = []string{"value", "count"}
)

// separators are what may stand between columns, the likeliest first.
const separators = ",;\t"

// layout says where in a line the time and the value stand.
type layout struct {
	separator string
	columns   int
	// time and value are columns. clock is the column of the time of day where
	// the date has a column of its own, and -1 elsewhere.
	time, clock, value int
}

// single tells whether there is one number a line, without a time.
func (l *layout) single() bool { return l.columns == 1 }

// layoutOf learns the layout from the first line, and tells whether that is a
// header. Only lines of one number may do without.
func layoutOf(line, column string) (l layout, header bool, err error) {
	l = layout{separator: separatorOf(line), clock: -1}
	names := fieldsOf(line, l.separator)
	l.columns = len(names)
	for i := range names {
		names[i] = strings.ToLower(names[i])
	}
	if l.single() {
		return l, slices.Contains(valueNames, names[0]) || (column != "" && names[0] == strings.ToLower(column)), nil
	}
	if !l.findTime(names) {
		return l, false, fmt.Errorf("%w: the first line must be a header with a column of times (%s) and one of values, such as time,value, or "+
			"there must be one number a line, got %q",
			ErrNotTrace, strings.Join(timeNames, ", "), shortened(line))
	}
	return l, true, l.findValue(names, column)
}

// separatorOf is the separator that a line has most of.
func separatorOf(line string) string {
	best := separators[:1]
	for s := range strings.SplitSeq(separators, "") {
		if strings.Count(line, s) > strings.Count(line, best) {
			best = s
		}
	}
	return best
}

// findTime finds the column of times, or those of the date and the time of day.
func (l *layout) findTime(names []string) bool {
	date, clock := slices.Index(names, "date"), slices.Index(names, "time")
	if date >= 0 && clock >= 0 {
		l.time, l.clock = date, clock
		return true
	}
	for _, name := range timeNames {
		if l.time = slices.Index(names, name); l.time >= 0 {
			return true
		}
	}
	return false
}

// findValue finds the column of values: the one that is asked for by name or
// number, the one whose name says so, or the only one that is left.
func (l *layout) findValue(names []string, column string) error {
	var left []int
	for i := range names {
		if i != l.time && i != l.clock {
			left = append(left, i)
		}
	}
	if column != "" {
		l.value = slices.Index(names, strings.ToLower(column))
		if n, err := strconv.Atoi(column); l.value < 0 && err == nil {
			l.value = n - 1
		}
		if slices.Contains(left, l.value) {
			return nil
		}
		return fmt.Errorf("%w: there is no column %q of values among %s", ErrNotTrace, shortened(column), listed(names))
	}
	for _, i := range left {
		if slices.Contains(valueNames, names[i]) {
			l.value = i
			return nil
		}
	}
	if len(left) != 1 {
		return fmt.Errorf("%w: it has the columns %s, and none is called value: say which is meant", ErrNotTrace, listed(names))
	}
	l.value = left[0]
	return nil
}

func listed(names []string) string {
	var out []string
	for _, n := range names[:min(len(names), 20)] {
		out = append(out, shortened(n))
	}
	return strings.Join(out, ", ")
}

// number is the text of a value. Where semicolons separate, a comma is a
// decimal point.
func (l *layout) number(fields []string) string {
	text := fields[min(l.value, len(fields)-1)]
	if l.separator == ";" {
		return strings.Replace(text, ",", ".", 1)
	}
	return text
}

// moment is the text of a time.
func (l *layout) moment(fields []string) string {
	if l.clock < 0 {
		return fields[l.time]
	}
	return fields[l.time] + " " + fields[l.clock]
}

// fieldsOf splits a line, or returns nil for an empty one.
func fieldsOf(line, separator string) []string {
	line = strings.Trim(strings.TrimPrefix(line, "\ufeff"), " \r\n")
	if strings.TrimSpace(line) == "" {
		return nil
	}
	fields := strings.Split(line, separator)
	for i, f := range fields {
		fields[i] = strings.Trim(strings.TrimSpace(f), `"`)
	}
	return fields
}
