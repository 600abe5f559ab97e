package lint

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"github.com/tidemark/tidemark/fault"
	"github.com/tidemark/tidemark/internal/lint"
	"github.com/tidemark/tidemark/internal/strict"
)

// configName is the file that says how its folder is linted.
const configName = ".tidemark-lint.yaml"

// config is that file. It holds for its folder and everything below, together with
// those of the folders above.
type config struct {
	Rules struct {
		// Disable are rules that are left out, by id or name.
		Disable []string `json:"disable"`
	} `json:"rules"`
	// Severities are other ones for rules, by id or name.
	Severities map[string]string `json:"severities"`
	// Excludes are patterns of files and folders that are not read.
	Excludes []string `json:"excludes"`
	// Roots are patterns of folders that are clusters of their own.
	Roots []string `json:"roots"`
	// Values are files of values that the chart of the folder is rendered with too,
	// each on its own.
	Values []string `json:"values"`

	// dir is the folder, absolute.
	dir string
}

// readConfig reads the file of a folder, nil where there is none.
func readConfig(dir string) (*config, error) {
	file := filepath.Join(dir, configName)
	text, err := os.ReadFile(file)
	if errors.Is(err, os.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	out := &config{}
	// One that says nothing makes its folder a root all the same.
	sources, faults := strict.Split(text)
	if len(sources) > 0 {
		faults = strict.Unmarshal(text, out)
	}
	if len(faults) == 0 {
		faults = out.check()
	}
	if err := faults.Err(); err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	out.dir, err = filepath.Abs(dir)
	return out, err
}

// check finds what no strict reader can.
func (c *config) check() fault.List {
	var out fault.List
	for i, word := range c.Rules.Disable {
		if _, ok := lint.Find(word); !ok {
			out.Add(fault.Path("rules.disable").Index(i), "there is no rule %q: tidemark lint --rules lists them", word)
		}
	}
	for _, word := range slices.Sorted(maps.Keys(c.Severities)) {
		at := fault.Path("severities").Field(word)
		if _, ok := lint.Find(word); !ok {
			out.Add(at, "there is no rule %q: tidemark lint --rules lists them", word)
		}
		if _, err := lint.ParseSeverity(c.Severities[word]); err != nil {
			out.Add(at, "%s", err.Error())
		}
	}
	out = append(out, checkPatterns("excludes", c.Excludes)...)
	for i, name := range c.Values {
		if !filepath.IsLocal(name) {
			out.Add(fault.Path("values").Index(i), "must be a file below, such as prod/values.yaml, got %q", name)
		}
	}
	return append(out, checkPatterns("roots", c.Roots)...)
}

func checkPatterns(at fault.Path, patterns []string) fault.List {
	var out fault.List
	for i, pattern := range patterns {
		if err := checkPattern(pattern); err != nil {
			out.Add(at.Index(i), "%s", err.Error())
		}
	}
	return out
}

// configs are the files that were found, by their folders, absolute.
type configs map[string]*config

// above are the configs that hold for a folder, the outermost first.
func (c configs) above(dir string) []*config {
	var out []*config
	for {
		if found := c[dir]; found != nil {
			out = append(out, found)
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			slices.Reverse(out)
			return out
		}
		dir = parent
	}
}

// climb reads the configs above a folder, as far up as its repository goes. Outside
// of one there is nothing that says where to stop, and none is read.
func (c configs) climb(dir string) error {
	top := repositoryOf(dir)
	for at := dir; top != "" && len(at) >= len(top); at = filepath.Dir(at) {
		read, err := readConfig(at)
		if err != nil {
			return err
		}
		if read != nil {
			c[at] = read
		}
	}
	return nil
}

// repositoryOf is the folder of the repository that a folder lies in, if any.
func repositoryOf(dir string) string {
	for ; ; dir = filepath.Dir(dir) {
		if _, err := os.Stat(filepath.Join(dir, ".git")); err == nil {
			return dir
		}
		if filepath.Dir(dir) == dir {
			return ""
		}
	}
}

// settle leaves out the findings that configs leave out, and gives the others the
// severities that they state. What the innermost one says counts.
func (c configs) settle(findings []lint.Finding) []lint.Finding {
	if len(c) == 0 {
		return findings
	}
	var out []lint.Finding
	for _, f := range findings {
		disabled := false
		for _, config := range c.of(f.File) {
			disabled = disabled || slices.ContainsFunc(config.Rules.Disable, func(word string) bool { return word == f.Rule || word == f.Name })
			for _, word := range []string{f.Name, f.Rule} {
				if severity, err := lint.ParseSeverity(config.Severities[word]); err == nil {
					f.Severity = severity
				}
			}
		}
		if !disabled {
			out = append(out, f)
		}
	}
	return out
}

// of are the configs that hold for a file.
func (c configs) of(file string) []*config {
	absolute, err := filepath.Abs(filepath.FromSlash(file))
	if err != nil || file == "" || file == "-" {
		return nil
	}
	return c.above(filepath.Dir(absolute))
}
