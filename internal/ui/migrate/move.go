package migrate

import (
	"cmp"
	"fmt"
	"strings"

	"sigs.k8s.io/yaml"

	"github.com/tidemark/tidemark/api/v1alpha1"
	"github.com/tidemark/tidemark/internal/convert/several"
	"github.com/tidemark/tidemark/internal/ui/feed"
)

// move is an object beside what it is converted to.
func (f *found) move(all *sorted) (feed.Move, error) {
	out := feed.Move{
		ForeignObject: f.line, YAML: f.yaml, Findings: append([]feed.Finding{}, f.findings...), Fields: []feed.Field{}, NotComputed: []string{}, OneSided: []string{},
		Rows: []feed.MovedRow{},
	}
	if f.into == nil {
		return out, nil
	}
	var err error
	if out.Converted, err = written(all.group(f.into), ""); err != nil {
		return out, err
	}
	if out.Recommended, err = written(all.group(f.into), v1alpha1.ModeRecommend); err != nil {
		return out, err
	}
	for _, field := range f.into.Report.Fields {
		out.Fields = append(out.Fields, feed.Field{Path: field.Path, Fate: string(field.Fate), To: field.To, Note: field.Note, Lost: field.Lost})
	}
	c := &f.compared
	out.Original, out.Words = c.Original, c.Words()
	out.NotComputed = append(out.NotComputed, c.NotComputed...)
	for _, o := range c.OneSided {
		why := cmp.Or(strings.Join(o.Because, "; "), "NOT ANNOUNCED")
		out.OneSided = append(out.OneSided, fmt.Sprintf("only %s: %s (%s) %s", strings.ToLower(string(o.Side)), o.Path, o.What, why))
	}
	for _, r := range c.Rows {
		row := feed.MovedRow{Pods: r.Pods, Load: r.Load, Old: r.Old, New: r.New, Differs: r.Differs(), Because: append([]string{}, r.Because...)}
		out.Rows = append(out.Rows, row)
	}
	return out, nil
}

// written are the objects that some conversions became, as tidemark convert writes
// them, those of ours in a mode where one is given.
func written(group []several.Conversion, mode v1alpha1.Mode) (string, error) {
	objects, err := several.Manifests(group)
	if err != nil {
		return "", err
	}
	var out strings.Builder
	for i, m := range objects {
		if spec, ok := m.Tree["spec"].(map[string]any); ok && mode != "" && m.Tree["kind"] == v1alpha1.Kind {
			spec["mode"] = string(mode)
		}
		text, err := yaml.Marshal(m.Tree)
		if err != nil {
			return "", err
		}
		if i > 0 {
			out.WriteString("---\n")
		}
		for _, line := range m.Comments {
			fmt.Fprintf(&out, "# %s\n", line)
		}
		out.Write(text)
	}
	return out.String(), nil
}
