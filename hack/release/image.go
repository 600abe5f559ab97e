package main

import (
	"bytes"
	"encoding/pem"
	"fmt"
	"io"
	"os"
	"path/filepath"

	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/empty"
	"github.com/google/go-containerregistry/pkg/v1/layout"
	"github.com/google/go-containerregistry/pkg/v1/mutate"
	"github.com/google/go-containerregistry/pkg/v1/tarball"
	"github.com/google/go-containerregistry/pkg/v1/types"
	"golang.org/x/crypto/x509roots/fallback/bundle"
)

// user is whom the program runs as in a container: nobody's in particular, and
// not root.
const user = "65532:65532"

// images makes the image for each kind of Linux, and one index of them. There is
// no base image: an image holds the program and the public authorities, and
// everything in it is here.
func (r *release) images() error {
	index := mutate.IndexMediaType(empty.Index, types.OCIImageIndex)
	for _, p := range r.platforms {
		if p.os != "linux" {
			continue
		}
		image, err := r.imageOf(p)
		if err != nil {
			return fmt.Errorf("the image for %s: %w", p, err)
		}
		index = mutate.AppendManifests(index, mutate.IndexAddendum{
			Add: image, Descriptor: v1.Descriptor{Platform: &v1.Platform{OS: p.os, Architecture: p.arch}},
		})
	}
	return r.writeLayout(r.named("image.tar"), func(to layout.Path) error {
		return to.AppendIndex(index, layout.WithAnnotations(map[string]string{"org.opencontainers.image.ref.name": r.version}))
	})
}

func (r *release) imageOf(p platform) (v1.Image, error) {
	program, err := os.ReadFile(r.path(p))
	if err != nil {
		return nil, err
	}
	license, err := os.ReadFile(filepath.Join(r.source, "LICENSE"))
	if err != nil {
		return nil, err
	}
	packed, err := packTar([]entry{
		{"etc/ssl/certs/ca-certificates.crt", authorities(), 0o644}, {"licenses/LICENSE", license, 0o644}, {"tidemark", program, 0o755},
	}, r.at)
	if err != nil {
		return nil, err
	}
	layer, err := tarball.LayerFromOpener(func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(packed)), nil },
		tarball.WithMediaType(types.OCILayer))
	if err != nil {
		return nil, err
	}
	image := mutate.ConfigMediaType(mutate.MediaType(empty.Image, types.OCIManifestSchema1), types.OCIConfigJSON)
	image, err = mutate.Append(image, mutate.Addendum{Layer: layer, History: v1.History{CreatedBy: "hack/release", Created: v1.Time{Time: r.at}}})
	if err != nil {
		return nil, err
	}
	return mutate.ConfigFile(image, r.configOf(p, image))
}

// configOf says how the image runs.
func (r *release) configOf(p platform, image v1.Image) *v1.ConfigFile {
	config, err := image.ConfigFile()
	if err != nil {
		config = &v1.ConfigFile{}
	}
	config = config.DeepCopy()
	config.OS, config.Architecture, config.Created = p.os, p.arch, v1.Time{Time: r.at}
	config.Config = v1.Config{User: user, Entrypoint: []string{"/tidemark"}, WorkingDir: "/", Labels: map[string]string{
		"org.opencontainers.image.title":       "Tidemark",
		"org.opencontainers.image.description": "Decides how many pods a workload has and how large each one is, and says why.",
		"org.opencontainers.image.licenses":    "Apache-2.0",
		"org.opencontainers.image.version":     r.version,
		"org.opencontainers.image.revision":    r.commit,
	}}
	return config
}

// authorities are the public ones, of a version that go.sum pins; the building
// machine's may be others. One that may sign only some certificates is left
// out: a file of certificates cannot say so.
func authorities() []byte {
	var out bytes.Buffer
	for root := range bundle.Roots() {
		if root.Constraint == nil {
			_ = pem.Encode(&out, &pem.Block{Type: "CERTIFICATE", Bytes: root.Certificate}) // A buffer takes everything.
		}
	}
	return out.Bytes()
}

// writeLayout fills a folder as the OCI's image layout says, and packs it.
func (r *release) writeLayout(name string, fill func(layout.Path) error) error {
	folder, err := os.MkdirTemp("", "layout-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(folder)
	path, err := layout.Write(folder, empty.Index)
	if err != nil {
		return err
	}
	if err := fill(path); err != nil {
		return err
	}
	packed, err := packFolder(folder, r.at)
	if err != nil {
		return err
	}
	return r.write(name, packed)
}
