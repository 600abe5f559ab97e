package lint

import (
	"path"
	"slices"
	"strings"

	"github.com/tidemark/tidemark/fault"
)

// Object is what is known of every object, whatever its kind.
type Object struct {
	// File is empty for objects of a live cluster.
	File string
	// Template is the name that Helm writes above what it renders.
	Template string
	// via is the overlay that an object of a base was built by.
	via                               string
	APIVersion, Kind, Namespace, Name string
	// Live objects were read from a cluster, which fills in defaults and
	// counts: what they state is not what somebody wrote.
	Live bool
	// root is the cluster that the object is for, and scope is where in it the
	// object is matched with others.
	root, scope string
	// origin is the text that the object was rendered from, nil where it was
	// read as it stands.
	origin *origin
	// found tells that nobody named the file that it stands in.
	found bool
	// owner is the kind of the controller that made the object.
	owner       string
	annotations map[string]string

	lines []lineMark
	// bare are the places of words that kubectl reads as true or false.
	bare []fault.Path
	// unknown, wrong and refused are faults found while reading.
	unknown, wrong, refused []fault.Fault
}

// lineMark is the line of a path.
type lineMark struct {
	path fault.Path
	line int
}

func (o *Object) mark(at fault.Path, line int) { o.lines = append(o.lines, lineMark{at, line}) }

// forget keeps only the lines of a few paths: those that rules point to.
func (o *Object) forget(but ...fault.Path) {
	o.lines = slices.Clone(slices.DeleteFunc(o.lines, func(m lineMark) bool { return !slices.Contains(but, m.path) }))
}

// line is the line of a path, or of the nearest part above it that is there.
func (o *Object) line(at fault.Path) int {
	if o.origin != nil {
		return o.origin.line(o, at)
	}
	for at != "" {
		for _, m := range o.lines {
			if m.path == at {
				return m.line
			}
		}
		at = at[:max(0, strings.LastIndexAny(string(at), ".["))]
	}
	if len(o.lines) > 0 {
		return o.lines[0].line
	}
	return 0
}

// title names the object for people.
func (o *Object) title() string {
	name := o.Name
	if o.Namespace != "" {
		name = o.Namespace + "/" + name
	}
	title := strings.TrimSpace(o.Kind + " " + name)
	if o.Template != "" {
		title += " (" + o.Template + ")"
	}
	return title
}

// scopeOf is where an object is matched with others: its namespace, or its
// folder where it names none. What was rendered goes out together, so that no
// namespace is one too. Roots are clusters of their own.
func scopeOf(o *Object) string {
	if o.Namespace != "" || o.File == "" || o.origin != nil {
		return o.root + "\x00namespace " + o.Namespace
	}
	return o.root + "\x00folder " + path.Dir(o.File)
}

// Ignore is the annotation, and the comment, that silences rules.
const Ignore = "lint.tidemark.dev/ignore"

// ignores tells whether the object's annotation silences a rule.
func (o *Object) ignores(rule *Rule) bool { return names(o.annotations[Ignore], rule) }

// names tells whether a list of ids and names holds a rule, or all of them.
func names(list string, rule *Rule) bool {
	listed := strings.FieldsFunc(list, func(r rune) bool { return r == ',' || r == ' ' || r == '\t' })
	return slices.ContainsFunc(listed, func(word string) bool { return word == "all" || word == rule.ID || word == rule.Name })
}

// head reads what every object has. The first mark is the object itself.
func head(c cursor) {
	o := c.object
	o.mark("", c.doc.LineOf(c.node))
	o.APIVersion, o.Kind = c.get("apiVersion").text(), c.get("kind").text()
	meta := c.get("metadata")
	o.Name, o.Namespace = meta.get("name").text(), meta.get("namespace").text()
	o.scope = scopeOf(o)
	o.Live = o.File == "" || meta.get("uid").there() || meta.get("resourceVersion").there()
	if notes := meta.get("annotations"); notes.there() {
		o.annotations = notes.texts()
	}
	for _, owner := range meta.get("ownerReferences").items() {
		if yes := owner.get("controller").truth(); yes != nil && *yes {
			o.owner = owner.get("kind").text()
		}
	}
}
