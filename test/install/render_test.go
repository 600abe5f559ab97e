package install_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"

	"helm.sh/helm/v4/pkg/chart/common"
	"helm.sh/helm/v4/pkg/chart/common/util"
	"helm.sh/helm/v4/pkg/chart/v2/loader"
	"helm.sh/helm/v4/pkg/engine"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	yamlutil "k8s.io/apimachinery/pkg/util/yaml"
	"sigs.k8s.io/kustomize/api/krusty"
	"sigs.k8s.io/kustomize/kyaml/filesys"
	"sigs.k8s.io/yaml"
)

const (
	chartFolder = "../../charts/tidemark"
	namespace   = "tidemark-system"
)

// objects are those of an installation, by kind, namespace and name.
type objects map[string]*unstructured.Unstructured

// ofBase builds a folder of the kustomize base.
func ofBase(t *testing.T, folder string) objects {
	t.Helper()
	built, err := krusty.MakeKustomizer(krusty.MakeDefaultOptions()).Run(filesys.MakeFsOnDisk(), "../../config/"+folder)
	if err != nil {
		t.Fatalf("building %s: %v", folder, err)
	}
	text, err := built.AsYaml()
	if err != nil {
		t.Fatal(err)
	}
	return parse(t, text)
}

// render renders the chart with values given in YAML, and its notes.
func render(ctx context.Context, values, into string) (string, string, error) {
	return renderOn(ctx, "v1.36.3", values, into)
}

// renderOn renders it for a cluster of a version.
func renderOn(ctx context.Context, version, values, into string) (string, string, error) {
	kubernetes, err := common.ParseKubeVersion(version)
	if err != nil {
		return "", "", err
	}
	cluster := *common.DefaultCapabilities
	cluster.KubeVersion = *kubernetes
	chart, err := loader.LoadDir(chartFolder)
	if err != nil {
		return "", "", err
	}
	given := map[string]any{}
	if err := yaml.Unmarshal([]byte(values), &given); err != nil {
		return "", "", err
	}
	all, err := util.ToRenderValues(chart, given, common.ReleaseOptions{Name: "any", Namespace: into, IsInstall: true}, &cluster)
	if err != nil {
		return "", "", err
	}
	files, err := engine.Engine{Strict: true}.RenderWithContext(ctx, chart, all)
	if err != nil {
		return "", "", err
	}
	var text strings.Builder
	notes := ""
	for name, content := range files {
		switch {
		case strings.HasSuffix(name, "NOTES.txt"):
			notes = content
		case strings.HasSuffix(name, ".yaml"):
			fmt.Fprintf(&text, "---\n%s\n", content)
		}
	}
	return text.String(), notes, nil
}

func ofChart(t *testing.T, values string) objects {
	t.Helper()
	text, _, err := render(t.Context(), values, namespace)
	if err != nil {
		t.Fatalf("rendering the chart with %q: %v", values, err)
	}
	return parse(t, []byte(text))
}

// parse splits a stream of documents.
func parse(t *testing.T, text []byte) objects {
	t.Helper()
	all := objects{}
	decoder := yamlutil.NewYAMLOrJSONDecoder(bytes.NewReader(text), 4096)
	for {
		var raw json.RawMessage
		switch err := decoder.Decode(&raw); {
		case errors.Is(err, io.EOF):
			return all
		case err != nil:
			t.Fatalf("reading a document: %v", err)
		}
		if len(raw) == 0 || string(raw) == "null" {
			continue
		}
		obj := &unstructured.Unstructured{}
		if err := json.Unmarshal(raw, &obj.Object); err != nil {
			t.Fatal(err)
		}
		key := fmt.Sprintf("%s %s/%s", obj.GetKind(), obj.GetNamespace(), obj.GetName())
		if all[key] != nil {
			t.Errorf("%s is there twice", key)
		}
		all[key] = obj
	}
}

// names are the objects' own, sorted.
func (o objects) names() []string {
	var all []string
	for key := range o {
		all = append(all, key)
	}
	slices.Sort(all)
	return all
}
