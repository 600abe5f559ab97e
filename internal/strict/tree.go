package strict

import "go.yaml.in/yaml/v3"

// Line is the line of the input that the document starts on.
func (s Source) Line() int { return s.line }

// Text is the document as it is written.
func (s Source) Text() []byte { return s.text }

// Root is the document's tree, for readers that take from it what they know
// and pass over the rest. Its bounds have been checked: written out with its
// aliases, it is neither too deep nor too large.
func (d *Document) Root() *yaml.Node { return d.root }

// Part is a document of one node of the tree, such as an item of a List. Its
// lines are those of the whole.
func (d *Document) Part(n *yaml.Node) *Document { return &Document{root: n, offset: d.offset} }

// LineOf is the line of the input that a node of the tree stands on.
func (d *Document) LineOf(n *yaml.Node) int { return n.Line + d.offset }
