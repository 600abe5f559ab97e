package proof

import (
	"cmp"
	"encoding/json"
	"fmt"

	autoscalingv2 "k8s.io/api/autoscaling/v2"

	"github.com/tidemark/tidemark/api/v1alpha1"
	"github.com/tidemark/tidemark/internal/convert"
)

// Comparison is the decisions of both sides about every sample.
type Comparison struct {
	APIVersion string `json:"apiVersion,omitempty"`
	Kind       string `json:"kind"`
	Namespace  string `json:"namespace,omitempty"`
	Name       string `json:"name"`
	// Original says whose decisions stand under old, or why there are none.
	Original string  `json:"original"`
	Verdict  Verdict `json:"verdict"`
	// NotComputed names what was left out of the comparison, and why.
	NotComputed []string `json:"notComputed,omitempty"`
	// OneSided is what only one side decides by.
	OneSided []OneSided `json:"oneSided,omitempty"`
	Rows     []Row      `json:"rows,omitempty"`
}

// Row is one sample and the counts that were decided.
type Row struct {
	Pods int32  `json:"pods"`
	Load string `json:"load"`
	// Old is left out where the original's decision cannot be computed.
	Old *int32 `json:"old,omitempty"`
	New int32  `json:"new"`
	// Because are the lines of the report that announce the difference.
	Because []string `json:"because,omitempty"`
}

// Differs tells whether the two sides decide differently.
func (r *Row) Differs() bool { return r.Old != nil && *r.Old != r.New }

// Unannounced are the rows that differ although the report says nothing of it.
func (c *Comparison) Unannounced() []Row {
	var out []Row
	for _, r := range c.Rows {
		if r.Differs() && len(r.Because) == 0 {
			out = append(out, r)
		}
	}
	return out
}

// decider is one of the two sides.
type decider interface {
	// gauges are the metrics it looks at.
	gauges() []gauge
	// bounds are its smallest and its largest count.
	bounds() (least, most int32)
	// decide returns the count, and false where it cannot be computed.
	decide(m *moment) (int32, bool)
}

// Compare lets the original, given as JSON, and what it was converted to
// decide about every sample.
func Compare(document []byte, result convert.Result) (Comparison, error) {
	r := result.Report
	out := Comparison{APIVersion: r.APIVersion, Kind: r.Kind, Namespace: r.Namespace, Name: r.Name}
	from := original(document, r)
	out.Original = from.whose
	whole, err := converted(result.Object)
	if err != nil {
		return out, fmt.Errorf("deciding by the converted object: %w", err)
	}
	out.compareSources(from, whole, &result)
	next := whole
	if from.side != nil && len(from.unknown) > 0 {
		if rest, err := converted(without(&result, from.unknown)); err == nil {
			next = rest
		}
	}
	for _, m := range moments(from.side, next) {
		row := Row{Pods: m.pods, Load: m.load}
		row.New, _ = next.decide(&m)
		if from.side != nil {
			if count, ok := from.side.decide(&m); ok {
				row.Old = &count
			}
		}
		if row.Differs() {
			row.Because = announced(r.Fields, &m, &row)
		}
		out.Rows = append(out.Rows, row)
	}
	out.judge(from, &r)
	return out, nil
}

// converted is the side of what came out.
func converted(object any) (*byEngine, error) {
	switch o := object.(type) {
	case *v1alpha1.WorkloadAutoscaler:
		return newByEngine(rules{spec: o.Spec})
	case *autoscalingv2.HorizontalPodAutoscaler:
		text, err := json.Marshal(o.Spec)
		if err != nil {
			return nil, err
		}
		spec, err := fromV2(text)
		if err != nil {
			return nil, err
		}
		return newByEngine(spec)
	}
	return nil, fmt.Errorf("a %T makes no decisions", object)
}

// announced are the lines of the report that say that such a decision may be
// another one.
func announced(fields []convert.Field, m *moment, row *Row) []string {
	effects := map[convert.Effect]bool{
		convert.AffectsAll: true, convert.AffectsZero: m.zero, convert.AffectsMissing: m.blind || m.unmeasured > 0, convert.AffectsUnready: m.unready > 0,
		convert.AffectsScaleUp: row.New > m.pods || *row.Old > m.pods, convert.AffectsScaleDown: row.New < m.pods || *row.Old < m.pods,
	}
	var out []string
	for _, f := range fields {
		if !effects[f.Affects] {
			continue
		}
		out = append(out, line(&f))
	}
	return out
}

// line is a line of the report in words.
func line(f *convert.Field) string {
	place := cmp.Or(f.Path, f.To)
	if place != "" {
		place += ": "
	}
	return place + f.Note
}
