package render

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"sigs.k8s.io/kustomize/api/krusty"
	"sigs.k8s.io/kustomize/api/resmap"
	"sigs.k8s.io/kustomize/api/types"
	"sigs.k8s.io/kustomize/kyaml/filesys"
	"sigs.k8s.io/yaml"
)

// Names are what a file of a kustomization may be called.
var Names = []string{"kustomization.yaml", "kustomization.yml", "Kustomization"}

// Kustomization is what the file of one says of others.
type Kustomization struct {
	// Component tells that it is a part of others.
	Component bool
	// Parts are the folders of kustomizations that it is made of.
	Parts []string
	// Patches are the files that change what others state, and are no manifests.
	Patches []string
}

// ReadKustomization reads the kustomization in a folder. It is not ok where there
// is none that kustomize would read: other kinds are called so too.
func ReadKustomization(dir string) (Kustomization, bool) {
	_, fields, ok := fieldsOf(dir)
	if !ok {
		return Kustomization{}, false
	}
	out := Kustomization{Component: fields["kind"] == "Component"}
	for _, list := range []string{"resources", "bases", "components"} {
		for _, entry := range entries(fields[list]) {
			if path := filepath.Join(dir, entry); isLocal(dir, entry) && isDir(path) {
				out.Parts = append(out.Parts, path)
			}
		}
	}
	for _, patch := range patches(fields) {
		if name, ok := patch["path"].(string); ok {
			out.Patches = append(out.Patches, filepath.Join(dir, name))
		}
	}
	return out, true
}

// fieldsOf reads the file of a kustomization.
func fieldsOf(dir string) (file string, fields map[string]any, ok bool) {
	for _, name := range Names {
		file = filepath.Join(dir, name)
		text, err := os.ReadFile(file)
		if err != nil {
			continue
		}
		if yaml.Unmarshal(text, &fields) != nil {
			return file, nil, false
		}
		version, stated := fields["apiVersion"].(string)
		return file, fields, !stated || strings.HasPrefix(version, "kustomize.config.k8s.io/")
	}
	return "", nil, false
}

// one keeps kustomize to one run at a time: its schemas are one for all.
var one sync.Mutex

// Built is what a kustomization became.
type Built struct {
	Files []File
	// Used are the files that were read for it.
	Used []string
	// LeftOut are entries that would have to be fetched or run.
	LeftOut []string
}

// Build builds the kustomization in a folder. It may use all files within another,
// as what applies repositories lets it, and none outside.
func Build(dir, within string) (out Built, err error) {
	one.Lock()
	defer one.Unlock()
	defer func() {
		if failed := recover(); failed != nil {
			err = fmt.Errorf("building: %v", failed)
		}
	}()
	absolute, err := resolved(dir)
	if err != nil {
		return Built{}, err
	}
	disk := &local{FileSystem: filesys.MakeFsOnDisk()}
	if disk.within, err = resolved(within); err != nil {
		return Built{}, err
	}
	options := krusty.MakeDefaultOptions()
	options.LoadRestrictions = types.LoadRestrictionsNone
	all, err := krusty.MakeKustomizer(options).Run(disk, absolute)
	if err != nil {
		return Built{}, oneLine(err)
	}
	out.LeftOut = disk.leftOut
	for _, name := range disk.read {
		if below, err := filepath.Rel(absolute, name); err == nil {
			out.Used = append(out.Used, filepath.Join(dir, below))
		}
	}
	out.Files, err = built(dir, all)
	return out, err
}

// resolved is where a path leads.
func resolved(path string) (string, error) {
	path, err := filepath.EvalSymlinks(path)
	if err != nil {
		return "", err
	}
	return filepath.Abs(path)
}

// built sorts objects by the files that they come from.
func built(dir string, all resmap.ResMap) ([]File, error) {
	var out []File
	at := map[string]int{}
	for _, object := range all.Resources() {
		origin, err := object.GetOrigin()
		if err != nil || origin == nil || origin.Path == "" || object.GetKind() == "CustomResourceDefinition" {
			continue // generated, or nothing that lint reads
		}
		if err := object.SetOrigin(nil); err != nil {
			return nil, oneLine(err)
		}
		text, err := object.AsYAML()
		if err != nil {
			return nil, oneLine(err)
		}
		name := filepath.Join(dir, filepath.FromSlash(origin.Path))
		i, known := at[name]
		if !known {
			stands, err := os.ReadFile(name)
			if err != nil {
				return nil, err
			}
			i, at[name] = len(out), len(out)
			out = append(out, File{Name: name, Origin: stands})
		}
		out[i].Text = slices.Concat(out[i].Text, []byte("---\n"), text)
	}
	return out, nil
}
