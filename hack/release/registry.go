package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/google/go-containerregistry/pkg/authn"
	"github.com/google/go-containerregistry/pkg/name"
	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/layout"
	"github.com/google/go-containerregistry/pkg/v1/remote"
)

// opened is an unpacked layout. Its folder goes with close.
type opened struct {
	index v1.ImageIndex
	// entry describes the one thing in it, tag is its name in a registry.
	entry  v1.Descriptor
	tag    string
	folder string
}

func (o opened) close() { os.RemoveAll(o.folder) }

// openLayout unpacks a layout that holds one image, index or artifact.
func openLayout(path string) (opened, error) {
	folder, err := os.MkdirTemp("", "layout-")
	if err != nil {
		return opened{}, err
	}
	o := opened{folder: folder}
	if err := unpackFile(path, folder); err != nil {
		o.close()
		return opened{}, err
	}
	if o.index, err = layout.ImageIndexFromPath(folder); err != nil {
		o.close()
		return opened{}, err
	}
	manifest, err := o.index.IndexManifest()
	if err != nil || len(manifest.Manifests) != 1 {
		o.close()
		return opened{}, errors.Join(err, fmt.Errorf("%s does not hold one thing", filepath.Base(path)))
	}
	o.entry = manifest.Manifests[0]
	o.tag = o.entry.Annotations["org.opencontainers.image.ref.name"]
	return o, nil
}

// imageDigest is how the image of this release is known.
func (r *release) imageDigest() (string, error) {
	image, err := openLayout(filepath.Join(r.out, r.named("image.tar")))
	if err != nil {
		return "", err
	}
	defer image.close()
	return image.entry.Digest.String(), nil
}

// push sends what belongs into registries there, under the names that the
// release gave it. Credentials are those of docker and its kin.
func push(ctx context.Context, out, image, charts string) error {
	sent := 0
	for pattern, repository := range map[string]string{
		"*_image.tar": image, "*_image_signature.tar": image, "*_chart.tar": join(charts, "tidemark"), "*_chart_signature.tar": join(charts, "tidemark"),
	} {
		files, err := filepath.Glob(filepath.Join(out, pattern))
		if err != nil {
			return err
		}
		for _, file := range files {
			if repository == "" {
				continue
			}
			if err := pushOne(ctx, file, repository); err != nil {
				return fmt.Errorf("pushing %s: %w", filepath.Base(file), err)
			}
			sent++
		}
	}
	if sent == 0 {
		return fmt.Errorf("nothing was sent: build into %s first, and name where it goes by --image and --charts", out)
	}
	return nil
}

func join(registry, name string) string {
	if registry == "" {
		return ""
	}
	return registry + "/" + name
}

func pushOne(ctx context.Context, file, repository string) error {
	o, err := openLayout(file)
	if err != nil {
		return err
	}
	defer o.close()
	tag, err := name.NewTag(repository + ":" + o.tag)
	if err != nil {
		return err
	}
	options := []remote.Option{remote.WithContext(ctx), remote.WithAuthFromKeychain(authn.DefaultKeychain)}
	if o.entry.MediaType.IsIndex() {
		inner, err := o.index.ImageIndex(o.entry.Digest)
		if err != nil {
			return err
		}
		err = remote.WriteIndex(tag, inner, options...)
		fmt.Printf("%s@%s\n", tag, o.entry.Digest)
		return err
	}
	inner, err := o.index.Image(o.entry.Digest)
	if err != nil {
		return err
	}
	fmt.Printf("%s@%s\n", tag, o.entry.Digest)
	return remote.Write(tag, inner, options...)
}
