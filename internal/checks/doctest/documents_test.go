package doctest

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/tidemark/tidemark/scaletest"
)

const root = "../../.."

// documents are the texts that people read, as paths below root.
func documents(t *testing.T) []string {
	t.Helper()
	out := []string{"README.md", "CHANGELOG.md", "CONTRIBUTING.md", "RELEASE.md", "SECURITY.md", "cluster/README.md", ".github/pull_request_template.md"}
	before := len(out)
	err := filepath.WalkDir(filepath.Join(root, "docs"), func(path string, entry os.DirEntry, err error) error {
		if err != nil || filepath.Ext(path) != ".md" {
			return err
		}
		below, err := filepath.Rel(root, path)
		out = append(out, filepath.ToSlash(below))
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(out) == before {
		t.Fatal("there are no documents: the test looks in the wrong place")
	}
	return out
}

func read(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(root, path))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// block is a fenced piece of a document.
type block struct {
	language string
	// line is that of the fence.
	line int
	text string
	// mark is the comment in the line above, which readers do not see.
	mark string
}

// blocks returns the fenced pieces of a document, and the document without
// them: what looks like a link in an example is none.
func blocks(document string) (fenced []block, prose string) {
	var open *block
	var rest strings.Builder
	number, above := 0, ""
	for line := range strings.Lines(document) {
		number++
		language, fence := strings.CutPrefix(strings.TrimSpace(line), "```")
		switch {
		case fence && open == nil:
			open = &block{language: strings.TrimSpace(language), line: number, mark: markIn(above)}
		case fence:
			fenced, open = append(fenced, *open), nil
		case open != nil:
			open.text += line
		default:
			rest.WriteString(line)
		}
		above = line
	}
	return fenced, rest.String()
}

// markIn is the text of a comment that is a line of its own.
func markIn(line string) string {
	text, opened := strings.CutPrefix(strings.TrimSpace(line), "<!-- ")
	text, closed := strings.CutSuffix(text, " -->")
	if !opened || !closed {
		return ""
	}
	return text
}

// TestScripts runs each scale block of the documents.
func TestScripts(t *testing.T) {
	ran := 0
	for _, path := range documents(t) {
		fenced, _ := blocks(read(t, path))
		for _, b := range fenced {
			if b.language != "scale" {
				continue
			}
			ran++
			// Empty lines above make the lines of a failure those of the document.
			script := strings.Repeat("\n", b.line) + b.text
			result, err := scaletest.Run(path, []byte(script), scaletest.Tidemark)
			if err != nil {
				t.Error(err)
				continue
			}
			if result.Checks == 0 {
				t.Errorf("%s:%d: the script checks nothing", path, b.line)
			}
			for _, f := range result.Failures {
				t.Error(f)
			}
		}
	}
	if ran == 0 {
		t.Error("no document has a script: the test looks in the wrong place")
	}
}

var links = regexp.MustCompile(`\]\(([^)\s]+)\)`)

// TestLinks looks for the file behind each relative link.
func TestLinks(t *testing.T) {
	for _, path := range documents(t) {
		_, prose := blocks(read(t, path))
		for _, match := range links.FindAllStringSubmatch(prose, -1) {
			target, anchor, _ := strings.Cut(match[1], "#")
			if strings.Contains(target, "://") {
				continue
			}
			file := path
			if target != "" {
				file = filepath.Join(filepath.Dir(path), target)
			}
			if _, err := os.Stat(filepath.Join(root, file)); err != nil {
				t.Errorf("%s: the link to %s leads nowhere", path, match[1])
				continue
			}
			if anchor != "" && strings.HasSuffix(file, ".md") && !anchors(read(t, file))[anchor] {
				t.Errorf("%s: %s has no heading #%s", path, file, anchor)
			}
		}
	}
}

// anchors returns the names by which the headings of a document are linked.
func anchors(document string) map[string]bool {
	_, prose := blocks(document)
	out := map[string]bool{}
	for line := range strings.Lines(prose) {
		heading := strings.TrimLeft(line, "#")
		if heading == line || !strings.HasPrefix(heading, " ") {
			continue
		}
		name := strings.Map(func(r rune) rune {
			switch {
			case r == ' ':
				return '-'
			case r == '-' || r == '_' || r >= '0' && r <= '9' || r >= 'a' && r <= 'z':
				return r
			}
			return -1
		}, strings.ToLower(strings.TrimSpace(heading)))
		out[name] = true
	}
	return out
}

var testNames = regexp.MustCompile("`((?:Test|Fuzz)[A-Z][A-Za-z0-9]*)`")

// TestNamedTestsExist: a document that names a test as its proof must not
// outlive it.
func TestNamedTestsExist(t *testing.T) {
	source := testSource(t)
	for _, path := range documents(t) {
		for _, match := range testNames.FindAllStringSubmatch(read(t, path), -1) {
			if !strings.Contains(source, "\nfunc "+match[1]+"(") {
				t.Errorf("%s names %s, and there is no such test", path, match[1])
			}
		}
	}
}

// testSource is the text of every test file of the repository.
func testSource(t *testing.T) string {
	t.Helper()
	var all strings.Builder
	err := filepath.WalkDir(root, func(path string, entry os.DirEntry, err error) error {
		if err != nil || entry.IsDir() || !strings.HasSuffix(path, "_test.go") {
			return err
		}
		text, err := os.ReadFile(path)
		all.Write(text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all.String()
}
