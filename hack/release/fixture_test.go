package main

import (
	"bytes"
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"encoding/pem"
	"flag"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"sync"
	"testing"
)

// dist is a release that was built before. Without it the tests build one of a
// program that is small, and otherwise like ours.
var dist = flag.String("dist", "", "folder of a release to look at, with its signatures")

// version is the small one's.
const smallVersion = "v1.2.3"

// built is a release that is signed, built once for all tests.
func built(t *testing.T) (folder, version string) {
	t.Helper()
	if *dist == "" {
		folder, err := small()
		if err != nil {
			t.Fatal(err)
		}
		return folder, smallVersion
	}
	charts, err := filepath.Glob(filepath.Join(*dist, "tidemark_v*_chart.tar"))
	if err != nil || len(charts) != 1 {
		t.Fatalf("charts in %s: %v, error %v", *dist, charts, err)
	}
	return *dist, regexp.MustCompile(`_(v.+)_chart`).FindStringSubmatch(filepath.Base(charts[0]))[1]
}

var workFolder string

func TestMain(m *testing.M) {
	flag.Parse()
	code := m.Run()
	os.RemoveAll(workFolder)
	os.Exit(code)
}

var small = sync.OnceValues(func() (string, error) {
	var err error
	if workFolder, err = os.MkdirTemp("", "release-test-"); err != nil {
		return "", err
	}
	repository, out, key := filepath.Join(workFolder, "repository"), filepath.Join(workFolder, "dist"), filepath.Join(workFolder, "key")
	if err := makeRepository(repository); err != nil {
		return "", err
	}
	if err := makeKey(key); err != nil {
		return "", err
	}
	o := options{
		repository: repository, version: smallVersion, image: "registry.example.net/tidemark", charts: "registry.example.net/charts",
		download: "https://downloads.example.net", builder: "https://builder.example.net", warm: true,
	}
	return out, build(context.Background(), o, out, key)
})

// makeRepository commits a small program, with a module of others, and our chart.
func makeRepository(folder string) error {
	for name, text := range map[string]string{
		"go.mod":              "module github.com/tidemark/tidemark\n\ngo 1.26.0\n\nrequire example.com/other v1.0.0\n\nreplace example.com/other v1.0.0 => ./other\n",
		"docs/man/tidemark.1": ".TH TIDEMARK 1\n",
		"LICENSE":             "do as you like\n", "other/go.mod": "module example.com/other\n\ngo 1.26.0\n", "other/other.go": "package other\n\nconst Word = \"version\"\n",
		"internal/cli/version/version.go": "package version\n\nvar Number = \"none\"\n",
		"cmd/tidemark/main.go": "package main\n\nimport (\n\t\"os\"\n\n\t\"example.com/other\"\n\n\t\"github.com/tidemark/tidemark/internal/cli/version\"\n)\n\n" +
			"func main() {\n\tif len(os.Args) == 2 && os.Args[1] == other.Word {\n\t\tos.Stdout.WriteString(version.Number + \"\\n\")\n\t}\n}\n",
	} {
		path := filepath.Join(folder, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			return err
		}
	}
	if err := os.CopyFS(filepath.Join(folder, "charts"), os.DirFS("../../charts")); err != nil {
		return err
	}
	for _, args := range [][]string{
		{"init", "-q"}, {"add", "."}, {"-c", "user.name=a", "-c", "user.email=a@example.com", "-c", "commit.gpgsign=false", "commit", "-q", "-m", "all"},
	} {
		if text, err := exec.Command("git", append([]string{"-C", folder}, args...)...).CombinedOutput(); err != nil {
			return &fs.PathError{Op: string(bytes.TrimSpace(text)), Path: folder, Err: err}
		}
	}
	return nil
}

// makeKey writes a key that is not encrypted.
func makeKey(path string) error {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return err
	}
	raw, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		return err
	}
	return os.WriteFile(path, pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: raw}), 0o600)
}

// isSigned tells whether a release is: one that was built before may not be.
func isSigned(folder string) bool {
	_, err := os.Stat(filepath.Join(folder, "cosign.pub"))
	return err == nil
}

// read is the text of a file of a release.
func read(t *testing.T, folder, name string) []byte {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(folder, name))
	if err != nil {
		t.Fatal(err)
	}
	return text
}
