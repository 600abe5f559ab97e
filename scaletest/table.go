package scaletest

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/tidemark/tidemark/engine"
	"github.com/tidemark/tidemark/explain"
)

// table checks a pipe table: one stateless decision a row. The columns now,
// ready, want and because speak of the workload and the decision, every other
// column is a load.
func (s *state) table(src source, _ string) error {
	if s.policy == nil {
		return atLine(src.line, fmt.Errorf("decide %w", errNoPolicy))
	}
	var columns []string
	for _, b := range src.block {
		text := uncommented(b.text)
		if text == "" {
			continue
		}
		cells, err := parseCells(text)
		if err != nil {
			return atLine(b.line, err)
		}
		if columns == nil {
			columns = cells
			if err := s.checkColumns(columns); err != nil {
				return atLine(b.line, err)
			}
			continue
		}
		if len(cells) != len(columns) {
			return atLine(b.line, fmt.Errorf("the row has %d cells, the table %d columns", len(cells), len(columns)))
		}
		if err := s.tableRow(b, columns, cells); err != nil {
			return atLine(b.line, err)
		}
	}
	return nil
}

func (s *state) checkColumns(columns []string) error {
	var loads []string
	for _, c := range columns {
		switch c {
		case "now", "ready", "want", "because":
		default:
			loads = append(loads, strings.TrimPrefix(c, "total "))
		}
	}
	return checkNames(s.policy, loads)
}

func parseCells(text string) ([]string, error) {
	inner, ok := strings.CutPrefix(text, "|")
	inner, ok2 := strings.CutSuffix(inner, "|")
	if !ok || !ok2 {
		return nil, fmt.Errorf("a row of a table stands between pipes: | … |")
	}
	cells := strings.Split(inner, "|")
	for i := range cells {
		cells[i] = strings.TrimSpace(cells[i])
	}
	return cells, nil
}

func (s *state) tableRow(b blockLine, columns, cells []string) error {
	row := s.workload
	readyStated := false
	var want move
	v := values{}
	for i, column := range columns {
		var err error
		switch cell := cells[i]; column {
		case "now":
			if want.before, err = parseSize(cell); err == nil {
				row.replicas = want.before.replicas
				if !want.before.requests.Empty() {
					row.requests = want.before.requests
				}
			}
		case "ready":
			var n int64
			n, err = strconv.ParseInt(cell, 10, 32)
			row.ready, readyStated = int32(n), true
		case "want":
			want.after, err = parseSize(cell)
		case "because":
			want.reason, want.limitedBy = parseBecause(cell)
		default:
			v[column], err = parseValue(cell)
		}
		if err != nil {
			return err
		}
	}
	if !readyStated {
		row.ready = row.replicas
	}
	seen := observe(s.policy, s.newWorkload(row), s.start, v)
	d, _ := s.decide(*s.policy, seen, engine.Memory{})
	s.checks++
	if !want.matches(d) {
		s.fail(b.line, strings.TrimSpace(b.text), moveText(d), explain.Text(d))
	}
	return nil
}
