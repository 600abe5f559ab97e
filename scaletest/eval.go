package scaletest

import (
	"errors"
	"fmt"
	"time"

	"github.com/tidemark/tidemark/explain"
	"github.com/tidemark/tidemark/internal/replay/sim"
	"github.com/tidemark/tidemark/scale"
)

// history is a run: its decisions in order.
type history struct {
	every   time.Duration
	moments []moment
}

type moment struct {
	at       time.Duration
	decision scale.Decision
	// starved is set while the ready pods request less than the demand.
	starved bool
	// hpa is the HPA that is tuned, as it was left.
	hpa string
}

var errNoPolicy = errors.New("needs a valid policy above")

// eval runs the loop over the load, applying each decision, and checks the
// rows. A moment that no row names must stay.
func (s *state) eval(src source, rest string) error {
	every, err := everyDuration(rest)
	if err == nil && s.policy == nil {
		err = fmt.Errorf("eval %w", errNoPolicy)
	}
	if err != nil {
		return atLine(src.line, err)
	}
	rows, err := parseRows(src.block)
	if err != nil {
		return err
	}
	names := make([]string, len(s.load))
	for i, l := range s.load {
		names[i] = l.name
	}
	if err := checkNames(s.policy, names); err != nil {
		return atLine(src.line, err)
	}
	if s.last, err = s.run(every, s.length(rows)); err != nil {
		return atLine(src.line, err)
	}
	s.checkRows(src, rows)
	return nil
}

func parseRows(block []blockLine) ([]expectation, error) {
	var rows []expectation
	for _, b := range block {
		if uncommented(b.text) == "" {
			continue
		}
		e, err := parseExpectation(b)
		if err != nil {
			return nil, atLine(b.line, err)
		}
		rows = append(rows, e)
	}
	return rows, nil
}

// length is how long a run takes: to the end of the load or the last row.
func (s *state) length(rows []expectation) time.Duration {
	end := time.Duration(0)
	for _, l := range s.load {
		end = max(end, time.Duration(len(l.values)-1)*s.every)
	}
	for _, r := range rows {
		end = max(end, r.to)
	}
	return end
}

func (s *state) run(every, length time.Duration) (*history, error) {
	decider, err := s.engine(s.spec, s.admin)
	if err != nil {
		return nil, err
	}
	w := s.newWorkload(s.workload)
	h, tuned := &history{every: every}, s.newHPA()
	for t := time.Duration(0); t <= length; t += every {
		at := s.start.Add(t)
		v := s.valuesAt(t)
		w.Settle(at)
		obs := observe(s.policy, w, at, v)
		obs.HPA = tuned.observed()
		v.spike(decider, &obs)
		d := decider.Decide(obs)
		tuned.tune(d.Tuning)
		h.moments = append(h.moments, moment{at: t, decision: d, starved: starved(w, at, v), hpa: tuned.String()})
		w.Apply(at, d.Want)
	}
	return h, nil
}

func (s *state) newWorkload(from workload) *sim.Workload {
	w := sim.NewWorkload(s.start, from.replicas, from.ready)
	w.Requests, w.Limits, w.StartUp, w.Boost.Rules = from.requests, from.limits, from.startUp, s.policy.Boost
	if from.resizes != nil {
		w.ResizeInRounds(*from.resizes, func(int, int) scale.Resize { return scale.ResizeInfeasible })
	}
	return w
}

func (s *state) valuesAt(t time.Duration) values {
	v := values{}
	for _, l := range s.load {
		v[key(l.name, l.total)] = l.at(int(t / s.every))
	}
	return v
}

// starved tells whether a demand is larger than what the ready pods request.
func starved(w *sim.Workload, at time.Time, v values) bool {
	for _, r := range scale.EveryResource {
		demand, request := v[key(r.String(), true)], scale.Amount(0)
		request, ok := w.Requests.Get(r)
		if ok && demand.known && demand.amount > request.Times(int64(w.Ready(at))) {
			return true
		}
	}
	return false
}

func (s *state) checkRows(src source, rows []expectation) {
	named := make([]bool, len(rows))
	for _, m := range s.last.moments {
		s.checks++
		row := -1
		for i, r := range rows {
			if m.at >= r.from && m.at <= r.to {
				row, named[i] = i, true
			}
		}
		if row >= 0 {
			s.checkMove(rows[row].line, rows[row].text, m.at, rows[row].move, m.decision)
		} else if !m.decision.Want.Equal(m.decision.From) {
			s.fail(src.line, fmt.Sprintf("%s  stay %d  (no row names this moment)", m.at, m.decision.From.Replicas),
				fmt.Sprintf("%s  %s", m.at, moveText(m.decision)), explain.Text(m.decision))
		}
	}
	for i, r := range rows {
		if !named[i] {
			s.checks++
			s.fail(r.line, r.text, fmt.Sprintf("no decision is made at that moment: they are every %s", s.last.every), "")
		}
	}
}

func (s *state) checkMove(line int, text string, at time.Duration, want move, d scale.Decision) {
	if want.matches(d) {
		return
	}
	s.fail(line, text, fmt.Sprintf("%s  %s", at, moveText(d)), explain.Text(d))
}

func (m move) matches(d scale.Decision) bool {
	if !m.before.matches(d.From) || !m.after.matches(d.Want) {
		return false
	}
	return m.reason == "" || (m.reason == d.Reason && m.limitedBy == d.LimitedBy)
}

// matches compares the count, and the requests where they are stated.
func (s size) matches(got scale.Size) bool {
	if s.replicas != got.Replicas {
		return false
	}
	for _, r := range scale.EveryResource {
		want, stated := s.requests.Get(r)
		if !stated {
			continue
		}
		if len(got.Containers) == 0 {
			return false
		}
		if have, ok := got.Containers[0].Requests.Get(r); !ok || have != want {
			return false
		}
	}
	return true
}

// moveText is a decision as a row would state it.
func moveText(d scale.Decision) string {
	if d.Want.Equal(d.From) {
		return fmt.Sprintf("stay %s  %s", sizeText(d.Want), explain.Because(d))
	}
	return fmt.Sprintf("%s -> %s  %s", sizeText(d.From), sizeText(d.Want), explain.Because(d))
}

func sizeText(s scale.Size) string {
	if len(s.Containers) == 0 {
		return fmt.Sprint(s.Replicas)
	}
	return size{s.Replicas, s.Containers[0].Requests}.String()
}

func resourcesText(all scale.Resources) string {
	text := ""
	for _, r := range scale.EveryResource {
		if a, ok := all.Get(r); ok {
			text += " " + r.Format(a)
		}
	}
	return text
}
