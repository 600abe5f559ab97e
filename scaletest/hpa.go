package scaletest

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/tidemark/tidemark/internal/replay/sim"
	"github.com/tidemark/tidemark/scale"
)

// hpa is the HPA that a policy with actuator HPA keeps tuned: what its owner
// gave it, and what it has now.
type hpa struct {
	own, now scale.HPA
}

// setHPA reads "A..B [, cpu N] [, memory N] [, untuned WORDS]": the words name a
// metric that cannot be tuned, and say why.
func (s *state) setHPA(src source, rest string) error {
	own, err := parseHPA(rest)
	if err != nil {
		return atLine(src.line, err)
	}
	s.hpa = &own
	return nil
}

func parseHPA(text string) (scale.HPA, error) {
	parts := strings.Split(text, ",")
	refused := fmt.Errorf("an HPA is written as its bounds and targets in percent, such as: 6..30, cpu 60")
	low, high, ok := strings.Cut(strings.TrimSpace(parts[0]), "..")
	least, err := strconv.ParseInt(low, 10, 32)
	most, err2 := strconv.ParseInt(high, 10, 32)
	if !ok || err != nil || err2 != nil || least < 0 || most < max(least, 1) {
		return scale.HPA{}, refused
	}
	out := scale.HPA{Min: int32(least), Max: int32(most)}
	for _, part := range parts[1:] {
		words := strings.Fields(part)
		if len(words) > 1 && words[0] == "untuned" {
			out.Untuned = append(out.Untuned, strings.Join(words[1:], " "))
			continue
		}
		if len(words) != 2 {
			return out, refused
		}
		resource, known := scale.ParseResource(words[0])
		percent, err := strconv.ParseInt(words[1], 10, 32)
		if !known || err != nil || percent < 1 {
			return out, refused
		}
		out.Targets = append(out.Targets, scale.LearnedTarget{Container: sim.ContainerName, Resource: resource, Percent: int32(percent)})
	}
	return out, nil
}

func (s *state) newHPA() *hpa {
	if s.hpa == nil {
		return nil
	}
	return &hpa{own: *s.hpa, now: copyOf(*s.hpa)}
}

func copyOf(h scale.HPA) scale.HPA {
	h.Targets = slices.Clone(h.Targets)
	return h
}

// observed is what an observation says of it: its owner's bounds, and the targets
// that it has.
func (h *hpa) observed() *scale.HPA {
	if h == nil {
		return nil
	}
	return &scale.HPA{Min: h.own.Min, Max: h.own.Max, Targets: slices.Clone(h.now.Targets), Untuned: h.own.Untuned}
}

// tune sets what a decision has an opinion on, and gives back the rest.
func (h *hpa) tune(t *scale.Tuning) {
	if h == nil || t == nil {
		return
	}
	h.now = copyOf(h.own)
	if t.Min != nil {
		h.now.Min = *t.Min
	}
	if t.Max != nil {
		h.now.Max = *t.Max
	}
	for i := range h.now.Targets {
		for _, to := range t.Targets {
			if to.Container == h.now.Targets[i].Container && to.Resource == h.now.Targets[i].Resource {
				h.now.Targets[i].Percent = to.Percent
			}
		}
	}
}

func (h *hpa) String() string {
	if h == nil {
		return "no HPA"
	}
	text := fmt.Sprintf("%d..%d", h.now.Min, h.now.Max)
	for _, t := range h.now.Targets {
		text += fmt.Sprintf(", %s %d", t.Resource, t.Percent)
	}
	return text
}

// tuned checks what the HPA has after the decision of a moment.
func (s *state) tuned(src source, rest string) error {
	if err := s.needsRun(src); err != nil {
		return err
	}
	text, ok := strings.CutPrefix(rest, "at ")
	when, want, _ := strings.Cut(strings.TrimSpace(text), " ")
	at, err := parseDuration(when)
	if !ok || err != nil {
		return atLine(src.line, fmt.Errorf("tuned takes a moment and an HPA, such as: tuned at 30s 6..30, cpu 60"))
	}
	wanted, err := parseHPA(want)
	if err != nil {
		return atLine(src.line, err)
	}
	s.checks++
	for _, m := range s.last.moments {
		if m.at == at {
			if expected := (&hpa{now: wanted}).String(); expected != m.hpa {
				s.fail(src.line, src.head, m.hpa, "")
			}
			return nil
		}
	}
	s.fail(src.line, src.head, fmt.Sprintf("no decision is made at that moment: they are every %s", s.last.every), "")
	return nil
}

// spike lets a container need, at its busiest, so much more than its target lets
// it use: that is what a recommender that looks at the present target says.
func (v values) spike(decider Decider, obs *scale.Observation) {
	aimer, ok := decider.(Aimer)
	if !ok {
		return
	}
	for _, t := range aimer.TargetsInForce(*obs) {
		over := v["spike "+t.Resource.String()]
		if !over.known || t.Container != sim.ContainerName {
			continue
		}
		request, _ := obs.Target.Containers[0].Requests.Get(t.Resource)
		needs := scale.Recommendation{Container: t.Container}
		if len(obs.Recommended) > 0 {
			needs = obs.Recommended[0]
		}
		needs.PerPod = needs.PerPod.With(t.Resource, request.Share(int64(t.Percent), 100).Add(over.amount))
		obs.Recommended = []scale.Recommendation{needs}
	}
}
