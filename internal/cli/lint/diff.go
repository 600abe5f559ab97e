package lint

import (
	"fmt"
	"io"
	"strings"
)

// around is how many lines a diff shows around a change.
const around = 3

// diff writes the changes as a unified diff.
func (p *patch) diff(w io.Writer) error {
	var out strings.Builder
	fmt.Fprintf(&out, "--- %s\n+++ %s\n", p.file, p.file)
	removed := 0
	for start := 0; start < len(p.old); {
		h, ok := p.hunk(start)
		if !ok {
			break
		}
		removed += p.writeHunk(&out, h, removed)
		start = h.last
	}
	_, err := io.WriteString(w, out.String())
	return err
}

// span is a run of lines, counted from 0, without its last.
type span struct{ first, last int }

// hunk finds the next run of lines that has changes close to each other.
func (p *patch) hunk(start int) (out span, ok bool) {
	for i := start; i < len(p.old); i++ {
		switch {
		case p.changed[i+1] && !ok:
			out, ok = span{max(start, i-around), i + around + 1}, true
		case p.changed[i+1]:
			out.last = i + around + 1
		case ok && i >= out.last+around:
			return span{out.first, min(out.last, p.lines())}, true
		}
	}
	return span{out.first, min(out.last, p.lines())}, ok
}

// lines is how many lines the file has: what follows the last line end is none.
func (p *patch) lines() int {
	if n := len(p.old); p.old[n-1] == "" {
		return n - 1
	}
	return len(p.old)
}

// writeHunk writes one run of lines, and returns how many of them go.
func (p *patch) writeHunk(out *strings.Builder, h span, before int) int {
	var body strings.Builder
	removed := 0
	for i := h.first; i < h.last; i++ {
		if !p.changed[i+1] {
			body.WriteString(" " + ended(p.old[i]))
			continue
		}
		body.WriteString("-" + ended(p.old[i]))
		if p.new[i] == nil {
			removed++
		} else {
			body.WriteString("+" + ended(*p.new[i]))
		}
	}
	fmt.Fprintf(out, "@@ -%d,%d +%d,%d @@\n%s", h.first+1, h.last-h.first, h.first+1-before, h.last-h.first-removed, body.String())
	return removed
}

// ended gives the last line of a file the end that it may lack.
func ended(line string) string { return strings.TrimSuffix(line, "\n") + "\n" }
