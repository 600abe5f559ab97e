package lint

import (
	"cmp"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/tidemark/tidemark/internal/cli/paths"
	"github.com/tidemark/tidemark/internal/lint/render"
)

// tree is what the named paths hold, sorted by how it is read.
type tree struct {
	excludes []string
	configs  configs
	// files are manifests, in their order.
	files []paths.Source
	// roots are the folders that are clusters of their own.
	roots map[string]bool
	// charts and kustomizations are roots that are rendered.
	charts         []string
	isChart        map[string]bool
	kustomizations map[string]render.Kustomization
	folders        []string // of the kustomizations, in their order
	// within is the repository, or else the named path, that each of them lies in.
	within map[string]string
	// missing tells that a named path is not there.
	missing     bool
	seen, named map[string]bool
}

// explore walks the named paths.
func explore(named, excludes []string) (*tree, error) {
	t := &tree{
		excludes: excludes, configs: configs{}, roots: map[string]bool{}, kustomizations: map[string]render.Kustomization{}, seen: map[string]bool{},
		isChart: map[string]bool{}, within: map[string]string{}, named: map[string]bool{},
	}
	for _, name := range named {
		if err := t.path(name); err != nil {
			return nil, err
		}
	}
	return t, nil
}

func (t *tree) path(name string) error {
	if name == "-" {
		t.file(name, nil)
		return nil
	}
	name = filepath.Clean(name)
	t.named[name] = true
	info, err := os.Stat(name)
	if err != nil {
		t.missing = true
		t.file(name, err)
		return nil
	}
	absolute, err := filepath.Abs(name)
	if err != nil {
		return err
	}
	if !info.IsDir() {
		t.file(name, nil)
		return t.configs.climb(filepath.Dir(absolute))
	}
	if err := t.configs.climb(filepath.Dir(absolute)); err != nil {
		return err
	}
	within := repositoryOf(absolute)
	before := len(t.folders)
	err = filepath.WalkDir(name, func(path string, entry fs.DirEntry, err error) error { return t.visit(name, path, entry, err) })
	for _, dir := range t.folders[before:] {
		t.within[dir] = cmp.Or(within, name)
	}
	return err
}

// visit sorts one file or folder below a named path. Hidden folders are left out.
func (t *tree) visit(top, path string, entry fs.DirEntry, err error) error {
	switch {
	case err != nil:
		t.file(path, err)
	case path != top && t.excluded(top, path):
		if entry.IsDir() {
			return filepath.SkipDir
		}
	case entry.IsDir() && path != top && strings.HasPrefix(entry.Name(), "."):
		return filepath.SkipDir
	case entry.IsDir():
		return t.folder(path)
	case entry.Type().IsRegular() && paths.IsManifest(path) && entry.Name() != configName:
		t.file(path, nil)
	}
	return nil
}

// valuesOf are the files of values that the configuration of a chart's folder names.
func (t *tree) valuesOf(chart string) []string {
	absolute, err := filepath.Abs(chart)
	if err != nil || t.configs[absolute] == nil {
		return nil
	}
	var out []string
	for _, name := range t.configs[absolute].Values {
		out = append(out, filepath.Join(chart, name))
	}
	return out
}

func (t *tree) file(name string, err error) {
	if !t.seen[name] {
		t.seen[name] = true
		t.files = append(t.files, paths.Source{Name: name, Err: err})
	}
}

// excluded asks the flags, whose patterns are relative to the working directory or
// to the path that was named, and the configs, whose are relative to their folders.
func (t *tree) excluded(top, path string) bool {
	below, err := filepath.Rel(top, path)
	for _, pattern := range t.excludes {
		if matches(pattern, path) || err == nil && matches(pattern, below) {
			return true
		}
	}
	return t.configured(path, func(c *config) []string { return c.Excludes })
}

// configured tells whether a pattern of the configs above names a path.
func (t *tree) configured(path string, patterns func(*config) []string) bool {
	if len(t.configs) == 0 {
		return false
	}
	absolute, err := filepath.Abs(path)
	if err != nil {
		return false
	}
	for _, c := range t.configs.above(filepath.Dir(absolute)) {
		below, err := filepath.Rel(c.dir, absolute)
		if err == nil && slices.ContainsFunc(patterns(c), func(pattern string) bool { return matches(pattern, below) }) {
			return true
		}
	}
	return false
}

// folder looks for what makes a folder a root.
func (t *tree) folder(dir string) error {
	found, err := readConfig(dir)
	if err != nil {
		return err
	}
	if found != nil {
		t.configs[found.dir] = found
		t.roots[dir] = true
	}
	if t.configured(dir, func(c *config) []string { return c.Roots }) {
		t.roots[dir] = true
	}
	if inChart := t.chartOf(dir); inChart != "" {
		return nil
	}
	if info, err := os.Stat(filepath.Join(dir, "Chart.yaml")); err == nil && info.Mode().IsRegular() {
		if !t.isChart[dir] {
			t.charts = append(t.charts, dir)
		}
		t.isChart[dir], t.roots[dir] = true, true
	}
	if k, ok := render.ReadKustomization(dir); ok && !t.seen[dir] {
		t.seen[dir] = true
		t.kustomizations[dir] = k
		t.folders = append(t.folders, dir)
		t.roots[dir] = true
	}
	return nil
}

// chartParts are the files and folders of a chart that are no manifests.
var chartParts = []string{
	"templates", "charts", "crds", "ci", "Chart.yaml", "Chart.lock", "values.yaml", "values.schema.json", "requirements.yaml", "requirements.lock",
}

// chartOf is the chart that a path is a part of, if any. Other values that lie
// beside the chart's own are parts of it as well.
func (t *tree) chartOf(path string) string {
	for part := path; ; part = filepath.Dir(part) {
		chart, name := filepath.Dir(part), filepath.Base(part)
		if t.isChart[chart] && (slices.Contains(chartParts, name) || part == path && strings.Contains(name, "values") && paths.IsManifest(name)) {
			return chart
		}
		if chart == part {
			return ""
		}
	}
}

// rootOf is the innermost root that a file lies in.
func (t *tree) rootOf(file string) string {
	for dir := filepath.Dir(file); ; dir = filepath.Dir(dir) {
		if t.roots[dir] {
			return dir
		}
		if parent := filepath.Dir(dir); parent == dir {
			return ""
		}
	}
}
