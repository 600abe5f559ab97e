package trace

import "strings"

// separators are what may stand between columns, the likeliest first.
const separators = ",;\t"

// separatorOf is the separator that a line has most of, outside quotes.
func separatorOf(line string) string {
	best, most := separators[:1], -1
	for s := range strings.SplitSeq(separators, "") {
		if n := len(split(line, s)); n > most {
			best, most = s, n
		}
	}
	return best
}

// announced is the separator that a first line sep=; announces, as spreadsheets
// and Grafana write it.
func announced(line string) (separator string, ok bool) {
	said, ok := strings.CutPrefix(strings.ToLower(strings.Trim(trimmed(line), `"`)), "sep=")
	if !ok || len(said) != 1 || !strings.Contains(separators, said) {
		return "", false
	}
	return said, true
}

// fieldsOf splits a line, or returns nil for an empty one.
func fieldsOf(line, separator string) []string {
	line = trimmed(line)
	if strings.TrimSpace(line) == "" {
		return nil
	}
	fields := split(line, separator)
	for i, f := range fields {
		fields[i] = unquoted(strings.TrimSpace(f))
	}
	return fields
}

// trimmed is a line without what editors put around it.
func trimmed(line string) string { return strings.Trim(strings.TrimPrefix(line, "\ufeff"), " \r\n") }

// split cuts a line at its separators, but not at those within quotes, where the
// labels of a series have them.
func split(line, separator string) []string {
	if !strings.Contains(line, `"`) {
		return strings.Split(line, separator)
	}
	var fields []string
	start, quoted := 0, false
	for i := range len(line) {
		switch {
		case line[i] == '"':
			quoted = !quoted
		case !quoted && line[i] == separator[0]:
			fields = append(fields, line[start:i])
			start = i + 1
		}
	}
	return append(fields, line[start:])
}

// unquoted is the text inside quotes, in which a quote is written twice.
func unquoted(field string) string {
	if !strings.HasPrefix(field, `"`) {
		return field
	}
	return strings.ReplaceAll(strings.TrimSuffix(field[1:], `"`), `""`, `"`)
}
