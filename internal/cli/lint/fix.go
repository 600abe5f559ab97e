package lint

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/tidemark/tidemark/internal/lint"
)

// applyFixes makes the edits of the findings, or shows them, and returns the
// findings that are left.
func (o *options) applyFixes(cmd *cobra.Command, findings []lint.Finding) ([]lint.Finding, error) {
	edits := map[string]map[int]lint.Edit{}
	var files []string
	for _, f := range findings {
		if f.Edit == nil {
			continue
		}
		if edits[f.File] == nil {
			edits[f.File] = map[int]lint.Edit{}
			files = append(files, f.File)
		}
		edits[f.File][f.Line] = *f.Edit
	}
	patches, touched := map[string]*patch{}, 0
	for _, file := range files {
		p, err := newPatch(file, edits[file])
		if err != nil {
			return nil, err
		}
		if err := o.put(cmd.OutOrStdout(), p); err != nil {
			return nil, err
		}
		if patches[file] = p; len(p.changed) > 0 {
			touched++
		}
	}
	left := slices.DeleteFunc(slices.Clone(findings), func(f lint.Finding) bool { return f.Edit != nil && patches[f.File].changed[f.Line] })
	verb := "fixed"
	if o.dryRun {
		verb = "would fix"
	}
	fmt.Fprintf(cmd.ErrOrStderr(), "%s %s in %s\n", verb, count(len(findings)-len(left), "finding"), count(touched, "file"))
	return left, nil
}

// put writes a patched file, or shows how it would change.
func (o *options) put(stdout io.Writer, p *patch) error {
	switch {
	case len(p.changed) == 0:
		return nil
	case o.dryRun:
		return p.diff(stdout)
	}
	return p.write()
}

// patch is a file and the lines that change in it.
type patch struct {
	file string
	old  []string
	// new holds what each line becomes; those that go are nil.
	new     []*string
	changed map[int]bool
}

// newPatch applies edits to lines, keyed by their numbers. An edit that does
// not fit its line is left out: the finding then stays.
func newPatch(file string, edits map[int]lint.Edit) (*patch, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, fmt.Errorf("fixing: %w", err)
	}
	p := &patch{file: file, changed: map[int]bool{}, old: strings.SplitAfter(string(text), "\n")}
	for i := range p.old {
		p.new = append(p.new, new(p.old[i]))
		edit, ok := edits[i+1]
		if !ok {
			continue
		}
		if edited, fits := apply(edit, p.old[i]); fits {
			p.new[i], p.changed[i+1] = edited, true
		}
	}
	if !p.sound(text) {
		p.changed = map[int]bool{}
	}
	return p, nil
}

// apply changes one line. A line is removed only where it holds the field and
// nothing else, but for a comment about it.
func apply(edit lint.Edit, line string) (*string, bool) {
	if edit.New == "" {
		field, _, _ := strings.Cut(line, " #")
		return nil, strings.TrimSpace(field) == edit.Old
	}
	return new(strings.Replace(line, edit.Old, edit.New, 1)), strings.Count(line, edit.Old) == 1
}

// sound tells whether the new text still reads as the same documents.
func (p *patch) sound(old []byte) bool {
	broken := func(text []byte) (documents, unreadable int) {
		set := lint.Read(p.file, bytes.NewReader(text))
		for _, f := range lint.Check(set) {
			if f.Rule == lint.Unreadable {
				unreadable++
			}
		}
		return set.Documents, unreadable
	}
	before, brokenBefore := broken(old)
	after, brokenAfter := broken(p.text())
	return before == after && brokenAfter <= brokenBefore
}

func (p *patch) text() []byte {
	var out bytes.Buffer
	for _, line := range p.new {
		if line != nil {
			out.WriteString(*line)
		}
	}
	return out.Bytes()
}

// write replaces the file at once, so that nobody ever sees half of it.
func (p *patch) write() error {
	info, err := os.Stat(p.file)
	if err != nil {
		return fmt.Errorf("fixing: %w", err)
	}
	temporary, err := os.CreateTemp(filepath.Dir(p.file), ".tidemark-*")
	if err != nil {
		return fmt.Errorf("fixing %s: %w", p.file, err)
	}
	defer os.Remove(temporary.Name())
	_, err = temporary.Write(p.text())
	if closed := temporary.Close(); err == nil {
		err = closed
	}
	if err == nil {
		err = os.Chmod(temporary.Name(), info.Mode().Perm())
	}
	if err == nil {
		err = os.Rename(temporary.Name(), p.file)
	}
	if err != nil {
		return fmt.Errorf("fixing %s: %w", p.file, err)
	}
	return nil
}
