package lint_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/tidemark/tidemark/internal/lint"
)

// manifest is what an overlay builds on. Its lists are indented in both ways.
const manifest = `# Two objects of one kind.
apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata:
  name: other
spec:
  minReplicas: 2
  maxReplicas: 3
---
apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata:
  name: web
spec:
  scaleTargetRef:
    apiVersion: apps/v1
    kind: Deployment
    name: web
  minReplicas: 4
  maxReplicas: 4
  metrics:
  - type: Resource
    resource:
      name: memory
      target:
        type: Utilization
        averageUtilization: 60
  - type: Resource
    resource:
      name: cpu
      target:
        type: AverageValue
        averageUtilization: 60
  behavior:
    scaleUp:
      policies:
        - type: Pods
          value: 4
          periodSeconds: 60
        # The second one.
        - type: Percent
          value: 100
          periodSeconds: 5
`

const template = `{{- if .Values.hpa.enabled }}
apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata:
  name: {{ include "name" . }}
spec:
  scaleTargetRef:
    {{- include "target" . | nindent 4 }}
  minReplicas: 4
  maxReplicas: {{ .Values.hpa.max }}
  metrics:
{{- toYaml .Values.hpa.metrics | nindent 2 }}
{{- end }}
`

// TestLinesOfWhatWasRendered: the text that is read has other lines than the file
// that it was made from, and findings tell those of the file.
func TestLinesOfWhatWasRendered(t *testing.T) {
	_, web, _ := strings.Cut(manifest, "---\n")
	for name, c := range map[string]struct {
		origin string
		want   map[string]int
	}{
		"a manifest": {manifest, map[string]int{
			"TM011 spec.maxReplicas": 20, "TM042 spec.metrics[1].resource.target.type": 32, "TM064 spec.behavior.scaleUp.policies[1].periodSeconds": 43,
		}},
		"a template": {template, map[string]int{
			"TM011 spec.maxReplicas": 10, "TM042 spec.metrics[1].resource.target.type": 11, "TM064 spec.behavior.scaleUp.policies[1].periodSeconds": 6,
		}},
		"nothing": {"", map[string]int{
			"TM011 spec.maxReplicas": 1, "TM042 spec.metrics[1].resource.target.type": 1, "TM064 spec.behavior.scaleUp.policies[1].periodSeconds": 1,
		}},
	} {
		t.Run(name, func(t *testing.T) {
			source := lint.Source{File: "hpa.yaml", Root: "chart", Origin: []byte(c.origin)}
			got := map[string]int{}
			for _, f := range lint.Check(lint.ReadFrom(source, strings.NewReader("\n\n\n"+web))) {
				got[f.Rule+" "+f.Path] = f.Line
			}
			if fmt.Sprint(got) != fmt.Sprint(c.want) {
				t.Errorf("got %v, want %v", got, c.want)
			}
		})
	}
}

// TestEditsOfWhatWasRendered: a manifest can be fixed, a template cannot.
func TestEditsOfWhatWasRendered(t *testing.T) {
	const old = "apiVersion: autoscaling/v2beta2\nkind: HorizontalPodAutoscaler\nmetadata: {name: web}\n"
	for _, fixable := range []bool{true, false} {
		t.Run(fmt.Sprint(fixable), func(t *testing.T) {
			source := lint.Source{File: "hpa.yaml", Origin: []byte(old), Fixable: fixable}
			for _, f := range lint.Check(lint.ReadFrom(source, strings.NewReader(old))) {
				if f.Rule == "TM006" && (f.Edit != nil) != fixable {
					t.Errorf("got %+v", f)
				}
			}
		})
	}
}

// TestRootsAreClustersOfTheirOwn: the same two objects are matched within a root and
// not between two.
func TestRootsAreClustersOfTheirOwn(t *testing.T) {
	inShop := func(text string) string {
		return strings.ReplaceAll(text, "metadata: {name: web}", "metadata: {name: web, namespace: shop}")
	}
	for name, c := range map[string]struct {
		roots [2]string
		want  int
	}{
		"one root":  {[2]string{"eu", "eu"}, 1},
		"two roots": {[2]string{"eu", "us"}, 0},
		"no roots":  {[2]string{"", ""}, 1},
	} {
		t.Run(name, func(t *testing.T) {
			set := lint.ReadFrom(lint.Source{File: "a/hpa.yaml", Root: c.roots[0]}, strings.NewReader(inShop(hpa("web", 60, ""))))
			set.Add(lint.ReadFrom(lint.Source{File: "b/web.yaml", Root: c.roots[1]}, strings.NewReader(inShop(containers("{name: app}")))))
			if found := lint.Check(set); len(found) != c.want {
				t.Errorf("got %v", summary(found))
			}
		})
	}
}

// TestTheSameIsSaidOnce: an overlay that changes nothing finds what another found.
func TestTheSameIsSaidOnce(t *testing.T) {
	set := &lint.Set{}
	for _, root := range []string{"dev", "prod"} {
		set.Add(lint.ReadFrom(lint.Source{File: "hpa.yaml", Root: root, Via: root, Origin: []byte(pinned)},
			strings.NewReader(strings.Replace(pinned, "name: web}", "name: web, namespace: "+root+"}", 1))))
	}
	if found := lint.Check(set); len(found) != 1 || found[0].Object != "HorizontalPodAutoscaler dev/web (dev)" {
		t.Errorf("got %v", summary(found))
	}
}
