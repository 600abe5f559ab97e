package backtest_test

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/spf13/cobra"

	"github.com/tidemark/tidemark/internal/cli/backtest"
	"github.com/tidemark/tidemark/internal/cli/exit"
	"github.com/tidemark/tidemark/internal/cli/record"
	"github.com/tidemark/tidemark/internal/cli/simulate"
	"github.com/tidemark/tidemark/internal/cli/tune"
	"github.com/tidemark/tidemark/internal/replay/trace/generate"
)

var update = flag.Bool("update", false, "write what the commands print into docs/replay.md")

const document = "../../../docs/replay.md"

// verbs are those that the document uses.
var verbs = map[string]func() *cobra.Command{
	"backtest": backtest.New, "record": record.New, "simulate": simulate.New, "tune": tune.New,
}

// fence is a fenced block of the document.
type fence struct {
	language, text string
	// from and to are where the text stands.
	from, to int
}

func fences(text string) []fence {
	var out []fence
	for at := 0; ; {
		open := strings.Index(text[at:], "\n```")
		if open < 0 {
			return out
		}
		begin := at + open + len("\n```")
		line := begin + strings.IndexByte(text[begin:], '\n')
		end := line + strings.Index(text[line:], "\n```")
		out = append(out, fence{text[begin:line], text[line+1 : end+1], line + 1, end + 1})
		at = end + len("\n```")
	}
}

// TestReplayDocument runs every command of docs/replay.md, one after the other
// in a folder that holds what the document shows, against a Prometheus that
// knows day.csv. What stands below a command is what it prints.
func TestReplayDocument(t *testing.T) {
	path, err := filepath.Abs(document)
	if err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	text := string(data)
	blocks := fences(text)
	prepare(t, text)
	ran := 0
	var outputs []string
	for _, b := range blocks {
		if b.language == "sh" {
			outputs = append(outputs, "")
			for line := range strings.Lines(b.text) {
				outputs[len(outputs)-1] = command(t, strings.TrimSpace(line))
				ran++
			}
		}
	}
	if ran < 9 {
		t.Errorf("%d commands: the test looks in the wrong place", ran)
	}
	compare(t, path, text, outputs)
}

// compare looks at the block after each command, where it is one of output.
func compare(t *testing.T, path, text string, outputs []string) {
	t.Helper()
	blocks, n := fences(text), 0
	written := text
	for i, b := range blocks {
		if b.language != "sh" {
			continue
		}
		want := outputs[n]
		n++
		if i+1 == len(blocks) || (blocks[i+1].language != "text" && blocks[i+1].language != "json") {
			continue
		}
		if *update {
			written = strings.Replace(written, b.text+"```\n\n```"+blocks[i+1].language+"\n"+blocks[i+1].text, b.text+"```\n\n```"+blocks[i+1].language+"\n"+want, 1)
			continue
		}
		if diff := cmp.Diff(blocks[i+1].text, want); diff != "" {
			t.Errorf("%s prints something else (-document +command)\n%s", b.text, diff)
		}
	}
	if *update {
		if err := os.WriteFile(path, []byte(written), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

// block returns the first block of a language after a text.
func block(t *testing.T, text, after, language string) string {
	t.Helper()
	_, rest, found := strings.Cut(text, after)
	for _, b := range fences(rest) {
		if found && b.language == language {
			return b.text
		}
	}
	t.Fatalf("docs/replay.md has no block of %s after %q", language, after)
	return ""
}

// prepare goes to a folder with the document's files, and starts a Prometheus
// that knows day.csv.
func prepare(t *testing.T, text string) {
	t.Helper()
	t.Chdir(t.TempDir())
	day := block(t, text, "This is `day.csv`", "csv")
	put := func(name, content string) {
		if err := os.WriteFile(name, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	policy := block(t, text, "`web.yaml` is", "yaml")
	put("web.yaml", policy)
	put("vertical.yaml", block(t, text, "This is `vertical.yaml`", "yaml"))
	if err := os.Mkdir("recordings", 0o700); err != nil {
		t.Fatal(err)
	}
	put("recordings/default.yaml", policy)
	for i, name := range generate.Names() {
		demand, err := generate.Parse(fmt.Sprintf("%s?days=1&seed=%d", name, i))
		if err != nil {
			t.Fatal(err)
		}
		var csv bytes.Buffer
		if err := demand.WriteCSV(&csv); err != nil {
			t.Fatal(err)
		}
		put("recordings/"+name+".csv", csv.String())
	}
	t.Setenv("PROMETHEUS", prometheus(t, day))
}

// prometheus answers with the samples of a CSV.
func prometheus(t *testing.T, csv string) string {
	t.Helper()
	var values []string
	for _, line := range strings.Split(strings.TrimSpace(csv), "\n")[1:] {
		at, value, _ := strings.Cut(line, ",")
		moment, err := time.Parse(time.RFC3339, at)
		if err != nil {
			t.Fatal(err)
		}
		values = append(values, fmt.Sprintf(`[%d,%q]`, moment.Unix(), value))
	}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		fmt.Fprintf(w, `{"status":"success","data":{"resultType":"matrix","result":[{"metric":{},"values":[%s]}]}}`, strings.Join(values, ","))
	}))
	t.Cleanup(server.Close)
	return server.URL
}

// command runs a line of a shell: words, quotes, variables, and > FILE.
func command(t *testing.T, line string) string {
	t.Helper()
	line, file, redirected := strings.Cut(line, " > ")
	var args []string
	for i, part := range strings.Split(os.ExpandEnv(line), "'") {
		if i%2 == 1 {
			args = append(args, part)
			continue
		}
		for word := range strings.FieldsSeq(part) {
			args = append(args, strings.Trim(word, `"`))
		}
	}
	if len(args) < 2 || args[0] != "tidemark" || verbs[args[1]] == nil {
		t.Fatalf("the document has a command that is not tested: %s", line)
	}
	cmd := verbs[args[1]]()
	cmd.SilenceUsage, cmd.SilenceErrors = true, true
	var out, errs bytes.Buffer
	cmd.SetOut(&out)
	cmd.SetErr(&errs)
	cmd.SetArgs(args[2:])
	err := cmd.ExecuteContext(context.Background())
	if code, _ := exit.Of(err); code != exit.OK {
		t.Fatalf("%s: exit %d, %v\n%s", line, code, err, errs.String())
	}
	if redirected {
		if err := os.WriteFile(file, out.Bytes(), 0o600); err != nil {
			t.Fatal(err)
		}
		return ""
	}
	return out.String()
}

// TestTheDocumentsRecording: what the first command writes is what the document
// shows as day.csv.
func TestTheDocumentsRecording(t *testing.T) {
	data, err := os.ReadFile(document)
	if err != nil {
		t.Fatal(err)
	}
	prepare(t, string(data))
	command(t, strings.TrimSpace(block(t, string(data), "## 1.", "sh")))
	got, err := os.ReadFile("day.csv")
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(block(t, string(data), "This is `day.csv`", "csv"), string(got)); diff != "" {
		t.Errorf("(-document +recorded)\n%s", diff)
	}
}
