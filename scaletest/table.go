package scaletest

import (
	"fmt"
	"strings"

	"github.com/tidemark/tidemark/engine"
	"github.com/tidemark/tidemark/engine/horizontal"
	"github.com/tidemark/tidemark/explain"
	"github.com/tidemark/tidemark/scale"
)

// table checks a pipe table: one stateless decision a row. The columns now,
// ready, want and because speak of the workload and the decision, some of
// the pods that are not ready, every other column is a load.
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
			if outOfServiceColumns[c] {
				continue
			}
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
	var out outOfService
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
			readyStated = true
			row.ready, err = parseCount(cell)
		case "want":
			want.after, err = parseSize(cell)
		case "total":
			if err = v.need(cell); s.policy.Interval == nil {
				v.demand(s.policy)
			}
		case "because":
			want.reason, want.limitedBy = parseBecause(cell)
		default:
			if outOfServiceColumns[column] {
				err = out.read(column, cell)
			} else {
				v[column], err = parseValue(cell)
			}
		}
		if err != nil {
			return err
		}
	}
	if !readyStated {
		row.ready = row.replicas
	}
	obs := observe(s.policy, s.newWorkload(row), s.start, v)
	obs.HPA = s.newHPA().observed()
	out.apply(&obs)
	decider, err := s.engine(s.spec, s.admin)
	if err != nil {
		return err
	}
	d := decider.Decide(obs)
	s.checks++
	if !want.matches(d) {
		s.fail(b.line, strings.TrimSpace(b.text), moveText(d), explain.Text(d))
	}
	return nil
}

// need reads a total of cpu and memory.
func (v values) need(text string) error {
	total, err := parseResources(text)
	for _, r := range scale.EveryResource {
		if a, ok := total.Get(r); ok {
			v["needs "+r.String()] = loadValue{amount: a, known: true}
		}
	}
	return err
}

// demand lets a total mean what it can mean without intervals: the demand that
// the ready pods share, or the value of the only metric there is.
func (v values) demand(p *engine.Policy) {
	for _, r := range scale.EveryResource {
		if a, ok := v["needs "+r.String()]; ok {
			v[key(r.String(), true)] = a
		}
	}
	if m := p.Horizontal.Metrics; len(m) == 1 && m[0].Kind >= horizontal.Pods {
		v[key(m[0].Name, true)] = v["needs cpu"]
	}
}

// settle checks that every start ends at the same size: a workload that needs
// this total is decided on, again and again, until it rests.
func (s *state) settle(src source, rest string) error {
	if s.policy == nil {
		return atLine(src.line, fmt.Errorf("settle %w", errNoPolicy))
	}
	needs, text, ok := strings.Cut(rest, " at ")
	needs, isTotal := strings.CutPrefix(needs, "total ")
	end, err := parseSize(text)
	v := values{}
	if err == nil {
		err = v.need(needs)
	}
	if !ok || !isTotal || err != nil {
		return atLine(src.line, fmt.Errorf("settle takes a total and a size, such as: settle total 4500m 18Gi at 3 x 1500m 6Gi"))
	}
	for _, b := range src.block {
		text, ok := strings.CutPrefix(uncommented(b.text), "from ")
		if uncommented(b.text) == "" {
			continue
		}
		start, err := parseSize(text)
		if !ok || err != nil {
			return atLine(b.line, fmt.Errorf("a start is written as: from 2 x 1 4Gi"))
		}
		if err := s.settleFrom(b, start, end, v); err != nil {
			return atLine(b.line, err)
		}
	}
	return nil
}

// mostRounds is how many decisions a workload may take to come to rest.
const mostRounds = 1000

func (s *state) settleFrom(b blockLine, start, end size, v values) error {
	decider, err := s.engine(s.spec, s.admin)
	if err != nil {
		return err
	}
	w := s.newWorkload(workload{replicas: start.replicas, ready: start.replicas, requests: start.requests})
	at := s.start
	var d scale.Decision
	for range mostRounds {
		d = decider.Decide(observe(s.policy, w, at, v))
		w.Apply(at, d.Want)
		at = at.Add(s.policy.Sync)
	}
	s.checks++
	if !end.matches(d.Want) {
		s.fail(b.line, fmt.Sprintf("%s  ends at %s", strings.TrimSpace(b.text), end), "ends at "+sizeText(d.Want), explain.Text(d))
	}
	return nil
}
