//go:build ignore

// Bundle makes scripts and a style sheet of the sources of the pages and of the
// libraries they use, and a schema for completion of the one of the object's
// definition. It is esbuild as a Go library, so nobody needs Node, and
// the same sources give the same bytes on every machine.
package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/evanw/esbuild/pkg/api"
	"sigs.k8s.io/yaml"
)

func main() {
	if err := errors.Join(bundle(os.Args[1]), report(os.Args[1], os.Args[2])); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// common is how everything is bundled.
func common(folder, libraries string) api.BuildOptions {
	return api.BuildOptions{
		AbsWorkingDir:     folder,
		Outdir:            "dist",
		Bundle:            true,
		Write:             true,
		Target:            api.ES2022,
		MinifyWhitespace:  true,
		MinifySyntax:      true,
		MinifyIdentifiers: true,
		Charset:           api.CharsetUTF8,
		LegalComments:     api.LegalCommentsNone,
		NodePaths:         []string{libraries},
		LogLevel:          api.LogLevelWarning,
	}
}

// report writes the folder dist of the reports, whose script and style become part of
// each of them, with the license of the library that they have in common with the pages.
func report(web, assets string) error {
	root, err := filepath.Abs(assets)
	if err != nil {
		return err
	}
	libraries, err := filepath.Abs(filepath.Join(web, "third_party"))
	if err != nil {
		return err
	}
	license, err := os.ReadFile(filepath.Join(libraries, "uplot", "LICENSE"))
	if err != nil {
		return err
	}
	if err := os.RemoveAll(filepath.Join(root, "dist")); err != nil {
		return err
	}
	o := common(root, libraries)
	o.EntryPoints, o.Format = []string{"src/report.js", "src/report.css"}, api.FormatIIFE
	o.Banner = map[string]string{"js": "/* Contains uPlot.\n\n" + string(license) + "*/"}
	if result := api.Build(o); len(result.Errors) > 0 {
		return fmt.Errorf("%d errors", len(result.Errors))
	}
	return nil
}

// bundle writes the folder dist of a folder that has src and third_party.
func bundle(web string) error {
	root, err := filepath.Abs(web)
	if err != nil {
		return err
	}
	dist := filepath.Join(root, "dist")
	if err := os.RemoveAll(dist); err != nil {
		return err
	}
	o := common(root, filepath.Join(root, "third_party"))
	// What only one page needs comes when that page is opened.
	o.EntryPoints, o.Format = []string{"src/app.js", "src/app.css", "src/editor.js"}, api.FormatESModule
	o.Splitting, o.ChunkNames, o.Metafile = true, "shared-[hash]", true
	result := api.Build(o)
	if len(result.Errors) > 0 {
		return fmt.Errorf("%d errors", len(result.Errors))
	}
	index, err := os.ReadFile(filepath.Join(root, "src", "index.html"))
	if err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(dist, "index.html"), index, 0o644); err != nil {
		return err
	}
	if err := schema(dist); err != nil {
		return err
	}
	return licenses(root, result.Metafile)
}

// licenses puts the licenses of what is part of the bundle beside it.
func licenses(root, meta string) error {
	packages, err := filepath.Glob(filepath.Join(root, "third_party", "*", "package.json"))
	if err != nil {
		return err
	}
	scoped, err := filepath.Glob(filepath.Join(root, "third_party", "@*", "*", "package.json"))
	if err != nil {
		return err
	}
	var out strings.Builder
	out.WriteString("The pages contain code of others, under these licenses.\n")
	for _, file := range append(scoped, packages...) {
		name, err := filepath.Rel(filepath.Join(root, "third_party"), filepath.Dir(file))
		if err != nil {
			return err
		}
		name = filepath.ToSlash(name)
		if !strings.Contains(meta, "third_party/"+name+"/") {
			continue
		}
		text, err := os.ReadFile(filepath.Join(root, "third_party", name, "LICENSE"))
		if err != nil {
			return err
		}
		fmt.Fprintf(&out, "\n%s\n%s\n\n%s", name, strings.Repeat("=", len(name)), text)
	}
	return os.WriteFile(filepath.Join(root, "dist", "licenses.txt"), []byte(out.String()), 0o644)
}

// definition is the object's definition, whose schema a cluster checks it by.
const definition = "config/crd/autoscaling.tidemark.dev_workloadautoscalers.yaml"

// schema writes what an editor needs of the schema of the object: names, kinds,
// words and what each is for.
func schema(dist string) error {
	text, err := os.ReadFile(definition)
	if err != nil {
		return err
	}
	var crd struct {
		Spec struct {
			Group string `json:"group"`
			Names struct {
				Kind string `json:"kind"`
			} `json:"names"`
			Versions []struct {
				Name   string `json:"name"`
				Schema struct {
					OpenAPIV3Schema map[string]any `json:"openAPIV3Schema"`
				} `json:"schema"`
			} `json:"versions"`
		} `json:"spec"`
	}
	if err := yaml.Unmarshal(text, &crd); err != nil {
		return err
	}
	whole := slim(crd.Spec.Versions[0].Schema.OpenAPIV3Schema)
	properties := whole["properties"].(map[string]any)
	delete(properties, "status")
	properties["apiVersion"] = map[string]any{"type": "string", "enum": []string{crd.Spec.Group + "/" + crd.Spec.Versions[0].Name}}
	properties["kind"] = map[string]any{"type": "string", "enum": []string{crd.Spec.Names.Kind}}
	properties["metadata"] = map[string]any{"type": "object", "properties": map[string]any{
		"name": map[string]any{"type": "string"}, "namespace": map[string]any{"type": "string"},
	}}
	out, err := json.Marshal(whole)
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dist, "schema.json"), append(out, '\n'), 0o644)
}

// slim keeps what is shown of a schema.
func slim(in map[string]any) map[string]any {
	out := map[string]any{}
	for _, key := range []string{"type", "enum", "default", "required"} {
		if v, ok := in[key]; ok {
			out[key] = v
		}
	}
	if text, ok := in["description"].(string); ok {
		out["description"] = strings.Join(strings.Fields(text), " ")
	}
	if properties, ok := in["properties"].(map[string]any); ok {
		kept := map[string]any{}
		for name, p := range properties {
			kept[name] = slim(p.(map[string]any))
		}
		out["properties"] = kept
	}
	for _, key := range []string{"items", "additionalProperties"} {
		if below, ok := in[key].(map[string]any); ok {
			out[key] = slim(below)
		}
	}
	return out
}
