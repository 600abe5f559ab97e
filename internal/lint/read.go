package lint

import (
	"bytes"
	"cmp"
	"errors"
	"io"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"go.yaml.in/yaml/v3"

	"github.com/tidemark/tidemark/fault"
	"github.com/tidemark/tidemark/internal/strict"
)

// Set is what was read: facts, not documents.
type Set struct {
	// Documents counts what was looked at, of any kind.
	Documents int
	// Templates are the files with documents that are templates and no YAML yet.
	// They are passed over.
	Templates []string
	// At is the moment that schedules are judged at. Without it none is over.
	At time.Time

	scalers   []*Scaler
	workloads []*Workload
	budgets   []*Budget
	services  []*Service
	quotas    []*Quota
	defaults  []*Defaults
	strays    []*Stray
	broken    []broken
	silences  map[string][]silence
	// paths holds each path once: objects of a kind have mostly the same.
	paths map[fault.Path]fault.Path
}

// broken is a place that could not be read.
type broken struct {
	object  Object
	message string
}

// silence is a comment that silences rules on its line and the next.
type silence struct {
	line  int
	rules string
}

// Add takes in another set.
func (s *Set) Add(other *Set) {
	s.Documents += other.Documents
	s.Templates = append(s.Templates, other.Templates...)
	s.scalers = append(s.scalers, other.scalers...)
	s.workloads = append(s.workloads, other.workloads...)
	s.budgets = append(s.budgets, other.budgets...)
	s.services = append(s.services, other.services...)
	s.quotas = append(s.quotas, other.quotas...)
	s.defaults = append(s.defaults, other.defaults...)
	s.strays = append(s.strays, other.strays...)
	s.broken = append(s.broken, other.broken...)
	for file, list := range other.silences {
		s.silence(file, list...)
	}
}

func (s *Set) silence(file string, list ...silence) {
	if s.silences == nil {
		s.silences = map[string][]silence{}
	}
	s.silences[file] = append(s.silences[file], list...)
}

// Refuse records that a file could not be read at all.
func (s *Set) Refuse(file string, err error) { s.refuse(file, 1, err.Error()) }

func (s *Set) refuse(file string, line int, message string) {
	s.broken = append(s.broken, broken{Object{File: file, lines: []lineMark{{"", line}}}, message})
}

// Autoscalers counts the autoscalers that were understood.
func (s *Set) Autoscalers() int { return len(s.scalers) }

// Source says where documents come from.
type Source struct {
	// File is empty for objects of a live cluster.
	File string
	// Root names the cluster that the objects are for. Objects of two roots are
	// never matched.
	Root string
	// Origin is what stands in File where the documents were rendered from it:
	// findings then tell the line of it.
	Origin []byte
	// Fixable tells that File is a manifest in spite of an Origin, so that a line of
	// it can be edited. A template's cannot.
	Fixable bool
	// Found tells that nobody named the file: it was found in a folder, where there
	// is YAML of all sorts. What cannot be read and is no manifest of ours is passed
	// over there.
	Found bool
	// Via is what else is told of where objects come from.
	Via string
}

// Read reads the documents of a file. What is broken is recorded, and the rest
// is read. The name is empty for objects of a live cluster.
func Read(file string, in io.Reader) *Set { return ReadFrom(Source{File: file}, in) }

// ReadFrom reads the documents of a source.
func ReadFrom(source Source, in io.Reader) *Set {
	out := &Set{}
	file := source.File
	if source.Origin != nil {
		out.comments(file, chunk{text: source.Origin, line: 1})
	}
	of := Object{File: file, via: source.Via, root: source.Root, origin: newOrigin(source), found: source.Found}
	for chunks := newChunker(in); ; {
		c, err := chunks.next()
		switch {
		case errors.Is(err, io.EOF):
			return out
		case err != nil:
			out.refuse(file, chunks.line, "cannot be read: "+err.Error())
			return out
		case c.tooLarge:
			out.refuse(file, c.line, "the document is larger than "+strconv.Itoa(MaxDocument>>20)+" MiB: split it, or take out what is no autoscaler")
		default:
			out.chunk(of, c)
		}
	}
}

// chunk reads the documents of a chunk: several where it is concatenated JSON.
func (s *Set) chunk(of Object, c chunk) {
	file := of.File
	if of.origin == nil {
		s.comments(file, c)
	}
	sources, faults := strict.SplitAt(c.text, c.line)
	if len(faults) > 0 && isTemplate(c.text) {
		s.template(file)
		return
	}
	s.faults(&of, c, faults)
	for _, source := range sources {
		doc, faults := source.Parse()
		if len(faults) > 0 && isTemplate(c.text) {
			s.template(file)
			continue
		}
		s.Documents++
		c.line = source.Line()
		s.faults(&of, c, faults)
		if doc == nil {
			continue
		}
		if bytes.Contains(c.text, []byte("<<")) {
			doc = doc.Merged()
		}
		of.Template = template(c.text)
		s.document(doc, of)
	}
}

// isTemplate tells whether a text has actions of Go's templates or of Jinja,
// which render what a cluster gets.
func isTemplate(text []byte) bool {
	return bytes.Contains(text, []byte("{{")) || bytes.Contains(text, []byte("{%"))
}

// template records that a file is a template.
func (s *Set) template(file string) {
	if !slices.Contains(s.Templates, file) {
		s.Templates = append(s.Templates, file)
	}
}

// ours is a line that says that a document is one that rules look at.
var ours = regexp.MustCompile(`(?m)^[\s{"]*kind"?\s*:\s*"?(` + strings.Join(slices.Concat(autoscalerKinds, slices.Sorted(maps.Keys(builtIn)),
	[]string{"PodDisruptionBudget", "LimitRange", "ResourceQuota", "Service", "List"}), "|") + `)\b`)

// faults records what is wrong with a document. A fault's own line is said by the
// finding, not in its words; that of what was rendered nobody can look at.
func (s *Set) faults(of *Object, c chunk, faults fault.List) {
	if of.found && !(bytes.Contains(c.text, []byte("apiVersion")) && ours.Match(c.text)) {
		return
	}
	for _, f := range faults {
		at := cmp.Or(f.Line, c.line)
		f.Line = 0
		if of.origin != nil {
			s.refuse(of.File, 1, "what is rendered from it cannot be read: "+f.String())
			return
		}
		s.refuse(of.File, at, f.String())
	}
}

var (
	sourceLine = regexp.MustCompile(`(?m)^# Source: (\S+)\s*$`)
	ignoreLine = regexp.MustCompile(`#\s*` + regexp.QuoteMeta(Ignore) + `:\s*(.*)$`)
)

// template is the name in the comment that Helm writes above a document.
func template(text []byte) string {
	if !bytes.Contains(text, []byte("# Source: ")) {
		return ""
	}
	if m := sourceLine.FindSubmatch(text); m != nil {
		return string(m[1])
	}
	return ""
}

// comments remembers the comments that silence rules.
func (s *Set) comments(file string, c chunk) {
	if !bytes.Contains(c.text, []byte(Ignore)) {
		return
	}
	for i, line := range strings.Split(string(c.text), "\n") {
		if m := ignoreLine.FindStringSubmatch(line); m != nil {
			s.silence(file, silence{c.line + i, m[1]})
		}
	}
}

// document takes the facts of an object, or of each item of a List.
func (s *Set) document(doc *strict.Document, object Object) {
	root := resolved(doc.Root())
	if root.Kind != yaml.MappingNode {
		return
	}
	of, o := object, &object
	c := cursor{node: root, doc: doc, object: o}
	head(c)
	if items := c.get("items"); strings.HasSuffix(o.Kind, "List") && items.there() {
		for _, item := range items.items() {
			s.document(doc.Part(item.node), of)
		}
		return
	}
	s.take(c)
}

// take sorts an object by its kind.
func (s *Set) take(c cursor) {
	switch c.object.Kind {
	case "PodDisruptionBudget":
		s.budgets = append(s.budgets, budget(c))
		c.object.forget("", "apiVersion", "spec.minAvailable", "spec.maxUnavailable")
	case "Service":
		s.services = append(s.services, service(c))
		c.object.forget("")
	case "ResourceQuota":
		s.quotas = append(s.quotas, quota(c))
		c.object.forget("")
	case "LimitRange":
		s.defaults = append(s.defaults, limitRange(c))
		c.object.forget("")
	default:
		if scaler := readScaler(c); scaler != nil {
			s.scalers = append(s.scalers, scaler)
		} else if w := workload(c); w != nil {
			s.workloads = append(s.workloads, w)
			c.object.forget("", "apiVersion", "spec.replicas", "spec.template")
		} else if stray := strayOf(c.object); stray != nil {
			s.strays = append(s.strays, stray)
		}
	}
	s.share(c.object)
}

// share lets equal paths of objects be one text.
func (s *Set) share(o *Object) {
	if s.paths == nil {
		s.paths = map[fault.Path]fault.Path{}
	}
	o.lines = slices.Clone(o.lines)
	for i, m := range o.lines {
		path, ok := s.paths[m.path]
		if !ok {
			path = m.path
			s.paths[path] = path
		}
		o.lines[i].path = path
	}
}
