package scaletest

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/tidemark/tidemark/explain"
)

func (s *state) needsRun(src source) error {
	if s.last == nil {
		return atLine(src.line, fmt.Errorf("%q speaks of a run: put it below an eval", src.head))
	}
	return nil
}

// always checks "replicas in A..B", or a comparison, at every moment.
func (s *state) always(src source, rest string) error {
	if err := s.needsRun(src); err != nil {
		return err
	}
	words := strings.Fields(rest)
	if len(words) != 3 || words[0] != "replicas" {
		return atLine(src.line, fmt.Errorf("always takes: replicas in A..B, or replicas <= N"))
	}
	holds, err := condition(words[1], words[2], func(text string) (int64, error) { return strconv.ParseInt(text, 10, 32) })
	if err != nil {
		return atLine(src.line, err)
	}
	s.checks++
	for _, m := range s.last.moments {
		if !holds(int64(m.decision.Want.Replicas)) {
			s.fail(src.line, src.head, fmt.Sprintf("%d replicas at %s", m.decision.Want.Replicas, m.at), explain.Text(m.decision))
			return nil
		}
	}
	return nil
}

// total checks a sum over the run: changes, ups, downs or starved time.
func (s *state) total(src source, rest string) error {
	if err := s.needsRun(src); err != nil {
		return err
	}
	words := strings.Fields(rest)
	if len(words) != 3 {
		return atLine(src.line, fmt.Errorf("total takes a sum and a bound, such as: changes <= 5, or starved <= 2m"))
	}
	number := func(text string) (int64, error) { return strconv.ParseInt(text, 10, 64) }
	got, shown := s.last.sum(words[0])
	if words[0] == "starved" {
		number = func(text string) (int64, error) { d, err := parseDuration(text); return int64(d), err }
	}
	if shown == "" {
		return atLine(src.line, fmt.Errorf("%q is none of changes, ups, downs, starved", words[0]))
	}
	holds, err := condition(words[1], words[2], number)
	if err != nil {
		return atLine(src.line, err)
	}
	s.checks++
	if !holds(got) {
		s.fail(src.line, src.head, shown, "")
	}
	return nil
}

// sum adds one thing up over a run.
func (h *history) sum(what string) (n int64, shown string) {
	for _, m := range h.moments {
		from, to := m.decision.From.Replicas, m.decision.Want.Replicas
		switch {
		case what == "starved" && m.starved:
			n += int64(h.every)
		case what == "changes" && !m.decision.From.Equal(m.decision.Want),
			what == "ups" && to > from, what == "downs" && to < from:
			n++
		}
	}
	switch what {
	case "starved":
		return n, fmt.Sprintf("starved for %s", time.Duration(n))
	case "changes", "ups", "downs":
		return n, fmt.Sprintf("%d %s", n, what)
	}
	return 0, ""
}

// condition reads "in A..B", "<= N", ">= N" or "== N".
func condition(op, operand string, parse func(string) (int64, error)) (func(int64) bool, error) {
	low, high := operand, operand
	if op == "in" {
		var ok bool
		if low, high, ok = strings.Cut(operand, ".."); !ok {
			return nil, fmt.Errorf("%q is not a range A..B", operand)
		}
	}
	a, err := parse(low)
	if err != nil {
		return nil, fmt.Errorf("%q cannot be compared with: %w", low, err)
	}
	b, err := parse(high)
	if err != nil {
		return nil, fmt.Errorf("%q cannot be compared with: %w", high, err)
	}
	switch op {
	case "in":
		return func(n int64) bool { return n >= a && n <= b }, nil
	case "<=":
		return func(n int64) bool { return n <= b }, nil
	case ">=":
		return func(n int64) bool { return n >= a }, nil
	case "==":
		return func(n int64) bool { return n == a }, nil
	}
	return nil, fmt.Errorf("%q is none of in, <=, >=, ==", op)
}

// explain checks the exact text a user sees at a moment, and rewrites it in
// the updated script.
func (s *state) explain(src source, rest string) error {
	if err := s.needsRun(src); err != nil {
		return err
	}
	text, ok := strings.CutPrefix(rest, "at ")
	at, err := parseDuration(strings.TrimSpace(text))
	if !ok || err != nil {
		return atLine(src.line, fmt.Errorf("explain takes a moment, such as: explain at 30s"))
	}
	s.checks++
	for _, m := range s.last.moments {
		if m.at == at {
			s.checkText(src, explain.Text(m.decision))
			return nil
		}
	}
	s.fail(src.line, src.head, fmt.Sprintf("no decision is made at that moment: they are every %s", s.last.every), "")
	return nil
}

func (s *state) checkText(src source, got string) {
	var lines []string
	for line := range strings.Lines(got) {
		lines = append(lines, "  "+strings.TrimRight(line, "\n "))
	}
	want := s.lines[src.line:src.end]
	if strings.Join(want, "\n") != strings.Join(lines, "\n") {
		s.fail(src.line, src.head+" and this text", "another text", got)
	}
	head := append([]string(nil), s.updated[:src.line+s.shift]...)
	s.updated = append(append(head, lines...), s.updated[src.end+s.shift:]...)
	s.shift += len(lines) - len(want)
}
