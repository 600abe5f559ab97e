package main

import (
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"maps"
	"slices"
	"strings"
)

// statementType, predicateType and payloadType are those of in-toto and of SLSA.
const (
	statementType = "https://in-toto.io/Statement/v1"
	predicateType = "https://slsa.dev/provenance/v1"
	payloadType   = "application/vnd.in-toto+json"
	provenance    = "provenance.intoto.json"
)

// resource is something that is known by its digest.
type resource struct {
	Name   string            `json:"name,omitempty"`
	URI    string            `json:"uri,omitempty"`
	Digest map[string]string `json:"digest,omitempty"`
}

// provenance says what was built from what, and how: enough to build it again.
// It names no moment at which it was built, because that is no part of the
// result.
func (r *release) provenance() error {
	modules, compiler, err := r.linked()
	if err != nil {
		return err
	}
	var subjects []resource
	files, err := filesIn(r.out)
	if err != nil {
		return err
	}
	for _, file := range files {
		sum, err := digestOf(r.out, file)
		if err != nil {
			return err
		}
		subjects = append(subjects, resource{Name: file, Digest: map[string]string{"sha256": sum}})
	}
	needs := []resource{
		{URI: "git+https://github.com/tidemark/tidemark@" + r.commit, Digest: map[string]string{"gitCommit": r.commit}},
		{URI: "pkg:golang/toolchain@" + compiler},
	}
	for _, path := range slices.Sorted(maps.Keys(modules)) {
		needs = append(needs, resource{URI: "pkg:golang/" + path + "@" + modules[path].Version, Digest: dirHash(modules[path].Sum)})
	}
	var built []string
	for _, p := range r.platforms {
		built = append(built, p.String())
	}
	text, err := json.MarshalIndent(map[string]any{
		"_type": statementType, "subject": subjects, "predicateType": predicateType,
		"predicate": map[string]any{
			"buildDefinition": map[string]any{
				"buildType":            "https://github.com/tidemark/tidemark/blob/main/hack/release/doc.go",
				"externalParameters":   map[string]any{"version": r.version, "image": r.image, "download": r.download, "platforms": built},
				"internalParameters":   map[string]any{"flags": r.buildFlags(), "go": compiler},
				"resolvedDependencies": needs,
			},
			"runDetails": map[string]any{"builder": map[string]any{"id": r.builder}},
		},
	}, "", "  ")
	if err != nil {
		return err
	}
	return r.write(provenance, append(text, '\n'))
}

// dirHash is a line of go.sum as in-toto writes it; a module in a folder of the
// repository has none.
func dirHash(sum string) map[string]string {
	text, ok := strings.CutPrefix(sum, "h1:")
	raw, err := base64.StdEncoding.DecodeString(text)
	if !ok || err != nil {
		return nil
	}
	return map[string]string{"dirHash": hex.EncodeToString(raw)}
}
