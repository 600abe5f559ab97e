package render

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"sigs.k8s.io/kustomize/kyaml/filesys"
	"sigs.k8s.io/yaml"
)

// local is a file system on which every kustomization needs local files only, and
// says what its manifests come from.
type local struct {
	filesys.FileSystem
	// within is the folder outside of which nothing is read.
	within        string
	read, leftOut []string
}

// ReadFile reads a file, and a kustomization without what would have to be fetched.
func (l *local) ReadFile(name string) ([]byte, error) {
	file, err := resolved(name)
	if err != nil {
		return nil, err
	}
	if below, err := filepath.Rel(l.within, file); err != nil || below == ".." || strings.HasPrefix(below, "../") {
		return nil, fmt.Errorf("%s lies outside of %s", name, l.within)
	}
	text, err := l.FileSystem.ReadFile(name)
	if err != nil {
		return nil, err
	}
	l.read = append(l.read, name)
	if !slices.Contains(Names, filepath.Base(name)) {
		return text, nil
	}
	var fields map[string]any
	if err := yaml.Unmarshal(text, &fields); err != nil {
		return nil, err
	}
	return yaml.Marshal(l.localized(filepath.Dir(name), fields))
}

// kept are the fields that say something about autoscalers and workloads and need
// nothing but local files.
var kept = []string{
	"apiVersion", "kind", "metadata", "namespace", "namePrefix", "nameSuffix", "labels", "commonAnnotations", "replicas", "sortOptions",
}

// missed are the fields that would matter and are left out: they run programs, or
// read what may be anywhere.
var missed = []string{"helmCharts", "helmChartInflationGenerator", "generators", "transformers", "validators"}

// localized writes a kustomization in today's fields, without those that are not
// local. Values of variables, images and the contents of ConfigMaps do not matter.
func (l *local) localized(dir string, fields map[string]any) map[string]any {
	out := map[string]any{"buildMetadata": []string{"originAnnotations"}}
	for _, field := range kept {
		if value, ok := fields[field]; ok {
			out[field] = value
		}
	}
	for _, field := range missed {
		if fields[field] != nil {
			l.leftOut = append(l.leftOut, field)
		}
	}
	out["resources"] = l.localEntries(dir, slices.Concat(entries(fields["resources"]), entries(fields["bases"])))
	out["components"] = l.localEntries(dir, entries(fields["components"]))
	out["patches"] = slices.DeleteFunc(patches(fields), func(p map[string]any) bool { return !l.hasLocal(dir, p) })
	out["replacements"] = slices.DeleteFunc(objects(fields["replacements"]), func(r map[string]any) bool { return !l.hasLocal(dir, r) })
	if labels, ok := fields["commonLabels"].(map[string]any); ok {
		listed, _ := fields["labels"].([]any)
		out["labels"] = append(slices.Clone(listed), map[string]any{"pairs": labels, "includeSelectors": true})
	}
	out["configurations"] = l.localEntries(dir, entries(fields["configurations"]))
	for _, field := range []string{"configMapGenerator", "secretGenerator"} {
		out[field] = empty(fields[field])
	}
	return out
}

// empty keeps the names of what is generated, which others refer to.
func empty(generators any) []map[string]any {
	var out []map[string]any
	for _, g := range objects(generators) {
		stub := map[string]any{"literals": []string{"left=out"}}
		maps.Copy(stub, g)
		for _, field := range []string{"files", "envs", "env"} {
			delete(stub, field)
		}
		stub["literals"] = []string{"left=out"}
		out = append(out, stub)
	}
	return out
}

func (l *local) localEntries(dir string, all []string) []string {
	out := []string{}
	for _, entry := range all {
		if isLocal(dir, entry) {
			out = append(out, entry)
		} else {
			l.leftOut = append(l.leftOut, entry)
		}
	}
	return out
}

// hasLocal tells whether the file that an entry names, if any, is there.
func (l *local) hasLocal(dir string, entry map[string]any) bool {
	name, ok := entry["path"].(string)
	if !ok || isLocal(dir, name) {
		return true
	}
	l.leftOut = append(l.leftOut, name)
	return false
}

// isLocal tells whether an entry is a file or a folder that is there, and nothing
// that kustomize would take for an address.
func isLocal(dir, entry string) bool {
	for _, mark := range []string{"://", "::", "@", "?", "//", ".git", "_git", "github.com", "gh:"} {
		if strings.Contains(strings.ToLower(entry), mark) {
			return false
		}
	}
	_, err := os.Stat(filepath.Join(dir, entry))
	return err == nil && !filepath.IsAbs(entry)
}

func isDir(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

// patches are those of all fields that hold any, in the form of the newest.
func patches(fields map[string]any) []map[string]any {
	out := slices.Concat(objects(fields["patches"]), objects(fields["patchesJson6902"]))
	for _, entry := range entries(fields["patchesStrategicMerge"]) {
		if strings.Contains(entry, "\n") {
			out = append(out, map[string]any{"patch": entry})
		} else {
			out = append(out, map[string]any{"path": entry})
		}
	}
	return out
}

// entries are the texts of a list.
func entries(list any) []string {
	all, _ := list.([]any)
	var out []string
	for _, entry := range all {
		if text, ok := entry.(string); ok {
			out = append(out, text)
		}
	}
	return out
}

// objects are the maps of a list.
func objects(list any) []map[string]any {
	all, _ := list.([]any)
	var out []map[string]any
	for _, entry := range all {
		if fields, ok := entry.(map[string]any); ok {
			out = append(out, fields)
		}
	}
	return out
}
