package convert

import (
	"fmt"
	"maps"
	"slices"
	"sort"
	"strings"

	"github.com/tidemark/tidemark/fault"
)

// Fate is what became of a field.
type Fate string

// The fates.
const (
	// Carried means the same here.
	Carried Fate = "Carried"
	// Changed is carried, with a meaning that the note says.
	Changed Fate = "Changed"
	// NotCarried has no counterpart; the note says why.
	NotCarried Fate = "NotCarried"
	// Default is not a field of the input but a default of the original that
	// differs from ours, and what was made of it.
	Default Fate = "Default"
)

// Field is one line of a report. A path stands for everything below it that
// has no line of its own.
type Field struct {
	// Path is the field of the input; empty for a default.
	Path string `json:"path,omitempty"`
	Fate Fate   `json:"fate"`
	// To is the field of the output, where there is one.
	To   string `json:"to,omitempty"`
	Note string `json:"note,omitempty"`
	// Lost is set where the field did something that the new object does not do
	// itself. A field that is not carried and not lost never did anything here, such
	// as the status of the original.
	Lost bool `json:"lost,omitempty"`
	// Affects says which decisions may be others than they were.
	Affects Effect `json:"affects,omitempty"`
}

// Effect is a kind of decisions that a field may change on its way.
type Effect string

// The effects. Empty is none.
const (
	AffectsAll       Effect = "All"
	AffectsScaleUp   Effect = "ScaleUp"
	AffectsScaleDown Effect = "ScaleDown"
	// AffectsZero are decisions about a load of nothing.
	AffectsZero Effect = "Zero"
	// AffectsMissing are those without a metric, or without some pods' samples.
	AffectsMissing Effect = "Missing"
	// AffectsUnready are those while pods are not ready.
	AffectsUnready Effect = "Unready"
)

// Report says what became of every field of an object.
type Report struct {
	APIVersion string  `json:"apiVersion,omitempty"`
	Kind       string  `json:"kind"`
	Namespace  string  `json:"namespace,omitempty"`
	Name       string  `json:"name"`
	Fields     []Field `json:"fields"`
}

// carry records that a field means the same at its new place. Like every
// record, it is kept only if the input has the field, so that converters need
// not ask first.
func (d *draft) carry(from, to fault.Path) { d.claims[from] = Field{Fate: Carried, To: string(to)} }

// change records that a field is carried with another meaning.
func (d *draft) change(from, to fault.Path, why string, args ...any) {
	d.claims[from] = Field{Fate: Changed, To: string(to), Note: fmt.Sprintf(why, args...)}
}

// drop records that a field is not carried, and that what it did is lost.
func (d *draft) drop(from fault.Path, why string, args ...any) {
	d.claims[from] = Field{Fate: NotCarried, Lost: true, Note: fmt.Sprintf(why, args...)}
}

// leave records that a field is not carried, and that nothing is lost by it.
func (d *draft) leave(from fault.Path, why string, args ...any) {
	d.claims[from] = Field{Fate: NotCarried, Note: fmt.Sprintf(why, args...)}
}

// Losses are the fields whose effect the new object does not have itself.
func (r *Report) Losses() []Field {
	return slices.DeleteFunc(slices.Clone(r.Fields), func(f Field) bool { return !f.Lost })
}

// assume records a default of the original that differs from ours.
func (d *draft) assume(to fault.Path, why string, args ...any) {
	d.defaults = append(d.defaults, Field{Fate: Default, To: string(to), Note: fmt.Sprintf(why, args...)})
}

// affects says which decisions the fate of a field may change.
func (d *draft) affects(from fault.Path, effect Effect) {
	claim := d.claims[from]
	claim.Affects = effect
	d.claims[from] = claim
}

// defaultAffects says it of the default that was recorded last.
func (d *draft) defaultAffects(effect Effect) { d.defaults[len(d.defaults)-1].Affects = effect }

func (d *draft) report() Report {
	r := Report{APIVersion: d.kind.apiVersion, Kind: d.kind.kind, Namespace: d.meta.Namespace, Name: d.meta.Name}
	if d.kind.apiVersion == zcloudVersion {
		r.APIVersion = ""
	}
	d.claimUnknown()
	d.account(d.tree, "", Field{Fate: NotCarried, Lost: true, Note: notKnown}, &r.Fields)
	for i := range r.Fields {
		r.Fields[i].Path = string(d.spelled(fault.Path(r.Fields[i].Path)))
	}
	r.Fields = append(r.Fields, d.defaults...)
	return r
}

const notKnown = "is not a field that is known of this kind"

// claimUnknown keeps a field that nobody read from passing for carried
// because what it stands in was.
func (d *draft) claimUnknown() {
	for _, path := range d.unknown {
		if _, ok := d.claims[path]; !ok && d.inherited(path).Fate != NotCarried {
			d.drop(path, notKnown)
		}
	}
}

// inherited is the fate of the nearest part of the input that holds a field
// and has a fate.
func (d *draft) inherited(path fault.Path) Field {
	for at := path; at != ""; at = at[:max(0, strings.LastIndexAny(string(at), ".["))] {
		if claim, ok := d.claims[at]; ok {
			return claim
		}
	}
	return Field{}
}

// account walks the input and writes one line for each part of it that shares
// a fate. Because it walks the input and not the claims, no field can be
// forgotten.
func (d *draft) account(node any, path fault.Path, fate Field, into *[]Field) {
	if claim, ok := d.claims[path]; ok {
		fate = claim
	}
	if path != "" && (isEmpty(node) || !d.claimedBelow(path)) {
		if isEmpty(node) && fate.Note == notKnown && !slices.Contains(d.unknown, path) {
			fate = Field{Fate: NotCarried, Note: "is empty"} // a known field that says nothing
		}
		fate.Path = string(path)
		*into = append(*into, fate)
		return
	}
	switch n := node.(type) {
	case map[string]any:
		for _, key := range slices.Sorted(maps.Keys(n)) {
			d.account(n[key], child(path, key), fate, into)
		}
	case []any:
		for i, entry := range n {
			d.account(entry, path.Index(i), fate, into)
		}
	default:
		fate.Path = string(path)
		*into = append(*into, fate)
		d.accountInside(path, into)
	}
}

// isEmpty tells whether a map or a list has no part that could have a line.
func isEmpty(node any) bool {
	switch n := node.(type) {
	case map[string]any:
		return len(n) == 0
	case []any:
		return len(n) == 0
	}
	return false
}

// accountInside writes the lines of what stands inside a text, such as the
// metrics that autoscaling/v1 keeps in an annotation.
func (d *draft) accountInside(path fault.Path, into *[]Field) {
	for _, claimed := range d.sorted {
		if rest, ok := strings.CutPrefix(claimed, string(path)); ok && strings.HasPrefix(rest, "[") {
			claim := d.claims[fault.Path(claimed)]
			claim.Path = claimed
			*into = append(*into, claim)
		}
	}
}

// claimedBelow tells whether a part of the field has a fate of its own.
func (d *draft) claimedBelow(path fault.Path) bool {
	if d.sorted == nil {
		for claimed := range d.claims {
			d.sorted = append(d.sorted, string(claimed))
		}
		sort.Strings(d.sorted)
	}
	for _, next := range []string{".", "["} {
		prefix := string(path) + next
		at, _ := slices.BinarySearch(d.sorted, prefix)
		if at < len(d.sorted) && strings.HasPrefix(d.sorted[at], prefix) {
			return true
		}
	}
	return false
}
