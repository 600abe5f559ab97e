package main

import (
	"sigs.k8s.io/yaml"
)

// krew writes the manifest by which krew installs `kubectl tidemark`.
func (r *release) krew() error {
	var all []map[string]any
	for _, p := range r.platforms {
		sum, err := digestOf(r.out, r.archiveOf(p))
		if err != nil {
			return err
		}
		all = append(all, map[string]any{
			"selector": map[string]any{"matchLabels": map[string]any{"os": p.os, "arch": p.arch}},
			"uri":      r.download + "/" + r.version + "/" + r.archiveOf(p),
			"sha256":   sum,
			"bin":      p.program(),
			"files":    []map[string]any{{"from": p.program(), "to": "."}, {"from": "LICENSE", "to": "."}},
		})
	}
	text, err := yaml.Marshal(map[string]any{
		"apiVersion": "krew.googlecontainertools.github.com/v1alpha2", "kind": "Plugin",
		"metadata": map[string]any{"name": "tidemark"},
		"spec": map[string]any{
			"version":          r.version,
			"homepage":         "https://github.com/tidemark/tidemark",
			"shortDescription": "Explain and try what autoscaling decides",
			"description": "Shows why a WorkloadAutoscaler has decided what it did, decides without a\n" +
				"cluster, and replays policies over recorded demand.\n",
			"platforms": all,
		},
	})
	if err != nil {
		return err
	}
	return r.write("tidemark.yaml", text)
}
