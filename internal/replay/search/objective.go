package search

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/tidemark/tidemark/internal/replay"
)

// Objective says which of two scores is better: the one whose sum is smaller,
// among those that meet the conditions.
type Objective struct {
	// Text is the objective as it was written.
	Text       string
	terms      []term
	conditions []condition
}

// term is a number of a score, with a weight.
type term struct {
	weight float64
	of     func(Measured) float64
}

// condition is a bound of a number.
type condition struct {
	text  string
	most  float64
	of    func(Measured) float64
	least bool
}

// Measured is a score, and how long the replay lasted.
type Measured struct {
	replay.Score
	Hours float64
}

// Balanced is what the word balanced means: a core-hour of the oracle is worth
// half a percent of unserved work, and ten changes an hour.
const Balanced = "relative+2*unserved+0.1*churn"

// numbers are the words of objectives.
var numbers = map[string]func(Measured) float64{
	"cost":      func(m Measured) float64 { return m.BilledCoreHours },
	"t":         func(m Measured) float64 { return m.Total },
	"relative":  func(m Measured) float64 { return m.BilledCoreHours / max(m.OracleCoreHours, 1e-9) },
	"requested": func(m Measured) float64 { return m.CoreHours },
	"money":     func(m Measured) float64 { return m.Money },
	"memory":    func(m Measured) float64 { return m.GiBHours },
	"unserved":  func(m Measured) float64 { return m.UnservedPercent },
	"late":      func(m Measured) float64 { return m.Late },
	"starved":   func(m Measured) float64 { return m.StarvedMinutes },
	"longest":   func(m Measured) float64 { return m.LongestStarvedMinutes },
	"waste":     func(m Measured) float64 { return m.WasteCoreHours },
	"changes":   func(m Measured) float64 { return float64(m.Changes) },
	"churn":     func(m Measured) float64 { return float64(m.Changes) / max(m.Hours, 1e-9) },
	"podstarts": func(m Measured) float64 { return float64(m.PodStarts) },
	"podstops":  func(m Measured) float64 { return float64(m.PodStops) },
	"resizes":   func(m Measured) float64 { return float64(m.PodResizes) },
	"restarts":  func(m Measured) float64 { return float64(m.Restarts) },
	"wait":      func(m Measured) float64 { return m.MeanWaitSeconds },
}

// Words lists the numbers that an objective may name.
func Words() string { return strings.Join(slices.Sorted(maps.Keys(numbers)), ", ") }

// ParseObjective reads an objective:
//
//	objective  = "balanced" | sum [ "where" condition { "," condition } ]
//	sum        = term { "+" term }
//	term       = [ number "*" ] word
//	condition  = word ( "<=" | ">=" ) number [ "%" ]
//
// Words are numbers of the score sheet. Percentages are of what the word
// counts in percent, so unserved<=0.01% is unserved<=0.01.
func ParseObjective(text string) (Objective, error) {
	out := Objective{Text: text}
	sum, conditions, where := strings.Cut(text, " where ")
	if strings.TrimSpace(sum) == "balanced" {
		sum = Balanced
	}
	for t := range strings.SplitSeq(sum, "+") {
		parsed, err := parseTerm(t)
		if err != nil {
			return out, fmt.Errorf("objective %q: %w", text, err)
		}
		out.terms = append(out.terms, parsed)
	}
	if !where {
		return out, nil
	}
	for c := range strings.SplitSeq(conditions, ",") {
		parsed, err := parseCondition(c)
		if err != nil {
			return out, fmt.Errorf("objective %q: %w", text, err)
		}
		out.conditions = append(out.conditions, parsed)
	}
	return out, nil
}

func parseTerm(text string) (term, error) {
	weight, word, weighted := strings.Cut(text, "*")
	if !weighted {
		weight, word = "1", text
	}
	w, err := strconv.ParseFloat(strings.TrimSpace(weight), 64)
	if err != nil || !(w >= 0 && w <= 1e12) {
		return term{}, fmt.Errorf("%q is not a weight: write a number that is not negative", strings.TrimSpace(weight))
	}
	of, err := numberOf(word)
	return term{w, of}, err
}

func numberOf(word string) (func(Measured) float64, error) {
	of, ok := numbers[strings.ToLower(strings.TrimSpace(word))]
	if !ok {
		return nil, fmt.Errorf("%q is not a number of a score: there are %s", strings.TrimSpace(word), Words())
	}
	return of, nil
}

func parseCondition(text string) (condition, error) {
	out := condition{text: strings.TrimSpace(text)}
	word, bound, ok := strings.Cut(text, "<=")
	if !ok {
		word, bound, ok = strings.Cut(text, ">=")
		out.least = ok
	}
	if !ok {
		return out, fmt.Errorf("%q is not a condition: write one such as unserved<=0.01%%", out.text)
	}
	var err error
	if out.most, err = strconv.ParseFloat(strings.TrimSuffix(strings.TrimSpace(bound), "%"), 64); err != nil || !(out.most >= 0) {
		return out, errors.New("the bound of " + out.text + " is not a number that is not negative")
	}
	out.of, err = numberOf(word)
	return out, err
}

// violation is by how much a condition is missed, zero when it is met.
func (c *condition) violation(m Measured) float64 {
	if c.least {
		return max(c.most-c.of(m), 0)
	}
	return max(c.of(m)-c.most, 0)
}

// Value is the sum, which should be small.
func (o *Objective) Value(m Measured) float64 {
	sum := 0.0
	for _, t := range o.terms {
		sum += t.weight * t.of(m)
	}
	return sum
}

// Missed are the conditions that a score does not meet.
func (o *Objective) Missed(m Measured) []string {
	var out []string
	for _, c := range o.conditions {
		if c.violation(m) > 0 {
			out = append(out, c.text)
		}
	}
	return out
}

// Better tells whether one score is better than another. Those that meet all
// conditions come first; of the others, the one that misses them by less.
func (o *Objective) Better(a, b Measured) bool {
	missA, missB := 0.0, 0.0
	for _, c := range o.conditions {
		missA += c.violation(a) / max(c.most, 1e-3)
		missB += c.violation(b) / max(c.most, 1e-3)
	}
	if missA != missB {
		return missA < missB
	}
	return o.Value(a) < o.Value(b)
}
