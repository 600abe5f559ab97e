package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/empty"
	"github.com/google/go-containerregistry/pkg/v1/layout"
	"github.com/google/go-containerregistry/pkg/v1/mutate"
	"github.com/google/go-containerregistry/pkg/v1/static"
	"github.com/google/go-containerregistry/pkg/v1/types"
	"sigs.k8s.io/yaml"
)

// The media types of a chart in a registry are Helm's.
const (
	helmConfig types.MediaType = "application/vnd.cncf.helm.config.v1+json"
	helmChart  types.MediaType = "application/vnd.cncf.helm.chart.content.v1.tar+gzip"
)

// chartVersion is the version as Helm wants it, without the letter.
func (r *release) chartVersion() string { return strings.TrimPrefix(r.version, "v") }

// chart packs the chart as Helm does, and as an artifact for a registry. It has
// the release's version, and names the release's image by its digest.
func (r *release) chart() error {
	digest, err := r.imageDigest()
	if err != nil {
		return err
	}
	entries, meta, err := r.chartFiles(digest)
	if err != nil {
		return err
	}
	packed, err := packTar(entries, r.at)
	if err != nil {
		return err
	}
	if packed, err = squeeze(packed); err != nil {
		return err
	}
	if err := r.write("tidemark-"+r.chartVersion()+".tgz", packed); err != nil {
		return err
	}
	artifact, err := chartArtifact(packed, meta, r.at)
	if err != nil {
		return err
	}
	return r.writeLayout(r.named("chart.tar"), func(to layout.Path) error {
		return to.AppendImage(artifact, layout.WithAnnotations(map[string]string{"org.opencontainers.image.ref.name": r.chartVersion()}))
	})
}

// chartFiles are the chart's files, with what only a release knows.
func (r *release) chartFiles(digest string) ([]entry, []byte, error) {
	folder := filepath.Join(r.source, "charts", "tidemark")
	var entries []entry
	var meta []byte
	err := filepath.WalkDir(folder, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		name, err := filepath.Rel(folder, path)
		if err != nil {
			return err
		}
		switch name {
		case "Chart.yaml":
			text, err = set(text, map[string]string{"version": r.chartVersion(), "appVersion": r.version})
			meta = text
		case "values.yaml":
			text, err = set(text, map[string]string{"  repository": r.image, "  digest": digest})
		}
		entries = append(entries, entry{name: "tidemark/" + filepath.ToSlash(name), text: text, mode: 0o644})
		return err
	})
	slices.SortFunc(entries, func(a, b entry) int { return strings.Compare(a.name, b.name) })
	if err == nil && meta == nil {
		err = errors.New("the chart has no Chart.yaml")
	}
	return entries, meta, err
}

// set sets fields of a YAML file and leaves everything else in it alone.
func set(text []byte, fields map[string]string) ([]byte, error) {
	for name, value := range fields {
		line := regexp.MustCompile(`(?m)^` + regexp.QuoteMeta(name) + `: .*$`)
		if n := len(line.FindAll(text, -1)); n != 1 {
			return nil, fmt.Errorf("%d lines set %s, want one", n, strings.TrimSpace(name))
		}
		text = line.ReplaceAllLiteral(text, []byte(name+": "+value))
	}
	return text, nil
}

// chartArtifact is the chart as Helm pushes it.
func chartArtifact(packed, meta []byte, at time.Time) (v1.Image, error) {
	config, err := yaml.YAMLToJSON(meta)
	if err != nil {
		return nil, err
	}
	var fields struct{ Name, Version, Description string }
	if err := json.Unmarshal(config, &fields); err != nil {
		return nil, err
	}
	image, err := mutate.AppendLayers(mutate.MediaType(empty.Image, types.OCIManifestSchema1), static.NewLayer(packed, helmChart))
	if err != nil {
		return nil, err
	}
	image = mutate.Annotations(image, map[string]string{
		"org.opencontainers.image.title": fields.Name, "org.opencontainers.image.version": fields.Version,
		"org.opencontainers.image.description": fields.Description, "org.opencontainers.image.created": at.Format(time.RFC3339),
	}).(v1.Image)
	return rawConfig{image, config}, nil
}
