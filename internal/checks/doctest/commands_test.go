package doctest

import (
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "write what commands print into the documents")

// elsewhere are documents whose blocks of sh another test runs, because they need
// a story of their own.
var elsewhere = map[string]string{"docs/start.md": "TestStartDocument"}

// commanded are the documents that users follow: their commands have to work.
func commanded(t *testing.T) []string {
	t.Helper()
	return slices.DeleteFunc(documents(t), func(path string) bool { return path != "README.md" && !strings.HasPrefix(path, "docs/") })
}

// isCommand tells whether a block is for a shell.
func (b *block) isCommand() bool { return b.language == "sh" || b.language == "console" }

// notRun is why a block is not run, if it says so.
func (b *block) notRun() (why string, marked bool) { return strings.CutPrefix(b.mark, "not run: ") }

// programs begin the lines that are commands.
var programs = regexp.MustCompile(`^(\$ )?(bin/)?(tidemark|kubectl|helm|make|go|cd|curl|jq|cosign) `)

// TestCommandsAreMarked: whatever looks like a command stands in a block that is
// run, or that says why it is not.
func TestCommandsAreMarked(t *testing.T) {
	for _, path := range commanded(t) {
		fenced, prose := blocks(read(t, path))
		for line := range strings.Lines(prose) {
			if indented, ok := strings.CutPrefix(line, "    "); ok && programs.MatchString(strings.TrimSpace(indented)) {
				t.Errorf("%s: %sis a command that nobody runs: put it into a block of sh or console", path, line)
			}
		}
		for _, b := range fenced {
			if why, marked := b.notRun(); marked && (len(why) < 10 || !b.isCommand()) {
				t.Errorf("%s:%d: say why it is not run, above a block of sh or console", path, b.line)
			}
			if first, _, _ := strings.Cut(b.text, "\n"); !b.isCommand() && programs.MatchString(first+" ") {
				t.Errorf("%s:%d: is a command in a block of %q: write sh or console", path, b.line, b.language)
			}
			if _, marked := b.notRun(); elsewhere[path] != "" && b.language == "console" && !marked {
				t.Errorf("%s:%d: %s runs blocks of sh alone", path, b.line, elsewhere[path])
			}
		}
	}
}

// TestCommands runs the commands of each document as they are written, one block
// after the other, in a folder that holds what the document shows. What stands
// below a command is what it prints; ... stands for any lines.
func TestCommands(t *testing.T) {
	ran := 0
	for _, path := range commanded(t) {
		if elsewhere[path] != "" {
			continue
		}
		fenced, _ := blocks(read(t, path))
		if !slices.ContainsFunc(fenced, func(b block) bool { _, not := b.notRun(); return b.isCommand() && !not }) {
			continue
		}
		t.Run(path, func(t *testing.T) {
			place := newPlace(t, fenced)
			var edits []edit
			for i := range fenced {
				b := &fenced[i]
				if _, not := b.notRun(); not || !b.isCommand() {
					continue
				}
				ran++
				if b.language == "console" {
					edits = append(edits, place.session(t, path, b)...)
					continue
				}
				printed := place.shell(t, path, b, b.text)
				if i+1 < len(fenced) && fenced[i+1].mark == "" && (fenced[i+1].language == "text" || fenced[i+1].language == "json") {
					edits = append(edits, judge(t, path, fenced[i+1].line, fenced[i+1].text, printed)...)
				}
			}
			place.unchanged(t)
			rewrite(t, path, edits)
		})
	}
	if ran < 20 {
		t.Errorf("%d blocks of commands: the test looks in the wrong place", ran)
	}
}

// session runs each command of a console and looks at what stands below it.
func (p *place) session(t *testing.T, path string, b *block) (edits []edit) {
	t.Helper()
	command, shown, at := "", "", 0
	finish := func() {
		if command == "" {
			return
		}
		printed := p.shell(t, path, b, command)
		if shown != "" {
			edits = append(edits, judge(t, path, at, shown, printed)...)
		}
	}
	number := b.line
	for line := range strings.Lines(b.text) {
		number++
		if next, ok := strings.CutPrefix(line, "$ "); ok {
			finish()
			command, shown, at = next, "", number
			continue
		}
		shown += line
	}
	finish()
	return edits
}

// edit is a piece of a document that -update replaces.
type edit struct{ old, fresh string }

// judge compares what a document shows, after a line of it, with what was printed.
func judge(t *testing.T, path string, line int, shown, printed string) []edit {
	t.Helper()
	if shown == printed || matches(shown, printed) {
		return nil
	}
	if *update && !strings.Contains(shown, "\n...\n") {
		return []edit{{shown, printed}}
	}
	t.Errorf("%s:%d: the command prints something else (-document +command)\n%s", path, line, cmp.Diff(shown, printed))
	return nil
}

// matches tells whether a text is what another one shows, in which a line of ...
// stands for any lines.
func matches(shown, printed string) bool {
	parts := strings.Split("\n"+shown, "\n...\n")
	rest := "\n" + printed
	for i, part := range parts {
		at := strings.Index(rest, part)
		if at < 0 || i == 0 && at > 0 {
			return false
		}
		rest = rest[at+len(part):]
	}
	return len(parts) > 1
}

func rewrite(t *testing.T, path string, edits []edit) {
	t.Helper()
	if len(edits) == 0 {
		return
	}
	text := read(t, path)
	for _, e := range edits {
		text = strings.Replace(text, e.old, e.fresh, 1)
	}
	if err := os.WriteFile(filepath.Join(root, path), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}
