package trace

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// The names of columns, in headers.
var (
	timeNames  = []string{"time", "timestamp", "period", "datetime", "date", "ts"}
	valueNames = []string{"value", "count"}
)

// layout says where in a line the time and the value stand.
type layout struct {
	separator string
	columns   int
	// names are those of the header, in lower case.
	names []string
	// time is a column. clock is the column of the time of day where the date has
	// a column of its own, and -1 elsewhere.
	time, clock int
	// values are the columns of values, labels those that tell series apart.
	values, labels []int
}

// single tells whether there is one number a line, without a time.
func (l *layout) single() bool { return l.columns == 1 }

// layoutOf learns the layout from the first line, and tells whether that is a
// header. Only lines of one number may do without.
func layoutOf(line, separator string, format *Format) (l layout, header bool, err error) {
	l = layout{separator: separator, clock: -1}
	if separator == "" {
		l.separator = separatorOf(line)
	}
	names := fieldsOf(line, l.separator)
	l.columns, l.names = len(names), names
	for i := range names {
		names[i] = strings.ToLower(names[i])
	}
	if l.single() {
		asked := slices.ContainsFunc(format.Columns, func(column string) bool { return strings.EqualFold(column, names[0]) })
		return l, asked || slices.Contains(valueNames, names[0]), nil
	}
	if !l.findTime(names) {
		return l, false, fmt.Errorf("%w: the first line must be a header with a column of times (%s) and one of values, such as time,value, or "+
			"there must be one number a line, got %q",
			ErrNotTrace, strings.Join(timeNames, ", "), shortened(line))
	}
	return l, true, l.findValues(format)
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

// findValues finds the columns of values: those that are asked for by name or
// number, all of them, the one whose name says so, or the only one that is left.
func (l *layout) findValues(format *Format) error {
	left := l.left()
	for _, column := range format.Columns {
		value := slices.Index(l.names, strings.ToLower(column))
		if n, err := strconv.Atoi(column); value < 0 && err == nil {
			value = n - 1
		}
		if !slices.Contains(left, value) {
			return fmt.Errorf("%w: there is no column %q of values among %s", ErrNotTrace, shortened(column), listed(l.names))
		}
		if !slices.Contains(l.values, value) {
			l.values = append(l.values, value)
		}
	}
	switch {
	case len(l.values) > 1 && !format.Sum:
		return fmt.Errorf("%w: %d columns are asked for", ErrColumns, len(l.values))
	case len(l.values) > 0:
		return nil
	case format.Sum:
		l.values = left
		return nil
	}
	for _, i := range left {
		if slices.Contains(valueNames, l.names[i]) {
			l.values = []int{i}
			return nil
		}
	}
	if len(left) != 1 {
		return fmt.Errorf("%w: it has the columns %s, and none is called value: say which is meant", ErrColumns, listed(l.names))
	}
	l.values = left
	return nil
}

// left are the columns that do not hold times.
func (l *layout) left() []int {
	var out []int
	for i := range l.names {
		if i != l.time && i != l.clock {
			out = append(out, i)
		}
	}
	return out
}

// findLabels finds the columns that tell series apart, such as the pod's name:
// those that are wanted by name, and those whose first text is not a number. A
// column of other numbers is left alone.
func (l *layout) findLabels(fields []string, format *Format) error {
	if l.single() {
		return nil
	}
	wanted := format.Series
	if format.Sum && len(format.Columns) == 0 {
		l.dropTexts(fields)
	}
	for _, name := range slices.Sorted(maps.Keys(wanted)) {
		if !slices.Contains(l.names, strings.ToLower(name)) {
			return fmt.Errorf("%w: there is no column %q of labels among %s", ErrNotTrace, shortened(name), listed(l.names))
		}
	}
	for _, i := range l.left() {
		_, err := parseValue(fields[i])
		_, asked := label(wanted, l.names[i])
		if !slices.Contains(l.values, i) && (err != nil || asked) {
			l.labels = append(l.labels, i)
		}
	}
	return nil
}

// dropTexts leaves texts out of a sum of all columns where one is called value: the
// others tell its series apart, and are no numbers that cannot be read.
func (l *layout) dropTexts(fields []string) {
	if !slices.ContainsFunc(l.values, func(i int) bool { return slices.Contains(valueNames, l.names[i]) }) {
		return
	}
	l.values = slices.DeleteFunc(l.values, func(i int) bool {
		_, err := parseValue(l.number(fields, i))
		return err != nil && fields[i] != "" && !slices.Contains(valueNames, l.names[i])
	})
}

// label is the value that a label must have, if any is asked for.
func label(wanted map[string]string, name string) (value string, asked bool) {
	for key, value := range wanted {
		if strings.EqualFold(key, name) {
			return value, true
		}
	}
	return "", false
}

// wanted tells whether a line is of a series that is asked for.
func (l *layout) wanted(fields []string, wanted map[string]string) bool {
	if len(wanted) == 0 {
		return true
	}
	for _, i := range l.labels {
		if value, asked := label(wanted, l.names[i]); asked && value != fields[i] {
			return false
		}
	}
	return true
}

// series names the series that a value of a line belongs to.
func (l *layout) series(fields []string, column int) string {
	if len(l.labels) == 0 {
		return l.names[column]
	}
	name := strings.Builder{}
	name.WriteString(l.names[column])
	for _, i := range l.labels {
		name.WriteByte(0)
		name.WriteString(fields[i])
	}
	return name.String()
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
func (l *layout) number(fields []string, column int) string {
	text := fields[column]
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
