package whatif

import (
	"bytes"
	"errors"

	goyaml "go.yaml.in/yaml/v3"
	"sigs.k8s.io/yaml"

	"github.com/tidemark/tidemark/api/v1alpha1"
	"github.com/tidemark/tidemark/internal/object"
	"github.com/tidemark/tidemark/internal/strict"
	"github.com/tidemark/tidemark/internal/ui/feed"
)

// Recommend is an edited object in mode Recommend. The text is read and written again,
// whatever its style is, so that nothing else in it becomes another.
func (*Bench) Recommend(e feed.Edit) (feed.Recommended, error) {
	doc, err := only(e.YAML)
	if err != nil {
		return feed.Recommended{}, err
	}
	root := followed(doc.Root())
	spec := root
	if child(root, "kind") != nil {
		spec = followed(child(root, "spec"))
	}
	if spec == nil || spec.Kind != goyaml.MappingNode {
		return feed.Recommended{}, errors.New("the object must have a spec")
	}
	setMode(spec, v1alpha1.ModeRecommend)
	var typed v1alpha1.WorkloadAutoscalerSpec
	if faults := doc.Part(spec).Decode(&typed); len(faults) > 0 {
		return feed.Recommended{}, errors.New(faults.Error())
	}
	// What is applied is written as the object is shown, so that only what changes
	// differs.
	applied, err := yaml.Marshal(typed)
	if err != nil {
		return feed.Recommended{}, err
	}
	var text bytes.Buffer
	w := goyaml.NewEncoder(&text)
	w.SetIndent(2)
	w.CompactSeqIndent()
	if err := errors.Join(w.Encode(root), w.Close()); err != nil {
		return feed.Recommended{}, err
	}
	return feed.Recommended{YAML: text.String(), Spec: string(applied)}, nil
}

// only is the one document of a text: an object of ours, or its spec, also as one that
// an object of another autoscaler is converted to.
func only(text string) (*strict.Document, error) {
	ours, _, faults := object.Ours([]byte(text))
	if len(faults) > 0 {
		return nil, errors.New(faults.Error())
	}
	sources, faults := strict.Split(ours)
	if len(faults) > 0 {
		return nil, errors.New(faults.Error())
	}
	if len(sources) != 1 {
		return nil, errors.New("the text must hold one object")
	}
	doc, faults := sources[0].Parse()
	if len(faults) > 0 {
		return nil, errors.New(faults.Error())
	}
	return doc, nil
}

// setMode gives a spec a mode: in the place of the one it has, or as its first field.
func setMode(spec *goyaml.Node, mode v1alpha1.Mode) {
	value := &goyaml.Node{Kind: goyaml.ScalarNode, Value: string(mode)}
	for i := 0; i+1 < len(spec.Content); i += 2 {
		if spec.Content[i].Value == "mode" {
			value.LineComment = spec.Content[i+1].LineComment
			spec.Content[i+1] = value
			return
		}
	}
	spec.Content = append([]*goyaml.Node{{Kind: goyaml.ScalarNode, Value: "mode"}, value}, spec.Content...)
}

// child is the value of a field of a mapping; nil where there is none.
func child(n *goyaml.Node, name string) *goyaml.Node {
	if n == nil || n.Kind != goyaml.MappingNode {
		return nil
	}
	for i := 0; i+1 < len(n.Content); i += 2 {
		if n.Content[i].Value == name {
			return n.Content[i+1]
		}
	}
	return nil
}

// followed is what a document holds, or an alias stands for.
func followed(n *goyaml.Node) *goyaml.Node {
	for n != nil {
		switch {
		case n.Kind == goyaml.DocumentNode && len(n.Content) == 1:
			n = n.Content[0]
		case n.Kind == goyaml.AliasNode:
			n = n.Alias
		default:
			return n
		}
	}
	return nil
}
