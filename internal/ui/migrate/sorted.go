package migrate

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/tidemark/tidemark/api/v1alpha1"
	"github.com/tidemark/tidemark/fault"
	"github.com/tidemark/tidemark/internal/convert"
	"github.com/tidemark/tidemark/internal/convert/manifests"
	"github.com/tidemark/tidemark/internal/convert/proof"
	"github.com/tidemark/tidemark/internal/convert/several"
	"github.com/tidemark/tidemark/internal/lint"
	"github.com/tidemark/tidemark/internal/ui/feed"
)

// sorted are the autoscalers of others among some manifests.
type sorted struct {
	found []found
	notes []string
	// conversions are those that go on, some of them as one object.
	conversions []several.Conversion
}

// found is an autoscaler of others.
type found struct {
	line     feed.ForeignObject
	yaml     string
	findings []feed.Finding
	compared proof.Comparison
	// into is its conversion; nil where it is refused.
	into *several.Conversion
}

// sorting is what is known while manifests are read: of those that are not converted
// only what lint looks at is kept.
type sorting struct {
	*sorted
	set     *lint.Set
	read    int
	files   map[string]int
	results []several.Conversion
	full    bool
}

// sortOut converts what can be converted, and asks lint about all of it.
func sortOut(ctx context.Context, read func(context.Context, func([]byte) error) ([]string, error)) (*sorted, error) {
	s := sorting{sorted: &sorted{}, set: &lint.Set{}, files: map[string]int{}}
	notes, err := read(ctx, func(manifest []byte) error {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		s.see(manifest)
		return nil
	})
	if err != nil {
		return nil, err
	}
	if s.notes = append(s.notes, notes...); s.full {
		s.notes = append(s.notes, fmt.Sprintf("only the first %d objects are shown: name a namespace", most))
	}
	return s.sorted, s.finish(ctx)
}

// see takes one manifest.
func (s *sorting) see(text []byte) {
	name := fmt.Sprintf("%d.yaml", s.read)
	s.read++
	s.set.Add(lint.Read(name, bytes.NewReader(text)))
	for _, doc := range manifests.Split(text) {
		one, result, ok := foundIn(&doc, text)
		if !ok {
			continue
		}
		if s.full = s.full || len(s.found) == most; s.full {
			return
		}
		s.files[name] = len(s.found)
		s.found = append(s.found, one)
		if result != nil {
			s.results = append(s.results, *result)
		}
	}
}

// foundIn is the autoscaler of others in a document, and its conversion.
func foundIn(doc *manifests.Document, text []byte) (found, *several.Conversion, bool) {
	kind := doc.Text("kind")
	if len(doc.Broken) > 0 || !convert.IsKind(kind) || kind == v1alpha1.Kind {
		return found{}, nil, false
	}
	one := found{yaml: string(text), line: feed.ForeignObject{Kind: kind, Namespace: doc.Text("metadata", "namespace"), Name: doc.Text("metadata", "name")}}
	one.line.ID = strings.Join([]string{kind, one.line.Namespace, one.line.Name}, "/")
	result, document, err := doc.Convert()
	switch {
	case errors.Is(err, convert.ErrUnknownKind):
		return found{}, nil, false
	case err != nil:
		one.line.Refused = fault.Of(err).Err().Error()
		return one, nil, true
	}
	target := result.Target()
	one.line.Target, one.line.Lost = strings.Trim(target.Kind+" "+target.Name, " "), len(result.Report.Losses())
	return one, &several.Conversion{Result: result, Document: document}, true
}

// finish joins what belongs together, compares decisions, and adds what lint finds.
func (s *sorting) finish(ctx context.Context) error {
	var told strings.Builder
	left, _ := several.Join(&told, s.results)
	for line := range strings.Lines(told.String()) {
		s.notes = append(s.notes, strings.TrimSpace(line))
	}
	s.conversions = left
	for i := range s.found {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		if err := s.settle(&s.found[i]); err != nil {
			return err
		}
	}
	for _, f := range lint.Check(s.set) {
		i, ok := s.files[f.File]
		if !ok {
			continue
		}
		one := &s.found[i]
		one.findings = append(one.findings, feed.Finding{Severity: f.Severity.String(), Line: f.Line, Path: f.Path, Message: f.Message, Fix: f.Fix, Rule: f.Rule})
		switch f.Severity {
		case lint.Error:
			one.line.Errors++
		case lint.Warning:
			one.line.Warnings++
		default:
			one.line.Infos++
		}
	}
	return nil
}

// settle finds what became of an object, and compares its decisions with those of what
// it was converted to.
func (s *sorted) settle(one *found) error {
	i := slices.IndexFunc(s.conversions, func(c several.Conversion) bool {
		return c.Report.Kind == one.line.Kind && c.Report.Namespace == one.line.Namespace && c.Report.Name == one.line.Name
	})
	if i < 0 {
		if one.line.Refused == "" {
			one.line.Refused = "it is left out: see the notes"
		}
		return nil
	}
	one.into = &s.conversions[i]
	for _, c := range s.group(one.into) {
		if title := several.Title(c.Report); title != several.Title(one.into.Report) {
			one.line.With = append(one.line.With, title)
		}
	}
	var err error
	if one.compared, err = proof.Compare(one.into.Document, one.into.Result); err != nil {
		return fmt.Errorf("%s: %w", one.line.ID, err)
	}
	one.line.Verdict = string(one.compared.Verdict)
	return nil
}

// group are the conversions that became one object.
func (s *sorted) group(of *several.Conversion) []several.Conversion {
	var out []several.Conversion
	for _, c := range s.conversions {
		if c.Object == of.Object {
			out = append(out, c)
		}
	}
	return out
}
