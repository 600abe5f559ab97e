package learn

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/tidemark/tidemark/internal/history"
)

// run runs the verb on a spec and a recording.
func run(t *testing.T, spec, recording string, args ...string) (stdout, stderr string, err error) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "recording")
	if err := os.WriteFile(path, []byte(recording), 0o600); err != nil {
		t.Fatal(err)
	}
	cmd := New()
	cmd.SilenceUsage, cmd.SilenceErrors = true, true
	var out, errs bytes.Buffer
	cmd.SetIn(strings.NewReader(spec))
	cmd.SetOut(&out)
	cmd.SetErr(&errs)
	cmd.SetArgs(append([]string{"--history", path}, args...))
	err = cmd.Execute()
	return out.String(), errs.String(), err
}

const spec = `{replicas: {max: 40}, learn: {slotHours: 12}}`

// twoWeeks is Monday noon to midnight of two weeks: 8 replicas, then 10.
const twoWeeks = `time,value
2026-01-05T12:00:00Z,8
2026-01-05T18:00:00Z,7
2026-01-12T12:00:00Z,9
2026-01-12T23:00:00Z,10
2026-01-13T00:00:00Z,3
`

// TestWeek: the largest of the two Mondays is 10, so the bounds are 5 and 20.
func TestWeek(t *testing.T) {
	out, _, err := run(t, spec, twoWeeks)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(out, "\n")
	if got := strings.Fields(lines[2]); got[0] != "12:00" || got[1] != "5..20" || got[2] != "-" {
		t.Errorf("the table says\n%s", out)
	}
	if !strings.Contains(out, "PartlyLearned: ") {
		t.Errorf("no progress in\n%s", out)
	}
}

func TestJSON(t *testing.T) {
	out, _, err := run(t, spec, twoWeeks, "-o", "json")
	if err != nil {
		t.Fatal(err)
	}
	var got struct {
		Phase string
		Week  []slotView
	}
	if err := json.Unmarshal([]byte(out), &got); err != nil {
		t.Fatal(err)
	}
	if want := (slotView{"Mon", 12, 10, 5, 20}); got.Phase != "PartlyLearned" || len(got.Week) == 0 || got.Week[0] != want {
		t.Errorf("got %+v", got)
	}
}

// TestCheckpoint: an object that is given it knows what the recording taught.
func TestCheckpoint(t *testing.T) {
	out, _, err := run(t, spec, twoWeeks, "-o", "checkpoint")
	if err != nil {
		t.Fatal(err)
	}
	data, err := base64.StdEncoding.DecodeString(strings.TrimSpace(out))
	if err != nil {
		t.Fatal(err)
	}
	h, err := history.Decode(data, history.Settings{SlotHours: 12, WindowWeeks: 4, Zone: time.UTC})
	if err != nil {
		t.Fatal(err)
	}
	if value, ok := h.Slots.Value(time.Date(2026, 1, 19, 13, 0, 0, 0, time.UTC)); !ok || value != 10 {
		t.Errorf("the third Monday expects %d, %v", value, ok)
	}
}

// TestPrometheus reads the answer of a range query as it is.
func TestPrometheus(t *testing.T) {
	answer := `{"status":"success","data":{"resultType":"matrix","result":[{"metric":{},"values":[[1767614400,"8"],[1767618000,"10"],[1767657600,"3"]]}]}}`
	out, _, err := run(t, spec, answer)
	if err != nil || !strings.Contains(out, "5..20") {
		t.Errorf("%v\n%s", err, out)
	}
}

func TestHeatMap(t *testing.T) {
	out, _, err := run(t, spec, twoWeeks, "-o", "svg")
	if err != nil || !strings.HasPrefix(out, "<svg ") || !strings.Contains(out, ">10</text>") {
		t.Errorf("%v\n%.200s", err, out)
	}
}

func TestRefusals(t *testing.T) {
	for name, c := range map[string]struct{ spec, recording, want string }{
		"no learning":       {`{replicas: {max: 3}}`, twoWeeks, "learn: is missing"},
		"a slot of 5 hours": {`{replicas: {max: 3}, learn: {slotHours: 5}}`, twoWeeks, "learn.slotHours: must divide 24"},
		"no samples":        {spec, "time,value\n", "no usable sample"},
		"out of order":      {spec, "time,value\n2026-01-05T12:00:00Z,8\n2026-01-04T12:00:00Z,8\n", "order"},
	} {
		t.Run(name, func(t *testing.T) {
			_, stderr, err := run(t, c.spec, c.recording)
			if err == nil || !strings.Contains(stderr+err.Error(), c.want) {
				t.Errorf("%s: %v %s", name, err, stderr)
			}
		})
	}
}

// TestTheDocumentsPicture: the picture of docs/learning.md is what the verb
// draws of the bundled example.
func TestTheDocumentsPicture(t *testing.T) {
	root := filepath.Join("..", "..", "..")
	read := func(path ...string) string {
		text, err := os.ReadFile(filepath.Join(append([]string{root}, path...)...))
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	out, _, err := run(t, read("examples", "learning.yaml"), read("examples", "replicas.csv"), "-o", "svg")
	if err != nil {
		t.Fatal(err)
	}
	if out != read("docs", "images", "week.svg") {
		t.Error("docs/images/week.svg is out of date: tidemark learn -f examples/learning.yaml --history examples/replicas.csv -o svg > docs/images/week.svg")
	}
}
