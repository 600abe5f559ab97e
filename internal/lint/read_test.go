package lint_test

import (
	"errors"
	"fmt"
	"io"
	"runtime"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"

	"github.com/tidemark/tidemark/internal/lint"
)

const pinned = `apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata: {name: web}
spec:
  scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: web}
  minReplicas: 4
  maxReplicas: 4
  metrics:
  - type: Resource
    resource: {name: cpu, target: {type: Utilization, averageUtilization: 60}}
`

// summary is the rule, the place and the object of each finding.
func summary(found []lint.Finding) []string {
	out := []string{}
	for _, f := range found {
		out = append(out, fmt.Sprintf("%s %s:%d %s %s", f.Rule, f.File, f.Line, f.Object, f.Path))
	}
	return out
}

// TestBrokenDocumentsDoNotSpoilTheRest: each is told with its line, and what
// stands behind it is still checked, with its own lines.
func TestBrokenDocumentsDoNotSpoilTheRest(t *testing.T) {
	const healthy = "TM011 web.yaml:%d HorizontalPodAutoscaler web spec.maxReplicas"
	for name, c := range map[string]struct {
		broken string
		line   int
		want   string
	}{
		"a bracket":  {"a: [1, 2\n", 1, "not valid YAML"},
		"a cycle":    {"a: &a [*a]\n", 1, "is nested deeper than 100 levels"},
		"a bomb":     {"a: &a [x,x,x,x,x,x,x,x,x]\nb: &b [*a,*a,*a,*a,*a,*a,*a,*a,*a]\nc: &c [*b,*b,*b,*b,*b,*b,*b,*b,*b]\nd: &d [*c,*c,*c,*c,*c,*c,*c,*c,*c]\ne: &e [*d,*d,*d,*d,*d,*d,*d,*d,*d]\nf: &f [*e,*e,*e,*e,*e,*e,*e,*e,*e]\ng: [*f,*f,*f,*f,*f,*f,*f,*f,*f]\n", 1, "has more than 2000000 values"},
		"no text":    {"a: \xff\xfe\n", 1, "is not UTF-8 text"},
		"a flood":    {"a: " + strings.Repeat("x", lint.MaxDocument) + "\n", 1, "is larger than 16 MiB"},
		"a long one": {strings.Repeat("a: b\n", lint.MaxDocument/4), 1, "is larger than 16 MiB"},
	} {
		t.Run(name, func(t *testing.T) {
			found := check(c.broken + "---\n" + pinned)
			if len(found) != 2 {
				t.Fatalf("want two findings, got %v", summary(found))
			}
			first, second := found[0], found[1]
			if first.Rule != lint.Unreadable || first.Line != c.line || !strings.Contains(first.Message, c.want) {
				t.Errorf("got %+v, want line %d and %q", first, c.line, c.want)
			}
			line := strings.Count(c.broken, "\n") + 1 + 7
			if diff := cmp.Diff([]string{fmt.Sprintf(healthy, line)}, summary(found[1:])); diff != "" || second.Line != line {
				t.Errorf("the rest (-want +got):\n%s", diff)
			}
		})
	}
}

func TestAnInputThatFailsIsTold(t *testing.T) {
	in := io.MultiReader(strings.NewReader(pinned+"---\n"), iotest.ErrReader(errors.New("the disk is gone")))
	found := lint.Check(lint.Read("web.yaml", in))
	if len(found) != 2 || !strings.Contains(found[1].Message, "the disk is gone") {
		t.Errorf("got %+v", found)
	}
}

// endless is a file of so many documents, each of them half a megabyte.
func endless(documents int) io.Reader {
	text := "apiVersion: v1\nkind: ConfigMap\ndata:\n  text: |\n" + strings.Repeat("    "+strings.Repeat("x", 1000)+"\n", 500) + "---\n"
	return io.LimitReader(&repeated{text: text}, int64(documents*len(text)))
}

type repeated struct {
	text string
	at   int
}

func (r *repeated) Read(p []byte) (int, error) {
	n := copy(p, r.text[r.at:])
	r.at = (r.at + n) % len(r.text)
	return n, nil
}

// TestALongFileIsReadPieceByPiece reads 100 MB and looks at what is left in
// memory afterward: next to nothing, because no document is kept.
func TestALongFileIsReadPieceByPiece(t *testing.T) {
	const documents = 200
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	set := lint.Read("big.yaml", endless(documents))
	runtime.GC()
	runtime.ReadMemStats(&after)
	if set.Documents != documents {
		t.Errorf("%d documents were read", set.Documents)
	}
	if grown := int64(after.HeapAlloc) - int64(before.HeapAlloc); grown > 4<<20 {
		t.Errorf("%d bytes are kept", grown)
	}
	if found := lint.Check(set); len(found) > 0 {
		t.Errorf("found %v", summary(found[:1]))
	}
}

func TestSilence(t *testing.T) {
	for name, text := range map[string]string{
		"by an annotation with an id":   strings.Replace(pinned, "{name: web}", "{name: web, annotations: {lint.tidemark.dev/ignore: TM011}}", 1),
		"by an annotation with names":   strings.Replace(pinned, "{name: web}", `{name: web, annotations: {lint.tidemark.dev/ignore: "TM013, min-equals-max"}}`, 1),
		"by an annotation for all":      strings.Replace(pinned, "{name: web}", "{name: web, annotations: {lint.tidemark.dev/ignore: all}}", 1),
		"by a comment above the line":   strings.Replace(pinned, "  maxReplicas", "  # lint.tidemark.dev/ignore: TM011\n  maxReplicas", 1),
		"by a comment behind the value": strings.Replace(pinned, "maxReplicas: 4", "maxReplicas: 4 # lint.tidemark.dev/ignore: TM011 is meant", 1),
	} {
		t.Run(name, func(t *testing.T) {
			if found := check(text); len(found) > 0 {
				t.Errorf("still finds %v", summary(found))
			}
		})
	}
	for name, text := range map[string]string{
		"not by another rule":      strings.Replace(pinned, "{name: web}", "{name: web, annotations: {lint.tidemark.dev/ignore: TM012}}", 1),
		"not by a distant comment": "# lint.tidemark.dev/ignore: TM011\n" + pinned,
	} {
		t.Run(name, func(t *testing.T) {
			if found := check(text); len(found) != 1 {
				t.Errorf("want one finding, got %v", summary(found))
			}
		})
	}
}

// TestHelmOutput shows the template that a document came from.
func TestHelmOutput(t *testing.T) {
	found := check("---\n# Source: shop/templates/hpa.yaml\n" + pinned + "---\n# Source: shop/templates/none.yaml\n")
	want := []string{"TM011 web.yaml:9 HorizontalPodAutoscaler web (shop/templates/hpa.yaml) spec.maxReplicas"}
	if diff := cmp.Diff(want, summary(found)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestOtherDocuments: whatever else stands in a file is passed over.
func TestOtherDocuments(t *testing.T) {
	for _, text := range []string{
		"", "# only a comment\n", "---\n---\n", "- a\n- b\n", "just a text\n", "42\n", "null\n", "{}\n", "[]",
		"name: values of a chart\nreplicas: 3\n", "kind: HorizontalPodAutoscaler\n", "kind: List\nitems: {}\n", "kind: [HorizontalPodAutoscaler]\nmetadata: 3\n",
		"{\"a\": 1}\n{\"b\": 2}\n", "<<: {a: 1}\n",
	} {
		t.Run(text, func(t *testing.T) {
			if found := check(text); len(found) > 0 {
				t.Errorf("%q: found %v", text, summary(found))
			}
		})
	}
}

// TestTemplatesArePassedOver: they are named, and what stands beside them is checked.
func TestTemplatesArePassedOver(t *testing.T) {
	for name, text := range map[string]string{
		"of Helm":  "{{- if .Values.hpa }}\nkind: X\n{{ end }}\n",
		"of Jinja": "{% if hpa %}\nkind: X\n{% endif %}\n",
	} {
		t.Run(name, func(t *testing.T) {
			set := lint.Read("web.yaml", strings.NewReader(text+"---\n"+pinned))
			if diff := cmp.Diff([]string{"web.yaml"}, set.Templates); diff != "" {
				t.Errorf("templates (-want +got):\n%s", diff)
			}
			if found := lint.Check(set); len(found) != 1 || found[0].Rule != "TM011" {
				t.Errorf("got %v", summary(found))
			}
		})
	}
	if set := lint.Read("web.yaml", strings.NewReader("text: '{{ quoted }}'\n")); len(set.Templates) > 0 || set.Documents != 1 {
		t.Errorf("what can be read is no template: %+v", set)
	}
}
