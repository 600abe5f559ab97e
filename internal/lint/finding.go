package lint

import (
	"fmt"
)

// Severity says how bad a finding is.
type Severity int

// The severities, from the mildest on.
const (
	// Info is worth knowing and often meant.
	Info Severity = iota
	// Warning works, and does something else than it seems to.
	Warning
	// Error does not work: a cluster refuses it, or nothing ever comes of it.
	Error
)

var severities = [...]string{"info", "warning", "error"}

func (s Severity) String() string { return severities[s] }

// MarshalText writes the word.
func (s Severity) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// ParseSeverity reads the word.
func ParseSeverity(word string) (Severity, error) {
	for i, known := range severities {
		if word == known {
			return Severity(i), nil
		}
	}
	return 0, fmt.Errorf("must be error, warning or info, got %q", word)
}

// Finding is one thing that a rule has found.
type Finding struct {
	Rule string `json:"rule"`
	// Name and URL are those of the rule.
	Name     string   `json:"name"`
	URL      string   `json:"url"`
	Severity Severity `json:"severity"`
	// File and Line are empty for objects of a live cluster.
	File string `json:"file"`
	Line int    `json:"line"`
	// Object is the kind, the namespace and the name.
	Object  string `json:"object"`
	Path    string `json:"path"`
	Message string `json:"message"`
	Fix     string `json:"fix"`

	// Edit fixes the finding, where that is safe.
	Edit *Edit `json:"-"`

	// subject is the kind and the name of the object.
	subject string
}

// same tells whether two findings are one thing to do: a chart is rendered with
// several values, and a base is built by several overlays.
func (f *Finding) same(as *Finding) bool {
	return f.File != "" && f.File == as.File && f.Line == as.Line && f.Rule == as.Rule && f.subject == as.subject && f.Path == as.Path &&
		f.Message == as.Message
}

// Edit changes one line of the finding's file.
type Edit struct {
	// Old is a word of the line. The edit does not apply where it is missing.
	Old string
	// New takes its place. Where it is empty, Old is a whole field with its
	// value, and the line is removed.
	New string
}
