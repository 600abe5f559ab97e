package render

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"helm.sh/helm/v4/pkg/chart/common"
	values "helm.sh/helm/v4/pkg/chart/common/util"
	chart "helm.sh/helm/v4/pkg/chart/v2"
	"helm.sh/helm/v4/pkg/chart/v2/loader"
	dependencies "helm.sh/helm/v4/pkg/chart/v2/util"
	"helm.sh/helm/v4/pkg/engine"
)

// ErrLibrary says that a chart has nothing to render: others use it.
var ErrLibrary = errors.New("is a library for other charts")

// patience is how long a chart may take. Templates are programs, and nothing but
// the clock ends one that loops.
const patience = 10 * time.Second

// served are APIs that charts ask for before they render an autoscaler.
var served = common.VersionSet{
	"autoscaling/v2", "autoscaling/v2/HorizontalPodAutoscaler", "policy/v1", "policy/v1/PodDisruptionBudget",
	"keda.sh/v1alpha1", "keda.sh/v1alpha1/ScaledObject", "autoscaling.k8s.io/v1", "autoscaling.k8s.io/v1/VerticalPodAutoscaler",
	"autoscaling.tidemark.dev/v1alpha1", "autoscaling.tidemark.dev/v1alpha1/WorkloadAutoscaler",
}

// Chart renders the chart in a folder with its values, and those of a file above
// them where one is named.
func Chart(dir, valuesFile string) ([]File, error) {
	loaded, err := loader.LoadDir(dir)
	if err != nil {
		return nil, oneLine(err)
	}
	if loaded.Metadata.Type == "library" {
		return nil, ErrLibrary
	}
	given := map[string]any{}
	if valuesFile != "" {
		text, err := os.ReadFile(valuesFile)
		if err != nil {
			return nil, fmt.Errorf("reading values: %w", err)
		}
		read, err := common.ReadValues(text)
		if err != nil {
			return nil, fmt.Errorf("reading %s: %w", valuesFile, oneLine(err))
		}
		given = read
	}
	type answer struct {
		texts map[string]string
		err   error
	}
	done := make(chan answer, 1)
	go func() {
		texts, err := texts(loaded, given)
		done <- answer{texts, err}
	}()
	select {
	case a := <-done:
		if missing := unpacked(loaded); a.err != nil && len(missing) > 0 {
			return nil, fmt.Errorf("its charts folder lacks %s, which helm dependency build brings: %w", strings.Join(missing, ", "), a.err)
		}
		return files(dir, a.texts), a.err
	case <-time.After(patience):
		return nil, fmt.Errorf("takes longer than %s to render", patience)
	}
}

// unpacked are the charts that a chart needs and does not bring.
func unpacked(of *chart.Chart) []string {
	var out []string
	for _, needed := range of.Metadata.Dependencies {
		if !slices.ContainsFunc(of.Dependencies(), func(c *chart.Chart) bool { return c.Name() == needed.Name }) {
			out = append(out, needed.Name)
		}
	}
	return out
}

// texts are what the templates become, by their names. The schema of the values is
// not looked at: it may refer to addresses.
func texts(of *chart.Chart, given map[string]any) (out map[string]string, err error) {
	defer func() {
		if failed := recover(); failed != nil {
			err = fmt.Errorf("rendering: %v", failed)
		}
	}()
	if err := dependencies.ProcessDependencies(of, given); err != nil {
		return nil, oneLine(err)
	}
	capabilities := *common.DefaultCapabilities
	capabilities.APIVersions = append(slices.Clone(capabilities.APIVersions), served...)
	release := common.ReleaseOptions{Name: of.Name(), Namespace: "default", Revision: 1, IsInstall: true}
	all, err := values.ToRenderValuesWithSchemaValidation(of, given, release, &capabilities, true)
	if err != nil {
		return nil, oneLine(err)
	}
	out, err = engine.Engine{}.Render(of, all)
	return out, oneLine(err)
}

// files puts what templates became beside what they were.
func files(dir string, texts map[string]string) []File {
	var out []File
	for _, name := range slices.Sorted(maps.Keys(texts)) {
		if strings.HasSuffix(name, "NOTES.txt") || strings.HasPrefix(path.Base(name), "_") || strings.TrimSpace(texts[name]) == "" {
			continue
		}
		_, below, _ := strings.Cut(name, "/")
		f := File{Name: filepath.Join(dir, filepath.FromSlash(below)), Text: []byte(texts[name])}
		var err error
		if f.Origin, err = os.ReadFile(f.Name); err != nil {
			f.Name, f.Origin, f.Template = filepath.Join(dir, "Chart.yaml"), []byte{}, name
		}
		out = append(out, f)
	}
	return out
}

// oneLine keeps the end of an error of a template, which is what went wrong: before
// it stand all the templates on the way there.
func oneLine(err error) error {
	if err == nil {
		return nil
	}
	text := strings.Join(strings.Fields(err.Error()), " ")
	if i := strings.LastIndex(text, "error calling "); i > 0 {
		text = text[i:]
	}
	const most = 200
	if r := []rune(text); len(r) > most {
		text = string(r[:most]) + "…"
	}
	return errors.New(text)
}
