package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// options are what a releaser chooses.
type options struct {
	repository, version, image, charts, download, builder string
	warm                                                  bool
}

// release is one build of everything. All that goes into a file is here, or in
// the source.
type release struct {
	options
	commit string
	// at is when the commit was made. Every file says that it is of that moment.
	at time.Time
	// source is the folder with the commit, out the one for the files.
	source, out string
	// cache is where the compiler keeps what it made; empty is where it always does.
	cache string
	// platforms are those that it is built for.
	platforms []platform
}

var semver = regexp.MustCompile(`^v[0-9]+\.[0-9]+\.[0-9]+(-[0-9A-Za-z.-]+)?$`)

// build builds twice, in different folders, compares, and signs.
func build(ctx context.Context, o options, out, key string) error {
	if !semver.MatchString(o.version) {
		return fmt.Errorf("--version: must be a version such as v0.1.0, got %q", o.version)
	}
	signer, err := loadKey(key, os.Getenv("COSIGN_PASSWORD"))
	if err != nil {
		return err
	}
	work, err := os.MkdirTemp("", "release-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(work)
	first := release{options: o, source: filepath.Join(work, "first"), out: out, platforms: platforms}
	if err := first.identify(ctx); err != nil {
		return err
	}
	if err := first.export(ctx); err != nil {
		return err
	}
	if err := first.everything(ctx); err != nil {
		return err
	}
	second := first
	second.source, second.out = filepath.Join(work, "again", "elsewhere"), filepath.Join(work, "dist")
	if !o.warm {
		second.cache = filepath.Join(work, "cache")
	}
	if err := second.export(ctx); err != nil {
		return err
	}
	if err := second.everything(ctx); err != nil {
		return fmt.Errorf("the second time: %w", err)
	}
	files, err := equal(first.out, second.out)
	if err != nil {
		return err
	}
	fmt.Printf("Built twice: %d files are equal, byte for byte.\n", files)
	if signer == nil {
		fmt.Println("Nothing is signed: --key names no key.")
		return nil
	}
	return first.sign(signer)
}

// buildImage makes the image alone, from the folder as it is: for those who try
// something out.
func buildImage(ctx context.Context, o options, out string) error {
	r := release{options: o, source: o.repository, out: out}
	for _, p := range platforms {
		if p.os == "linux" {
			r.platforms = append(r.platforms, p)
		}
	}
	if err := r.identify(ctx); err != nil {
		return err
	}
	if err := r.programs(ctx); err != nil {
		return err
	}
	if err := r.images(); err != nil {
		return err
	}
	digest, err := r.imageDigest()
	fmt.Printf("%s holds %s\n", filepath.Join(out, r.named("image.tar")), digest)
	return err
}

// identify says which commit it is, and of when.
func (r *release) identify(ctx context.Context) error {
	var err error
	if r.commit, err = r.git(ctx, "rev-parse", "HEAD"); err != nil {
		return err
	}
	seconds, err := r.git(ctx, "log", "-1", "--format=%ct")
	if err != nil {
		return err
	}
	n, err := strconv.ParseInt(seconds, 10, 64)
	r.at = time.Unix(n, 0).UTC()
	return err
}

// export writes the files of the commit into the source folder: nothing that is
// not committed gets into a release, nor what is committed meanwhile.
func (r *release) export(ctx context.Context) error {
	if err := os.MkdirAll(r.source, 0o755); err != nil {
		return err
	}
	packed := r.source + ".tar"
	if _, err := r.git(ctx, "archive", "--format=tar", "--output="+packed, r.commit); err != nil {
		return err
	}
	defer os.Remove(packed)
	return unpackFile(packed, r.source)
}

func (r *release) git(ctx context.Context, args ...string) (string, error) {
	cmd := exec.CommandContext(ctx, "git", append([]string{"-C", r.repository}, args...)...)
	text, err := cmd.Output()
	if err != nil {
		return "", fmt.Errorf("git %s: %w", strings.Join(args, " "), err)
	}
	return strings.TrimSpace(string(text)), nil
}

// everything makes each file of the release, in the order in which they need
// each other.
func (r *release) everything(ctx context.Context) error {
	if err := r.programs(ctx); err != nil {
		return err
	}
	for _, step := range []func() error{r.archives, r.images, r.chart, r.krew, r.materials, r.provenance, r.checksums} {
		if err := step(); err != nil {
			return err
		}
	}
	return nil
}

// programs builds for each platform, into an empty folder.
func (r *release) programs(ctx context.Context) error {
	if err := os.RemoveAll(r.out); err != nil {
		return err
	}
	if err := os.MkdirAll(r.out, 0o755); err != nil {
		return err
	}
	for _, p := range r.platforms {
		fmt.Printf("%s: %s\n", r.version, p)
		if err := r.compile(ctx, p); err != nil {
			return err
		}
	}
	return nil
}

// write writes a file of the release.
func (r *release) write(name string, text []byte) error {
	return os.WriteFile(filepath.Join(r.out, name), text, 0o644)
}

// named is the name of a file that carries the version.
func (r *release) named(rest string) string { return "tidemark_" + r.version + "_" + rest }
