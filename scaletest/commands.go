package scaletest

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/tidemark/tidemark/api/v1alpha1"
	"github.com/tidemark/tidemark/fault"
	"github.com/tidemark/tidemark/internal/apply/plan"
	"github.com/tidemark/tidemark/internal/replay/sim"
	"github.com/tidemark/tidemark/internal/strict"
	"github.com/tidemark/tidemark/policy"
	"github.com/tidemark/tidemark/scale"
)

// commands lists the words a script may begin a statement with.
var commands = map[string]func(*state, source, string) error{
	"policy":   (*state).setPolicy,
	"admin":    (*state).setAdmin,
	"start":    (*state).setStart,
	"workload": (*state).setWorkload,
	"hpa":      (*state).setHPA,
	"tuned":    (*state).tuned,
	"load":     (*state).setLoad,
	"eval":     (*state).eval,
	"decide":   (*state).table,
	"settle":   (*state).settle,
	"always":   (*state).always,
	"total":    (*state).total,
	"explain":  (*state).explain,
}

func (s *state) command(src source) error {
	word, rest, _ := strings.Cut(src.head, " ")
	run, ok := commands[word]
	if !ok {
		return atLine(src.line,
			fmt.Errorf("%q is not a command: write policy, admin, start, workload, hpa, load, eval, decide, settle, always, total, tuned or explain", word))
	}
	return run(s, src, strings.TrimSpace(rest))
}

// setPolicy reads a spec. «policy invalid TEXT» is a check of its own: the
// spec must be refused with a message that contains TEXT.
func (s *state) setPolicy(src source, rest string) error {
	var spec v1alpha1.WorkloadAutoscalerSpec
	faults := strict.Unmarshal([]byte(src.text(s.lines)), &spec)
	if len(faults) == 0 {
		s.spec = spec
		faults = fault.Of(s.compile())
	}
	fragment, invalid := strings.CutPrefix(rest, "invalid")
	if !invalid {
		if rest != "" {
			return atLine(src.line, fmt.Errorf("policy takes no words but invalid TEXT, got %q", rest))
		}
		return atLine(src.line, faults.Err())
	}
	s.policy = nil
	s.checks++
	if fragment = strings.TrimSpace(fragment); len(faults) == 0 {
		s.fail(src.line, "a refusal: "+fragment, "the policy was accepted", "")
	} else if !strings.Contains(faults.Error(), fragment) {
		s.fail(src.line, "a refusal: "+fragment, "another refusal", faults.Error()+"\n")
	}
	return nil
}

func (s *state) setAdmin(src source, _ string) error {
	s.admin = v1alpha1.AdminSettings{}
	if faults := strict.Unmarshal([]byte(src.text(s.lines)), &s.admin); len(faults) > 0 {
		return atLine(src.line, faults)
	}
	if s.policy == nil {
		return nil
	}
	return atLine(src.line, s.compile())
}

// compile asks the engine whether it takes the policy, and readies it for those
// who observe.
func (s *state) compile() error {
	if _, err := s.engine(s.spec, s.admin); err != nil {
		return err
	}
	compiled, err := policy.Compile(s.spec, s.admin)
	s.policy = &compiled
	return err
}

func (s *state) setStart(src source, rest string) error {
	at, err := time.Parse(time.RFC3339, rest)
	if err != nil {
		return atLine(src.line, fmt.Errorf("start takes a moment such as 2026-01-05T10:00:00Z, got %q", rest))
	}
	s.start = at
	return nil
}

// setWorkload reads
// "N replicas [, M ready] [, cpu Q memory Q] [, limit cpu Q] [, starts in D]
// [, resizes in D | resizes never]".
func (s *state) setWorkload(src source, rest string) error {
	parts := strings.Split(rest, ",")
	n, ok := strings.CutSuffix(strings.TrimSpace(parts[0]), " replicas")
	replicas, err := strconv.ParseInt(n, 10, 32)
	if !ok || err != nil || replicas < 0 {
		return atLine(src.line, fmt.Errorf("workload starts with its size, such as: workload 4 replicas"))
	}
	w := workload{replicas: int32(replicas), ready: int32(replicas)}
	for _, part := range parts[1:] {
		if err := w.attribute(strings.Fields(part)); err != nil {
			return atLine(src.line, err)
		}
	}
	s.workload = w
	return nil
}

func (w *workload) attribute(words []string) (err error) {
	switch {
	case len(words) == 2 && words[1] == "ready":
		var ready int64
		ready, err = strconv.ParseInt(words[0], 10, 32)
		w.ready = int32(ready)
	case len(words) == 3 && words[0] == "starts" && words[1] == "in":
		w.startUp, err = parseDuration(words[2])
	case len(words) == 3 && words[0] == "resizes" && words[1] == "in":
		var takes time.Duration
		takes, err = parseDuration(words[2])
		w.resizes = &sim.Resizing{Delay: takes}
	case len(words) == 2 && words[0] == "resizes" && words[1] == "never":
		w.resizes = &sim.Resizing{Update: plan.InPlace, Infeasible: scale.Parts}
	case len(words) == 4 && words[0] == "cpu" && words[2] == "memory":
		w.requests, err = parseResources(words[1] + " " + words[3])
	case len(words) == 2 && words[0] == "cpu":
		w.requests, err = parseResources(words[1])
	case len(words) == 3 && words[0] == "limit" && words[1] == "cpu":
		w.limits, err = parseResources(words[2])
	default:
		err = fmt.Errorf("%q is none of: M ready, cpu Q memory Q, limit cpu Q, starts in D, resizes in D, resizes never", strings.Join(words, " "))
	}
	return err
}

func (s *state) setLoad(src source, rest string) error {
	every, err := everyDuration(rest)
	if err != nil {
		return atLine(src.line, err)
	}
	s.every, s.load = every, nil
	for _, b := range src.block {
		text := uncommented(b.text)
		if text == "" {
			continue
		}
		l, err := parseLoad(text)
		if err != nil {
			return atLine(b.line, err)
		}
		s.load = append(s.load, l)
	}
	return nil
}

var errEvery = errors.New("say how often, such as: every 15s")

func everyDuration(rest string) (time.Duration, error) {
	text, ok := strings.CutPrefix(rest, "every ")
	if !ok {
		return 0, errEvery
	}
	d, err := parseDuration(strings.TrimSpace(text))
	if err == nil && d <= 0 {
		err = errEvery
	}
	return d, err
}
