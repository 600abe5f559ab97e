package lint

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/tidemark/tidemark/fault"
)

// origin is the text that objects were rendered from. Rendering loses lines, so
// they are looked up by what stands in the text: exact for manifests that a
// kustomization lists, close to it for templates.
type origin struct {
	lines   []string
	fixable bool
}

func newOrigin(of Source) *origin {
	if of.Origin == nil {
		return nil
	}
	return &origin{lines: strings.Split(string(of.Origin), "\n"), fixable: of.Fixable}
}

var (
	documentStart = regexp.MustCompile(`^---(\s|$)`)
	fieldLine     = regexp.MustCompile(`^(\s*(?:- +)*)"?([^\s"':#{]+)"?\s*:(?:\s|$)`)
)

// line finds the line of a path, or of the nearest part above it that is there.
func (t *origin) line(o *Object, at fault.Path) int {
	first, last := t.document(o)
	line, indent := first, -1
	for _, step := range steps(string(at)) {
		next, depth, ok := 0, 0, false
		if n, err := strconv.Atoi(step); err == nil {
			next, depth, ok = t.entry(line, last, indent, n)
		} else {
			next, depth, ok = t.field(line, last, indent, step)
		}
		if !ok {
			break
		}
		line, indent = next, depth
	}
	if indent < 0 {
		// The object itself: where its kind stands.
		if at, _, ok := t.field(first, last, -1, "kind"); ok {
			return at + 1
		}
	}
	return line + 1
}

// document finds the lines of the document of an object: that with its kind and
// name, or else the first with its kind.
func (t *origin) document(o *Object) (first, last int) {
	var ofKind []int
	start := 0
	for i := 0; i <= len(t.lines); i++ {
		if i < len(t.lines) && !documentStart.MatchString(t.lines[i]) {
			continue
		}
		has := func(field, value string) bool {
			return slices.ContainsFunc(t.lines[start:i], func(line string) bool {
				key, rest, _ := strings.Cut(strings.TrimSpace(line), ":")
				return key == field && value != "" && strings.Trim(strings.TrimSpace(rest), `"'`) == value
			})
		}
		if has("kind", o.Kind) {
			if has("name", o.Name) {
				return start, i
			}
			ofKind = append(ofKind, start, i)
		}
		start = i
	}
	if len(ofKind) > 0 {
		return ofKind[0], ofKind[1]
	}
	return 0, len(t.lines)
}

// field finds a field among the lines below one that are indented more. The line
// itself may hold it too, where it is the first of an entry.
func (t *origin) field(line, last, indent int, key string) (at, depth int, ok bool) {
	for i := line; i < last; i++ {
		m := fieldLine.FindStringSubmatch(t.lines[i])
		switch {
		case m == nil:
		case i > line && spaces(t.lines[i]) <= indent:
			return 0, 0, false
		case m[2] == key && (i > line || len(m[1]) > indent):
			return i, len(m[1]), true
		}
	}
	return 0, 0, false
}

func spaces(line string) int { return len(line) - len(strings.TrimLeft(line, " ")) }

// entry finds the nth entry of the list below a line.
func (t *origin) entry(line, last, indent, n int) (at, depth int, ok bool) {
	dash := -1
	for i := line + 1; i < last; i++ {
		text, depth := strings.TrimSpace(t.lines[i]), spaces(t.lines[i])
		isEntry := strings.HasPrefix(text, "- ")
		switch {
		case isEntry && dash < 0 && depth >= indent:
			dash = depth
		case text == "" || strings.HasPrefix(text, "#") || strings.HasPrefix(text, "{{"):
			continue
		case dash < 0 || depth < dash || depth == dash && !isEntry:
			return 0, 0, false
		}
		if isEntry && depth == dash {
			if n == 0 {
				return i, depth, true
			}
			n--
		}
	}
	return 0, 0, false
}

// steps are the fields and the indexes of a path.
func steps(path string) []string {
	return strings.FieldsFunc(path, func(r rune) bool { return r == '.' || r == '[' || r == ']' })
}
