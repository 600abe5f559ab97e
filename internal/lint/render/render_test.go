package render

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"
)

// unpack writes the files of an archive into a new folder.
func unpack(t *testing.T, archive string) string {
	t.Helper()
	dir := t.TempDir()
	for _, f := range txtar.Parse([]byte(archive)).Files {
		path := filepath.Join(dir, filepath.FromSlash(f.Name))
		if err := os.MkdirAll(filepath.Dir(path), 0o750); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, f.Data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

const chartYAML = "-- Chart.yaml --\napiVersion: v2\nname: shop\nversion: 1.0.0\n"

func TestChart(t *testing.T) {
	for name, c := range map[string]struct {
		archive, values string
		want, err       string
	}{
		"its own values":       {archive: "-- values.yaml --\nmax: 3\n-- templates/a.yaml --\nmax: {{ .Values.max }}\n", want: "templates/a.yaml: max: 3\n"},
		"other values":         {archive: "-- values.yaml --\nmax: 3\n-- prod.yaml --\nmax: 9\n-- templates/a.yaml --\nmax: {{ .Values.max }}\n", values: "prod.yaml", want: "templates/a.yaml: max: 9\n"},
		"values that are none": {archive: "-- prod.yaml --\n- 9\n", values: "prod.yaml", err: "prod.yaml"},
		"no values":            {values: "prod.yaml", err: "reading values"},
		"nothing rendered":     {archive: "-- templates/a.yaml --\n{{ if false }}a: b{{ end }}\n-- templates/NOTES.txt --\nHello.\n-- templates/_a.tpl --\nx\n"},
		"the autoscalers that there are": {
			archive: "-- templates/a.yaml --\nkeda: {{ .Capabilities.APIVersions.Has \"keda.sh/v1alpha1\" }}\n", want: "templates/a.yaml: keda: true\n",
		},
		"a cluster that is not asked": {archive: "-- templates/a.yaml --\nfound: {{ lookup \"v1\" \"Namespace\" \"\" \"default\" }}\n", want: "templates/a.yaml: found: map[]\n"},
		"a name that is not resolved": {archive: "-- templates/a.yaml --\naddress: {{ getHostByName \"localhost\" | quote }}\n", want: "templates/a.yaml: address: \"\"\n"},
		"a schema that is not asked":  {archive: "-- values.schema.json --\n{\"$ref\": \"https://example.com/schema\"}\n-- templates/a.yaml --\na: b\n", want: "templates/a.yaml: a: b\n"},
		"a value that is required":    {archive: "-- templates/a.yaml --\na: {{ required \"a is required\" .Values.a }}\n", err: "a is required"},
		"a chart that is missing": {
			archive: "-- Chart.yaml --\napiVersion: v2\nname: shop\nversion: 1.0.0\ndependencies: [{name: common, version: 1.x.x, repository: \"oci://a.b\"}]\n" +
				"-- templates/a.yaml --\na: {{ include \"common.name\" . }}\n",
			err: "its charts folder lacks common, which helm dependency build brings",
		},
		"a broken chart": {archive: "-- Chart.yaml --\nname: [\n", err: "Chart.yaml"},
	} {
		t.Run(name, func(t *testing.T) {
			dir := unpack(t, chartYAML+c.archive)
			if c.values != "" {
				c.values = filepath.Join(dir, c.values)
			}
			files, err := Chart(dir, c.values)
			got := ""
			for _, f := range files {
				below, _ := filepath.Rel(dir, f.Name)
				got += filepath.ToSlash(below) + ": " + string(f.Text)
			}
			switch {
			case c.err != "" && (err == nil || !strings.Contains(err.Error(), c.err) || strings.Contains(err.Error(), "\n")):
				t.Errorf("want an error with %q on one line, got %v", c.err, err)
			case c.err == "" && (err != nil || got != c.want):
				t.Errorf("got %q, %v, want %q", got, err, c.want)
			}
		})
	}
}

func TestLibrariesAreNotRendered(t *testing.T) {
	if _, err := Chart(unpack(t, chartYAML[:len(chartYAML)-1]+"\ntype: library\n"), ""); !errors.Is(err, ErrLibrary) {
		t.Errorf("got %v", err)
	}
}

const base = `-- base/kustomization.yaml --
resources: [web.yaml]
-- base/web.yaml --
apiVersion: apps/v1
kind: Deployment
metadata: {name: web}
spec: {replicas: 1}
`

func TestBuild(t *testing.T) {
	for name, c := range map[string]struct {
		archive string
		want    []string // in what web.yaml becomes
		leftOut string
		err     string
	}{
		"a base":           {archive: "-- top/kustomization.yaml --\nresources: [../base]\n", want: []string{"name: web", "replicas: 1"}},
		"the old way":      {archive: "-- top/kustomization.yaml --\nbases: [../base]\ncommonLabels: {app: web}\n", want: []string{"app: web"}},
		"a name's prefix":  {archive: "-- top/kustomization.yaml --\nnamePrefix: my-\nnamespace: shop\nresources: [../base]\n", want: []string{"name: my-web", "namespace: shop"}},
		"a patch":          {archive: "-- top/kustomization.yaml --\nresources: [../base]\npatchesStrategicMerge: [p.yaml]\n-- top/p.yaml --\n" + `{apiVersion: apps/v1, kind: Deployment, metadata: {name: web}, spec: {replicas: 7}}`, want: []string{"replicas: 7"}},
		"an inline patch":  {archive: "-- top/kustomization.yaml --\nresources: [../base]\npatchesJson6902: [{target: {version: v1, group: apps, kind: Deployment, name: web}, patch: '[{\"op\": \"replace\", \"path\": \"/spec/replicas\", \"value\": 7}]'}]\n", want: []string{"replicas: 7"}},
		"replicas":         {archive: "-- top/kustomization.yaml --\nresources: [../base]\nreplicas: [{name: web, count: 7}]\n", want: []string{"replicas: 7"}},
		"a file elsewhere": {archive: "-- top/kustomization.yaml --\nresources: [../base/web.yaml]\n", want: []string{"name: web"}},
		"files that a generator needs": {
			archive: "-- top/kustomization.yaml --\nresources: [../base]\nconfigMapGenerator: [{name: a, files: [missing]}]\n", want: []string{"name: web"},
		},
		"an address":                          {archive: "-- top/kustomization.yaml --\nresources: [../base, \"https://example.com/x.yaml\"]\n", want: []string{"name: web"}, leftOut: "https://example.com/x.yaml"},
		"a repository":                        {archive: "-- top/kustomization.yaml --\nresources: [../base, github.com/a/b]\n", want: []string{"name: web"}, leftOut: "github.com/a/b"},
		"a patch elsewhere":                   {archive: "-- top/kustomization.yaml --\nresources: [../base]\npatches: [{path: \"https://example.com/p.yaml\"}]\n", want: []string{"name: web"}, leftOut: "https://example.com/p.yaml"},
		"charts and programs":                 {archive: "-- top/kustomization.yaml --\nresources: [../base]\nhelmCharts: [{name: x}]\ntransformers: [t.yaml]\n", want: []string{"name: web"}, leftOut: "helmCharts transformers"},
		"a patch for nobody":                  {archive: "-- top/kustomization.yaml --\nresources: [../base]\npatches: [{patch: '{apiVersion: v1, kind: Service, metadata: {name: x}}'}]\n", err: "no matches"},
		"a kustomization that cannot be read": {archive: "-- top/kustomization.yaml --\nresources: [\n", err: "yaml"},
	} {
		t.Run(name, func(t *testing.T) {
			dir := unpack(t, base+c.archive)
			got, err := Build(filepath.Join(dir, "top"), dir)
			if c.err != "" {
				if err == nil || !strings.Contains(err.Error(), c.err) {
					t.Errorf("want an error with %q, got %v", c.err, err)
				}
				return
			}
			if err != nil || len(got.Files) != 1 || got.Files[0].Name != filepath.Join(dir, "base", "web.yaml") {
				t.Fatalf("got %+v, %v", got, err)
			}
			for _, want := range c.want {
				if !strings.Contains(string(got.Files[0].Text), want) {
					t.Errorf("%q is not in\n%s", want, got.Files[0].Text)
				}
			}
			if strings.Contains(string(got.Files[0].Text), "config.kubernetes.io/origin") {
				t.Errorf("the origin is left in\n%s", got.Files[0].Text)
			}
			if left := strings.Join(got.LeftOut, " "); left != c.leftOut {
				t.Errorf("left out %q, want %q", left, c.leftOut)
			}
		})
	}
}

// TestBuildStaysInside: a file outside of the folder that holds everything is refused,
// also where a link leads to it.
func TestBuildStaysInside(t *testing.T) {
	for _, name := range []string{"../../web.yaml", "link.yaml"} {
		t.Run(name, func(t *testing.T) {
			dir := unpack(t, "-- web.yaml --\napiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web}\n-- repo/top/kustomization.yaml --\nresources: ["+name+"]\n")
			if err := os.Symlink("../../web.yaml", filepath.Join(dir, "repo", "top", "link.yaml")); err != nil {
				t.Fatal(err)
			}
			if _, err := Build(filepath.Join(dir, "repo", "top"), filepath.Join(dir, "repo")); err == nil || !strings.Contains(err.Error(), "outside of") {
				t.Errorf("got %v", err)
			}
			if _, err := Build(filepath.Join(dir, "repo", "top"), dir); err != nil {
				t.Errorf("inside of a larger folder: %v", err)
			}
		})
	}
}

func TestReadKustomization(t *testing.T) {
	for name, c := range map[string]struct {
		text  string
		ok    bool
		parts int
	}{
		"one":                {"resources: [../base, web.yaml, https://example.com/x]\n", true, 1},
		"a component":        {"apiVersion: kustomize.config.k8s.io/v1alpha1\nkind: Component\n", true, 0},
		"Flux's own":         {"apiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\nspec: {path: ./x}\n", false, 0},
		"nothing that reads": {"a: [\n", false, 0},
	} {
		t.Run(name, func(t *testing.T) {
			dir := unpack(t, base+"-- top/kustomization.yaml --\n"+c.text)
			got, ok := ReadKustomization(filepath.Join(dir, "top"))
			if ok != c.ok || len(got.Parts) != c.parts || got.Component != strings.Contains(name, "component") {
				t.Errorf("got %+v, %v", got, ok)
			}
		})
	}
}
