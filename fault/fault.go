package fault

import (
	"errors"
	"fmt"
	"strings"
)

// Fault is one thing wrong with an input.
type Fault struct {
	// Path is the field's place, such as spec.replicas.max. It is empty for a
	// fault of the input as a whole.
	Path Path
	// Message says what is wrong and what would be right.
	Message string
	// Line is the line of the input that the fault stands on, counted from 1.
	// It is 0 where nobody knows: what is wrong with a Go value has a path only.
	Line int
	// Near tells that the fault stands close to its line: parsers that stumble
	// notice it a little early or late.
	Near bool
}

// String is the whole fault, such as
//
//	spec.replicas.max: must be a whole number, got "ten" (line 7)
func (f Fault) String() string {
	if f.Path == "" {
		return f.Text()
	}
	return string(f.Path) + ": " + f.Text()
}

// Text is the fault without its path, for those who show the path elsewhere.
func (f Fault) Text() string {
	switch {
	case f.Line == 0:
		return f.Message
	case f.Near:
		return fmt.Sprintf("%s (near line %d)", f.Message, f.Line)
	}
	return fmt.Sprintf("%s (line %d)", f.Message, f.Line)
}

// List is every fault found. As an error it prints one fault a line.
type List []Fault

// Error returns every fault, one a line.
func (l List) Error() string {
	lines := make([]string, len(l))
	for i, f := range l {
		lines[i] = f.String()
	}
	return strings.Join(lines, "\n")
}

// Add records a fault of a path.
func (l *List) Add(path Path, format string, args ...any) {
	*l = append(*l, Fault{Path: path, Message: fmt.Sprintf(format, args...)})
}

// Err returns the list as an error, nil when nothing is wrong.
func (l List) Err() error {
	if len(l) == 0 {
		return nil
	}
	return l
}

// Of returns the faults inside an error. Any other error is one fault without
// a path.
func Of(err error) List {
	if err == nil {
		return nil
	}
	if list, ok := errors.AsType[List](err); ok {
		return list
	}
	return List{{Message: err.Error()}}
}

// Under returns the faults with their paths put below another.
func (l List) Under(path Path) List {
	out := make(List, len(l))
	for i, f := range l {
		f.Path = path.Field(string(f.Path))
		out[i] = f
	}
	return out
}

// Path is the place of a field in a document.
type Path string

// Field returns the path of a field below.
func (p Path) Field(name string) Path {
	if p == "" || name == "" || name[0] == '[' {
		return p + Path(name)
	}
	return p + "." + Path(name)
}

// Within tells whether the path leads to a place, or to something below it. All
// is within the empty path.
func (p Path) Within(place Path) bool {
	rest, ok := strings.CutPrefix(string(p), string(place))
	return ok && (place == "" || rest == "" || rest[0] == '.' || rest[0] == '[')
}

// Index returns the path of an entry of a list below.
func (p Path) Index(i int) Path { return Path(fmt.Sprintf("%s[%d]", p, i)) }

// Key returns the path of an entry of a map below.
func (p Path) Key(key string) Path { return Path(fmt.Sprintf("%s[%q]", p, key)) }
