package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"testing"

	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/mutate"
	"sigs.k8s.io/yaml"
)

// TestFiles: a release has these, and the checksums of all that is not a
// signature.
func TestFiles(t *testing.T) {
	folder, version := built(t)
	prefix := "tidemark_" + version + "_"
	want := []string{sums, provenance, "sbom.cdx.json", "tidemark.yaml", "tidemark-" + strings.TrimPrefix(version, "v") + ".tgz"}
	for _, rest := range []string{
		"chart.tar", "darwin_amd64.tar.gz", "darwin_arm64.tar.gz", "image.tar", "linux_amd64.tar.gz", "linux_arm64.tar.gz", "windows_amd64.zip",
	} {
		want = append(want, prefix+rest)
	}
	if isSigned(folder) {
		want = append(want, sums+".sig", "cosign.pub", "provenance.intoto.jsonl", prefix+"chart_signature.tar", prefix+"image_signature.tar")
	}
	slices.Sort(want)
	got, err := filesIn(folder)
	if err != nil || !slices.Equal(got, want) {
		t.Errorf("files\n%v, want\n%v; error %v", got, want, err)
	}
	listed := map[string]string{}
	for line := range strings.Lines(string(read(t, folder, sums))) {
		sum, name, _ := strings.Cut(strings.TrimSpace(line), "  ")
		listed[name] = sum
	}
	for _, name := range want {
		later := strings.Contains(name, "signature") || strings.HasPrefix(name, sums) || name == "cosign.pub" || strings.HasSuffix(name, ".jsonl")
		sum := fmt.Sprintf("%x", sha256.Sum256(read(t, folder, name)))
		if !later && listed[name] != sum || later && listed[name] != "" {
			t.Errorf("the sum of %s is listed as %q, and is %s", name, listed[name], sum)
		}
	}
}

// TestTheImageRuns unpacks the image for this machine and runs it: in a root of
// its own and as the image's user where the test may, in its folder otherwise.
func TestTheImageRuns(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("images are for Linux")
	}
	folder, version := built(t)
	image := imageOf(t, folder, version, runtime.GOARCH)
	config, err := image.ConfigFile()
	if err != nil {
		t.Fatal(err)
	}
	if config.Config.User != "65532:65532" || !slices.Equal(config.Config.Entrypoint, []string{"/tidemark"}) {
		t.Errorf("it runs %v as %q", config.Config.Entrypoint, config.Config.User)
	}
	root := t.TempDir()
	if err := os.Chmod(root, 0o755); err != nil {
		t.Fatal(err)
	}
	layers := mutate.Extract(image)
	defer layers.Close()
	if err := unpack(layers, root); err != nil {
		t.Fatal(err)
	}
	files, err := everyFile(root)
	if want := []string{"etc/ssl/certs/ca-certificates.crt", "licenses/LICENSE", "tidemark"}; err != nil || !slices.Equal(files, want) {
		t.Errorf("it holds %v, want %v; error %v", files, want, err)
	}
	cmd := exec.Command(filepath.Join(root, "tidemark"), "version")
	if os.Getuid() == 0 {
		cmd = exec.Command("/tidemark", "version")
		cmd.Dir = "/"
		cmd.SysProcAttr = &syscall.SysProcAttr{Chroot: root, Credential: &syscall.Credential{Uid: 65532, Gid: 65532}}
	}
	text, err := cmd.CombinedOutput()
	if err != nil || !strings.Contains(string(text), version) {
		t.Errorf("it says %q, want %s in it; error %v", text, version, err)
	}
}

func imageOf(t *testing.T, folder, version, arch string) v1.Image {
	t.Helper()
	o, err := openLayout(filepath.Join(folder, "tidemark_"+version+"_image.tar"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(o.close)
	index, err := o.index.ImageIndex(o.entry.Digest)
	if err != nil {
		t.Fatal(err)
	}
	manifest, err := index.IndexManifest()
	if err != nil {
		t.Fatal(err)
	}
	for _, entry := range manifest.Manifests {
		if entry.Platform.OS == "linux" && entry.Platform.Architecture == arch {
			image, err := index.Image(entry.Digest)
			if err != nil {
				t.Fatal(err)
			}
			return image
		}
	}
	t.Fatalf("there is no image for %s in %v", arch, manifest.Manifests)
	return nil
}

// TestTheChart has the release's version and names its image by its digest.
func TestTheChart(t *testing.T) {
	folder, version := built(t)
	number := strings.TrimPrefix(version, "v")
	unzipped, err := gzip.NewReader(bytes.NewReader(read(t, folder, "tidemark-"+number+".tgz")))
	if err != nil {
		t.Fatal(err)
	}
	files := map[string][]byte{}
	for in := tar.NewReader(unzipped); ; {
		head, err := in.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		if files[head.Name], err = io.ReadAll(in); err != nil {
			t.Fatal(err)
		}
	}
	var chart struct{ Name, Version, AppVersion string }
	var values struct{ Image struct{ Digest string } }
	for name, into := range map[string]any{"tidemark/Chart.yaml": &chart, "tidemark/values.yaml": &values} {
		if err := yaml.Unmarshal(files[name], into); err != nil {
			t.Fatal(err)
		}
	}
	o, err := openLayout(filepath.Join(folder, "tidemark_"+version+"_image.tar"))
	if err != nil {
		t.Fatal(err)
	}
	defer o.close()
	if chart.Name != "tidemark" || chart.Version != number || chart.AppVersion != version || values.Image.Digest != o.entry.Digest.String() {
		t.Errorf("the chart is %+v with %+v, the image %s", chart, values, o.entry.Digest)
	}
}

// TestKrew: each platform's archive is there, with its sum and its program.
func TestKrew(t *testing.T) {
	folder, version := built(t)
	var plugin struct {
		Spec struct {
			Version   string
			Platforms []struct{ URI, SHA256, Bin string }
		}
	}
	if err := yaml.Unmarshal(read(t, folder, "tidemark.yaml"), &plugin); err != nil {
		t.Fatal(err)
	}
	if len(plugin.Spec.Platforms) != 5 || plugin.Spec.Version != version {
		t.Errorf("%d platforms of %s", len(plugin.Spec.Platforms), plugin.Spec.Version)
	}
	for _, p := range plugin.Spec.Platforms {
		t.Run(filepath.Base(p.URI), func(t *testing.T) {
			text := read(t, folder, filepath.Base(p.URI))
			if sum := fmt.Sprintf("%x", sha256.Sum256(text)); sum != p.SHA256 {
				t.Errorf("its sum is %s, the manifest says %s", sum, p.SHA256)
			}
			names := namesIn(t, p.URI, text)
			for _, want := range []string{"LICENSE", p.Bin, "share/man/man1/tidemark.1"} {
				if !slices.Contains(names, want) {
					t.Errorf("it holds %v, and no %s", names, want)
				}
			}
		})
	}
}

func namesIn(t *testing.T, name string, text []byte) (names []string) {
	t.Helper()
	if strings.HasSuffix(name, ".zip") {
		in, err := zip.NewReader(bytes.NewReader(text), int64(len(text)))
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range in.File {
			names = append(names, file.Name)
		}
		return names
	}
	unzipped, err := gzip.NewReader(bytes.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	for in := tar.NewReader(unzipped); ; {
		head, err := in.Next()
		if errors.Is(err, io.EOF) {
			return names
		}
		if err != nil {
			t.Fatal(err)
		}
		names = append(names, head.Name)
	}
}

// TestMaterials: the bill lists the modules of others that are linked, and the
// standard library; the provenance names every file beside them.
func TestMaterials(t *testing.T) {
	folder, version := built(t)
	var bill struct {
		BOMFormat, SpecVersion string
		Metadata               struct {
			Component struct{ Name, Version string }
		}
		Components []struct{ Name, PURL string }
	}
	if err := json.Unmarshal(read(t, folder, "sbom.cdx.json"), &bill); err != nil {
		t.Fatal(err)
	}
	if bill.BOMFormat != "CycloneDX" || bill.SpecVersion != "1.6" || bill.Metadata.Component.Version != version {
		t.Errorf("the bill is %+v", bill)
	}
	want := []string{"std", "./other"}
	if *dist != "" {
		want = []string{"std", "sigs.k8s.io/controller-runtime", "k8s.io/client-go"}
	}
	for _, name := range want {
		if !slices.ContainsFunc(bill.Components, func(c struct{ Name, PURL string }) bool { return c.Name == name }) {
			t.Errorf("the bill lacks %s", name)
		}
	}
	var statement struct {
		Type    string `json:"_type"`
		Subject []struct {
			Name   string
			Digest map[string]string
		}
	}
	if err := json.Unmarshal(read(t, folder, provenance), &statement); err != nil {
		t.Fatal(err)
	}
	if statement.Type != statementType || len(statement.Subject) != 10 {
		t.Errorf("the provenance is a %s of %d files", statement.Type, len(statement.Subject))
	}
	for _, subject := range statement.Subject {
		if sum := fmt.Sprintf("%x", sha256.Sum256(read(t, folder, subject.Name))); sum != subject.Digest["sha256"] {
			t.Errorf("the sum of %s is %s, the provenance says %v", subject.Name, sum, subject.Digest)
		}
	}
}
