package strict

import (
	"bytes"
	"iter"
	"unicode/utf8"

	"github.com/tidemark/tidemark/fault"
)

// Source is the text of one document of an input.
type Source struct {
	text []byte
	// line is the number of the text's first line in the input.
	line int
}

// Split cuts an input into its documents: at YAML's markers, and between the
// values of concatenated JSON, one a line or not. Documents without content
// are left out. Nothing is parsed yet, so one broken document does not spoil
// the others.
func Split(data []byte) ([]Source, fault.List) { return SplitAt(data, 1) }

// SplitAt is Split for text that stands inside a larger input: lines are
// counted from firstLine.
func SplitAt(data []byte, firstLine int) ([]Source, fault.List) {
	data = bytes.TrimPrefix(data, []byte("\ufeff"))
	if len(data) > MaxInput {
		return nil, fault.List{{Message: "the input is too large: at most 64 MiB are read"}}
	}
	if !utf8.Valid(data) {
		return nil, fault.List{{Message: "the input is not UTF-8 text"}}
	}
	var out []Source
	for chunk := range chunks(data, firstLine) {
		for doc := range chunk.values() {
			if len(out) == MaxDocuments {
				return nil, fault.List{{Message: "the input holds more than 100000 documents: split it"}}
			}
			out = append(out, doc)
		}
	}
	return out, nil
}

// chunks cuts at YAML's document markers. A line that starts with one is never
// content, not even inside a quoted text.
func chunks(data []byte, line int) iter.Seq[Source] {
	return func(yield func(Source) bool) {
		start, first := 0, line
		for at := 0; at < len(data); line++ {
			end := at + lineLen(data[at:])
			if text := data[at:end]; isMarker(text, "---") || isMarker(text, "...") {
				if !yield(Source{data[start:at], first}) {
					return
				}
				start, first = at+len("---"), line
			}
			at = end
		}
		yield(Source{data[start:], first})
	}
}

// lineLen is the length of the first line, its end included.
func lineLen(text []byte) int {
	if i := bytes.IndexByte(text, '\n'); i >= 0 {
		return i + 1
	}
	return len(text)
}

func isMarker(line []byte, marker string) bool {
	rest, ok := bytes.CutPrefix(line, []byte(marker))
	return ok && (len(rest) == 0 || bytes.IndexByte([]byte(" \t\r\n"), rest[0]) >= 0)
}

// values returns the documents of a chunk: several where it is a sequence of
// JSON values, one otherwise, none where it has no content.
func (s Source) values() iter.Seq[Source] {
	return func(yield func(Source) bool) {
		for s := s.skipBlank(); len(s.text) > 0; {
			end := s.flowLen()
			if !yield(Source{s.text[:end], s.line}) {
				return
			}
			s = s.from(end).skipBlank()
		}
	}
}

// from returns the source from an offset on.
func (s Source) from(offset int) Source {
	return Source{text: s.text[offset:], line: s.line + bytes.Count(s.text[:offset], []byte("\n"))}
}

// skipBlank leaves out lines that hold nothing, a comment or a directive.
func (s Source) skipBlank() Source {
	for len(s.text) > 0 {
		n := lineLen(s.text)
		line := bytes.TrimSpace(s.text[:n])
		if len(line) > 0 && line[0] != '#' && line[0] != '%' {
			return s
		}
		s = Source{text: s.text[n:], line: s.line + 1}
	}
	return s
}
