package main

import (
	"bytes"
	"encoding/json"

	v1 "github.com/google/go-containerregistry/pkg/v1"
)

// rawConfig is an artifact whose config is not that of a container.
type rawConfig struct {
	v1.Image
	config []byte
}

var _ v1.Image = rawConfig{}

// RawConfigFile is the config itself.
func (r rawConfig) RawConfigFile() ([]byte, error) { return r.config, nil }

// ConfigName is the config's digest.
func (r rawConfig) ConfigName() (v1.Hash, error) {
	hash, _, err := v1.SHA256(bytes.NewReader(r.config))
	return hash, err
}

// Manifest is that of the layers, with the config.
func (r rawConfig) Manifest() (*v1.Manifest, error) {
	manifest, err := r.Image.Manifest()
	if err != nil {
		return nil, err
	}
	manifest = manifest.DeepCopy()
	hash, size, err := v1.SHA256(bytes.NewReader(r.config))
	manifest.Config.MediaType, manifest.Config.Digest, manifest.Config.Size = helmConfig, hash, size
	return manifest, err
}

// RawManifest is what a registry keeps.
func (r rawConfig) RawManifest() ([]byte, error) {
	manifest, err := r.Manifest()
	if err != nil {
		return nil, err
	}
	return json.Marshal(manifest)
}

// Digest is the manifest's.
func (r rawConfig) Digest() (v1.Hash, error) {
	text, err := r.RawManifest()
	if err != nil {
		return v1.Hash{}, err
	}
	hash, _, err := v1.SHA256(bytes.NewReader(text))
	return hash, err
}

// Size is the manifest's.
func (r rawConfig) Size() (int64, error) {
	text, err := r.RawManifest()
	return int64(len(text)), err
}
