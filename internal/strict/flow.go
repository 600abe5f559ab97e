package strict

import "bytes"

// flowLen is the length of the document the text starts with. Only a value in
// braces or brackets can have another one right behind it; everything else
// reaches to the end.
func (s Source) flowLen() int {
	lead := len(s.text) - len(bytes.TrimLeft(s.text, " \t\r\n"))
	if c := s.text[lead]; c != '{' && c != '[' {
		return len(s.text)
	}
	end, ok := closing(s.text[lead:])
	if !ok {
		return s.nextOpening()
	}
	end += lead
	rest := s.from(end).skipBlank()
	rest.text = bytes.TrimLeft(rest.text, " \t")
	if len(rest.text) > 0 && rest.text[0] != '{' && rest.text[0] != '[' {
		// Whatever follows belongs to this document and makes it invalid: the
		// parser will say how.
		return len(s.text)
	}
	return end
}

// nextOpening is where the next value seems to start when this one is broken:
// at a line that opens with a brace, as in JSON lines.
func (s Source) nextOpening() int {
	if i := bytes.Index(s.text[1:], []byte("\n{")); i >= 0 {
		return i + 2
	}
	return len(s.text)
}

// closing finds the end of the brace or bracket the text starts with. It
// knows the quotes and comments of YAML, of which JSON's are a part. Text that
// is nested too deep has no end: it will be refused anyway, and looking
// further could take long.
func closing(text []byte) (end int, ok bool) {
	depth := 0
	fresh := true // a quote here opens a text; inside a plain word it does not
	for i := 0; i < len(text); i++ {
		switch c := text[i]; c {
		case '{', '[':
			if depth++; depth > maxDepth {
				return 0, false
			}
			fresh = true
		case '}', ']':
			if depth--; depth == 0 {
				return i + 1, true
			}
			fresh = false
		case ',', ':':
			fresh = true
		case ' ', '\t', '\r', '\n':
		case '#':
			if isBlank(text[i-1]) {
				i += lineLen(text[i:]) - 1
			}
		case '"', '\'':
			if fresh {
				i += quotedLen(text[i:]) - 1
			}
			fresh = false
		default:
			fresh = false
		}
	}
	return 0, false
}

func isBlank(c byte) bool { return c == ' ' || c == '\t' || c == '\r' || c == '\n' }

// quotedLen is the length of the quoted text at the start, quotes included.
// Inside, double quotes are escaped by a backslash, single ones by doubling.
func quotedLen(text []byte) int {
	quote := text[0]
	for i := 1; i < len(text); i++ {
		switch {
		case text[i] == '\\' && quote == '"':
			i++
		case text[i] != quote:
		case quote == '\'' && i+1 < len(text) && text[i+1] == quote:
			i++
		default:
			return i + 1
		}
	}
	return len(text)
}
