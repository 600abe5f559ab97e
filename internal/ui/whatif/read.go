package whatif

import (
	"bytes"
	"slices"
	"strings"

	"github.com/tidemark/tidemark/fault"
	"github.com/tidemark/tidemark/internal/lint"
	"github.com/tidemark/tidemark/internal/object"
	"github.com/tidemark/tidemark/internal/replay"
	"github.com/tidemark/tidemark/internal/replay/linted"
	"github.com/tidemark/tidemark/internal/replay/sim"
	"github.com/tidemark/tidemark/internal/ui/feed"
)

// Checked is what there is to say of an edited object before it is replayed.
type Checked struct {
	Findings []feed.Finding `json:"findings"`
	// Valid is set where it can be replayed.
	Valid bool `json:"valid"`
	// Notes are what to know before a score is believed.
	Notes []string `json:"notes"`
}

// read reads an edited object and says what is to be said of it: what lint finds
// beside the pods of the plant, and why it cannot be replayed.
func read(text string, r *replay.Replay) (replay.Policy, Checked) {
	var out replay.Policy
	said := Checked{Findings: []feed.Finding{}, Notes: []string{}}
	got, faults := object.Read([]byte(text), func(o object.Object) fault.List {
		var err error
		out, err = replay.FromSpec("edited", o.Spec)
		return fault.Of(err)
	})
	said.Findings = append(said.Findings, lintedText(text, got, r.Settings())...)
	for _, f := range faults {
		// Lint says most of it as well, and how to fix it.
		said.add(feed.Finding{Severity: lint.Error.String(), Line: f.Line, Path: string(f.Path), Message: f.Message})
	}
	if said.Valid = len(faults) == 0; said.Valid {
		said.Notes = append(append(said.Notes, got.Notes...), r.Warnings(out)...)
	}
	return out, said
}

// add adds a finding unless the same is said already.
func (c *Checked) add(f feed.Finding) {
	if !slices.ContainsFunc(c.Findings, func(o feed.Finding) bool { return o.Line == f.Line && strings.Contains(o.Message, f.Message) }) {
		c.Findings = append(c.Findings, f)
	}
}

// lintedText is what lint finds in a text.
func lintedText(text string, got object.Object, pods sim.Settings) []feed.Finding {
	const file = "object.yaml"
	set := lint.Read(file, strings.NewReader(text))
	if ref := got.Spec.TargetRef; ref.Name != "" {
		set.Add(lint.Read("workload.yaml", bytes.NewReader(linted.Workload(ref, got.Namespace, pods))))
	}
	var out []feed.Finding
	for _, f := range lint.Check(set) {
		if f.File == file {
			out = append(out, feed.Finding{Severity: f.Severity.String(), Line: f.Line, Path: f.Path, Message: f.Message, Fix: f.Fix, Rule: f.Rule})
		}
	}
	return out
}
