package main

import (
	"bytes"
	"crypto/sha256"
	"debug/buildinfo"
	"fmt"
	"maps"
	"runtime/debug"
	"slices"
	"time"

	cdx "github.com/CycloneDX/cyclonedx-go"
)

// linked are the modules inside of the programs of a release, by path. They are
// read from the programs: what is not linked is not there.
func (r *release) linked() (map[string]*debug.Module, string, error) {
	all, compiler := map[string]*debug.Module{}, ""
	for _, p := range r.platforms {
		info, err := buildinfo.ReadFile(r.path(p))
		if err != nil {
			return nil, "", fmt.Errorf("reading what the program for %s is made of: %w", p, err)
		}
		compiler = info.GoVersion
		for _, module := range info.Deps {
			if module.Replace != nil {
				module = module.Replace
			}
			all[module.Path] = module
		}
	}
	return all, compiler, nil
}

// materials writes the bill of materials, as CycloneDX.
func (r *release) materials() error {
	modules, compiler, err := r.linked()
	if err != nil {
		return err
	}
	own := "pkg:golang/github.com/tidemark/tidemark@" + r.version
	components := []cdx.Component{{
		BOMRef: "pkg:golang/std@" + compiler, Type: cdx.ComponentTypeLibrary, Name: "std", Version: compiler, PackageURL: "pkg:golang/std@" + compiler,
		Description: "Go's standard library and runtime",
	}}
	for _, path := range slices.Sorted(maps.Keys(modules)) {
		module := modules[path]
		url := "pkg:golang/" + path + "@" + module.Version
		components = append(components, cdx.Component{
			BOMRef: url, Type: cdx.ComponentTypeLibrary, Name: path, Version: module.Version, PackageURL: url,
			Properties: &[]cdx.Property{{Name: "go:sum", Value: module.Sum}},
		})
	}
	var needs []string
	for _, c := range components {
		needs = append(needs, c.BOMRef)
	}
	bom := cdx.NewBOM()
	bom.Metadata = &cdx.Metadata{Timestamp: r.at.Format(time.RFC3339), Component: &cdx.Component{
		BOMRef: own, Type: cdx.ComponentTypeApplication, Name: "tidemark", Version: r.version, PackageURL: own,
		Licenses: &cdx.Licenses{{License: &cdx.License{ID: "Apache-2.0"}}},
	}}
	bom.Components, bom.Dependencies = &components, &[]cdx.Dependency{{Ref: own, Dependencies: &needs}}
	bom.SerialNumber = serial(needs)
	var out bytes.Buffer
	if err := cdx.NewBOMEncoder(&out, cdx.BOMFileFormatJSON).SetPretty(true).SetEscapeHTML(false).EncodeVersion(bom, cdx.SpecVersion1_6); err != nil {
		return err
	}
	return r.write("sbom.cdx.json", out.Bytes())
}

// serial is a UUID that is the same for the same contents, in the form that is
// kept for such ones (version 8).
func serial(contents []string) string {
	sum := sha256.Sum256(fmt.Append(nil, contents))
	sum[6], sum[8] = sum[6]&0x0f|0x80, sum[8]&0x3f|0x80
	return fmt.Sprintf("urn:uuid:%x-%x-%x-%x-%x", sum[0:4], sum[4:6], sum[6:8], sum[8:10], sum[10:16])
}
