package strict

import (
	"slices"

	"go.yaml.in/yaml/v3"
)

// Merged is the document with its merge keys written out, for readers that know what
// is meant by them.
func (d *Document) Merged() *Document {
	if !merges(d.root) {
		return d
	}
	return &Document{root: merged(d.root), offset: d.offset}
}

// merges tells whether a tree has merge keys. What an alias stands for is a part of the
// tree elsewhere, so that each part is looked at once.
func merges(n *yaml.Node) bool {
	return n.Tag == tagMerge || slices.ContainsFunc(n.Content, merges)
}

// merged writes out merge keys: a map gets the pairs of the maps it merges
// that it has not itself. The tree's size is bounded with its aliases written
// out, so this is too.
func merged(n *yaml.Node) *yaml.Node {
	n = target(n)
	if len(n.Content) == 0 {
		return n
	}
	changed := false
	content := make([]*yaml.Node, 0, len(n.Content))
	var bases []*yaml.Node
	for i, child := range n.Content {
		if n.Kind == yaml.MappingNode && i%2 == 0 && child.Tag == tagMerge {
			bases = append(bases, n.Content[i+1])
		}
		if n.Kind == yaml.MappingNode && n.Content[i&^1].Tag == tagMerge {
			changed = true
			continue
		}
		written := child
		if n.Kind != yaml.MappingNode || i%2 == 1 {
			written = merged(child)
		}
		changed = changed || written != child
		content = append(content, written)
	}
	if !changed {
		return n
	}
	out := *n
	out.Content = content
	for _, base := range bases {
		inherit(&out, base)
	}
	return &out
}

// inherit adds the pairs of a merged map, or of each in a list of them.
func inherit(n, base *yaml.Node) {
	base = merged(base)
	if base.Kind == yaml.SequenceNode {
		for _, one := range base.Content {
			inherit(n, one)
		}
		return
	}
	own := map[string]bool{}
	for i := 0; i+1 < len(n.Content); i += 2 {
		own[n.Content[i].Value] = true
	}
	for i := 0; i+1 < len(base.Content); i += 2 {
		if !own[base.Content[i].Value] {
			n.Content = append(n.Content, base.Content[i], base.Content[i+1])
		}
	}
}
