package proof

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/tidemark/tidemark/api/v1alpha1"
	"github.com/tidemark/tidemark/engine/horizontal"
	"github.com/tidemark/tidemark/fault"
	"github.com/tidemark/tidemark/internal/convert"
)

// Side is one of the two objects.
type Side string

// The sides.
const (
	Old Side = "Old"
	New Side = "New"
)

// OneSided is something that one side decides by and the other does not have.
type OneSided struct {
	Side Side   `json:"side"`
	Path string `json:"path"`
	What string `json:"what"`
	// Because are the lines of the report that are about it as a whole. A line about
	// decisions at large is none, and neither is one about a part of it.
	Because []string `json:"because,omitempty"`
}

// source is a part of the original that nobody here can compute.
type source struct {
	path fault.Path
	what string
	why  string
}

func (s *source) String() string { return fmt.Sprintf("%s (%s) %s", s.path, s.what, s.why) }

// compareSources finds what only one side has. What cannot be computed is held to
// the report: it has to name a part of the new object that is there.
func (c *Comparison) compareSources(from origin, next *byEngine, result *convert.Result) {
	carried := map[fault.Path]bool{}
	for i := range from.unknown {
		s := &from.unknown[i]
		c.NotComputed = append(c.NotComputed, s.String())
		if to := carriedTo(result, s.path); to != "" {
			carried[to] = true
			continue
		}
		c.oneSided(Old, s.path, s.what, result.Report.Fields)
	}
	if from.side == nil {
		return
	}
	olds, news := keysOf(from.side.gauges()), keysOf(next.gauges())
	for _, g := range from.side.gauges() {
		if !news[g.key()] {
			c.oneSided(Old, g.from, g.words(), result.Report.Fields)
		}
	}
	for _, g := range next.gauges() {
		if !olds[g.key()] && !carried[g.from] {
			c.oneSided(New, g.from, g.words(), result.Report.Fields)
		}
	}
}

func keysOf(gauges []gauge) map[gaugeKey]bool {
	out := map[gaugeKey]bool{}
	for i := range gauges {
		out[gauges[i].key()] = true
	}
	return out
}

var kindWords = map[horizontal.Kind]string{
	horizontal.Resource: "Resource", horizontal.ContainerResource: "ContainerResource", horizontal.Pods: "Pods", horizontal.Object: "Object",
	horizontal.External: "External",
}

// words say what a metric is.
func (g *gauge) words() string {
	what := kindWords[g.kind] + " metric " + g.name
	if where := cmp.Or(g.container, g.of); where != "" {
		what += " of " + where
	}
	return what
}

func (c *Comparison) oneSided(side Side, path fault.Path, what string, fields []convert.Field) {
	out := OneSided{Side: side, Path: string(path), What: what}
	for _, f := range fields {
		about := side == Old && f.Fate == convert.NotCarried && f.Path != "" && path.Within(fault.Path(f.Path)) ||
			side == New && f.Fate == convert.Default && f.To != "" && path.Within(fault.Path(f.To))
		if about {
			out.Because = append(out.Because, line(&f))
		}
	}
	c.OneSided = append(c.OneSided, out)
}

// carriedTo is the part of the new object that the report says a source became;
// empty where there is no such part.
func carriedTo(result *convert.Result, path fault.Path) fault.Path {
	object, ok := result.Object.(*v1alpha1.WorkloadAutoscaler)
	if !ok {
		return ""
	}
	for _, f := range result.Report.Fields {
		if !fault.Path(f.Path).Within(path) || f.Fate == convert.NotCarried {
			continue
		}
		for name, count := range map[fault.Path]int{"spec.metrics": len(object.Spec.Metrics), "spec.schedules": len(object.Spec.Schedules)} {
			for i := range count {
				if at := name.Index(i); fault.Path(f.To).Within(at) {
					return at
				}
			}
		}
	}
	return ""
}

// without takes the metrics from an object that the original's counterparts of
// cannot be computed, so that the rest can be compared.
func without(result *convert.Result, unknown []source) any {
	object, ok := result.Object.(*v1alpha1.WorkloadAutoscaler)
	if !ok {
		return result.Object
	}
	var skip []fault.Path
	for i := range unknown {
		skip = append(skip, carriedTo(result, unknown[i].path))
	}
	out, left := *object, []v1alpha1.MetricSpec(nil)
	for i := range object.Spec.Metrics {
		if !slices.Contains(skip, fault.Path("spec.metrics").Index(i)) {
			left = append(left, object.Spec.Metrics[i])
		}
	}
	out.Spec.Metrics = left
	return &out
}

// Verdict is what a comparison comes to.
type Verdict string

// The verdicts.
const (
	// Equal means that every decision was computed, and is the same.
	Equal Verdict = "Equal"
	// Different means that all was computed, and the report announces what differs.
	Different Verdict = "Different"
	// NotProven means that something could not be computed.
	NotProven Verdict = "NotProven"
	// NotAnnounced means that something differs that the report says nothing of.
	NotAnnounced Verdict = "NotAnnounced"
)

// judge comes to the verdict. Something that is lost may matter where no sample
// looks, such as at another hour.
func (c *Comparison) judge(from origin, r *convert.Report) {
	differs := slices.ContainsFunc(c.Rows, func(r Row) bool { return r.Differs() })
	for _, f := range r.Losses() {
		if from.side != nil && !c.shows(line(&f)) {
			c.NotComputed = append(c.NotComputed, f.Path+" is lost, and no sample shows what it did")
		}
	}
	uncomputed := slices.ContainsFunc(c.Rows, func(r Row) bool { return r.Old == nil })
	switch {
	case c.unannounced():
		c.Verdict = NotAnnounced
	case from.side == nil || uncomputed || len(c.NotComputed) > 0:
		c.Verdict = NotProven
	case differs || len(c.OneSided) > 0:
		c.Verdict = Different
	default:
		c.Verdict = Equal
	}
}

// shows tells whether a line of the report explains something that was found.
func (c *Comparison) shows(line string) bool {
	return slices.ContainsFunc(c.OneSided, func(o OneSided) bool { return slices.Contains(o.Because, line) }) ||
		slices.ContainsFunc(c.Rows, func(r Row) bool { return slices.Contains(r.Because, line) })
}

// unannounced tells whether the report says nothing of something.
func (c *Comparison) unannounced() bool {
	return len(c.Unannounced()) > 0 || slices.ContainsFunc(c.OneSided, func(o OneSided) bool { return len(o.Because) == 0 })
}

// Words say in a sentence what the comparison comes to.
func (c *Comparison) Words() string {
	differ, both := 0, 0
	for _, r := range c.Rows {
		if r.Old != nil {
			both++
		}
		if r.Differs() {
			differ++
		}
	}
	counted := fmt.Sprintf("%d of %d decisions differ", differ, both)
	switch {
	case c.Verdict == Equal:
		return fmt.Sprintf("equal: all %d decisions are the same", both)
	case c.Verdict == Different:
		return fmt.Sprintf("different: %s, and the report announces it", counted)
	case c.Verdict == NotAnnounced:
		return fmt.Sprintf("NOT ANNOUNCED: %s, %d of them announced", counted, differ-len(c.Unannounced()))
	case both == 0:
		return "not proven: no decision of the original can be computed"
	}
	return fmt.Sprintf("not proven: %s of what can be computed", counted)
}
