package scaletest

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/tidemark/tidemark/scale"
)

// source is one command with its indented block.
type source struct {
	line  int
	head  string
	block []blockLine
	// end is the number of the last line that belongs to the block.
	end int
}

type blockLine struct {
	line int
	text string
}

// split cuts a script into commands: a line that starts in the first column,
// and the indented lines below it.
func split(lines []string) ([]source, error) {
	var out []source
	for i, raw := range lines {
		line := strings.TrimRight(raw, " \t\r")
		switch {
		case uncommented(line) == "" && (line == "" || line[0] == '#'):
			continue
		case line[0] == '\t' || line[0] == ' ':
			if len(out) == 0 {
				return nil, fmt.Errorf("line %d: an indented line belongs to a command above it, and there is none", i+1)
			}
			last := &out[len(out)-1]
			last.block = append(last.block, blockLine{i + 1, line})
			last.end = i + 1
		default:
			out = append(out, source{line: i + 1, head: uncommented(line), end: i + 1})
		}
	}
	return out, nil
}

// uncommented cuts a comment off a line that is not YAML.
func uncommented(line string) string {
	text, _, _ := strings.Cut(line, "#")
	return strings.TrimSpace(text)
}

// text returns the block as it was written, gaps included, so that YAML keeps
// its line structure and its own comments.
func (s source) text(lines []string) string {
	if len(s.block) == 0 {
		return ""
	}
	return strings.Join(lines[s.line:s.end], "\n") + "\n"
}

// twoWords are the first words of names that have a second: vpa cpu, learned
// min, headroom memory, spike cpu, tuned target, target
// queue, work queue, quota pods, node cpu, most memory, least cpu.
var twoWords = map[string]bool{"vpa": true, "learned": true, "headroom": true, "ceiling": true, "surge": true, "room": true, "spike": true, "tuned": true,
	"target": true, "work": true, "quota": true, "node": true, "most": true, "least": true}

// parseLoad reads "NAME v v*3 v..w*10 _".
func parseLoad(text string) (loadLine, error) {
	fields := strings.Fields(text)
	l := loadLine{}
	if len(fields) > 0 && fields[0] == "total" {
		l.total, fields = true, fields[1:]
	}
	if len(fields) > 1 && twoWords[fields[0]] {
		fields = append([]string{fields[0] + " " + fields[1]}, fields[2:]...)
	}
	if len(fields) < 2 {
		return l, fmt.Errorf("a load line is a name and its values, such as: cpu 300m*4 900m")
	}
	l.name = fields[0]
	for _, field := range fields[1:] {
		values, err := parseValues(field)
		if err != nil {
			return l, err
		}
		l.values = append(l.values, values...)
	}
	return l, nil
}

// maxValues bounds one load line; a week at 15 seconds has 40320.
const maxValues = 1_000_000

func parseValues(field string) ([]loadValue, error) {
	value, times, repeated := strings.Cut(field, "*")
	n := 1
	if repeated {
		var err error
		if n, err = strconv.Atoi(times); err != nil || n < 1 || n > maxValues {
			return nil, fmt.Errorf("%q: after * stands how often, from 1 to %d", field, maxValues)
		}
	}
	first, last, ramp := strings.Cut(value, "..")
	from, err := parseValue(first)
	if err != nil {
		return nil, err
	}
	to := from
	if ramp {
		if to, err = parseValue(last); err != nil {
			return nil, err
		}
		if !from.known || !to.known || n < 2 {
			return nil, fmt.Errorf("%q: a ramp is FIRST..LAST*STEPS with two steps or more", field)
		}
	}
	out := make([]loadValue, n)
	for i := range out {
		out[i] = from
		if ramp {
			out[i].amount += (to.amount - from.amount) * scale.Amount(i) / scale.Amount(n-1)
		}
	}
	return out, nil
}

func parseValue(text string) (loadValue, error) {
	if text == "_" {
		return loadValue{}, nil
	}
	a, err := scale.ParseAmount(text)
	if err != nil {
		return loadValue{}, fmt.Errorf("%q %w", text, err)
	}
	return loadValue{amount: a, known: true}, nil
}

// parseExpectation reads "T[..T] stay N|A -> B [Reason[, limited by REASON]]".
func parseExpectation(b blockLine) (expectation, error) {
	e := expectation{line: b.line, text: strings.TrimSpace(b.text)}
	when, rest, _ := strings.Cut(uncommented(b.text), " ")
	first, last, isRange := strings.Cut(when, "..")
	var err error
	if e.from, err = parseDuration(first); err != nil {
		return e, err
	}
	e.to = e.from
	if isRange {
		if e.to, err = parseDuration(last); err != nil {
			return e, err
		}
	}
	e.move, err = parseMove(strings.TrimSpace(rest))
	if err == nil && isRange && !e.move.stay() {
		err = fmt.Errorf("a range of moments can only stay")
	}
	return e, err
}

func parseMove(text string) (move, error) {
	var m move
	sizes, reason := splitReason(text)
	var err error
	if staying, ok := strings.CutPrefix(sizes, "stay"); ok {
		m.after, err = parseSize(staying)
		m.before = m.after
	} else if before, after, ok := strings.Cut(sizes, "->"); ok {
		if m.before, err = parseSize(before); err == nil {
			m.after, err = parseSize(after)
		}
	} else {
		err = fmt.Errorf("%q is neither «stay N» nor «A -> B»", sizes)
	}
	m.reason, m.limitedBy = parseBecause(reason)
	return m, err
}

// splitReason cuts a row where the reason begins: at the first word that is no
// part of a size.
func splitReason(text string) (sizes, reason string) {
	fields := strings.Fields(text)
	for i, f := range fields {
		if f != "stay" && f != "x" && f != "->" && (f[0] < '0' || f[0] > '9') {
			return strings.Join(fields[:i], " "), strings.Join(fields[i:], " ")
		}
	}
	return strings.Join(fields, " "), ""
}

func parseBecause(text string) (reason, limitedBy scale.Reason) {
	why, by, _ := strings.Cut(text, ", limited by ")
	return scale.Reason(strings.TrimSpace(why)), scale.Reason(strings.TrimSpace(by))
}

// parseSize reads "N" or "N x CPU MEMORY".
func parseSize(text string) (size, error) {
	count, pods, _ := strings.Cut(strings.TrimSpace(text), " x ")
	n, err := strconv.ParseInt(strings.TrimSpace(count), 10, 32)
	if err != nil {
		return size{}, fmt.Errorf("%q is not a replica count", count)
	}
	s := size{replicas: int32(n)}
	s.requests, err = parseResources(pods)
	return s, err
}

// parseResources reads "CPU [MEMORY]".
func parseResources(text string) (scale.Resources, error) {
	var out scale.Resources
	for i, field := range strings.Fields(text) {
		if i >= len(scale.EveryResource) {
			return out, fmt.Errorf("%q: at most a cpu and a memory quantity", text)
		}
		a, err := scale.ParseAmount(field)
		if err != nil {
			return out, fmt.Errorf("%q %w", field, err)
		}
		out = out.With(scale.EveryResource[i], a)
	}
	return out, nil
}

// parseDuration reads a Go duration; days may be written as 2d.
func parseDuration(text string) (time.Duration, error) {
	days, rest, hasDays := strings.Cut(text, "d")
	if !hasDays {
		days, rest = "0", text
	}
	n, err := strconv.Atoi(days)
	if err != nil {
		return 0, fmt.Errorf("%q is not a time such as 30s, 5m or 1d2h", text)
	}
	total := time.Duration(n) * 24 * time.Hour
	if rest == "" {
		return total, nil
	}
	d, err := time.ParseDuration(rest)
	if err != nil || d < 0 {
		return 0, fmt.Errorf("%q is not a time such as 30s, 5m or 1d2h", text)
	}
	return total + d, nil
}
